"""Files from elsewhere: planned first, all or nothing, nothing dropped in silence, taken back as a whole."""

import datetime as dt
import tempfile
import tracemalloc
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from measurements import importing, queries, services
from measurements.errors import AlreadyRecorded, CannotUndo, NoSuchRecord
from measurements.exporting import export
from measurements.formats import registry
from measurements.importing import Plan
from measurements.models import Measurement, Profile, Revision, Source
from measurements.services import Moment, NewValue, Origin

pytestmark = pytest.mark.django_db

SAMPLE = Path(__file__).parent.parent / "data" / "openscale3.csv"
HEADER = "DATE,TIME,WEIGHT,COMMENT\n"
FORM = Origin(Source.FORM)


def plan(user: User, content: str | Path, unit: str = "") -> Plan:
    profile = queries.profile_of(user)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as file:
        if isinstance(content, str):
            file.write(content)
            file.flush()
        opened = registry.open_file(content if isinstance(content, Path) else Path(file.name))
        return importing.plan(user, profile, opened, importing.settings_for(profile, unit))


def rows() -> list[tuple[object, ...]]:
    """Every stored column of every measurement but when it was last touched."""
    columns = [field.attname for field in Measurement._meta.concrete_fields if field.name != "updated_at"]
    return list(Measurement.objects.order_by("pk").values_list(*columns))


def bring(user: User, text: str | Path) -> Plan:
    planned = plan(user, text)
    importing.apply(user, planned, file_name="file.csv")
    return planned


def test_sample_of_openscale_3(person: User) -> None:
    planned = bring(person, SAMPLE)
    assert planned.report() == {
        "format": "openscale3",
        "read": 5,
        "rows": 3,
        "first": "2026-01-05",
        "last": "2026-01-06",
        "metrics": {"body_fat": 1, "waist": 1, "weight": 3},
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
    text = HEADER + "2026-01-05,07:30,180,\n"
    assert plan(person, text, unit="lb").new[0].value == Decimal("81.6466")
    services.update_profile(person, mass_unit="lb")
    assert plan(person, text).new[0].value == Decimal("81.6466")


def test_a_file_of_who_reads_stones_and_pounds_is_in_decimal_stones(person: User) -> None:
    services.update_profile(person, mass_unit=Profile.MassUnit.ST_LB)
    (given_,) = plan(person, HEADER + "2026-01-05,07:30,12.5,\n").new
    assert (given_.entered_value, given_.entered_unit) == (Decimal("12.5"), "st")


def test_same_file_again_adds_nothing(person: User) -> None:
    bring(person, SAMPLE)
    again = bring(person, SAMPLE)
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
    importing.apply(person, planned, file_name="f", replaced=planned.conflicting)
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
        "2026-01-05,07:30,1e40,",
        "2026-01-05,07:30,81.4,tired, after run",
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
    batch = importing.apply(person, plan(person, SAMPLE), file_name="f")
    importing.undo(person, batch.pk)
    assert [kept.source for kept in Measurement.objects.all()] == ["form"]
    with pytest.raises(CannotUndo):
        importing.undo(person, batch.pk)


def test_import_is_not_undone_over_a_later_change(person: User) -> None:
    batch = importing.apply(person, plan(person, SAMPLE), file_name="f")
    changed = queries.day(person, dt.date(2026, 1, 5))[0]
    services.remove_measurement(person, record_id=changed.pk, origin=Origin(Source.FORM))
    with pytest.raises(CannotUndo):
        importing.undo(person, batch.pk)
    assert Measurement.objects.count() == 4


def test_a_replacement_is_undone_with_the_rest(person: User) -> None:
    bring(person, HEADER + "2026-01-05,07:30,81.4,mine\n")
    before = rows()
    planned = plan(person, HEADER + "2026-01-05,07:30,80.0,theirs\n2026-01-06,07:30,81.0,\n")
    batch = importing.apply(person, planned, file_name="f", replaced=planned.conflicting)
    assert rows() != before
    importing.undo(person, batch.pk)
    assert rows() == before


def test_every_change_of_an_import_can_be_read_and_undone_by_itself(person: User) -> None:
    batch = importing.apply(person, plan(person, SAMPLE), file_name="f")
    revisions = queries.revisions_for(person, [batch.reference])[batch.reference]
    assert [revision.record_id for revision in revisions] == [row[0] for row in rows()]
    assert all(revision.can_undo for revision in revisions)
    services.undo(person, revision_id=revisions[0].pk, origin=FORM)
    assert len(rows()) == 4


def test_an_import_of_another_person_is_not_found(person: User, stranger: User) -> None:
    batch = importing.apply(person, plan(person, SAMPLE), file_name="f")
    with pytest.raises(NoSuchRecord):
        importing.undo(stranger, batch.pk)
    assert len(rows()) == 5


def test_nothing_is_added_when_a_moment_was_taken_since_the_plan(person: User) -> None:
    planned = plan(person, HEADER + "2026-01-05,07:30,81.4,\n2026-01-06,07:30,81.1,\n")
    bring(person, HEADER + "2026-01-06,07:30,70,\n")
    with pytest.raises(AlreadyRecorded) as refused:
        importing.apply(person, planned, file_name="f")
    assert refused.value.standing.value == 70
    assert len(rows()) == 1


def test_nothing_is_replaced_when_a_record_went_away_since_the_plan(person: User) -> None:
    bring(person, HEADER + "2026-01-05,07:30,81.4,\n")
    planned = plan(person, HEADER + "2026-01-05,07:30,80,\n2026-01-06,07:30,81.1,\n")
    standing = planned.conflicts[0].record_id
    services.remove_measurement(person, record_id=standing, origin=FORM)
    with pytest.raises(NoSuchRecord):
        importing.apply(person, planned, file_name="f", replaced=planned.conflicting)
    assert rows() == []


def test_a_file_that_contradicts_itself_is_taken_once_and_says_so(person: User) -> None:
    line = "2026-01-05,07:30,{},\n"
    planned = plan(person, HEADER + line.format("81.4") + line.format("81.4") + line.format("90"))
    assert (len(planned.new), planned.unchanged) == (1, 1)
    assert [rejected.line for rejected in planned.rejected] == [4]


def test_values_are_kept_to_four_decimals(person: User) -> None:
    bring(person, HEADER + "2026-01-05,07:30,81.40000152587891,\n")
    (kept,) = queries.day(person, dt.date(2026, 1, 5))
    assert (kept.value, kept.entered_value) == (Decimal("81.4"), Decimal("81.4"))
    revision = Revision.objects.get()
    assert revision.after is not None
    assert revision.after["entered_value"] == "81.4"


def test_a_device_may_be_set_to_a_time_zone_ahead(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    now = dt.datetime(2026, 1, 5, 22, tzinfo=dt.UTC)
    monkeypatch.setattr(Profile, "now", lambda self: now.astimezone(self.zone))
    planned = plan(person, HEADER + "2026-01-06,07:30,81.4,\n2026-01-07,07:30,81.4,\n")
    assert ([given_.on.day for given_ in planned.new], [r.line for r in planned.rejected]) == ([6], [3])


def test_statements_grow_by_the_thousand_rows_and_not_by_the_row(person: User) -> None:
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=number) for number in range(500)]
    text = HEADER + "".join(f"{day},07:30,81.4,\n" for day in days)
    with CaptureQueriesContext(connection) as asked:
        batch = importing.apply(person, plan(person, text), file_name="f")
        again = plan(person, text.replace("81.4", "80.0"))
        replacing = importing.apply(person, again, file_name="f", replaced=again.conflicting)
        importing.undo(person, replacing.pk)
        importing.undo(person, batch.pk)
    assert rows() == []
    assert len(asked) < 150


MOMENTS = st.tuples(
    st.dates(dt.date(1990, 1, 1), dt.date(2025, 1, 1)),
    st.none() | st.tuples(st.times(), st.integers(-12 * 60, 14 * 60)),
)
NOTES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@pytest.mark.parametrize("form", ["csv", "json"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(
    values=st.dictionaries(
        MOMENTS,
        st.tuples(
            st.sampled_from([("kg", "80.5"), ("lb", "180.25"), ("st_lb", "175"), ("g", "81400")]),
            st.sampled_from(["", "=", "'", "-1\r\n"]),
            NOTES,
            st.sampled_from(Source.values),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_own_export_comes_back_identical(person: User, form: str, values: dict[Any, Any]) -> None:
    Measurement.objects.all().delete()
    for (on, clock), ((unit, value), start, note, source) in values.items():
        at, minutes = clock or (None, 0)
        offset = dt.timedelta(minutes=minutes) if clock else None
        services.record_measurements(
            person,
            moment=Moment(on, at, offset),
            values=[NewValue("weight", Decimal(value), unit)],
            note=start + note,
            replace=True,
            origin=Origin(source),
        )
    written = "".join(export(person, form))
    before = [row[1:-1] for row in rows()]
    Measurement.objects.all().delete()
    # In Tokyo nothing of it may move.
    services.update_profile(person, time_zone="Asia/Tokyo")
    planned = bring(person, written)
    services.update_profile(person, time_zone="Europe/Madrid")
    assert planned.rejected == []
    assert "".join(export(person, form)) == written
    assert sorted(map(str, (row[1:-1] for row in rows()))) == sorted(map(str, before))


def test_conflicts_are_decided_one_by_one(person: User) -> None:
    bring(person, HEADER + "2026-01-05,07:30,81,\n2026-01-06,07:30,82,\n")
    planned = plan(person, HEADER + "2026-01-05,07:30,71,\n2026-01-06,07:30,72,\n")
    batch = importing.apply(person, planned, file_name="f", replaced=planned.conflicting[1:])
    assert [str(record.value) for record in Measurement.objects.in_order()] == ["81.0000", "72.0000"]
    assert (batch.report["conflicts"], batch.report["replaced"]) == (2, 1)


def test_a_local_time_that_was_skipped_at_home_is_kept_as_it_is(person: User) -> None:
    bring(person, HEADER + "2025-03-30,02:30,81.4,\n")
    (kept,) = queries.day(person, dt.date(2025, 3, 30))
    assert kept.local_time == dt.time(2, 30)


def test_utc_near_midnight_lands_on_the_person_s_day(person: User) -> None:
    text = "timestamp,weight grams,data source\n2026-01-05T23:30:00Z,81400,Scale\n"
    for zone, day in (("Europe/Madrid", 6), ("America/Los_Angeles", 5), ("Pacific/Auckland", 6)):
        services.update_profile(person, time_zone=zone)
        assert [given_.on.day for given_ in plan(person, text).new] == [day]


def test_both_hours_of_a_night_that_has_one_twice_are_kept(person: User) -> None:
    twice = "2025-10-26T00:30:00Z,81400,S\n2025-10-26T01:30:00Z,81500,S\n"
    bring(person, "timestamp,weight grams,data source\n" + twice)
    assert [record.local_time for record in Measurement.objects.all()] == [dt.time(2, 30), dt.time(2, 30)]


@pytest.mark.parametrize("note", ["a\\u0000b", "\\ud800"])
def test_a_note_that_no_row_can_hold_is_rejected(person: User, note: str) -> None:
    entry = '{"date": "2026-01-0%d", "metric": "weight", "value": "81.4", "unit": "kg", "note": "%s"}'
    planned = plan(person, f"[{entry % (5, note)}, {entry % (6, 'fine')}]")
    assert ([rejected.line for rejected in planned.rejected], len(planned.new)) == ([1], 1)


def test_a_refused_file_says_so_in_words(person: User) -> None:
    with pytest.raises(importing.Refused, match="2"):
        plan(person, HEADER + "x" * 2_000_000)


def test_delete_then_import_again_adds_it_again(person: User) -> None:
    bring(person, SAMPLE)
    removed = queries.day(person, dt.date(2026, 1, 5))[0]
    services.remove_measurement(person, record_id=removed.pk, origin=FORM)
    assert len(bring(person, SAMPLE).new) == 1


def test_many_rows_are_planned_in_little_memory(person: User) -> None:
    start = dt.datetime(1990, 1, 1, tzinfo=dt.UTC)
    moments = (start + dt.timedelta(hours=6 * number) for number in range(8_000))
    text = HEADER + "".join(f"{moment:%Y-%m-%d,%H:%M},81.4,\n" for moment in moments)
    tracemalloc.start()
    planned = plan(person, text)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(planned.new) == 8_000
    assert peak < 8_000 * 1_200 + 2 * 1024**2
