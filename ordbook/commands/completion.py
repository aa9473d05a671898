"""``ordbook completion``: what a shell needs to complete the commands."""

import argparse
from functools import partial

from ordbook.commands import Commands, Help

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
EXAMPLE = """\
examples:
  ordbook completion bash > ~/.local/share/bash-completion/completions/ordbook
  ordbook completion zsh > ~/.zfunc/_ordbook   (~/.zfunc in fpath, then compinit)
  ordbook completion tcsh > ~/.ordbook.tcsh    (in ~/.tcshrc: source that file)
  ordbook completion fish > ~/.config/fish/completions/ordbook.fish

Shells take effect when they are started anew."""


def add(commands: Commands, parser: argparse.ArgumentParser) -> None:
    """Describe the command to the parser, which is also what it describes to a shell."""
    completion = commands.add_parser(
        "completion",
        help="print what a shell needs to complete these commands",
        description="Print a script with which a shell completes commands, options and paths.",
        epilog=EXAMPLE,
        formatter_class=Help,
    )
    completion.add_argument("shell", choices=SHELLS, help="the shell")
    completion.set_defaults(run=partial(_completion, parser))


def _completion(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    import shtab

    _tell(parser)
    print(shtab.complete(parser, options.shell))
    return 0


def _tell(parser: argparse.ArgumentParser) -> None:
    """Give arguments that are one of few names these as choices, and say which are files.

    Commands check such names themselves, since several may be given at once. The parser is for
    nothing else afterwards.
    """
    import shtab

    from ordbook.chapters.parameters import CHAPTERS, REPORT

    for action in parser._actions:
        metavar = str(action.metavar)
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _tell(command)
        elif metavar == "CHAPTER" or "--chapters" in action.option_strings:
            action.choices = (REPORT, *CHAPTERS, "all")
        elif action.choices is None and "|" in metavar:
            action.choices = metavar.split("|")
        elif action.nargs != 0 and metavar.startswith(("DIR", "FILE", "PATH")):
            kind = shtab.DIRECTORY if metavar == "DIR" else shtab.FILE
            action.complete = kind  # type: ignore[attr-defined] # shtab reads it
