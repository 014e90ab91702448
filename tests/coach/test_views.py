"""The Coach's pages and forms: what they show, keep and refuse, and for whom."""

import datetime as dt
import json
import uuid
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coach import commands, leases, pages
from coach.models import Conversation, Entry, EntryKind, StopReason, Turn, TurnState
from measurements.models import Measurement, Revision, Source
from measurements.services import Moment, NewValue, Origin, record_measurements
from tests.coach.conftest import open_turn
from tests.pages import text

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def browser(client: Client, person: User) -> Client:
    client.force_login(person)
    return client


def a_talk(person: User, turns: int = 1) -> Conversation:
    """A conversation with some turns that have ended."""
    first = open_turn(person, "mensaje 1")
    Turn.objects.update(state=TurnState.COMPLETED)
    for number in range(2, turns + 1):
        open_turn(person, f"mensaje {number}", conversation_id=first.conversation_id)
        Turn.objects.update(state=TurnState.COMPLETED)
    return first.conversation


def change_of(person: User, turn: Turn) -> Revision:
    (revision,) = record_measurements(
        person,
        moment=Moment(dt.date(2020, 1, 4)),
        values=[NewValue("weight", Decimal("77.4"), "kg")],
        origin=Origin(Source.COACH, f"{turn.pk}.0"),
    )
    return revision


# Who


@pytest.mark.parametrize("name", ["coach", "conversation"])
def test_signing_in_comes_first(client: Client, person: User, name: str) -> None:
    talk = a_talk(person)
    address = reverse(name, args=[talk.pk] if name == "conversation" else [])
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/accounts/login/?next={address}"


@pytest.mark.parametrize("name", ["rename_conversation", "delete_conversation"])
def test_another_persons_conversation_is_not_there(
    client: Client, person: User, stranger: User, name: str
) -> None:
    talk = a_talk(person)
    client.force_login(stranger)
    assert client.post(reverse(name, args=[talk.pk]), {"title": "mío"}).status_code == 404
    assert Conversation.objects.get().title == "mensaje 1"


def test_list_holds_the_persons_own_alone(browser: Client, person: User, stranger: User) -> None:
    a_talk(person)
    Conversation.objects.create(user=stranger, title="a secret of Bob")
    page = text(browser.get(reverse("coach")))
    assert "mensaje 1" in page
    assert "a secret of Bob" not in page


@pytest.mark.parametrize("name", ["say_new", "stop_turn", "undo_coach_change"])
def test_nothing_is_done_by_looking(browser: Client, name: str) -> None:
    address = reverse(name, args=[] if name == "say_new" else [1])
    assert browser.get(address).status_code == 405


# What the page shows


def test_page_says_with_what_one_is_talking(browser: Client) -> None:
    page = browser.get(reverse("coach"))
    assert page.context["is_builtin"]
    assert "data-suggestion" in text(page)


def test_each_page_has_a_client_id_of_its_own(browser: Client) -> None:
    first, second = (browser.get(reverse("coach")).context["client_id"] for _ in range(2))
    assert first != second


def test_long_conversation_pages_upwards(
    browser: Client, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "TURNS_SHOWN", 2)
    address = reverse("conversation", args=[a_talk(person, 5).pk])

    newest = browser.get(address)
    assert [view.said for view in newest.context["views"]] == ["mensaje 4", "mensaje 5"]
    earlier = browser.get(address, {"before": newest.context["older"]})
    assert [view.said for view in earlier.context["views"]] == ["mensaje 2", "mensaje 3"]
    assert 'id="composer"' not in text(earlier)
    # A socket would bring all that is newer.
    assert "hx-ws:connect" in text(newest)
    assert "hx-ws:connect" not in text(earlier)
    first = browser.get(address, {"before": earlier.context["older"]})
    assert [view.said for view in first.context["views"]] == ["mensaje 1"]
    assert first.context["older"] is None


@pytest.mark.parametrize("before", ["x", "-1", "0", "9" * 40])
def test_odd_page_numbers_break_nothing(browser: Client, person: User, before: str) -> None:
    address = reverse("conversation", args=[a_talk(person).pk])
    assert browser.get(address, {"before": before}).status_code == 200


def test_opening_a_conversation_settles_what_a_crash_left(browser: Client, person: User) -> None:
    turn = open_turn(person)
    assert leases.claim(turn.pk, "gone")
    Turn.objects.update(lease_expires_at=timezone.now() - dt.timedelta(seconds=1))
    page = text(browser.get(reverse("conversation", args=[turn.conversation_id])))
    assert "notice-caution" in page
    assert "data-unfinished" not in page
    turn.refresh_from_db()
    assert turn.stop_reason == StopReason.INTERRUPTED


def test_page_holds_no_inline_script_or_style(browser: Client, person: User) -> None:
    page = text(browser.get(reverse("conversation", args=[a_talk(person).pk])))
    assert "style=" not in page
    assert "hx-on" not in page
    assert page.count("<script") == page.count("<script nonce=")


# What forms do


def test_refusal_reaches_a_script_as_json_with_its_id(browser: Client) -> None:
    client_id = str(uuid.uuid4())
    answer = browser.post(
        reverse("say_new"), {"client_id": client_id, "text": "  "}, headers={"accept": "application/json"}
    )
    assert answer.status_code == 422
    assert json.loads(answer.content)["refused"] == client_id


def test_message_sent_while_another_is_answered_stays_in_the_composer(browser: Client, person: User) -> None:
    talk = open_turn(person).conversation
    sent = {"client_id": str(uuid.uuid4()), "text": "y otra cosa"}
    answer = browser.post(reverse("say", args=[talk.pk]), sent)
    assert answer.status_code == 422
    assert ">y otra cosa</textarea>" in text(answer)


def test_rename_keeps_what_was_written(browser: Client, person: User) -> None:
    talk = a_talk(person)
    browser.post(reverse("rename_conversation", args=[talk.pk]), {"title": "  Mi   charla "})
    talk.refresh_from_db()
    assert talk.title == "Mi charla"


def test_empty_title_is_refused_in_words(browser: Client, person: User) -> None:
    talk = a_talk(person)
    answer = browser.post(reverse("rename_conversation", args=[talk.pk]), {"title": " "}, follow=True)
    assert "toast" in text(answer)
    talk.refresh_from_db()
    assert talk.title == "mensaje 1"


def test_deleting_a_conversation_leaves_the_measurements(browser: Client, person: User) -> None:
    talk = a_talk(person)
    change_of(person, talk.turns.get())
    browser.post(reverse("delete_conversation", args=[talk.pk]))
    assert not Conversation.objects.exists()
    assert Measurement.objects.exists()


def test_undo_by_form_goes_back_to_its_conversation(browser: Client, person: User) -> None:
    talk = a_talk(person)
    revision = change_of(person, talk.turns.get())
    answer = browser.post(reverse("undo_coach_change", args=[revision.pk]))
    assert answer.headers["Location"] == reverse("conversation", args=[talk.pk])
    assert not Measurement.objects.exists()


def test_undo_works_when_the_conversation_is_gone(browser: Client, person: User) -> None:
    talk = a_talk(person)
    revision = change_of(person, talk.turns.get())
    talk.delete()
    answer = browser.post(reverse("undo_coach_change", args=[revision.pk]))
    assert answer.headers["Location"] == reverse("coach")
    assert not Measurement.objects.exists()


def test_undo_of_another_persons_change_does_nothing(client: Client, person: User, stranger: User) -> None:
    revision = change_of(person, a_talk(person).turns.get())
    client.force_login(stranger)
    client.post(reverse("undo_coach_change", args=[revision.pk]))
    assert Measurement.objects.exists()


def test_undo_on_the_coachs_page_is_for_the_coachs_changes(browser: Client, person: User) -> None:
    (imported,) = record_measurements(
        person,
        moment=Moment(dt.date(2020, 1, 4)),
        values=[NewValue("weight", Decimal("77.4"), "kg")],
        origin=Origin(Source.IMPORT, "a file"),
    )
    answer = browser.post(reverse("undo_coach_change", args=[imported.pk]))
    assert answer.headers["Location"] == reverse("coach")
    assert Measurement.objects.exists()


def test_deleting_holds_a_running_turn_still_meanwhile(person: User) -> None:
    turn = open_turn(person)
    with CaptureQueriesContext(connection) as queries:
        commands.delete(person, turn.conversation_id)
    assert queries[0]["sql"].startswith("BEGIN")
    assert queries[-1]["sql"] == "COMMIT"


def test_text_keeps_no_sign_that_a_database_refuses(person: User) -> None:
    opened = commands.open_turn(person, None, str(uuid.uuid4()), "a\0b")
    assert Entry.objects.get(turn=opened.turn, kind=EntryKind.USER).text == "ab"
