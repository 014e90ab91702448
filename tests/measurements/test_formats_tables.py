"""Any other table, and what a whole file decides: encoding, decimal mark, order of day and month."""

import datetime as dt
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from measurements.formats.base import Ask, Question, Role
from measurements.formats.problems import Problem, ProblemCode
from measurements.formats.spelling import Spelling
from tests.measurements.reading import read


def workbook(*rows: list[object]) -> bytes:
    book = Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


class TestDelimiterAndHeader:
    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_any_delimiter(self, delimiter: str) -> None:
        text = "Day,Weight (kg),Waist (cm),Remarks,Comment\n2026-01-05,81.4,88,,fine\n".replace(
            ",", delimiter
        )
        found = read(text)
        assert (found.format, found.values) == ("table", [("weight", "81.4", "kg"), ("waist", "88", "cm")])
        assert found.readings[0].note == "fine"

    @pytest.mark.parametrize(
        ("header", "metrics"),
        [
            ("Fecha;Peso (kg);Grasa corporal;Cintura (cm)", ["weight", "body_fat", "waist"]),
            ("Data;Peso (kg);Gordura;Cintura (cm)", ["weight", "body_fat", "waist"]),
            ("Datum;Gewicht (kg);Körperfett;Hüfte (cm)", ["weight", "body_fat", "hips"]),
            ("timestamp;bodyMass;Visceral fat;Hip in cm", ["weight", "visceral_fat", "hips"]),
        ],
    )
    def test_columns_are_guessed_in_several_languages(self, header: str, metrics: list[str]) -> None:
        found = read(header + "\n2026-01-05;81,4;18,4;88\n")
        assert [reading.metric for reading in found.readings] == metrics
        assert Ask.COLUMNS in found.asks

    def test_computed_columns_are_not_guessed(self) -> None:
        found = read("Date,Trend weight,BMI,Weight goal,Weight\n2026-01-05,80,24,70,81.4\n")
        assert found.values == [("weight", "81.4", "kg")]
        assert found.ignored == {"Trend weight", "BMI", "Weight goal"}

    def test_without_a_header_dates_and_one_number_are_clear(self) -> None:
        assert read("2026-01-05;81,4\n2026-01-06;81,1\n").values[1] == ("weight", "81.1", "kg")

    def test_columns_that_tell_nothing_are_asked_for(self) -> None:
        text = "when,a,b\n2026-01-05,81.4,88\n"
        with pytest.raises(Question) as asked:
            read(text)
        assert (asked.value.ask, asked.value.columns) == (
            Ask.COLUMNS,
            (Role("when", "date", "2026-01-05"), Role("a", "", "81.4"), Role("b", "", "88")),
        )
        found = read(text, columns={0: "date", 1: "weight", 2: "waist"})
        assert found.values == [("weight", "81.4", "kg"), ("waist", "88", "cm")]

    def test_columns_of_one_name_are_two(self) -> None:
        found = read("Date,X,X\n2026-01-05,81.4,88\n", columns={0: "date", 2: "waist"})
        assert (found.values, found.ignored) == ([("waist", "88", "cm")], {"X"})

    def test_time_in_a_column_of_its_own(self) -> None:
        assert read("Date,Time,Weight\n05.01.2026,7:30 pm,81.4\n").moments == ["2026-01-05 19:30"]


class TestWorkbook:
    def test_dates_numbers_and_texts(self) -> None:
        content = workbook(
            ["Date", "Weight (kg)", "Note"],
            [dt.datetime(2026, 1, 5, 7, 30), 81.4, "ok"],
            [dt.date(2026, 1, 6), 81, None],
            [None, None, None],
            ["7/1/2026", "81,2", "=1+1 is text"],
        )
        found = read(content, day_first=True)
        assert found.moments == ["2026-01-05 07:30", "2026-01-06 -", "2026-01-07 -"]
        assert [value for _metric, value, _unit in found.values] == ["81.4", "81", "81.2"]

    def test_a_damaged_one_is_refused(self) -> None:
        content = bytearray(workbook(["Date", "Weight"], ["2026-01-05", 81.4]))
        middle = content.index(b"xl/worksheets/sheet1.xml") + 60
        content[middle : middle + 40] = b"\0" * 40
        with pytest.raises(Problem):
            read(bytes(content))


class TestEncodings:
    TEXT = "Date,Weight,Note\r\n2026-01-05,81.4,café ✓\r\n"

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    def test_unicode_with_and_without_a_mark(self, encoding: str) -> None:
        assert read(self.TEXT.encode(encoding)).readings[0].note == "café ✓"

    def test_windows_1252(self) -> None:
        assert read(self.TEXT.replace("✓", "€").encode("cp1252")).readings[0].note == "café €"

    def test_a_byte_that_is_no_utf_8_after_a_megabyte(self) -> None:
        text = "Date,Weight,Note\n" + "2026-01-05,81.4,x\n" * 70_000 + "2026-01-06,81.1,é\n"
        assert read(text.encode("cp1252")).readings[-1].note == "é"


class TestDecimalMark:
    @pytest.mark.parametrize(
        ("cells", "values"),
        [
            (["81,4", "81,15"], ["81.4", "81.15"]),
            (["81.4", "81"], ["81.4", "81"]),
            (["1.080,5", "90,2"], ["1080.5", "90.2"]),
            (["1,080.5", "90.2"], ["1080.5", "90.2"]),
            (["1.080", "90,2"], ["1080", "90.2"]),
            (["1,080", "90.2"], ["1080", "90.2"]),
            (["81,400", "81,100"], ["81.4", "81.1"]),
            (["1 080,5", "90,2"], ["1080.5", "90.2"]),
            (["1’080.5", "90.2"], ["1080.5", "90.2"]),
        ],
    )
    def test_the_file_decides(self, cells: list[str], values: list[str]) -> None:
        text = "Date;Weight\n" + "".join(f"2026-01-0{day};{cell}\n" for day, cell in enumerate(cells, 5))
        assert [value for _metric, value, _unit in read(text).values] == values

    @pytest.mark.parametrize(
        "cell", ["81.4.2", "1,08,5", "--5", "8e1", "NaN", "81.4 apples", "٣x", ".", "9" * 99]
    )
    def test_what_is_no_number_is_said(self, cell: str) -> None:
        text = f"Date;Weight\n2026-01-05;{cell}\n2026-01-06;81.4\n"
        assert [line for line, _code in read(text).problems] == [2]

    @given(st.decimals(1, 999, places=3), st.booleans())
    def test_every_number_comes_back(self, number: object, comma: bool) -> None:
        text = str(number).replace(".", "," if comma else ".")
        assert Spelling(comma).number(text) == number


class TestOrderOfDayAndMonth:
    @pytest.mark.parametrize(
        ("dates", "days"),
        [
            (["05/01/2026", "13/01/2026"], ["2026-01-05", "2026-01-13"]),
            (["01/05/2026", "01/13/2026"], ["2026-01-05", "2026-01-13"]),
            (["05.01.2026", "06.01.2026"], ["2026-01-05", "2026-01-06"]),
            (["5 Jan 2026", "Jan 6, 2026"], ["2026-01-05", "2026-01-06"]),
            (["5 de enero de 2026", "6 mär 2026"], ["2026-01-05", "2026-03-06"]),
            (["20260105", "2026/1/6"], ["2026-01-05", "2026-01-06"]),
            (["05/05/2026", "06/06/26"], ["2026-05-05", "2026-06-06"]),
        ],
    )
    def test_any_day_over_twelve_settles_it(self, dates: list[str], days: list[str]) -> None:
        text = "Date;Weight\n" + "".join(f'"{date}";81.4\n' for date in dates)
        assert [str(reading.on) for reading in read(text).readings] == days

    @pytest.mark.parametrize("dates", [["05/01/2026"], ["13/01/2026", "01/13/2026", "05/01/2026"]])
    def test_what_nothing_settles_is_asked(self, dates: list[str]) -> None:
        text = "Date;Weight\n" + "".join(f"{date};81.4\n" for date in dates)
        with pytest.raises(Question) as asked:
            read(text)
        assert asked.value.ask is Ask.DATE_ORDER
        assert read(text, day_first=True).moments[-1] == "2026-01-05 -"
        assert read(text, day_first=False).moments[-1] == "2026-05-01 -"

    def test_a_line_that_does_not_fit_is_said(self) -> None:
        text = "Date;Weight\n13/01/2026;81.4\n01/02/2026;81\n31/02/2026;81\n2026-02-30;81\n"
        assert read(text).problems == [(4, ProblemCode.NOT_A_DATE), (5, ProblemCode.NOT_A_DATE)]


class TestStamps:
    @pytest.mark.parametrize(
        ("stamp", "moment"),
        [
            ("2026-01-05T23:30:00Z", "2026-01-06 00:30"),
            ("2026-01-05 23:30:00+00:00", "2026-01-05 23:30"),
            ("2026-01-05T23:30:00-0800", "2026-01-05 23:30"),
            ("2026-01-05 23:30 UTC", "2026-01-06 00:30"),
            ("1767655800000", "2026-01-06 00:30"),
            ("2026-07-05T22:30:00Z", "2026-07-06 00:30"),
            ("2026-01-05 07:30:59.123456789", "2026-01-05 07:30"),
        ],
    )
    def test_utc_becomes_the_person_s_day_and_all_else_stays(self, stamp: str, moment: str) -> None:
        assert read(f"Date;Weight\n{stamp};81.4\n").moments == [moment]

    @pytest.mark.parametrize("stamp", ["2026-01-05 25:00", "2026-01-05 13:00 pm", "2026-01-05 7:30 +99:00"])
    def test_what_is_no_time_is_said(self, stamp: str) -> None:
        found = read(f"Date;Weight\n{stamp};81.4\n2026-01-06;81.4\n")
        assert found.problems == [(2, ProblemCode.NOT_A_TIME)]
