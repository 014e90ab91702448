"""A model's Markdown can say what it likes and do nothing."""

from html.parser import HTMLParser

import pytest

from coach import markdown
from coach.markdown import TAGS, render

HOSTILE = [
    '<img src=x onerror="alert(1)">',
    '<div hx-get="/settings/" hx-trigger="load">x</div>',
    '<a href="javascript:alert(1)">x</a>',
    "[x](javascript:alert(1))",
    "[x](data:text/html,hi)",
    "![x](https://example.org/pixel.png)",
    '<p style="position:fixed" class="receipt" id="composer" data-x="1">x</p>',
    "<script>alert(1)</script>",
    '<hx-partial hx-target="#transcript">x</hx-partial>',
    "<template>x</template>",
]


class Tags(HTMLParser):
    """Every tag and attribute that a browser would see."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, str | None] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(attrs)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_comes_out_as_text(text: str) -> None:
    seen = Tags(render(text))
    assert seen.tags <= TAGS
    assert seen.attributes.keys() <= {"href", "rel"}
    assert not (seen.attributes.get("href") or "").startswith(("javascript:", "data:"))


@pytest.mark.parametrize("text", HOSTILE)
def test_allow_list_alone_holds_when_the_parser_lets_html_through(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(markdown._parser, "render", lambda source: source)
    seen = Tags(render(text))
    assert seen.tags <= TAGS
    assert seen.attributes.keys() <= {"href", "rel"}


def test_link_says_where_it_leads() -> None:
    html = render("[see here](https://example.org/page)")
    assert 'rel="nofollow noopener noreferrer"' in html
    assert "(example.org)" in html


def test_link_that_shows_its_host_is_left_alone() -> None:
    assert "(example.org)" not in render("<https://example.org/page>")


def test_tables_and_lists_are_kept() -> None:
    html = render("| a |\n|---|\n| 1 |\n\n- x")
    assert "<table>" in html
    assert "<li>x</li>" in html
