"""What import-linter cannot say, since it sees Django as one: parts of it that some modules never touch."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("django.http", "django.shortcuts", "django.template", "django.urls", "django.views")
WITHOUT_PAGES = ("coach/execution.py", "coach/harness.py", "coach/ledger.py", "coach/store.py", "coach/tools")
SERVICES = ("measurements/services.py", "measurements/rules.py", "measurements/importing.py")


@pytest.mark.parametrize("place", [*WITHOUT_PAGES, *SERVICES])
def test_work_is_done_without_http_and_templates(place: str) -> None:
    for module in _modules(ROOT / place):
        assert [name for name in _imports(module) if name.startswith(PAGES)] == []


def _modules(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def _imports(module: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                names += [alias.name for alias in node.names]
            case ast.ImportFrom(module=str() as origin):
                names += [f"{origin}.{alias.name}" for alias in node.names]
            case _:
                pass
    return names
