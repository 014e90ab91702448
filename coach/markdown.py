"""Markdown from a model, as HTML that can do nothing: an allow-list of plain tags, and links."""

from typing import Final
from urllib.parse import urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

TAGS: Final = {
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol",
    "p", "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES: Final = {"a": {"href"}, "ol": {"start"}}
SCHEMES: Final = {"http", "https", "mailto"}


def _show_hosts(state: StateCore) -> None:
    """Puts the host behind a link whose words do not say where it leads."""
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = list(_with_hosts(block.children))


def _with_hosts(tokens: list[Token]) -> list[Token]:
    shown: list[Token] = []
    host, words = "", ""
    for token in tokens:
        shown.append(token)
        if token.type == "link_open":
            host, words = urlsplit(str(token.attrGet("href") or "")).hostname or "", ""
        elif token.type == "link_close" and host and host not in words:
            shown.append(Token("text", "", 0, content=f" ({host})"))
        else:
            words += token.content
    return shown


_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
_parser.core.ruler.push("show_hosts", _show_hosts)


def render(text: str) -> str:
    """Safe HTML. Raw HTML in `text` comes out as text; images, styles, ids, data- and hx- cannot occur."""
    return nh3.clean(
        _parser.render(text),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="nofollow noopener noreferrer",
    )


def split_finished(text: str) -> tuple[str, str]:
    """What no later text can change any more, and the rest: the last top-level block, which still grows.

    A line that has not ended yet says nothing for certain: `*` may become a list or a word.
    """
    whole_lines = text[: text.rfind("\n") + 1]
    starts = [token.map[0] for token in _parser.parse(whole_lines) if token.level == 0 and token.map]
    last = max(starts, default=0)
    if last == 0:
        return "", text
    # Not `splitlines`, which knows more kinds of line than Markdown does.
    lines = text.split("\n")
    return "\n".join(lines[:last]) + "\n", "\n".join(lines[last:])
