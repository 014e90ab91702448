"""Files from elsewhere: planned first, all or nothing, nothing dropped in silence, taken back as a whole."""

import datetime as dt
import io
import json
from decimal import Decimal
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from measurements import importing, queries, services
from measurements.errors import CannotUndo
from measurements.exporting import exported
from measurements.formats import gymnasia, registry
from measurements.formats.base import Settings
from measurements.formats.gymnasia import Exported
from measurements.importing import Plan
from measurements.models import Measurement, Source
from measurements.services import Moment, NewValue, Origin

pytestmark = pytest.mark.django_db

SAMPLE = Path(__file__).parent.parent / "data" / "openscale3.csv"
HEADER = "DATE,TIME,WEIGHT,COMMENT\n"


def plan(user: User, text: str, unit: str = "kg") -> Plan:
    profile = queries.profile_of(user)
    found = registry.recognise(text[: registry.HEAD_CHARACTERS])
    assert found is not None
    parsed = found.parse(iter(text.splitlines(keepends=True)), Settings(profile.zone, unit, "cm"))
    return importing.plan(user, profile, found.name, parsed)


def bring(user: User, text: str) -> Plan:
    planned = plan(user, text)
    importing.apply(user, planned, file_name="file.csv")
    return planned


def test_sample_of_openscale_3(person: User) -> None:
    planned = bring(person, SAMPLE.read_text())
    assert planned.report() == {
        "format": "openscale3",
        "read": 5,
        "added": 5,
        "unchanged": 0,
        "conflicts": 0,
        "rejected": [],
        "ignored": [],
    }
    first, second = queries.day(person, dt.date(2026, 1, 5)), queries.day(person, dt.date(2026, 1, 6))
    assert {(r.metric, r.value, r.entered_unit) for r in first} == {
        ("weight", Decimal("81.4"), "kg"),
        ("body_fat", Decimal("18.4"), "%"),
        ("waist", Decimal("88"), "cm"),
    }
    assert {r.note for r in first} == {"after run, tired"}
    assert [(r.local_time, r.value) for r in second] == [
        (dt.time(7, 31), Decimal("81.1")),
        (dt.time(21, 10), Decimal("82.0")),
    ]


def test_columns_are_read_by_name_in_any_order(person: User) -> None:
    bring(person, "WEIGHT,TIME,WHR,DATE\n81.4,07:30,0.9,2026-01-05\n")
    (kept,) = queries.day(person, dt.date(2026, 1, 5))
    assert (kept.metric, kept.value) == ("weight", Decimal("81.4"))


def test_what_is_not_imported_is_named(person: User) -> None:
    planned = plan(person, "DATE,TIME,WEIGHT,BMI,CALORIES\n2026-01-05,07:30,81.4,24.1,\n")
    assert planned.ignored == ["BMI"]


def test_unit_of_the_file_is_the_person_s_to_say(person: User) -> None:
    planned = plan(person, HEADER + "2026-01-05,07:30,180,\n", unit="lb")
    assert planned.new[0].value == Decimal("81.6466")


def test_same_file_again_adds_nothing(person: User) -> None:
    bring(person, SAMPLE.read_text())
    again = bring(person, SAMPLE.read_text())
    assert (len(again.new), again.unchanged) == (0, 5)
    assert Measurement.objects.count() == 5


def test_overlap_adds_only_what_is_new(person: User) -> None:
    bring(person, HEADER + "2026-01-05,07:30,81.4,\n")
    planned = bring(person, HEADER + "2026-01-05,07:30,81.4,\n2026-01-06,07:30,81.1,\n")
    assert (len(planned.new), planned.unchanged) == (1, 1)


def test_other_value_at_the_same_moment_is_the_person_s_to_decide(person: User) -> None:
    bring(person, HEADER + "2026-01-05,07:30,81.4,mine\n")
    planned = plan(person, HEADER + "2026-01-05,07:30,80.0,theirs\n")
    assert len(planned.conflicts) == 1
    importing.apply(person, planned, file_name="f")
    assert queries.day(person, dt.date(2026, 1, 5))[0].value == Decimal("81.4")
    importing.apply(person, planned, file_name="f", take_conflicts=True)
    (kept,) = queries.day(person, dt.date(2026, 1, 5))
    assert (kept.value, kept.note) == (Decimal("80"), "theirs")


def test_blank_never_overwrites(person: User) -> None:
    bring(person, HEADER + "2026-01-05,07:30,81.4,\n")
    planned = bring(person, HEADER + "2026-01-05,07:30,,\n")
    assert planned.is_empty
    assert queries.day(person, dt.date(2026, 1, 5))[0].value == Decimal("81.4")


@pytest.mark.parametrize(
    "line",
    [
        "2026-13-05,07:30,81.4,",
        "2026-01-05,29:30,81.4,",
        "2026-01-05,07:30,eighty,",
        "2026-01-05,07:30,NaN,",
        "2026-01-05,07:30,8140,",
        "2999-01-05,07:30,81.4,",
        "1969-01-05,07:30,81.4,",
    ],
)
def test_line_that_cannot_be_taken_is_reported_with_its_number(person: User, line: str) -> None:
    planned = plan(person, HEADER + "2026-01-04,07:30,81.4,\n" + line + "\n")
    (rejected,) = planned.rejected
    assert rejected.line == 3
    assert rejected.reason
    assert len(planned.new) == 1


def test_whole_import_is_undone(person: User) -> None:
    services.record_measurements(
        person,
        moment=Moment(dt.date(2026, 1, 1)),
        values=[NewValue("weight", Decimal(80), "kg")],
        origin=Origin(Source.FORM),
    )
    batch = importing.apply(person, plan(person, SAMPLE.read_text()), file_name="f")
    importing.undo(person, batch.pk)
    assert [kept.source for kept in Measurement.objects.all()] == ["form"]
    with pytest.raises(CannotUndo):
        importing.undo(person, batch.pk)


def test_import_is_not_undone_over_a_later_change(person: User) -> None:
    batch = importing.apply(person, plan(person, SAMPLE.read_text()), file_name="f")
    changed = queries.day(person, dt.date(2026, 1, 5))[0]
    services.remove_measurement(person, record_id=changed.pk, origin=Origin(Source.FORM))
    with pytest.raises(CannotUndo):
        importing.undo(person, batch.pk)
    assert Measurement.objects.count() == 4


NOTES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)


@given(NOTES, st.sampled_from(["", "=", "+", "-", "@", "'", "'=", "''", '",\r\n']))
def test_every_note_comes_back_as_it_was(note: str, start: str) -> None:
    record = Exported(dt.date(2026, 1, 5), None, "weight", Decimal("81.4"), "kg", start + note, "form")
    text = "".join(gymnasia.write([record]))
    parsed = gymnasia.FORMAT.parse(
        iter(io.StringIO(text, newline="")),
        Settings(dt.UTC, "kg", "cm"),  # type: ignore[arg-type]
    )
    (line,) = parsed.lines
    assert line.note == start + note  # type: ignore[union-attr]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_an_export_is_a_formula(start: str) -> None:
    record = Exported(
        dt.date(2026, 1, 5), None, "weight", Decimal("81.4"), "kg", start + "cmd|' /C calc'!A0", "form"
    )
    import csv

    row = list(csv.reader(io.StringIO("".join(gymnasia.write([record])), newline="")))[1]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
@given(
    values=st.dictionaries(
        st.dates(dt.date(1990, 1, 1), dt.date(2025, 1, 1)), st.decimals(20, 300, places=2), max_size=8
    )
)
def test_own_export_comes_back_identical(person: User, values: dict[dt.date, Decimal]) -> None:
    Measurement.objects.all().delete()
    for on, value in values.items():
        services.record_measurements(
            person,
            moment=Moment(on, dt.time(7, 30)),
            values=[NewValue("weight", value, "kg")],
            note="=x",
            origin=Origin(Source.FORM),
        )
    before = [(r.on, r.at, r.metric, r.value, r.unit, r.note) for r in exported(person)]
    text = "".join(gymnasia.write(exported(person)))
    Measurement.objects.all().delete()
    if values:
        bring(person, text)
    assert [(r.on, r.at, r.metric, r.value, r.unit, r.note) for r in exported(person)] == before


class TestCommand:
    def test_reports_as_json(self, person: User, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("import_measurements", str(SAMPLE), user="ana")
        report = json.loads(capsys.readouterr().out)
        assert (report["format"], report["added"], report["rejected"]) == ("openscale3", 5, [])
        assert Measurement.objects.count() == 5

    def test_dry_run_writes_nothing(self, person: User, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("import_measurements", str(SAMPLE), user="ana", dry_run=True)
        assert json.loads(capsys.readouterr().out)["added"] == 5
        assert not Measurement.objects.exists()

    def test_nothing_imported_is_an_error(self, person: User, tmp_path: Path) -> None:
        empty = tmp_path / "bad.csv"
        empty.write_text(HEADER + "never,07:30,81.4,\n")
        with pytest.raises(SystemExit) as ended:
            call_command("import_measurements", str(empty), user="ana")
        assert ended.value.code == 1

    @pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"hello\n"])
    def test_other_files_are_refused_in_words(self, person: User, tmp_path: Path, content: bytes) -> None:
        other = tmp_path / "x.bin"
        other.write_bytes(content)
        with pytest.raises(CommandError):
            call_command("import_measurements", str(other), user="ana")

    def test_unknown_person_and_missing_file_are_named(self, person: User) -> None:
        with pytest.raises(CommandError, match="nobody"):
            call_command("import_measurements", str(SAMPLE), user="nobody")
        with pytest.raises(CommandError, match=r"missing\.csv"):
            call_command("import_measurements", "missing.csv", user="ana")
