"""Template tags for what every page is drawn with."""

import re
from functools import cache

from django import template
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from gymnasia import demo

register = template.Library()

ICONS = settings.BASE_DIR / "static" / "vendor" / "lucide"


@cache
def drawing_of(name: str) -> str:
    """The shapes inside a vendored icon, without its comment, its `<svg>` and its line breaks."""
    if not re.fullmatch(r"[a-z0-9-]+", name):
        raise ValueError(f"not the name of an icon: {name!r}")
    source = (ICONS / f"{name}.svg").read_text(encoding="utf-8")
    inner = source.partition("<svg")[2].partition(">")[2].rpartition("</svg>")[0]
    return re.sub(r"\s*\n\s*", "", inner)


@register.simple_tag
def icon(name: str, extra_class: str = "") -> SafeString:
    """One Lucide icon as inline SVG. It is always decoration: the word stands beside it."""
    css = f"icon {extra_class}".strip()
    frame = f'<svg class="{css}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
    return mark_safe(f"{frame}{drawing_of(name)}</svg>")  # noqa: S308 - our own files and template constants


@register.simple_tag
def demo_account() -> dict[str, str] | None:
    """How to enter the demo account, where there is one."""
    return {"name": demo.NAME, "password": demo.PASSWORD} if settings.DEMO else None
