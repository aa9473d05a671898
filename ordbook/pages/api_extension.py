"""A Sphinx extension for the pages that describe the package, with links for their names.

Docstrings name things as readers of code do, in single backquotes: `rnod`, `gold`,
``ordbook.meta.discrimination.contradictions``. Where such a name is described on one of these
pages it becomes a link; where it is that of a parameter, of a module or of something that has no
entry, it stays text; where nothing has that name, the build fails.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import re
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.nodes import Element
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

from ordbook import cli

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docutils.nodes import Node, TextElement, reference
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_ROLE = re.compile(r":(?:py:)?(?:func|meth|class|attr|mod|exc|data|obj):`")
_SOURCE = re.compile(r"docstring of ([\w.]+)")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.add_directive("first-lines", FirstLines)
    app.add_directive("command-help", CommandHelp)
    app.connect("missing-reference", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class FirstLines(SphinxDirective):
    """A list of names of ``ordbook``, each with a link and the first line of its docstring."""

    has_content = True

    def run(self) -> list[Node]:
        """Return the list."""
        lines = StringList()
        for name in " ".join(self.content).split():
            full = f"ordbook.{name}"
            first = (inspect.getdoc(resolve_name(full)) or "").partition("\n")[0]
            first = _ROLE.sub("`", first)  # the page is Markdown
            lines.append(f"- {{py:obj}}`{name} <{full}>`: {first}", full)
        holder = Element()
        self.state.nested_parse(lines, self.content_offset, holder)
        return list(holder.children)


class CommandHelp(SphinxDirective):
    """A section for each command of ``ordbook``, with its help text."""

    def run(self) -> list[Node]:
        """Return the sections."""
        sections: list[Node] = []
        for name, parser in commands().items():
            place = f"ordbook-{name}"
            # As wide as the text of a page, whatever terminal the book is built in.
            kind: Any = parser.formatter_class
            parser.formatter_class = functools.partial(kind, width=70)
            section = nodes.section("", nodes.title("", f"ordbook {name}"), ids=[place])
            section += nodes.literal_block(
                "", parser.format_help(), language="none", classes=["command-help"]
            )
            sections.append(section)
        return sections


def commands() -> dict[str, argparse.ArgumentParser]:
    """Return the commands of ``ordbook`` by name, with their parsers."""
    parsers: dict[str, argparse.ArgumentParser] = {}
    for action in cli._parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            parsers.update(action.choices)
    return parsers


def link_names(
    app: Sphinx, env: BuildEnvironment, node: Element, contnode: TextElement
) -> reference | TextElement | None:
    """Return a link to the entry of a Python name, or the name itself if it has none."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    entries = env.domaindata["py"]["objects"]
    name = _entry(target, entries)
    if name is not None:
        entry = entries[name]
        return make_refnode(
            app.builder, node["refdoc"], entry.docname, entry.node_id, contnode, name
        )
    # The default role is for parameters too, and a type may be a word, such as "sequence".
    plain = node["reftype"] in ("obj", "class") and "." not in target
    written = _SOURCE.search(str(node.source or ""))
    return contnode if plain or _exists(target, written[1] if written else "") else None


def _entry(target: str, entries: Mapping[str, object]) -> str | None:
    """Return the full name of the entry that describes a name.

    An entry stands under the name that readers import, ``ordbook.rnod``, and not under that of
    the module where it is written; the field of a class is described with its class.
    """
    if target in entries:
        return target
    owner, _, last = target.rpartition(".")
    named = [name for name in entries if name.endswith(f".{last}")]
    if not owner:
        return named[0] if len(named) == 1 else None
    same = [name for name in named if _found(target) is not None and _found(name) is _found(target)]
    if same:
        return same[0]
    is_class = owner.rpartition(".")[2][:1].isupper()
    return _entry(owner, entries) if is_class else None


@cache
def _found(name: str) -> object:
    try:
        return resolve_name(name)
    except (ImportError, AttributeError, ValueError):
        return None


def _exists(target: str, written: str) -> bool:
    """Tell whether a name exists, seen from the module of a docstring.

    A field of a class exists where its class does.
    """
    while written:
        full = f"{written}.{target}"
        fields = getattr(_found(full.rpartition(".")[0]), "__annotations__", {})
        if _found(full) is not None or full.rpartition(".")[2] in fields:
            return True
        written = written.rpartition(".")[0]
    return _found(target) is not None
