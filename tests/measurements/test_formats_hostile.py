"""Files that mean harm, or are broken: each is refused in clear words, and none is read for long."""

import io
import sqlite3
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurements.formats import registry, source
from measurements.formats.base import Question
from measurements.formats.problems import Problem, ProblemCode
from measurements.reasons import REASONS, say
from tests.measurements.reading import DATA, read

HEADER = "DATE,TIME,WEIGHT,COMMENT\n"
SPLINTERS = [b'"', b",", b"\n", b"\r\n", b";", b"null", b"[]", b"{", b"-", b"\xc3", b"99999999999999", b"#"]
HEALTH = '<HealthData locale="en"><Record type="HKQuantityTypeIdentifierBodyMass" value="{}"/></HealthData>'


def refusal(content: str | bytes | Path, name: str = "") -> ProblemCode:
    with pytest.raises(Problem) as refused:
        read(content, name)
    return refused.value.code


def zipped(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


class TestXML:
    def test_entity_bomb(self) -> None:
        entities = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
        assert (
            refusal(f"<!DOCTYPE HealthData [{entities}]>" + HEALTH.format("&b;")) is ProblemCode.XML_ENTITIES
        )

    def test_external_entity(self) -> None:
        entities = '<!ENTITY a SYSTEM "file:///etc/hostname">'
        assert (
            refusal(f"<!DOCTYPE HealthData [{entities}]>" + HEALTH.format("&a;")) is ProblemCode.XML_ENTITIES
        )

    def test_cut_off(self) -> None:
        assert refusal((DATA / "apple_export.xml").read_bytes()[:-40]) is ProblemCode.NOT_XML

    def test_an_attribute_without_end(self, tmp_path: Path) -> None:
        file = tmp_path / "endless.xml"
        file.write_text("<HealthData>\n<Record x='" + "a" * (12 * 1024**2))
        assert refusal(file) is ProblemCode.LINE_TOO_LONG


class TestZip:
    def test_bomb(self) -> None:
        xml = b"<HealthData>" + b" " * (20 * 1024**2) + b"</HealthData>"
        assert refusal(zipped("export.xml", xml)) is ProblemCode.ZIP_BOMB

    def test_damaged(self) -> None:
        content = zipped("export.xml", (DATA / "apple_export.xml").read_bytes())
        assert refusal(content[:-30]) is ProblemCode.BAD_ZIP
        spoiled = bytearray(content)
        spoiled[60:90] = b"\0" * 30
        assert refusal(bytes(spoiled)) is ProblemCode.BAD_ZIP

    def test_locked(self) -> None:
        content = bytearray(zipped("export.xml", b"<HealthData/>"))
        content[content.index(b"PK\x01\x02") + 8] |= 1
        assert refusal(bytes(content)) is ProblemCode.ZIP_LOCKED

    def test_too_many_members(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MOST_MEMBERS", 0)
        assert refusal(zipped("export.xml", b"<HealthData/>")) is ProblemCode.ZIP_BOMB

    def test_member_or_workbook_beyond_the_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MOST_MEMBER_BYTES", 10)
        monkeypatch.setattr(source, "MOST_WORKBOOK_BYTES", 10)
        for name in ("export.xml", "xl/workbook.xml"):
            assert refusal(zipped(name, b"<HealthData></HealthData>")) is ProblemCode.TOO_LARGE

    def test_a_database_that_unpacks_beyond_the_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MOST_DATABASE_BYTES", 10)
        content = zipped("export.db", (DATA / "health_connect_export.db").read_bytes())
        assert refusal(content) is ProblemCode.TOO_LARGE

    def test_several_tables_cannot_be_asked_about_at_once(self) -> None:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name in ("a.csv", "b.csv"):
                archive.writestr(name, "Date,Weight,Mood\n2026-01-05,81.4,fine\n")
        assert refusal(file.getvalue()) is ProblemCode.SEVERAL_TABLES

    def test_a_damaged_member_is_not_passed_over(self) -> None:
        content = (DATA / "fitbit_weight-2026-01-01.json").read_bytes()[:-9]
        assert refusal(zipped("weight.json", content)) is ProblemCode.NOT_JSON

    def test_other_members_are_not_even_read(self) -> None:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("heart_rate.json", "[" + "1," * 100_000)
            archive.writestr("photo.jpg", b"\xff")
            archive.writestr("wger.json", (DATA / "wger.json").read_bytes())
        assert len(read(file.getvalue()).values) == 2

    def test_nothing_in_it(self) -> None:
        assert refusal(zipped("photo.jpg", b"x")) is ProblemCode.NO_FORMAT

    def test_names_that_point_elsewhere_write_nothing(self) -> None:
        content = zipped("../../outside.csv", (HEADER + "2026-01-05,07:30,81.4,\n").encode())
        assert len(read(content).values) == 1


class TestText:
    def test_ten_megabytes_in_one_line(self) -> None:
        assert refusal(HEADER + "2026-01-05,07:30,81.4," + "x" * (10 * 1024**2)) is ProblemCode.LINE_TOO_LONG

    def test_zero_bytes(self) -> None:
        assert refusal(HEADER.encode() + b"2026-01-05,07:30,8\x001.4,\n") is ProblemCode.HOLDS_NUL

    def test_no_encoding_at_all(self) -> None:
        assert refusal(HEADER.encode() + b"2026-01-05,07:30,81.4,\x81\x8d\xff\n") is ProblemCode.NOT_TEXT

    def test_utf_16_cut_in_a_character(self) -> None:
        content = (HEADER + "2026-01-05,07:30,81.4,\n").encode("utf-16")
        assert refusal(content[:-1]) is ProblemCode.NOT_TEXT

    @given(st.text(st.sampled_from('0123456789.,-:"\n\r eE+/x'), max_size=80))
    def test_no_text_breaks_a_table(self, text: str) -> None:
        for line in read(HEADER + text, "openscale3", day_first=True).lines:
            assert line.line >= 2


class TestJSON:
    @pytest.mark.parametrize("text", ["[", "[" * 100_000, '{"a": NaN}', '[{"date": 1}', "{]"])
    def test_broken(self, text: str) -> None:
        assert refusal(text) is ProblemCode.NOT_JSON

    def test_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MOST_JSON_BYTES", 100)
        assert refusal((DATA / "wger.json").read_bytes()) is ProblemCode.JSON_TOO_LARGE

    def test_a_number_without_end(self) -> None:
        entry = '[{"logId": 1, "weight": ' + "9" * 100_000 + ', "date": "01/05/26"}]'
        assert len(read(entry).readings) == 1


class TestDatabase:
    def test_damaged(self) -> None:
        content = bytearray((DATA / "health_connect_export.db").read_bytes())
        content[100:200] = b"\xff" * 100
        assert refusal(bytes(content)) is ProblemCode.BAD_DATABASE

    def test_a_view_that_computes_without_end_is_no_table(self, tmp_path: Path) -> None:
        path = tmp_path / "evil.db"
        with sqlite3.connect(path) as database:
            database.execute(
                "CREATE VIEW weight_record_table AS WITH RECURSIVE n(time) AS (SELECT 1 UNION ALL"
                " SELECT time + 1 FROM n) SELECT time, 0 AS zone_offset, 80000 AS weight FROM n"
            )
        database.close()
        assert refusal(path) is ProblemCode.BAD_DATABASE


@pytest.mark.parametrize("file", sorted(DATA.iterdir()), ids=lambda file: str(file.name))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_file_that_was_damaged_anywhere_is_read_or_refused(file: Path, data: st.DataObject) -> None:
    content = bytearray(file.read_bytes())
    for _time in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = min(len(content), start + data.draw(st.integers(0, 12)))
        content[start:end] = data.draw(st.binary(max_size=4) | st.sampled_from(SPLINTERS))
    with suppress(Problem, Question):
        read(bytes(content))


@pytest.mark.parametrize("name", sorted(registry.formats()))
def test_a_format_that_the_file_is_not_of_is_refused(name: str) -> None:
    assert refusal("hello", name) is ProblemCode.OTHER_FORMAT


@pytest.mark.parametrize("code", ProblemCode)
def test_every_problem_has_words(code: ProblemCode) -> None:
    assert say(Problem(code, "x")).endswith(".")
    assert len(REASONS) == len(ProblemCode)
