"""Every format that can be imported, and which of them a file is."""

import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import measurements.formats
from measurements.formats.base import Format
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import Source, sources_in


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
    sources = sources_in(path)
    if format_name:
        asked = formats()[format_name]
        fitting = [source for source in sources if asked.score(source)]
        if not fitting:
            raise Problem(ProblemCode.OTHER_FORMAT, asked.title)
        return Opened(asked, fitting)
    scored = [(*recognise(source), source) for source in sources]
    best, name = max(((score, name) for score, name, _source in scored), default=(0, ""))
    if not best:
        raise Problem(ProblemCode.NO_FORMAT)
    return Opened(formats()[name], [source for score, found, source in scored if score and found == name])
