"""A file that somebody brought: what it is, its text however it is encoded, and the limits on it. Pure.

Nothing here trusts a name or a declared size, and nothing reads a whole file into memory but JSON,
which has a limit of its own.
"""

import codecs
import io
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Final

from measurements.formats.problems import Problem, ProblemCode

HEAD_BYTES: Final = 64 * 1024
CHUNK_BYTES: Final = 1024 * 1024
MOST_LINE: Final = 1_000_000
MOST_JSON_BYTES: Final = 32 * 1024**2
MOST_MEMBER_BYTES: Final = 8 * 1024**3
MOST_WORKBOOK_BYTES: Final = 200 * 1024**2
MOST_DATABASE_BYTES: Final = 2 * 1024**3
MOST_MEMBERS: Final = 50_000
# Text of equal lines packs to a hundredth. Beyond this ratio somebody packed nothing, on purpose.
MOST_RATIO: Final = 250
RATIO_FREE_BYTES: Final = 10 * 1024**2
# What a member of a zip may be called to be looked into at all: no photos, routes or recordings.
MEMBER_ENDINGS: Final = (".csv", ".db", ".json", ".tsv", ".txt", ".xml")

ZIP_START: Final = b"PK\x03\x04"
SQLITE_START: Final = b"SQLite format 3\0"
BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
ZIP_ERRORS: Final = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError)


class Kind(StrEnum):
    TEXT = "text"
    JSON = "json"
    XML = "xml"
    DATABASE = "database"
    WORKBOOK = "workbook"


class Source:
    """One file, or one member of a zip. It can be opened as often as needed."""

    def __init__(self, path: Path, member: str = "", kind: Kind | None = None) -> None:
        self.path = path
        self.member = member
        if kind is not None:
            self.kind = kind

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Its bytes. What is wrong with a zip comes out as a Problem."""
        if not self.member:
            with self.path.open("rb") as file:
                yield file
            return
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as file:
                yield file
        except ZIP_ERRORS as error:
            raise Problem(ProblemCode.BAD_ZIP) from error

    @cached_property
    def start(self) -> bytes:
        with self.open() as file:
            return file.read(HEAD_BYTES)

    @cached_property
    def kind(self) -> Kind:
        if self.start.startswith(SQLITE_START):
            return Kind.DATABASE
        first = self.head.lstrip()[:1]
        return {"{": Kind.JSON, "[": Kind.JSON, "<": Kind.XML}.get(first, Kind.TEXT)

    @cached_property
    def head(self) -> str:
        """The beginning as text, for whoever recognises the file by it. Never fails."""
        encoding = _encoding_by_start(self.start) or "utf-8"
        text = codecs.getincrementaldecoder(encoding)("replace").decode(self.start)
        return text.removeprefix("\ufeff")

    @cached_property
    def head_lines(self) -> list[str]:
        """The first lines that are not blank; without the last of the head, which may be half a line."""
        lines = self.head.splitlines()
        whole = lines[:-1] if len(self.start) == HEAD_BYTES else lines
        return [line for line in whole if line.strip()]

    @cached_property
    def encoding(self) -> str:
        """In which encoding all of it can be read. Raises Problem where there is none."""
        marked = _encoding_by_start(self.start)
        if marked or self._decodes_as("utf-8"):
            if marked and not self._decodes_as(marked):
                raise Problem(ProblemCode.NOT_TEXT)
            return marked or "utf-8"
        if self._decodes_as("cp1252"):
            return "cp1252"
        raise Problem(ProblemCode.NOT_TEXT)

    def _decodes_as(self, encoding: str) -> bool:
        decoder = codecs.getincrementaldecoder(encoding)()
        try:
            with self.open() as file:
                while chunk := file.read(CHUNK_BYTES):
                    if "\0" in decoder.decode(chunk):
                        raise Problem(ProblemCode.HOLDS_NUL)
                decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
        return True

    def lines(self) -> Iterator[str]:
        """Its text a line at a time, line ends untouched. Raises Problem for text that is none, and
        for a line so long that it is none of a table."""
        with self.open() as file, io.TextIOWrapper(file, encoding=self.encoding, newline="") as text:
            number = 0
            while line := text.readline(MOST_LINE):
                number += 1
                if len(line) == MOST_LINE:
                    raise Problem(ProblemCode.LINE_TOO_LONG, str(number))
                yield line.removeprefix("\ufeff") if number == 1 else line

    @cached_property
    def document(self) -> Any:
        """A JSON file's content, every number a Decimal. Raises Problem."""
        with self.open() as file:
            content = file.read(MOST_JSON_BYTES + 1)
        if len(content) > MOST_JSON_BYTES:
            raise Problem(ProblemCode.JSON_TOO_LARGE)
        try:
            text = content.decode(self.encoding)
            return json.loads(text, parse_float=Decimal, parse_int=Decimal, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise Problem(ProblemCode.NOT_JSON) from error

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """A path for what can only read files: its own, or a copy of the zip's member for the while."""
        if not self.member:
            yield self.path
            return
        with tempfile.NamedTemporaryFile(suffix=".member") as copy, self.open() as file:
            written = 0
            while chunk := file.read(CHUNK_BYTES):
                written += len(chunk)
                if written > MOST_DATABASE_BYTES:
                    raise Problem(ProblemCode.TOO_LARGE)
                copy.write(chunk)
            copy.flush()
            yield Path(copy.name)


def sources_in(path: Path) -> Iterator[Source]:
    """The file itself, or of a zip one by one the members that may hold values, each with its start read.

    Raises Problem for a zip that is damaged or hostile.
    """
    with path.open("rb") as file:
        is_zip = file.read(len(ZIP_START)) == ZIP_START
    if not is_zip:
        yield Source(path)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _members(path, archive)
    except ZIP_ERRORS as error:
        raise Problem(ProblemCode.BAD_ZIP) from error


def _members(path: Path, archive: zipfile.ZipFile) -> Iterator[Source]:
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise Problem(ProblemCode.ZIP_BOMB)
    if any(member.filename == "xl/workbook.xml" for member in members):
        if sum(member.file_size for member in members) > MOST_WORKBOOK_BYTES:
            raise Problem(ProblemCode.TOO_LARGE)
        for member in members:
            _check_ratio(member)
        yield Source(path, kind=Kind.WORKBOOK)
        return
    for member in members:
        if member.file_size and member.filename.lower().endswith(MEMBER_ENDINGS):
            _check_ratio(member)
            source = Source(path, member.filename)
            # Here, where the archive is open: there may be thousands.
            with archive.open(member) as file:
                source.start = file.read(HEAD_BYTES)
            yield source


def _check_ratio(member: zipfile.ZipInfo) -> None:
    """`zipfile` reads no more of a member than it declares, so that the declared size is a bound."""
    if member.flag_bits & 1:
        raise Problem(ProblemCode.ZIP_LOCKED)
    if member.file_size > MOST_MEMBER_BYTES:
        raise Problem(ProblemCode.TOO_LARGE)
    if member.file_size > RATIO_FREE_BYTES and member.file_size > MOST_RATIO * member.compress_size:
        raise Problem(ProblemCode.ZIP_BOMB)


def _encoding_by_start(start: bytes) -> str:
    """By the mark in front; without one, UTF-16 by where the zero bytes of plain letters stand."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if start.startswith(mark):
            return encoding
    even, odd = start[0:2048:2].count(0), start[1:2048:2].count(0)
    half = min(len(start), 2048) // 2
    if half and odd > 0.7 * half and not even:
        return "utf-16-le"
    if half and even > 0.7 * half and not odd:
        return "utf-16-be"
    return ""


def _no_number(name: str) -> Decimal:
    raise ValueError(f"{name} is no JSON")
