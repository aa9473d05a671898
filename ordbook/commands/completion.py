"""``ordbook completion``: what a shell needs to complete the commands.

Contents
--------
add   describe the command to the parser
"""

import argparse
from functools import partial

from ordbook.commands import Commands

SHELLS = ("bash", "zsh", "tcsh")
EXAMPLE = """\
examples:
  ordbook completion bash > ~/.local/share/bash-completion/completions/ordbook
  ordbook completion zsh > ~/.zfunc/_ordbook      (with ~/.zfunc in fpath, before compinit)"""


def add(commands: Commands, parser: argparse.ArgumentParser) -> None:
    """Describe the command to the parser, which is also what it describes to a shell."""
    completion = commands.add_parser(
        "completion",
        help="print what a shell needs to complete these commands",
        description="Print a script with which a shell completes commands, options and paths.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    completion.add_argument("shell", choices=SHELLS, help="the shell")
    completion.set_defaults(run=partial(_completion, parser))


def _completion(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(parser, options.shell))
    return 0
