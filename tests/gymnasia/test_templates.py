"""Rules that hold for every template: a strict content policy, and pages that work without scripts."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
TAGS = re.compile(r"{%.*?%}|{#.*?#}", re.DOTALL)


class Elements(HTMLParser):
    """Every start tag of a template as (tag, attributes)."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        # Quotes inside Django tags would end attributes; what the tags give does not matter here.
        self.feed(TAGS.sub("x", path.read_text(encoding="utf-8")))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def name(path: Path) -> str:
    return str(path.relative_to(settings.BASE_DIR / "templates"))


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_nothing_is_inline_that_the_content_policy_would_have_to_allow(path: Path) -> None:
    for tag, attributes in Elements(path).found:
        assert tag != "style"
        if tag == "script":
            assert "src" in attributes
        for attribute, value in attributes.items():
            assert attribute != "style"
            assert not attribute.startswith(("on", "hx-on", "data-hx-on"))
            assert not (value or "").startswith(("js:", "javascript:"))
            assert not (attribute == "hx-trigger" and "[" in (value or "")), "filters need eval"


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_nothing_is_loaded_from_another_host(path: Path) -> None:
    for tag, attributes in Elements(path).found:
        for attribute in ("src", "href", "action"):
            loads = tag in {"script", "link", "img", "form"}
            assert not (loads and (attributes.get(attribute) or "").startswith(("http:", "https:", "//")))


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_every_link_and_form_works_without_scripts(path: Path) -> None:
    for tag, attributes in Elements(path).found:
        if tag == "a":
            assert attributes.get("href")
        if tag == "form":
            assert "action" in attributes
        if tag in {"a", "form"} and any(f"hx-{verb}" in attributes for verb in ("get", "post")):
            plain = attributes.get("href") or attributes.get("action")
            assert plain
            assert plain == (attributes.get("hx-get") or attributes.get("hx-post"))
