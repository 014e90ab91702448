"""Icons: vendored, used, and never more than decoration."""

import re

import pytest
from django.conf import settings

from gymnasia.templatetags.ui import ICONS, drawing_of, icon

NAMED = re.compile(r"""{% icon "([a-z0-9-]+)\"""")


def test_an_icon_is_inline_and_hidden_from_screen_readers() -> None:
    drawn = icon("house", "big")
    assert drawn.startswith('<svg class="icon big" viewBox="0 0 24 24" aria-hidden="true"')
    assert "<path d=" in drawn
    assert "\n" not in drawn


@pytest.mark.parametrize("name", ["../../manage", "House", "", 'x" onload="'])
def test_nothing_but_a_plain_name_is_looked_up(name: str) -> None:
    with pytest.raises(ValueError, match="not the name of an icon"):
        drawing_of(name)


def test_every_icon_that_a_template_names_is_there() -> None:
    for template in (settings.BASE_DIR / "templates").rglob("*.html"):
        for name in NAMED.findall(template.read_text(encoding="utf-8")):
            assert (ICONS / f"{name}.svg").exists(), f"{template.name}: {name}"


def test_every_vendored_icon_is_used() -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for folder, pattern in (("templates", "*.html"), ("measurements", "*.py"), ("coach", "*.py"))
        for path in (settings.BASE_DIR / folder).rglob(pattern)
    ]
    for drawing in ICONS.glob("*.svg"):
        assert any(f'"{drawing.stem}"' in source for source in sources), drawing.name
