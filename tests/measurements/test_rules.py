"""What may be recorded, and what is asked about first."""

import datetime as dt
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from measurements import queries, rules, services
from measurements.errors import InFuture, OutOfRange, TimeInFuture
from measurements.metrics import METRICS
from measurements.models import Measurement, Profile, Source
from measurements.rules import Moment, NewValue
from measurements.services import Origin
from measurements.units import UNITS

pytestmark = pytest.mark.django_db

TODAY = dt.date(2026, 1, 10)


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is noon of TODAY wherever the person is."""
    monkeypatch.setattr(Profile, "now", lambda self: dt.datetime.combine(TODAY, dt.time(12), self.zone))


def record(user: User, value: str, on: dt.date, unit: str = "kg", metric: str = "weight") -> Measurement:
    (revision,) = services.record_measurements(
        user,
        moment=Moment(on),
        values=[NewValue(metric, Decimal(value), unit)],
        origin=Origin(Source.FORM),
    )
    return Measurement.objects.get(pk=revision.record_id)


def day(number: int) -> dt.date:
    return dt.date(2026, 1, number)


class TestRange:
    @pytest.mark.parametrize("value", ["NaN", "sNaN", "Infinity", "-Infinity", "1e40", "-1e400", "1e-400"])
    def test_a_value_that_no_row_can_hold_is_out_of_range(self, reader: User, value: str) -> None:
        with pytest.raises(OutOfRange):
            rules.check_value(queries.profile_of(reader), NewValue("weight", Decimal(value), "kg"))

    def test_the_message_names_the_field_and_the_range_in_the_unit_that_was_typed(self, reader: User) -> None:
        with pytest.raises(OutOfRange) as refused:
            rules.check_value(queries.profile_of(reader), NewValue("weight", Decimal(2000), "lb"))
        assert refused.value.message == "Weight must be between 2.3\u00a0lb and 1433\u00a0lb."

    @pytest.mark.parametrize(
        ("metric", "unit"), [(metric.code, unit) for metric in METRICS.values() for unit in metric.units]
    )
    def test_both_ends_that_the_message_names_are_accepted(
        self, reader: User, monkeypatch: pytest.MonkeyPatch, metric: str, unit: str
    ) -> None:
        ends: list[Decimal] = []
        monkeypatch.setattr(OutOfRange, "__init__", lambda self, *args: ends.extend(args[1:3]))
        profile = queries.profile_of(reader)
        with pytest.raises(OutOfRange):
            rules.check_value(profile, NewValue(metric, Decimal(10**7), unit))
        assert len(ends) == 2
        for end in ends:
            rules.check_value(profile, NewValue(metric, end, unit))


class TestMoment:
    def test_a_file_may_be_up_to_a_day_ahead_and_a_person_not_at_all(self, reader: User) -> None:
        profile, soon = queries.profile_of(reader), Moment(day(11), dt.time(8))
        with pytest.raises(InFuture):
            rules.check_moment(profile, soon)
        rules.check_moment(profile, soon, ahead=dt.timedelta(days=1))
        with pytest.raises(TimeInFuture):
            rules.check_moment(profile, Moment(day(11), dt.time(12, 1)), ahead=dt.timedelta(days=1))
        with pytest.raises(InFuture):
            rules.check_moment(profile, Moment(day(12)), ahead=dt.timedelta(days=1))

    def test_a_known_offset_goes_before_the_person_s_time_zone(self, reader: User) -> None:
        profile = queries.profile_of(reader)
        tokyo = dt.timedelta(hours=9)
        at, offset = rules.instant(profile, Moment(day(5), dt.time(7, 30), tokyo))
        assert (at, offset) == (dt.datetime(2026, 1, 4, 22, 30, tzinfo=dt.UTC), 540)
        # In Madrid the clocks went over this time; where the offset is known they did not.
        rules.check_moment(profile, Moment(dt.date(2025, 3, 30), dt.time(2, 30), tokyo))


class TestDoubts:
    def ask(
        self,
        user: User,
        value: str,
        on: dt.date = TODAY,
        *,
        unit: str = "kg",
        metric: str = "weight",
        corrects: Measurement | None = None,
    ) -> list[str]:
        found = rules.doubts(
            queries.profile_of(user),
            Moment(on),
            [NewValue(metric, Decimal(value), unit)],
            corrects=corrects,
        )
        return [doubt.message.replace("\u00a0", " ") for doubt in found]

    @pytest.mark.parametrize(
        ("last", "question"),
        [
            (8, "Save 65.5 kg? Your last was 80.1 kg two days ago."),
            (9, "Save 65.5 kg? Your last was 80.1 kg a day ago."),
            (10, "Save 65.5 kg? Another of that day is 80.1 kg."),
        ],
    )
    def test_a_big_jump_names_the_last_value_and_how_long_ago_it_was(
        self, reader: User, last: int, question: str
    ) -> None:
        record(reader, "80.1", day(last))
        assert self.ask(reader, "65.5") == [question]

    def test_a_day_of_the_past_is_compared_with_its_nearest_neighbour(self, reader: User) -> None:
        record(reader, "80.1", day(2))
        record(reader, "90", day(9))
        assert self.ask(reader, "65.5", day(5)) == [
            "Save 65.5 kg? Your last before it was 80.1 kg three days earlier."
        ]
        assert self.ask(reader, "65.5", day(8)) == ["Save 65.5 kg? Your next was 90 kg a day later."]
        assert self.ask(reader, "65.5", dt.date(2025, 12, 28)) == [
            "Save 65.5 kg? Your next was 80.1 kg five days later."
        ]

    def test_more_is_allowed_the_more_days_lie_between(self, reader: User) -> None:
        record(reader, "80", day(1))
        assert self.ask(reader, "75.5", day(2))
        assert self.ask(reader, "75.5", day(10)) == []

    def test_both_values_are_named_in_the_unit_that_was_typed(self, reader: User) -> None:
        record(reader, "80", day(9))
        assert self.ask(reader, "150", unit="lb") == ["Save 150 lb? Your last was 176.4 lb a day ago."]

    def test_a_record_that_is_corrected_is_no_neighbour_of_itself(self, reader: User) -> None:
        record(reader, "80", day(9))
        wrong = record(reader, "65", TODAY)
        assert self.ask(reader, "80.2", corrects=wrong) == []

    def test_a_share_is_not_compared_with_a_mass(self, reader: User) -> None:
        record(reader, "15", day(9), unit="kg", metric="body_fat")
        assert self.ask(reader, "22", unit="%", metric="body_fat") == []

    @pytest.mark.parametrize(("value", "unit"), [("29", "kg"), ("251", "kg"), ("66", "lb")])
    def test_an_unusual_value_is_asked_about(self, reader: User, value: str, unit: str) -> None:
        (question,) = self.ask(reader, value, unit=unit)
        assert question == f"Save weight {value} {unit}? That is an unusual value."

    def test_another_person_s_values_count_for_nothing(self, reader: User, stranger: User) -> None:
        record(stranger, "60", day(9))
        assert self.ask(reader, "80") == []


def test_every_unit_has_a_dimension_that_some_metric_accepts() -> None:
    assert set(UNITS) == {unit for metric in METRICS.values() for unit in metric.units}
