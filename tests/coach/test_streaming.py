"""A streamed answer ends as the page would have drawn it at once, and grows by what is new."""

from html.parser import HTMLParser
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from coach import markdown
from coach.streaming import StreamedText, Swap

PIECES = [
    "word ", "**bold** ", "\n\n", "\n", "- item\n", "1. one\n", "```\ncode\n```\n", "# Title\n", "> quote\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n", "`code` ", "<b>", "&amp; ", "*", "[x](https://example.org) ", "  ",
    "\u2028", "\x0b",
]  # fmt: skip
MARKDOWN = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def pieces(text: str, cuts: list[int]) -> list[str]:
    places = sorted({cut % (len(text) + 1) for cut in cuts} | {0, len(text)})
    return [text[a:b] for a, b in pairwise(places)]


class Words(HTMLParser):
    """The text of a page and the tags around it, without the white space that HTML ignores."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(f"<{tag}>")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.seen.append(data.strip())


def words(html: str) -> list[str]:
    parser = Words()
    parser.feed(html)
    return parser.seen


@example("word\n\n- item\n*- item\n", [16])
@given(MARKDOWN, st.lists(st.integers(0, 500), max_size=12))
def test_streamed_text_ends_as_it_is_rendered_at_once(text: str, cuts: list[int]) -> None:
    streamed = StreamedText("t")
    for piece in pieces(text, cuts):
        streamed.add(piece)
    shown = streamed.html().replace('<div id="t-finished">', "").replace('<div id="t-tail">', "")
    assert words(shown.replace("</div>", "")) == words(markdown.render(text))


def test_plain_growth_is_sent_as_the_new_text_alone() -> None:
    streamed = StreamedText("t")
    streamed.add("Hello")
    assert streamed.add(" wor") == [Swap("#t-tail > p:last-child", "beforeend", " wor")]
    assert streamed.add("ld") == [Swap("#t-tail > p:last-child", "beforeend", "ld")]


def test_growth_inside_a_list_goes_into_its_last_item() -> None:
    streamed = StreamedText("t")
    streamed.add("- one\n- tw")
    assert streamed.add("o") == [Swap("#t-tail > ul:last-child > li:last-child", "beforeend", "o")]


def test_finished_block_is_sent_once() -> None:
    streamed = StreamedText("t")
    streamed.add("First.")
    streamed.add("\n\nSecond")
    swaps = streamed.add("\n")
    assert [swap.how for swap in swaps] == ["beforeend", "innerHTML"]
    assert "First" in swaps[0].html
    assert all("First" not in str(swap) for swap in streamed.add(" more"))


def test_markup_that_closes_redraws_the_growing_block_alone() -> None:
    streamed = StreamedText("t")
    streamed.add("a **bol")
    assert streamed.add("d**") == [Swap("#t-tail", "innerHTML", "<p>a <strong>bold</strong></p>\n")]
