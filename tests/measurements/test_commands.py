"""Import and export in the terminal."""

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from measurements import queries
from measurements.exporting import exported
from measurements.models import Measurement

pytestmark = pytest.mark.django_db

SAMPLE = Path(__file__).parent.parent / "data" / "openscale3.csv"
HEADER = "DATE,TIME,WEIGHT,COMMENT\n"


class TestImport:
    def test_reports_as_json(self, person: User, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("import_measurements", str(SAMPLE), user="ana")
        report = json.loads(capsys.readouterr().out)
        assert (report["format"], report["added"], report["rejected"]) == ("openscale3", 5, [])
        assert Measurement.objects.count() == 5

    def test_dry_run_writes_nothing(self, person: User, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("import_measurements", str(SAMPLE), user="ana", dry_run=True)
        assert json.loads(capsys.readouterr().out)["added"] == 5
        assert not Measurement.objects.exists()

    def test_the_unit_can_be_named(self, person: User, tmp_path: Path) -> None:
        file = tmp_path / "f.csv"
        file.write_text(HEADER + "2026-01-05,07:30,12.5,\n", encoding="utf-8-sig")
        call_command("import_measurements", str(file), user="ana", unit="st")
        assert Measurement.objects.get().entered_unit == "st"

    @pytest.mark.parametrize(
        ("lines", "reason"),
        [
            ("never,07:30,81.4,\n", "Line 2: “never” is not a date."),
            ("2026-01-05,07:30,,\n", "The file holds no value that can be imported."),
            ("", "0 of 0 rows imported."),
        ],
    )
    def test_nothing_imported_is_an_error_with_reasons(
        self, person: User, tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, reason: str
    ) -> None:
        file = tmp_path / "bad.csv"
        file.write_text(HEADER + lines)
        with pytest.raises(SystemExit) as ended:
            call_command("import_measurements", str(file), user="ana")
        assert ended.value.code == 1
        told = capsys.readouterr()
        assert f"0 of {lines.count(chr(10))} rows imported." in told.err
        assert reason in told.err
        assert json.loads(told.out)["added"] == 0

    def test_conflicts_alone_are_nothing_imported(
        self, person: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "f.csv"
        for value in ("81.4", "90"):
            file.write_text(HEADER + f"2026-01-05,07:30,{value},\n")
            if value == "81.4":
                call_command("import_measurements", str(file), user="ana")
        with pytest.raises(SystemExit):
            call_command("import_measurements", str(file), user="ana")
        assert "1 values stay" in capsys.readouterr().err
        assert str(Measurement.objects.get().value) == "81.4000"

    def test_conflicts_alone_can_be_looked_at(
        self, person: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "f.csv"
        for value in ("81.4", "90"):
            file.write_text(HEADER + f"2026-01-05,07:30,{value},\n")
            capsys.readouterr()
            call_command("import_measurements", str(file), user="ana", dry_run=value == "90")
        assert json.loads(capsys.readouterr().out)["conflicts"] == 1

    def test_conflicts_can_be_taken(self, person: User, tmp_path: Path) -> None:
        file = tmp_path / "f.csv"
        for value in ("81.4", "90"):
            file.write_text(HEADER + f"2026-01-05,07:30,{value},\n")
            call_command("import_measurements", str(file), user="ana", conflicts="take")
        assert str(Measurement.objects.get().value) == "90.0000"

    def test_an_order_of_day_and_month_that_the_file_leaves_open_has_to_be_said(
        self, person: User, tmp_path: Path
    ) -> None:
        file = tmp_path / "f.csv"
        file.write_text("Date,Weight\n05/01/2026,81.4\n")
        with pytest.raises(CommandError, match="--date-order"):
            call_command("import_measurements", str(file), user="ana")
        call_command("import_measurements", str(file), user="ana", date_order="month")
        assert str(Measurement.objects.get().measured_on) == "2026-05-01"

    def test_columns_that_tell_nothing_are_named(self, person: User, tmp_path: Path) -> None:
        file = tmp_path / "f.csv"
        file.write_text("when,what\n2026-01-05,81.4\n")
        with pytest.raises(CommandError, match="when, what"):
            call_command("import_measurements", str(file), user="ana")

    @pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"hello\n", b""])
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


class TestExport:
    @pytest.mark.parametrize("form", ["csv", "json"])
    def test_comes_back_through_the_import(
        self, person: User, stranger: User, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
    ) -> None:
        call_command("import_measurements", str(SAMPLE), user="ana")
        capsys.readouterr()
        call_command("export_measurements", user="ana", format=form)
        file = tmp_path / f"export.{form}"
        file.write_text(capsys.readouterr().out, newline="")
        call_command("import_measurements", str(file), user="bob")
        assert json.loads(capsys.readouterr().out)["added"] == 5
        assert list(exported(stranger)) == list(exported(person))
        assert queries.latest(stranger, "weight") is not None

    def test_json_is_a_list_of_records(self, person: User, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("import_measurements", str(SAMPLE), user="ana")
        capsys.readouterr()
        call_command("export_measurements", user="ana", format="json")
        records = json.loads(capsys.readouterr().out)
        (weight,) = [r for r in records if r["metric"] == "weight" and r["date"] == "2026-01-05"]
        assert weight == {
            "date": "2026-01-05",
            "time": "07:30:13.974000",
            "utc_offset": "UTC+01:00",
            "metric": "weight",
            "value": "81.4",
            "unit": "kg",
            "note": "after run, tired",
            "source": "import",
        }

    def test_nothing_measured_is_an_empty_list(
        self, person: User, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call_command("export_measurements", user="ana", format="json")
        assert json.loads(capsys.readouterr().out) == []

    def test_unknown_person_is_named(self, person: User) -> None:
        with pytest.raises(CommandError, match="nobody"):
            call_command("export_measurements", user="nobody")
