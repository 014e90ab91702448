"""The text of an answer while it streams: what to add to the page for each new piece. Pure.

Finished blocks are sent once. The block that still grows is sent by what was added to it wherever
that is plain text at its end, so that nothing on the page is drawn again and nothing flickers.
"""

import re
from dataclasses import dataclass
from html import escape

from coach import markdown

_CLOSERS = re.compile(r"(?:</[a-z0-9]+>\s*)+$")
_TAG = re.compile(r"</([a-z0-9]+)>")


@dataclass(frozen=True, slots=True)
class Swap:
    """One change of the page: `html` put where `target` and `how` say, as htmx understands them."""

    target: str
    how: str
    html: str

    def __str__(self) -> str:
        return f'<hx-partial hx-target="{escape(self.target)}" hx-swap="{self.how}">{self.html}</hx-partial>'


class StreamedText:
    """A growing Markdown text, shown inside the element `name` as finished blocks and a tail."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._finished = ""
        self._tail = ""
        self._tail_html = ""

    @property
    def is_empty(self) -> bool:
        return not (self._finished or self._tail)

    def html(self) -> str:
        """All of it, as the page shows it after every swap given so far."""
        return (
            f'<div id="{self.name}-finished">{self._finished}</div>'
            f'<div id="{self.name}-tail">{self._tail_html}</div>'
        )

    def add(self, text: str) -> list[Swap]:
        """Takes the next piece of text; gives the changes that bring the page up to date."""
        finished, self._tail = markdown.split_finished(self._tail + text)
        before, self._tail_html = self._tail_html, markdown.render(self._tail)
        if finished:
            html = markdown.render(finished)
            self._finished += html
            return [
                Swap(f"#{self.name}-finished", "beforeend", html),
                Swap(f"#{self.name}-tail", "innerHTML", self._tail_html),
            ]
        return self._grow(before, self._tail_html)

    def _grow(self, before: str, after: str) -> list[Swap]:
        if before == after:
            return []
        closers = _CLOSERS.search(before)
        if closers:
            kept, ending = before[: closers.start()].rstrip("\n"), closers.group()
            added = after[len(kept) : len(after) - len(ending)]
            if after.startswith(kept) and after.endswith(ending) and "<" not in added:
                inside = reversed(_TAG.findall(ending))
                path = "".join(f" > {tag}:last-child" for tag in inside)
                return [Swap(f"#{self.name}-tail{path}", "beforeend", added)]
        return [Swap(f"#{self.name}-tail", "innerHTML", after)]
