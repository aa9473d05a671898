"""``ordbook completion``: what a shell needs to complete the commands.

Contents
--------
add          describe the command to the parser
with_lists   the parser, with what an argument may be where the names of it are known
fish         the parser -> a script for fish, which shtab does not know
"""

import argparse
from collections.abc import Iterator
from functools import partial

from ordbook.commands import Commands, Help

SHELLS = ("bash", "zsh", "tcsh", "fish")
EXAMPLE = """\
examples:
  ordbook completion bash > ~/.local/share/bash-completion/completions/ordbook
  ordbook completion zsh > ~/.zfunc/_ordbook   (~/.zfunc in fpath, then compinit)
  ordbook completion tcsh > ~/.ordbook.tcsh    (in ~/.tcshrc: source that file)
  ordbook completion fish > ~/.config/fish/completions/ordbook.fish

There is none for PowerShell. Shells take effect when they are started anew."""


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
    with_lists(parser)
    if options.shell == "fish":
        print(fish(parser), end="")
        return 0
    import shtab

    print(shtab.complete(parser, options.shell))
    return 0


def with_lists(parser: argparse.ArgumentParser) -> None:
    """Give arguments that are one of few names these as choices, and say which are files.

    Commands check such names themselves, since several may be given at once and they say more
    about a wrong one. The parser is for nothing else afterwards.
    """
    import shtab

    from ordbook.chapters.parameters import CHAPTERS

    every = ("all",) if parser.prog.endswith(("rerun", "sweep")) else ()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                with_lists(command)
        elif action.metavar == "CHAPTER" or "--chapters" in action.option_strings:
            action.choices = (*CHAPTERS, *every)
        elif action.choices is None and "|" in str(action.metavar):
            action.choices = str(action.metavar).split("|")
        elif _is_path(action):
            kind = shtab.DIRECTORY if action.metavar == "DIR" else shtab.FILE
            action.complete = kind  # type: ignore[attr-defined] # shtab reads it


def _is_path(action: argparse.Action) -> bool:
    return action.nargs != 0 and str(action.metavar).startswith(("DIR", "FILE", "PATH"))


def fish(parser: argparse.ArgumentParser) -> str:
    r"""Describe a parser with commands to fish: a line per command and per option of it.

    Examples
    --------
    >>> parser = argparse.ArgumentParser("tool", add_help=False)
    >>> command = parser.add_subparsers().add_parser("go", help="it's off", add_help=False)
    >>> _ = command.add_argument("-o", "--out", metavar="DIR", help="where to")
    >>> print(fish(parser), end="")
    complete -c tool -f
    complete -c tool -n __fish_use_subcommand -a go -d 'it\'s off'
    complete -c tool -n '__fish_seen_subcommand_from go' -s o -l out -r -F -d 'where to'
    """
    name = parser.prog
    lines = [f"complete -c {name} -f"]
    lines += _lines(f"complete -c {name} -n __fish_use_subcommand", parser)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                begin = f"complete -c {name} -n __fish_use_subcommand"
                lines.append(f"{begin} -a {choice.dest} -d {_quoted(choice.help or '')}")
            for command, its in action.choices.items():
                condition = f"'__fish_seen_subcommand_from {command}'"
                lines += _lines(f"complete -c {name} -n {condition}", its)
    return "\n".join(lines) + "\n"


def _lines(begin: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Describe the options of one command, and its arguments where they are known or are files."""
    formatter = parser._get_formatter()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        names = [f"-s {o[1:]}" for o in action.option_strings if not o.startswith("--")]
        names += [f"-l {o[2:]}" for o in action.option_strings if o.startswith("--")]
        takes = ["-r"] if names and action.nargs != 0 and action.nargs != "?" else []
        if action.choices is not None:
            takes.append(f"-a {_quoted(' '.join(map(str, action.choices)))}")
        elif _is_path(action):
            takes.append("-F")
        if names or takes:
            shown = _quoted(formatter._expand_help(action) if action.help else "")
            yield " ".join([begin, *names, *takes, f"-d {shown}"])


def _quoted(text: str) -> str:
    """Quote for fish: within single quotes only these two mean something."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
