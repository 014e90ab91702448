"""The one door: what may be written, what is refused, and that everything can be taken back."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from measurements import queries, services
from measurements.errors import (
    AlreadyRecorded,
    AmbiguousMoment,
    BeforeEarliest,
    CannotUndo,
    InFuture,
    MeasurementError,
    MetricNotRecorded,
    NoSuchRecord,
    NoSuchTime,
    NothingRecorded,
    OutOfRange,
    TimeInFuture,
    UnitNotAccepted,
    UnknownMetric,
)
from measurements.models import Measurement, Profile, Revision, Source
from measurements.services import Moment, NewValue, Origin

pytestmark = pytest.mark.django_db

FORM = Origin(Source.FORM)
NEW_YEAR = dt.date(2026, 1, 1)


def weight(value: str, unit: str = "kg") -> NewValue:
    return NewValue("weight", Decimal(value), unit)


def record(
    user: User,
    *values: NewValue,
    on: dt.date = NEW_YEAR,
    at: dt.time | None = None,
    note: str = "",
    replace: bool = False,
) -> list[Revision]:
    return services.record_measurements(
        user,
        moment=Moment(on, at),
        values=values or [weight("80")],
        note=note,
        replace=replace,
        origin=FORM,
    )


def test_value_is_kept_as_typed_and_in_the_canonical_unit(person: User) -> None:
    record(person, weight("90.0", "lb"))
    (kept,) = queries.day(person, NEW_YEAR)
    assert (kept.entered_value, kept.entered_unit) == (Decimal("90.0"), "lb")
    assert kept.value == Decimal("40.8233")


def test_same_value_again_changes_nothing(person: User) -> None:
    record(person)
    assert record(person) == []
    assert Revision.objects.count() == 1


def test_different_value_is_refused_until_replacing_is_asked_for(person: User) -> None:
    record(person)
    with pytest.raises(AlreadyRecorded) as refused:
        record(person, weight("81"))
    assert refused.value.standing.value == 80
    (revision,) = record(person, weight("81"), replace=True)
    assert revision.before is not None
    assert queries.day(person, NEW_YEAR)[0].value == 81


def test_all_values_or_none(person: User) -> None:
    record(person, NewValue("waist", Decimal(88), "cm"))
    with pytest.raises(AlreadyRecorded):
        record(person, weight("80"), NewValue("waist", Decimal(90), "cm"))
    assert [kept.metric for kept in queries.day(person, NEW_YEAR)] == ["waist"]


def test_several_times_of_a_day_stand_side_by_side(person: User) -> None:
    record(person, at=dt.time(7, 30))
    record(person, weight("81"), at=dt.time(21, 0))
    record(person, weight("82"))
    assert [kept.value for kept in queries.day(person, NEW_YEAR)] == [82, 80, 81]


@pytest.mark.parametrize(
    ("value", "moment", "error", "field"),
    [
        (weight("651"), Moment(NEW_YEAR), OutOfRange, "value"),
        (weight("0"), Moment(NEW_YEAR), OutOfRange, "value"),
        (weight("80", "cm"), Moment(NEW_YEAR), UnitNotAccepted, "unit"),
        (NewValue("luck", Decimal(7), "kg"), Moment(NEW_YEAR), UnknownMetric, "metric"),
        (weight("80"), Moment(dt.date(2999, 1, 1)), InFuture, "date"),
        (weight("80"), Moment(dt.date(1969, 12, 31)), BeforeEarliest, "date"),
        (weight("80"), Moment(dt.date(2026, 3, 29), dt.time(2, 30)), NoSuchTime, "time"),
    ],
)
def test_what_cannot_be_is_refused_and_names_its_field(
    person: User, value: NewValue, moment: Moment, error: type[MeasurementError], field: str
) -> None:
    with pytest.raises(error) as refused:
        services.record_measurements(person, moment=moment, values=[value], origin=FORM)
    assert refused.value.field == field
    assert refused.value.message
    assert not Measurement.objects.exists()


@pytest.mark.parametrize(("zone", "day"), [("America/Los_Angeles", 30), ("Asia/Tokyo", 1)])
def test_today_is_the_person_s_own(
    person: User, monkeypatch: pytest.MonkeyPatch, zone: str, day: int
) -> None:
    services.update_profile(person, time_zone=zone)
    instant = dt.datetime(2026, 3, 31, 3 if day == 30 else 20, tzinfo=dt.UTC)
    monkeypatch.setattr(Profile, "now", lambda self: instant.astimezone(self.zone))
    today = queries.profile_of(person).today()
    assert today.day == day
    record(person, on=today)
    with pytest.raises(InFuture):
        record(person, on=today + dt.timedelta(days=1))
    assert [kept.measured_on for kept in queries.day(person, today)] == [today]


def test_time_still_to_come_today_is_refused(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    noon = dt.datetime(2026, 5, 5, 12, tzinfo=queries.profile_of(person).zone)
    monkeypatch.setattr(Profile, "now", lambda self: noon)
    with pytest.raises(TimeInFuture):
        record(person, on=noon.date(), at=dt.time(12, 1))
    record(person, on=noon.date(), at=dt.time(11, 59))


def test_time_that_came_twice_is_the_first(person: User) -> None:
    record(person, on=dt.date(2025, 10, 26), at=dt.time(2, 30))
    (kept,) = queries.day(person, dt.date(2025, 10, 26))
    assert kept.measured_at == dt.datetime(2025, 10, 26, 0, 30, tzinfo=dt.UTC)
    assert kept.local_time == dt.time(2, 30)


def test_moving_to_another_time_zone_moves_no_record(person: User) -> None:
    record(person, at=dt.time(23, 50))
    services.update_profile(person, time_zone="Asia/Tokyo")
    (kept,) = queries.day(person, NEW_YEAR)
    assert (kept.measured_on, kept.local_time) == (NEW_YEAR, dt.time(23, 50))


class TestCorrecting:
    def test_untouched_fields_stay_as_they_were(self, person: User) -> None:
        record(person, weight("90.0", "lb"), at=dt.time(7, 30))
        services.update_profile(person, time_zone="Asia/Tokyo")
        (kept,) = queries.day(person, NEW_YEAR)
        services.correct_measurement(
            person,
            record_id=kept.pk,
            value=weight("90.0", "lb"),
            moment=Moment(NEW_YEAR, dt.time(7, 30)),
            note="after run",
            origin=FORM,
        )
        (after,) = queries.day(person, NEW_YEAR)
        assert (after.measured_at, after.entered_value, after.note) == (
            kept.measured_at,
            Decimal("90.0"),
            "after run",
        )

    def test_value_outside_today_s_limits_can_still_get_a_note(self, person: User) -> None:
        (revision,) = record(person)
        Measurement.objects.update(value=900, entered_value=900)
        changed = services.correct_measurement(
            person,
            record_id=revision.record_id,
            value=weight("900"),
            moment=Moment(NEW_YEAR),
            note="a truck",
            origin=FORM,
        )
        assert changed is not None

    def test_saving_unchanged_changes_nothing(self, person: User) -> None:
        (revision,) = record(person)
        assert (
            services.correct_measurement(
                person,
                record_id=revision.record_id,
                value=weight("80"),
                moment=Moment(NEW_YEAR),
                note="",
                origin=FORM,
            )
            is None
        )

    def test_moment_of_another_record_is_refused(self, person: User) -> None:
        record(person)
        (other,) = record(person, on=dt.date(2026, 1, 2))
        with pytest.raises(AlreadyRecorded):
            services.correct_measurement(
                person,
                record_id=other.record_id,
                value=weight("80"),
                moment=Moment(NEW_YEAR),
                note="",
                origin=FORM,
            )


class TestRemoving:
    def test_by_day_and_metric(self, person: User) -> None:
        record(person)
        services.remove_at(person, metric="weight", moment=Moment(NEW_YEAR), origin=FORM)
        assert queries.day(person, NEW_YEAR) == []

    def test_absent_day_and_absent_metric_are_told_apart(self, person: User) -> None:
        with pytest.raises(NothingRecorded):
            services.remove_at(person, metric="weight", moment=Moment(NEW_YEAR), origin=FORM)
        record(person)
        with pytest.raises(MetricNotRecorded):
            services.remove_at(person, metric="waist", moment=Moment(NEW_YEAR), origin=FORM)

    def test_one_of_several_needs_its_time(self, person: User) -> None:
        record(person, at=dt.time(7, 30))
        record(person, weight("81"), at=dt.time(21, 0))
        with pytest.raises(AmbiguousMoment) as refused:
            services.remove_at(person, metric="weight", moment=Moment(NEW_YEAR), origin=FORM)
        assert "07:30" in refused.value.message
        services.remove_at(person, metric="weight", moment=Moment(NEW_YEAR, dt.time(21)), origin=FORM)
        assert [kept.value for kept in queries.day(person, NEW_YEAR)] == [80]


class TestUndo:
    def state(self) -> list[tuple[object, ...]]:
        columns = [f.attname for f in Measurement._meta.concrete_fields if f.name != "updated_at"]
        return list(Measurement.objects.order_by("pk").values_list(*columns))

    def test_of_a_new_record_takes_it_away(self, person: User) -> None:
        (revision,) = record(person)
        services.undo(person, revision_id=revision.pk, origin=FORM)
        assert self.state() == []

    def test_of_a_removal_makes_the_same_record_again(self, person: User) -> None:
        (revision,) = record(person, at=dt.time(7, 30), note='=1+1, "quoted"\n☀')
        before = self.state()
        removal = services.remove_measurement(person, record_id=revision.record_id, origin=FORM)
        services.undo(person, revision_id=removal.pk, origin=FORM)
        assert self.state() == before

    def test_of_an_undo_does_it_again(self, person: User) -> None:
        (revision,) = record(person)
        after = self.state()
        undone = services.undo(person, revision_id=revision.pk, origin=FORM)
        services.undo(person, revision_id=undone.pk, origin=FORM)
        assert self.state() == after

    def test_is_refused_twice_and_under_a_later_change(self, person: User) -> None:
        (first,) = record(person)
        (second,) = record(person, weight("81"), replace=True)
        with pytest.raises(CannotUndo):
            services.undo(person, revision_id=first.pk, origin=FORM)
        services.undo(person, revision_id=second.pk, origin=FORM)
        with pytest.raises(CannotUndo):
            services.undo(person, revision_id=second.pk, origin=FORM)

    def test_is_refused_when_its_moment_is_taken(self, person: User) -> None:
        (revision,) = record(person)
        removal = services.remove_measurement(person, record_id=revision.record_id, origin=FORM)
        record(person, weight("79"))
        with pytest.raises(CannotUndo):
            services.undo(person, revision_id=removal.pk, origin=FORM)

    def test_can_be_undone_is_known_without_asking_for_each(self, person: User) -> None:
        (first,) = record(person)
        (second,) = record(person, weight("81"), replace=True)
        undoing = services.undo(person, revision_id=second.pk, origin=FORM)
        states = {r.pk: r.can_undo for r in Revision.objects.with_undo_state()}
        assert states == {first.pk: True, second.pk: False, undoing.pk: True}

    def test_steps_back_over_a_change_that_was_itself_taken_back(self, person: User) -> None:
        (first,) = record(person)
        (second,) = record(person, weight("81"), replace=True)
        services.undo(person, revision_id=second.pk, origin=FORM)
        services.undo(person, revision_id=first.pk, origin=FORM)
        assert self.state() == []
        # What stands on a record that went away cannot come back before the record does.
        undoing = Revision.objects.get(undoes=second)
        with pytest.raises(CannotUndo):
            services.undo(person, revision_id=undoing.pk, origin=FORM)

    def test_happens_once_even_when_the_same_change_was_made_again(self, person: User) -> None:
        record(person)
        (changed,) = record(person, weight("81"), replace=True)
        services.undo(person, revision_id=changed.pk, origin=FORM)
        record(person, weight("81"), replace=True)
        with pytest.raises(CannotUndo):
            services.undo(person, revision_id=changed.pk, origin=FORM)

    def test_of_a_move_says_the_day_it_went_back_to(self, person: User) -> None:
        (revision,) = record(person)
        moved = services.correct_measurement(
            person,
            record_id=revision.record_id,
            value=weight("80"),
            moment=Moment(dt.date(2026, 1, 2)),
            note="",
            origin=FORM,
        )
        assert moved is not None
        assert moved.measured_on == dt.date(2026, 1, 2)
        assert services.undo(person, revision_id=moved.pk, origin=FORM).measured_on == NEW_YEAR

    def test_names_the_day_where_another_value_stands(self, person: User) -> None:
        (revision,) = record(person)
        removal = services.remove_measurement(person, record_id=revision.record_id, origin=FORM)
        record(person, weight("79"))
        with pytest.raises(CannotUndo) as refused:
            services.undo(person, revision_id=removal.pk, origin=FORM)
        assert "2026" in refused.value.message


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["record", "correct", "remove"]),
        st.integers(1, 4),
        st.none() | st.times(),
        st.decimals(40, 200, places=4),
        st.sampled_from(["kg", "lb", "st_lb"]),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    ),
    max_size=12,
)


class TestUndoOfAnything:
    """Whatever was done, taking it back in reverse gives back every earlier state, byte for byte."""

    def state(self) -> list[tuple[object, ...]]:
        columns = [f.attname for f in Measurement._meta.concrete_fields if f.name != "updated_at"]
        return list(Measurement.objects.order_by("pk").values_list(*columns))

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
    @given(CHANGES)
    def test_gives_back_what_was_before(self, person: User, changes: list[Any]) -> None:
        Measurement.objects.all().delete()
        history: list[tuple[list[tuple[object, ...]], Revision]] = []
        for change in changes:
            before = self.state()
            history += [(before, revision) for revision in self._change(person, *change)]
            assert (self.state() == before) == (not history or history[-1][0] != before)
        redo: list[tuple[list[tuple[object, ...]], Revision]] = []
        for before, revision in reversed(history):
            after = self.state()
            redo.append((after, services.undo(person, revision_id=revision.pk, origin=FORM)))
            assert self.state() == before
        if redo:
            # The last one taken back can be done again.
            after, undoing = redo[-1]
            services.undo(person, revision_id=undoing.pk, origin=FORM)
            assert self.state() == after

    def _change(
        self, user: User, kind: str, day: int, at: dt.time | None, value: Decimal, unit: str, note: str
    ) -> list[Revision]:
        on = dt.date(2026, 1, day)
        standing = Measurement.objects.filter(measured_on=on).first()
        given_ = NewValue("weight", value, unit)
        if kind == "record" or standing is None:
            return record(user, given_, on=on, at=at, note=note, replace=True)
        if kind == "remove":
            return [services.remove_measurement(user, record_id=standing.pk, origin=FORM)]
        with suppress(AlreadyRecorded):
            changed = services.correct_measurement(
                user, record_id=standing.pk, value=given_, moment=Moment(on, at), note=note, origin=FORM
            )
            return [changed] if changed else []
        return []


class TestStranger:
    def test_finds_nothing_and_changes_nothing(self, person: User, stranger: User) -> None:
        (revision,) = record(person)
        assert queries.day(stranger, NEW_YEAR) == []
        with pytest.raises(NoSuchRecord):
            services.undo(stranger, revision_id=revision.pk, origin=FORM)
        with pytest.raises(NoSuchRecord):
            services.remove_measurement(stranger, record_id=revision.record_id, origin=FORM)
        with pytest.raises(NoSuchRecord):
            services.correct_measurement(
                stranger,
                record_id=revision.record_id,
                value=weight("1"),
                moment=Moment(NEW_YEAR),
                note="",
                origin=FORM,
            )
        assert queries.day(person, NEW_YEAR)[0].value == 80

    def test_may_measure_at_the_same_second(self, person: User, stranger: User) -> None:
        record(person)
        record(stranger, weight("60"))
        assert queries.day(person, NEW_YEAR)[0].value == 80


@pytest.mark.django_db(transaction=True)
def test_two_at_once_end_in_one_record(person: User) -> None:
    barrier = Barrier(4)

    def attempt(value: str) -> str:
        try:
            barrier.wait(10)
            return "saved" if record(person, weight(value)) else "unchanged"
        except AlreadyRecorded:
            return "refused"
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        ends = list(pool.map(attempt, ["80", "80", "81", "81"]))
    assert ends.count("saved") == 1
    assert Measurement.objects.count() == 1
    assert Revision.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_refusal_leaves_the_caller_s_own_transaction_alive(person: User) -> None:
    record(person)
    with transaction.atomic(durable=True):
        with pytest.raises(AlreadyRecorded):
            record(person, NewValue("waist", Decimal(90), "cm"), weight("81"))
        record(person, NewValue("hips", Decimal(100), "cm"))
    assert {kept.metric for kept in queries.day(person, NEW_YEAR)} == {"weight", "hips"}


def test_values_are_kept_to_four_decimals_in_the_row_and_in_its_history(person: User) -> None:
    (revision,) = record(person, weight("81.40000152587891"))
    (kept,) = queries.day(person, NEW_YEAR)
    assert kept.entered_value == Decimal("81.4")
    assert revision.after is not None
    assert revision.after["entered_value"] == "81.4"


def test_a_time_that_came_twice_is_past_when_its_first_was(
    person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 02:10 for the second time: 02:50 of the first time was 20 minutes ago.
    now = dt.datetime(2025, 10, 26, 1, 10, tzinfo=dt.UTC)
    monkeypatch.setattr(Profile, "now", lambda self: now.astimezone(self.zone))
    (revision,) = record(person, on=dt.date(2025, 10, 26), at=dt.time(2, 50))
    assert revision.after is not None
    assert revision.after["measured_at"] == "2025-10-26T00:50:00+00:00"
