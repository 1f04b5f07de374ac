"""HTML that is escaped unless it was built here.

The only way to make a :class:`Markup` from a text is :func:`el`, which escapes it; so what a joke or a query
contains is shown, never run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from urllib.parse import urlencode

__all__ = ["Markup", "Node", "el", "href", "join"]

_VOID = frozenset({"br", "img", "input", "link", "meta"})
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


class Markup(str):
    """A piece of HTML that may stand in a page as it is."""

    __slots__ = ()


Node = str | Markup | int | None | Iterable["Node"]


def _text(text: str) -> str:
    return escape(_CONTROL.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")), quote=True)


def join(*nodes: Node) -> Markup:
    """Give nodes one after another; texts are escaped, None is nothing."""
    parts: list[str] = []
    for node in nodes:
        if node is None:
            continue
        if isinstance(node, Markup):
            parts.append(node)
        elif isinstance(node, str | int):
            parts.append(_text(str(node)))
        else:
            parts.append(join(*node))
    return Markup("".join(parts))


def el(name: str, /, *children: Node, **attributes: str | int | float | bool | None) -> Markup:
    """Give an element; an underscore in an attribute's name is a hyphen, a trailing one is dropped (``class_``).

    An attribute that is None or False is left out, one that is True stands without a value.

    >>> el("a", "1 < 2", href="/?a=1&b=2", class_="x", hidden=True)
    '<a href="/?a=1&amp;b=2" class="x" hidden>1 &lt; 2</a>'
    """
    written = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        attribute = key.rstrip("_").replace("_", "-")
        written.append(attribute if value is True else f'{attribute}="{_text(str(value))}"')
    opening = f"<{' '.join(written)}>"
    return Markup(opening if name in _VOID else f"{opening}{join(*children)}</{name}>")


def href(path: str, parameters: Iterable[tuple[str, str]] = ()) -> str:
    """Give a link within the site; what it carries is percent-encoded.

    >>> href("/", [("q", "a&b=c")])
    '/?q=a%26b%3Dc'
    """
    query = urlencode(list(parameters))
    return f"{path}?{query}" if query else path
