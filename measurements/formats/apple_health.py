"""Apple Health: XML of up to gigabytes, read as it streams by, with entities off."""

from collections import deque
from collections.abc import Iterator
from decimal import Decimal
from typing import Final
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from measurements.formats.base import Line, Parsed, Reading, Settings, Unreadable
from measurements.formats.json_values import POINT
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.source import CHUNK_BYTES, Kind, Source

PREFIX: Final = "HKQuantityTypeIdentifier"
METRICS: Final = {
    PREFIX + "BodyMass": "weight",
    PREFIX + "BodyFatPercentage": "body_fat",
    PREFIX + "WaistCircumference": "waist",
    PREFIX + "Height": "height",
}
# What could be taken for something measured, and is not kept. Steps and heartbeats are no part of this.
NAMED: Final = {PREFIX + "BodyMassIndex": "BodyMassIndex", PREFIX + "LeanBodyMass": "LeanBodyMass"}
# Between two elements of a real file there are some hundred bytes.
MOST_SILENT_BYTES: Final = 8 * CHUNK_BYTES


class AppleHealth:
    name = "apple_health"
    title = "Apple Health"

    def score(self, source: Source) -> int:
        return 95 if source.kind is Kind.XML and "<HealthData" in source.head else 0

    def parse(self, source: Source, settings: Settings) -> Parsed:
        parsed = Parsed()
        parsed.lines = _lines(source, parsed)
        return parsed


class Records(ContentHandler):
    """Keeps the records of a body until they are taken, and counts all elements."""

    def __init__(self, parser: DefusedExpatParser, ignored: set[str]) -> None:
        super().__init__()
        self._parser = parser
        self.found: deque[tuple[int, dict[str, str]]] = deque()
        self.elements = 0
        self._ignored = ignored

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        self.elements += 1
        if name != "Record":
            return
        kind = attrs.get("type", "")
        if kind in METRICS:
            self.found.append((self._parser.getLineNumber(), dict(attrs.items())))
        elif kind in NAMED:
            self._ignored.add(NAMED[kind])


def _lines(source: Source, parsed: Parsed) -> Iterator[Line]:
    for line, record in _records(source, parsed.ignored):
        try:
            yield _reading(line, record)
        except Problem as problem:
            yield Unreadable(line, problem)


def _records(source: Source, ignored: set[str]) -> Iterator[tuple[int, dict[str, str]]]:
    parser = DefusedExpatParser()
    records = Records(parser, ignored)
    parser.setContentHandler(records)
    elements, silent = 0, 0
    try:
        with source.open() as file:
            while chunk := file.read(CHUNK_BYTES):
                parser.feed(chunk)
                silent = silent + len(chunk) if records.elements == elements else 0
                if silent > MOST_SILENT_BYTES:
                    raise Problem(ProblemCode.LINE_TOO_LONG, str(parser.getLineNumber()))
                elements = records.elements
                while records.found:
                    yield records.found.popleft()
            parser.close()
    except DefusedXmlException as error:
        raise Problem(ProblemCode.XML_ENTITIES) from error
    except (SAXException, ValueError, LookupError) as error:
        raise Problem(ProblemCode.NOT_XML, str(parser.getLineNumber())) from error
    yield from records.found


def _reading(line: int, record: dict[str, str]) -> Reading:
    stamp = POINT.stamp(record.get("startDate", ""))
    metric = METRICS[record["type"]]
    value, unit = POINT.quantity(record.get("value", ""), record.get("unit", ""))
    if metric == "body_fat" and value <= 1:
        # Written as a share of one; some writers put percent all the same.
        value = value * Decimal(100)
    return Reading(line, metric, value, unit, stamp.on, stamp.at, stamp.offset)


FORMAT = AppleHealth()
