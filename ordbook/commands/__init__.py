"""The commands of ``ordbook``, one module for each.

A module has ``add(commands)``, which describes its command to the parser and names the function
that runs it: it gets the options and returns the exit code. What a command needs is imported when
it runs, so that ``ordbook --help`` is quick and works without the extras.

Contents
--------
Commands   what the commands are added to
fail       say in one line what is wrong, return an exit code
"""

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = argparse._SubParsersAction


def fail(message: str, code: int) -> int:
    """Say on stderr what is wrong, and return the exit code."""
    print(f"ordbook: {message}", file=sys.stderr)
    return code
