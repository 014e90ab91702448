"""Every format that can be imported, and which of them a file is."""

import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import measurements.formats
from measurements.formats.base import Format
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import Kind, Source, sources_in

# The last resort. Its columns are asked for, which can be done for one table only.
TABLE: Final = "table"


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose format is known. Of a zip, each member of that format is a source."""

    format: Format
    sources: list[Source]


@cache
def formats() -> dict[str, Format]:
    """By name. Each module of this package that has a FORMAT is one."""
    modules = (
        import_module(f"measurements.formats.{info.name}")
        for info in pkgutil.iter_modules(measurements.formats.__path__)
    )
    found = (getattr(module, "FORMAT", None) for module in modules)
    return {product.name: product for product in found if product is not None}


def recognise(source: Source) -> tuple[int, str]:
    """How sure the surest format is of a file, and its name. A score of 0: no one recognises it."""
    return max((product.score(source), name) for name, product in formats().items())


def open_file(path: Path, format_name: str = "") -> Opened:
    """What is in a file, as the named format or the surest. Raises Problem for what is none, or hostile."""
    if format_name:
        asked = formats()[format_name]
        fitting = [source for source in sources_in(path) if asked.score(source)]
        if not fitting:
            raise Problem(ProblemCode.OTHER_FORMAT, asked.title)
        return _opened(asked, fitting)
    found: dict[tuple[int, str], list[Source]] = {}
    for source in sources_in(path):
        score, name = recognise(source)
        if score:
            found.setdefault((score, name), []).append(source)
        elif source.kind is Kind.JSON and not source.member:
            # Nobody's JSON may be somebody's that was cut off, which is better said.
            _ = source.document
    if not found:
        raise Problem(ProblemCode.NO_FORMAT)
    best = max(found)
    return _opened(formats()[best[1]], found[best])


def _opened(product: Format, sources: list[Source]) -> Opened:
    if len(sources) > 1 and product.name == TABLE:
        raise Problem(ProblemCode.SEVERAL_TABLES)
    return Opened(product, sources)
