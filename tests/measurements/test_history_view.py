"""The history of a record: who changed it, through what, and what was taken back."""

import datetime as dt
from decimal import Decimal
from uuid import uuid4

from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from coach.models import Conversation, Entry, EntryKind, Turn
from measurements import services
from measurements.history import history_of
from measurements.models import ImportBatch, Measurement, Revision, Source
from measurements.services import Moment, NewValue, Origin
from tests.measurements.conftest import Record
from tests.pages import text


def correct(user: User, record: Measurement, value: str, origin: Origin) -> Revision:
    revision = services.correct_measurement(
        user,
        record_id=record.pk,
        value=NewValue("weight", Decimal(value), "kg"),
        moment=Moment(record.measured_on),
        note=record.note,
        origin=origin,
    )
    assert revision is not None
    return revision


def said(user: User, words: str) -> str:
    """The identity of a call in a turn in which `words` were said."""
    conversation = Conversation.objects.create(user=user)
    turn = Turn.objects.create(conversation=conversation, number=1, client_id=uuid4(), provider="builtin")
    Entry.objects.create(turn=turn, position=0, kind=EntryKind.USER, text=words)
    return f"{turn.pk}.1"


def test_each_change_says_who_through_what_and_whether_it_was_undone(
    page: Client, reader: User, record: Record
) -> None:
    standing = record("81.4", "2020-01-02")
    by_coach = correct(reader, standing, "77.2", Origin(Source.COACH, said(reader, "no, it was <b>77.2</b>")))
    services.undo(reader, revision_id=by_coach.pk, origin=Origin(Source.FORM))
    steps = history_of(reader, reader.profile, standing.pk)
    assert [step.by for step in steps] == ["You, by form", "The Coach", "Undone by you"]
    assert [step.is_undoing for step in steps] == [False, False, True]
    shown = page.get(f"/measurements/{standing.pk}/history/").content.decode()
    assert "no, it was &lt;b&gt;77.2&lt;/b&gt;" in shown
    assert f"#turn-{by_coach.reference.partition('.')[0]}" in shown
    assert "81.4" in shown


def test_the_file_of_an_import_is_named(reader: User, record: Record) -> None:
    batch = ImportBatch.objects.create(user=reader, file_name="libra.csv", format="libra")
    standing = record("80", "2020-01-02")
    Revision.objects.update(source=Source.IMPORT, reference=batch.reference)
    assert [step.by for step in history_of(reader, reader.profile, standing.pk)] == ["Import of libra.csv"]
    batch.delete()
    assert [step.by for step in history_of(reader, reader.profile, standing.pk)] == ["Import"]


def test_times_are_those_of_the_person_s_clock(reader: User, record: Record) -> None:
    standing = record("80", "2020-01-02")
    Revision.objects.update(created_at=dt.datetime(2020, 7, 1, 23, 30, tzinfo=dt.UTC))
    (step,) = history_of(reader, reader.profile, standing.pk)
    assert (step.at.date(), step.at.time()) == (dt.date(2020, 7, 2), dt.time(1, 30))


def test_a_removed_record_keeps_its_history_and_can_come_back_from_there(
    page: Client, reader: User, record: Record
) -> None:
    standing = record("80", "2020-01-02")
    removal = services.remove_measurement(reader, record_id=standing.pk, origin=Origin(Source.FORM))
    shown = text(page.get(f"/measurements/{standing.pk}/history/"))
    assert "It was removed" in shown
    assert f'action="/measurements/undo/{removal.pk}/"' in shown
    page.post(f"/measurements/undo/{removal.pk}/")
    assert "It stands now" in text(page.get(f"/measurements/{standing.pk}/history/"))


def test_hidden_numbers_stay_hidden(page: Client, reader: User, record: Record) -> None:
    standing = record("81.4", "2020-01-02")
    reader.profile.hide_numbers = True
    reader.profile.save()
    assert "81.4" not in text(page.get(f"/measurements/{standing.pk}/history/"))


def test_nobody_sees_the_history_of_another_nor_words_of_another(
    page: Client, reader: User, stranger: User, record: Record
) -> None:
    theirs = record("81.4", "2020-01-02", user=stranger)
    assert page.get(f"/measurements/{theirs.pk}/history/").status_code == 404
    assert page.get("/measurements/999999/history/").status_code == 404
    mine = record("80", "2020-01-02")
    correct(reader, mine, "79", Origin(Source.COACH, said(stranger, "a secret")))
    assert "a secret" not in text(page.get(f"/measurements/{mine.pk}/history/"))


def test_a_long_history_asks_no_more_of_the_database(
    page: Client, reader: User, record: Record, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    standing = record("80", "2020-01-02")
    for number in range(40):
        standing.refresh_from_db()
        origin = Origin(Source.COACH, said(reader, f"again {number}")) if number % 2 else Origin(Source.FORM)
        correct(reader, standing, str(70 + number), origin)
    with django_assert_max_num_queries(9):
        page.get(f"/measurements/{standing.pk}/history/")


def test_the_edit_form_leads_to_the_history(page: Client, record: Record) -> None:
    standing = record("80", "2020-01-02")
    shown = text(page.get(f"/measurements/{standing.pk}/"))
    assert f'href="/measurements/{standing.pk}/history/"' in shown
