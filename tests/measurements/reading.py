"""Reads a file's content as the importer does, without a database."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from measurements.formats import registry
from measurements.formats.base import Ask, Line, Reading, Role, Settings, Unreadable
from measurements.formats.problems import ProblemCode

DATA = Path(__file__).parent.parent / "data"


@dataclass(frozen=True)
class Read:
    format: str
    lines: list[Line]
    ignored: set[str]
    asks: set[Ask]
    columns: list[Role]

    @property
    def values(self) -> list[tuple[str, str, str]]:
        """Metric, value and unit of all that can be taken."""
        return [(r.metric, f"{r.value.normalize():f}", r.unit) for r in self.readings]

    @property
    def moments(self) -> list[str]:
        """Day and time of the weights."""
        weights = (r for r in self.readings if r.metric == "weight")
        return [f"{r.on} {r.at.isoformat('minutes') if r.at else '-'}" for r in weights]

    @property
    def readings(self) -> list[Reading]:
        return [line for line in self.lines if isinstance(line, Reading)]

    @property
    def problems(self) -> list[tuple[int, ProblemCode]]:
        return [(line.line, line.problem.code) for line in self.lines if isinstance(line, Unreadable)]


def read(content: str | bytes | Path, name: str = "", *, zone: str = "Europe/Madrid", **answers: Any) -> Read:
    """`content`: text, bytes, or the path of a file."""
    if isinstance(content, Path):
        return _read(content, name, zone, answers)
    with tempfile.NamedTemporaryFile() as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        return _read(Path(file.name), name, zone, answers)


def _read(path: Path, name: str, zone: str, answers: dict[str, Any]) -> Read:
    opened = registry.open_file(path, name)
    lines: list[Line] = []
    ignored: set[str] = set()
    asks: set[Ask] = set()
    columns: list[Role] = []
    for source in opened.sources:
        parsed = opened.format.parse(source, Settings(ZoneInfo(zone), **answers))
        lines += parsed.lines
        ignored |= parsed.ignored
        asks |= parsed.asks
        columns += parsed.columns
    return Read(opened.format.name, lines, ignored, asks, columns)
