"""``ordbook slides``: slides from the chapters' own cells.

Contents
--------
add   describe the command to the parser
"""

import argparse
from pathlib import Path

from ordbook.commands import Commands, Help, add_out, executed

EPILOG = """\
examples:
  ordbook slides --out slides                      all chapters
  ordbook slides --out slides measures lq21
  ordbook slides --out slides measures --code      with the code of the cells

A cell is on a slide if its metadata has slideshow.slide_type, as JupyterLab's property inspector
writes it: slide, subslide, - (on the same slide), fragment or notes. Other cells are left out. The
chapters are executed first, which takes some minutes for all. DIR holds CHAPTER.html and all they
need; they ask no other host for anything, and open from the disk.

exit codes: 0 done; 1 a chapter failed or there was no room on a disk, nothing is written; 2 not
possible, nothing has run; 130 interrupted
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    slides = commands.add_parser(
        "slides",
        help="make slides from the chapters",
        description="Execute chapters and make slides from their own cells, figures and tables.",
        epilog=EPILOG,
        formatter_class=Help,
    )
    add_out(slides)
    slides.add_argument("--code", action="store_true", help="show the code of cells, too")
    executed.add_arguments(slides)
    slides.set_defaults(run=_slides)


def _slides(options: argparse.Namespace) -> int:
    from ordbook.course.slides import write_slides

    return executed.write(
        write_slides,
        options,
        lambda pages: (
            str(Path(options.out) / pages[0]),
            {"folder": options.out, "pages": pages},
        ),
        code=options.code,
        overwrite=options.overwrite,
    )
