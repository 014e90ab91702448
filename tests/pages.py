"""Reading answers as a person does."""

from html import unescape
from typing import Protocol


class HasContent(Protocol):
    """An answer of the test client."""

    @property
    def content(self) -> bytes: ...


def text(response: HasContent) -> str:
    """The markup with its entities written out."""
    return unescape(response.content.decode())
