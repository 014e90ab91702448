"""Each file format by the sample of its product, and by what is known to vary."""

import io
import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from measurements.formats import registry
from measurements.formats.base import Ask, Repeated
from measurements.formats.problems import Problem, ProblemCode
from tests.measurements.reading import DATA, read

SAMPLES = {
    "apple_export.xml": "apple_health",
    "com.samsung.health.weight.20260107090000.csv": "samsung_health",
    "fitbit_weight-2026-01-01.json": "fitbit",
    "garmin_Weight.csv": "garmin",
    "google_health_weight.csv": "google_health",
    "googlefit_daily.csv": "google_fit",
    "hackersdiet_cp1252.csv": "hackersdiet",
    "health_connect_export.db": "health_connect",
    "libra_v5.csv": "libra",
    "libra_v6.csv": "libra",
    "myfitnesspal_Measurement-Summary.csv": "myfitnesspal",
    "openscale1_headerless.csv": "openscale1",
    "openscale2.csv": "openscale2",
    "openscale3.csv": "openscale3",
    "trale.txt": "trale",
    "trendweight-computed-2026-01-07.csv": "trendweight",
    "trendweight-raw-2026-01-07.csv": "trendweight",
    "wger.csv": "wger",
    "wger.json": "wger",
    "withings_weight.csv": "withings",
}


def zipped(**members: bytes | str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return content.getvalue()


@pytest.mark.parametrize(("file", "name"), SAMPLES.items())
def test_sample_is_recognised_by_content_and_read_in_full(file: str, name: str, tmp_path: Path) -> None:
    plain = tmp_path / "no-name-that-helps"
    plain.write_bytes((DATA / file).read_bytes())
    found = read(plain)
    assert found.format == name
    assert found.problems == []
    weights = [reading for reading in found.readings if reading.metric == "weight"]
    assert str(weights[0].on) in ("2026-01-05", "2026-01-06")
    for reading in weights:
        assert 178 < reading.value < 180 if reading.unit == "lb" else 81 <= reading.value <= 82


@pytest.mark.parametrize("content", ["", "hello\n", "[1, 2]", "{}", "<html></html>", "\n\n"])
def test_anything_else_is_of_no_format(content: str) -> None:
    with pytest.raises(Problem) as refused:
        read(content)
    assert refused.value.code is ProblemCode.NO_FORMAT


def test_every_format_has_a_name_of_its_own() -> None:
    assert len(registry.formats()) >= 20
    assert all(name == found.name and found.title for name, found in registry.formats().items())


class TestOpenScale3:
    HEADER = "DATE,TIME,WEIGHT,WAIST,BODY_FAT,COMMENT\n"

    def test_units_are_the_person_s_and_shares_are_per_cent(self) -> None:
        found = read(self.HEADER + "2026-01-05,07:30,180,35,18.4,\n", mass_unit="lb", length_unit="in")
        assert found.values == [("weight", "180", "lb"), ("body_fat", "18.4", "%"), ("waist", "35", "in")]
        assert found.asks == {Ask.MASS_UNIT, Ask.LENGTH_UNIT}

    def test_a_bad_cell_costs_no_other_cell_and_a_dash_is_none(self) -> None:
        found = read(self.HEADER + "2026-01-05,07:30,heavy,35,--,\n")
        assert found.problems == [(2, ProblemCode.NOT_A_NUMBER)]
        assert found.values == [("waist", "35", "cm")]

    def test_columns_come_in_any_order_and_computed_ones_are_named(self) -> None:
        found = read("WEIGHT,BMI,TIME,Grip,DATE\n81.4,24.1,07:30,50,2026-01-05\n")
        assert (found.values, found.ignored) == ([("weight", "81.4", "kg")], {"BMI", "Grip"})

    def test_a_line_is_named_by_where_it_begins(self) -> None:
        text = self.HEADER + '2026-01-05,07:30,80,,,"two\r\nlines"\r\n\r\nnever,07:30,80,,,\r\n'
        assert read(text).problems == [(5, ProblemCode.NOT_A_DATE)]

    def test_a_comma_that_was_not_quoted_shifts_nothing(self) -> None:
        found = read("DATE,TIME,COMMENT,WEIGHT\n2026-01-05,07:30,1,2,80\n")
        assert (found.values, found.problems) == ([], [(2, ProblemCode.TOO_MANY_CELLS)])

    def test_missing_cells_at_the_end_are_blank_and_so_are_spare_commas(self) -> None:
        assert len(read(self.HEADER + "2026-01-05,07:30,80\n2026-01-06,07:30,80,,,,,,\n").values) == 2

    def test_a_quote_that_is_never_closed_is_reported(self) -> None:
        text = self.HEADER + '2026-01-05,07:30,80,,,\n2026-01-06,07:30,80,,,"oh\n2026-01-07,07:30,80,,,\n'
        assert read(text).problems == [(3, ProblemCode.NOT_CSV)]


class TestOpenScale2:
    def test_zero_is_missing_and_lbw_is_named(self) -> None:
        found = read('"dateTime","weight","fat","lbw"\n"2026-01-05 07:30",81.4,0.0,60.0\n')
        assert (found.values, found.ignored) == ([("weight", "81.4", "kg")], {"lbw"})

    def test_older_files_write_the_day_first(self) -> None:
        assert read('"dateTime","weight"\n"05.01.2026 07:30",81.4\n').moments == ["2026-01-05 07:30"]


class TestOpenScale1:
    @pytest.mark.parametrize(
        ("cells", "metrics"),
        [
            ("81.4,18.4,55.0,note", "weight body_fat water"),
            ("81.4,18.4,55.0,40.0,note", "weight body_fat muscle water"),
            ("81.4,18.4,55.0,40.0,88.0,98.0,note", "weight body_fat muscle water waist hips"),
            ("81.4,18.4,55.0,40.0,3.1,88.0,98.0,note", "weight body_fat muscle water bone waist hips"),
            ("81.4,18.4,55.0,40.0,4.0,3.1,88.0,98.0,note", "weight body_fat muscle water bone waist hips"),
        ],
    )
    def test_the_number_of_columns_tells_which_they_are(self, cells: str, metrics: str) -> None:
        found = read(f"05.01.2026 07:30,{cells}\n")
        assert found.format == "openscale1"
        assert [reading.metric for reading in found.readings] == metrics.split()
        assert {reading.note for reading in found.readings} == {"note"}
        by_metric = {metric: value for metric, value, _unit in found.values}
        assert by_metric.get("hips", "98") == "98"

    def test_a_comma_in_a_note_belongs_to_it(self) -> None:
        found = read("05.01.2026 07:30,81.4,0.0,0.0,a\n06.01.2026 07:30,81.1,0.0,0.0,b, c\n")
        assert [reading.note for reading in found.readings] == ["a", "b, c"]


class TestLibra:
    HEAD = "#Version: 6\n#Units: {}\n\n#date;weight;weight trend;body fat;log\n"

    def test_utc_becomes_the_day_of_the_time_zone(self) -> None:
        text = self.HEAD.format("kg") + "2026-01-06T06:30:00.000Z;81.4;81.4;;\n"
        assert read(text, zone="America/Los_Angeles").moments == ["2026-01-05 22:30"]
        assert read(text, zone="Asia/Tokyo").moments == ["2026-01-06 15:30"]

    def test_unit_is_named_above(self) -> None:
        found = read(self.HEAD.format("st") + "2026-01-05T06:30:00.000Z;12.5;12;;\n")
        assert (found.values, found.asks, found.ignored) == ([("weight", "12.5", "st")], set(), set())

    def test_a_copy_at_midnight_is_no_weighing_and_another_value_is(self) -> None:
        lines = "2026-01-05 07:30:00;81.4;;;\n2026-01-05 00:00:00;81.4;;;\n2026-01-06 00:00:00;81.0;;;\n"
        found = read(self.HEAD.format("kg") + lines)
        assert found.moments == ["2026-01-05 07:30", "2026-01-06 00:00"]
        assert [line for line in found.lines if isinstance(line, Repeated)] == [Repeated(6)]


class TestWger:
    def test_header_is_in_any_language(self) -> None:
        found = read("Fecha,Peso\r\n2026-01-05 07:30:00+01:00,81.40\r\n")
        assert (found.format, found.moments) == ("wger", ["2026-01-05 07:30"])

    def test_the_server_s_utc_is_not_the_person_s_day(self) -> None:
        text = "Date,Weight\r\n2026-01-06 06:30:00+00:00,81.40\r\n"
        assert read(text, zone="America/Los_Angeles").moments == ["2026-01-05 22:30"]

    def test_several_pages_are_one_file_and_a_missing_one_is_named(self) -> None:
        page = json.loads((DATA / "wger.json").read_text())
        found = read(json.dumps([page, page | {"next": "page=3"}]))
        assert (len(found.values), found.ignored) == (4, {"next: page=3"})

    def test_an_entry_of_another_shape_is_reported(self) -> None:
        entry = {"id": 1, "date": "2026-01-05T06:30:00Z", "weight": "81.40"}
        found = read(json.dumps([entry, {"id": 2}, entry | {"weight": True}, entry | {"date": None}]))
        assert [line for line, _code in found.problems] == [2, 3, 4]


class TestTrendWeight:
    def test_only_what_was_measured_is_taken(self) -> None:
        found = read(
            "Date,Actual Weight,Weight Is Interpolated,Trend Weight,Actual Fat %,Fat Is Interpolated\n"
            "2026-01-05,81.4,No,81.2,18.4,Yes\n2026-01-06,81.3,Yes,81.2,,\n"
        )
        assert (found.values, found.ignored) == ([("weight", "81.4", "kg")], set())


class TestWithings:
    def test_pounds_in_the_header_and_masses_stay_masses(self) -> None:
        text = (DATA / "withings_weight.csv").read_text().replace("(kg)", "(lb)").replace("81.10", "178.8")
        assert read(text).values[:2] == [("weight", "178.8", "lb"), ("body_fat", "14.92", "lb")]


class TestFitbit:
    def test_last_second_of_the_day_is_no_time(self) -> None:
        assert read(DATA / "fitbit_weight-2026-01-01.json").moments == ["2026-01-05 -", "2026-01-06 07:31"]

    def test_all_months_of_a_zip_are_read(self) -> None:
        sample = (DATA / "fitbit_weight-2026-01-01.json").read_text()
        content = zipped(
            a__weight_01_dot_json=sample,
            a__weight_02_dot_json=sample.replace("01/0", "02/0"),
            steps_dot_json='[{"dateTime": "01/05/26", "value": "1"}]',
        )
        found = read(content)
        assert (found.format, len(found.moments)) == ("fitbit", 4)


class TestGoogle:
    def test_grams_are_kept_as_kilograms(self) -> None:
        assert read(DATA / "google_health_weight.csv").values[0] == ("weight", "81.4", "kg")

    def test_the_average_is_taken_and_a_blank_day_is_none(self) -> None:
        found = read(DATA / "googlefit_daily.csv")
        assert (found.values, found.moments) == ([("weight", "81.4", "kg")], ["2026-01-05 -"])


class TestGarmin:
    ENGLISH = "\ufeffTime,Weight,Change,BMI,Body Fat,\n"

    def test_dashes_are_missing(self) -> None:
        found = read(DATA / "garmin_Weight.csv")
        assert found.values[-1] == ("weight", "81.4", "kg")
        assert len(found.values) == 6

    def test_other_languages_write_the_day_first_24_hours_and_commas(self) -> None:
        text = (
            '\ufeffHora,Peso,Cambio,IMC,Grasa corporal,Masa ósea,\n" 6 ene 2026",\n'
            '07:31,"81,1 kg","0,3 kg","25,0","18,0 %",--,\n'
        )
        found = read(text)
        assert (found.format, found.moments) == ("garmin", ["2026-01-06 07:31"])
        assert found.values == [("weight", "81.1", "kg"), ("body_fat", "18", "%")]

    def test_twelve_is_the_first_hour_and_units_are_of_the_cell(self) -> None:
        text = self.ENGLISH + '" Jan 6, 2026",\n12:05 AM,178.8 lbs,--,--,--,\n12:05 PM,12 st 7 lb,--,--,--,\n'
        found = read(text)
        assert found.moments == ["2026-01-06 00:05", "2026-01-06 12:05"]
        assert found.values == [("weight", "178.8", "lb"), ("weight", "175", "st_lb")]


class TestAppleHealth:
    RECORD = (
        '<Record type="HKQuantityTypeIdentifier{}" unit="{}" value="{}"'
        ' startDate="2026-01-05 23:30:00 {}"/>\n'
    )

    def document(self, *records: str) -> str:
        return '<?xml version="1.0"?>\n<HealthData locale="en_GB">\n' + "".join(records) + "</HealthData>"

    @pytest.mark.parametrize(
        ("kind", "unit", "value", "expected"),
        [
            ("BodyMass", "st", "12.5", ("weight", "12.5", "st")),
            ("BodyMass", "lb", "178.8", ("weight", "178.8", "lb")),
            ("Height", "m", "1.78", ("height", "178", "cm")),
            ("Height", "ft", "5.5", ("height", "66", "in")),
            ("WaistCircumference", "in", "34.5", ("waist", "34.5", "in")),
            ("BodyFatPercentage", "%", "0.184", ("body_fat", "18.4", "%")),
            ("BodyFatPercentage", "%", "18.4", ("body_fat", "18.4", "%")),
        ],
    )
    def test_each_record_has_its_unit(
        self, kind: str, unit: str, value: str, expected: tuple[str, str, str]
    ) -> None:
        assert read(self.document(self.RECORD.format(kind, unit, value, "+0100"))).values == [expected]

    def test_the_offset_of_the_stamp_tells_the_day(self) -> None:
        text = self.document(self.RECORD.format("BodyMass", "kg", "81.4", "-0800"))
        assert read(text, zone="Asia/Tokyo").moments == ["2026-01-05 23:30"]

    def test_lines_are_numbered_and_what_is_left_out_is_named(self) -> None:
        found = read(
            self.document(
                self.RECORD.format("StepCount", "count", "900", "+0100"),
                self.RECORD.format("LeanBodyMass", "kg", "65", "+0100"),
                self.RECORD.format("BodyMass", "kg", "much", "+0100"),
            )
        )
        assert (found.problems, found.ignored) == ([(5, ProblemCode.NOT_A_NUMBER)], {"LeanBodyMass"})

    def test_in_a_zip_whatever_the_phone_calls_it(self) -> None:
        sample = (DATA / "apple_export.xml").read_text()
        content = zipped(
            apple_health_export__exportación_dot_xml=sample,
            apple_health_export__export_cda_dot_xml="<ClinicalDocument/>",
            apple_health_export__photo_dot_jpg=b"\xff\xd8",
        )
        assert len(read(content).values) == 4


class TestHealthConnect:
    def test_in_a_zip(self) -> None:
        content = zipped(health_connect_export_dot_db=(DATA / "health_connect_export.db").read_bytes())
        assert read(content).values == [("weight", "81.4", "kg"), ("body_fat", "18.4", "%")]

    def test_the_offset_of_the_row_tells_the_day_else_the_time_zone(self, tmp_path: Path) -> None:
        path = tmp_path / "export.db"
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE weight_record_table (time, zone_offset, weight)")
            rows = [(1767594600000, -28800, 81399.99999), (1767594600000, None, 1.0), (None, 0, 1.0)]
            database.executemany("INSERT INTO weight_record_table VALUES (?, ?, ?)", rows)
        database.close()
        found = read(path, zone="Asia/Tokyo")
        assert found.moments == ["2026-01-04 22:30", "2026-01-05 15:30"]
        assert found.values[0] == ("weight", "81.4", "kg")
        assert [code for _line, code in found.problems] == [ProblemCode.NOT_A_DATE]

    def test_the_file_is_only_read(self, tmp_path: Path) -> None:
        path = tmp_path / "export.db"
        path.write_bytes((DATA / "health_connect_export.db").read_bytes())
        before = path.read_bytes()
        read(path)
        assert [path.read_bytes() == before, *sorted(p.name for p in tmp_path.iterdir())] == [
            True,
            "export.db",
        ]


class TestSamsung:
    HEAD = "com.samsung.health.weight,7006003,12\n"

    def test_the_offset_column_tells_the_day(self) -> None:
        text = self.HEAD + "start_time,weight,time_offset\n2026-01-06 06:30:00.000,81.4,UTC-0800,\n"
        assert read(text).moments == ["2026-01-05 22:30"]

    def test_without_an_offset_the_time_zone_does(self) -> None:
        text = self.HEAD + "start_time,weight,time_offset\n2026-01-06 06:30:00.000,81.4,,\n"
        assert read(text).moments == ["2026-01-06 07:30"]

    def test_older_files_prefix_each_column(self) -> None:
        prefix = "com.samsung.health.weight."
        names = ",".join(prefix + name for name in ("start_time", "weight", "time_offset"))
        found = read(self.HEAD + names + "\n2026-01-05 06:30:00.000,81.4,UTC+0100,\n")
        assert (found.values, found.moments) == ([("weight", "81.4", "kg")], ["2026-01-05 07:30"])


class TestMyFitnessPal:
    def test_units_are_asked_for(self) -> None:
        found = read("Date,Weight,Waist\n2026-01-05,180,35\n", mass_unit="lb", length_unit="in")
        assert found.values == [("weight", "180", "lb"), ("waist", "35", "in")]
        assert found.asks == {Ask.MASS_UNIT, Ask.LENGTH_UNIT}


class TestHackersDiet:
    def test_notes_in_windows_1252_and_the_unit_of_each_month(self) -> None:
        text = (
            "Epoch,2026-01-07T09:00:00Z\r\nDate,Weight,Rung,Flag,Comment\r\nStartTrend,81.5,kg,kg,0,0\r\n"
            "2026-01-05,81.4,,0,café\r\nStartTrend,180,lb,lb,0,0\r\n2026-02-05,179.5,,0,\r\n2026-02-06,,3,0,\r\n"
        )
        found = read(text.encode("cp1252"))
        assert found.values == [("weight", "81.4", "kg"), ("weight", "179.5", "lb")]
        assert found.readings[0].note == "café"


class TestTrale:
    def test_the_unit_stands_above(self) -> None:
        assert read("#Date weight[lb]\n2026-01-05T07:30:00.000 180\n").values == [("weight", "180", "lb")]


class TestGymnasiaApp:
    def backup(self, *entries: object, version: object = 1, **parts: object) -> str:
        store = {"measurements": list(entries)} | parts
        return json.dumps(
            {"app": "gymnasia", "type": "backup", "schemaVersion": version, "data": {"store": store}}
        )

    ENTRY = {
        "id": "1",
        "measured_at": "2026-01-05T11:00:00.000Z",
        "weight_kg": 81.4,
        "body_fat_pct": None,
        "quadriceps_cm": 55,
        "photo_uri": "file:///p.jpg",
    }

    def test_the_day_is_found_by_the_time_zone_and_other_parts_are_named(self) -> None:
        found = read(self.backup(self.ENTRY, workouts=[1], goals=[]))
        assert found.format == "gymnasia_app"
        assert found.values == [("weight", "81.4", "kg"), ("thigh", "55", "cm")]
        assert (found.moments, found.ignored) == (["2026-01-05 -"], {"photo_uri", "workouts"})

    def test_noon_in_auckland_is_the_day_before_in_utc(self) -> None:
        entry = self.ENTRY | {"measured_at": "2026-01-04T23:00:00.000Z"}
        assert read(self.backup(entry), zone="Pacific/Auckland").moments == ["2026-01-05 -"]

    def test_a_newer_version_is_refused(self) -> None:
        with pytest.raises(Problem) as refused:
            read(self.backup(self.ENTRY, version=2))
        assert (refused.value.code, refused.value.detail) == (ProblemCode.NEWER_BACKUP, "2")

    @pytest.mark.parametrize("version", [None, "1", 0, 1.5])
    def test_a_version_that_is_none_is_refused(self, version: object) -> None:
        with pytest.raises(Problem) as refused:
            read(self.backup(self.ENTRY, version=version))
        assert refused.value.code is ProblemCode.NOT_A_BACKUP

    def test_a_bad_entry_costs_no_other(self) -> None:
        found = read(
            self.backup(1, self.ENTRY | {"weight_kg": [1]}, self.ENTRY | {"measured_at": 5}, self.ENTRY)
        )
        assert [line for line, _code in found.problems] == [1, 2, 3]
        assert len(found.values) == 3
