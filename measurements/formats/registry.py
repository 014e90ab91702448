"""Every format that can be imported, and which of them a file is."""

import pkgutil
from functools import cache
from importlib import import_module

import measurements.formats
from measurements.formats.base import Format

NOT_FORMATS = {"base", "registry"}
HEAD_CHARACTERS = 4096


@cache
def formats() -> dict[str, Format]:
    """By name. Each module of this package that has a FORMAT is one."""
    modules = (
        import_module(f"measurements.formats.{info.name}")
        for info in pkgutil.iter_modules(measurements.formats.__path__)
        if info.name not in NOT_FORMATS
    )
    return {module.FORMAT.name: module.FORMAT for module in modules}


def recognise(head: str) -> Format | None:
    """The format that is surest of the beginning of a file; None when none recognises it."""
    best = max(formats().values(), key=lambda candidate: candidate.score(head), default=None)
    return best if best and best.score(head) > 0 else None
