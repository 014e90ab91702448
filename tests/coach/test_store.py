"""Turns in rows: one at a time, the same message once, and an end for whatever was abandoned."""

import datetime as dt
import math
import os
import subprocess
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from coach import leases, ledger, owners, recovery, store
from coach.contract import Effect, success
from coach.leases import LeaseLost
from coach.messages import Call
from coach.models import (
    CallState,
    Consent,
    Conversation,
    Entry,
    StopReason,
    ToolCall,
    Turn,
    TurnState,
    Verification,
)
from coach.store import ClientIdTaken, NewTurn, Received, TurnInProgress
from tests.coach.conftest import open_turn
from tests.conftest import SetFaults

pytestmark = pytest.mark.django_db(transaction=True)


def new(client_id: uuid.UUID | None = None) -> NewTurn:
    return NewTurn(
        client_id=client_id or uuid.uuid4(),
        provider="scripted",
        model="m",
        language="es",
        time_zone="Europe/Madrid",
        prompt_version="1",
    )


def running(person: User) -> Turn:
    turn = open_turn(person)
    assert leases.claim(turn.pk, "a")
    return turn


def with_call(person: User, *, effect: Effect = Effect.WRITE, state: str = CallState.RUNNING) -> ToolCall:
    turn = running(person)
    (call,) = ledger.enter(turn, round=1, calls=[Call("c", "write_measurement", "{}")], first_ordinal=0)
    ToolCall.objects.filter(pk=call.pk).update(state=state, effect=effect.value)
    return call


def expire(turn_id: int) -> None:
    Turn.objects.filter(pk=turn_id).update(lease_expires_at=timezone.now() - dt.timedelta(seconds=1))


class TestOpening:
    def test_same_client_id_is_the_same_turn(self, person: User) -> None:
        client_id = uuid.uuid4()
        first = store.open_turn(person.pk, None, "hola", new(client_id))
        again = store.open_turn(person.pk, None, "hola", new(client_id))
        assert (first.created, again.created) == (True, False)
        assert first.turn == again.turn
        assert Conversation.objects.count() == 1

    def test_same_client_id_at_once_is_the_same_turn(self, person: User) -> None:
        client_id, barrier = uuid.uuid4(), Barrier(4)

        def attempt(_: int) -> bool:
            try:
                barrier.wait(10)
                return store.open_turn(person.pk, None, "hola", new(client_id)).created
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(attempt, range(4))) == [False, False, False, True]
        assert (Turn.objects.count(), Conversation.objects.count()) == (1, 1)

    def test_client_id_of_somebody_else_is_refused(self, person: User, stranger: User) -> None:
        client_id = uuid.uuid4()
        store.open_turn(person.pk, None, "hola", new(client_id))
        with pytest.raises(ClientIdTaken):
            store.open_turn(stranger.pk, None, "hola", new(client_id))

    def test_one_turn_at_a_time(self, person: User) -> None:
        turn = open_turn(person)
        with pytest.raises(TurnInProgress):
            store.open_turn(person.pk, turn.conversation_id, "otra", new())

    def test_two_messages_at_once_open_one_turn(self, person: User) -> None:
        turn = running(person)
        store.finish(turn, "a")
        barrier = Barrier(3)

        def attempt(_: int) -> str:
            try:
                barrier.wait(10)
                store.open_turn(person.pk, turn.conversation_id, "otra", new())
                return "opened"
            except TurnInProgress:
                return "refused"
            finally:
                connection.close()

        with ThreadPoolExecutor(3) as pool:
            assert sorted(pool.map(attempt, range(3))) == ["opened", "refused", "refused"]

    def test_conversation_of_somebody_else_does_not_exist(self, person: User, stranger: User) -> None:
        turn = open_turn(person)
        with pytest.raises(Conversation.DoesNotExist):
            store.open_turn(stranger.pk, turn.conversation_id, "hola", new())

    @pytest.mark.parametrize(
        ("text", "title"),
        [("hola\n  qué tal", "hola qué tal"), ("palabra " * 20, "palabra " * 6 + "palabra…")],
    )
    def test_title_is_the_beginning_of_the_first_message(self, text: str, title: str) -> None:
        assert store.title_from(text) == title


class TestLease:
    def test_is_claimed_once(self, person: User) -> None:
        turn = open_turn(person)
        assert leases.claim(turn.pk, "a")
        assert not leases.claim(turn.pk, "b")

    def test_is_renewed_by_its_owner_alone(self, person: User) -> None:
        turn = running(person)
        assert leases.renew(turn.pk, "a")
        assert not leases.renew(turn.pk, "b")

    def test_whoever_lost_it_can_write_nothing(self, person: User) -> None:
        turn = running(person)
        expire(turn.pk)
        assert recovery.settle(turn.pk)
        with pytest.raises(LeaseLost):
            store.save_response(turn, "a", 0, round=1, received=Received())
        with pytest.raises(LeaseLost):
            store.save_partial(turn.pk, "a", "x")
        with pytest.raises(LeaseLost):
            store.begin_request(turn, "a", round=1, attempt=1)
        with pytest.raises(LeaseLost):
            store.finish(turn, "a")
        assert not leases.renew(turn.pk, "a")

    def test_call_of_a_lost_turn_is_not_begun(self, person: User) -> None:
        call = with_call(person, state=CallState.REQUESTED)
        with pytest.raises(ledger.Fenced):
            ledger.intend(call, owner="b", arguments={}, effect=Effect.WRITE)
        assert ToolCall.objects.get().state == CallState.REQUESTED

    def test_queued_turn_that_nobody_claimed_is_found(self, person: User) -> None:
        turn = open_turn(person)
        assert leases.waiting_turns() == []
        expire(turn.pk)
        assert recovery.settle_abandoned() == []
        assert leases.waiting_turns() == [turn.pk]


class TestSettling:
    def test_turn_of_a_process_that_is_gone_is_settled_at_once(self, person: User) -> None:
        turn = open_turn(person)
        gone = subprocess.Popen([sys.executable, "-c", ""])
        gone.wait()
        owner = owners.mint("runner").replace(f":{os.getpid()}:", f":{gone.pid}:")
        assert leases.claim(turn.pk, owner)
        assert recovery.settle_abandoned() == [turn.pk]

    def test_turn_of_another_process_or_machine_is_left_alone(self, person: User) -> None:
        for owner in (owners.mint("runner"), "runner:elsewhere.1:999999:x", "nonsense", ""):
            turn = open_turn(person)
            assert leases.claim(turn.pk, owner)
            assert recovery.settle_abandoned() == []

    def test_living_turn_is_left_alone(self, person: User) -> None:
        turn = running(person)
        assert not recovery.settle(turn.pk)
        assert Turn.objects.get().state == TurnState.RUNNING

    def test_abandoned_turn_ends_interrupted_with_what_was_said(self, person: User) -> None:
        turn = running(person)
        store.save_partial(turn.pk, "a", "Voy a mirar")
        expire(turn.pk)
        assert recovery.settle_abandoned() == [turn.pk]
        turn.refresh_from_db()
        assert (turn.state, turn.stop_reason) == (TurnState.STOPPED, StopReason.INTERRUPTED)
        said = Entry.objects.get(kind="text")
        assert (said.text, said.complete) == ("Voy a mirar", False)

    def test_twice_changes_nothing(self, person: User) -> None:
        call = with_call(person)
        expire(call.turn_id)
        recovery.settle_abandoned()
        before = (list(Turn.objects.values()), list(ToolCall.objects.values()), Entry.objects.count())
        assert recovery.settle_abandoned() == []
        assert (list(Turn.objects.values()), list(ToolCall.objects.values()), Entry.objects.count()) == before

    def test_of_two_at_once_one_settles(self, person: User) -> None:
        turn = running(person)
        expire(turn.pk)
        barrier = Barrier(3)

        def attempt(_: int) -> bool:
            try:
                barrier.wait(10)
                return recovery.settle(turn.pk)
            finally:
                connection.close()

        with ThreadPoolExecutor(3) as pool:
            assert sorted(pool.map(attempt, range(3))) == [False, False, True]

    def test_write_in_hand_is_verified(self, person: User) -> None:
        call = with_call(person)
        expire(call.turn_id)
        recovery.settle_abandoned()
        call.refresh_from_db()
        assert (call.state, call.error) == (CallState.UNKNOWN, "outcome_unknown")
        assert call.verification == Verification.NOT_SAVED

    def test_late_commit_after_settling_is_fenced_off(self, person: User) -> None:
        call = with_call(person)
        expire(call.turn_id)
        recovery.settle_abandoned()
        with pytest.raises(ledger.Fenced):
            ledger.commit_effect(call.pk, lambda: success("late"), deadline=math.inf)
        call.refresh_from_db()
        assert call.verification == Verification.NOT_SAVED

    def test_read_in_hand_and_call_never_begun_were_not_run(self, person: User) -> None:
        for effect, state in ((Effect.READ, CallState.RUNNING), (Effect.WRITE, CallState.REQUESTED)):
            call = with_call(person, effect=effect, state=state)
            expire(call.turn_id)
            recovery.settle_abandoned()
            call.refresh_from_db()
            assert (call.state, call.error) == (CallState.NOT_RUN, "not_run")

    def test_crash_while_settling_leaves_it_to_the_next(self, person: User, faults: SetFaults) -> None:
        call = with_call(person)
        expire(call.turn_id)
        faults(during_recovery="raise")
        with pytest.raises(Exception, match="during_recovery"):
            recovery.settle(call.turn_id)
        faults()
        expire(call.turn_id)
        assert recovery.settle(call.turn_id)
        call.refresh_from_db()
        assert call.verification == Verification.NOT_SAVED

    def test_write_that_could_not_be_checked_is_checked_later(self, person: User) -> None:
        call = with_call(person)
        turn = Turn.objects.get()
        store.finish(turn, "a", stop_reason=StopReason.OUTCOME_UNKNOWN)
        call.refresh_from_db()
        assert (call.state, call.verification) == (CallState.RUNNING, Verification.OPEN)
        assert recovery.settle_abandoned(turn.conversation_id) == [turn.pk]
        call.refresh_from_db()
        assert call.verification == Verification.NOT_SAVED

    def test_parked_turn_waits_for_the_person_for_ever(self, person: User) -> None:
        turn = running(person)
        store.park(turn.pk, "a")
        expire(turn.pk)
        assert recovery.settle_abandoned() == []


class TestConsent:
    def asked(self, person: User) -> ToolCall:
        call = with_call(person, state=CallState.REQUESTED)
        ledger.ask_consent(call, question="¿?", arguments={}, effect=Effect.WRITE)
        store.park(call.turn_id, "a")
        return call

    def test_is_answered_once(self, person: User) -> None:
        call = self.asked(person)
        assert store.answer_consent(call.pk, granted=True)
        assert not store.answer_consent(call.pk, granted=False)
        call.refresh_from_db()
        assert call.consent == Consent.GRANTED
        assert Turn.objects.get().state == TurnState.QUEUED

    def test_of_two_answers_at_once_one_counts(self, person: User) -> None:
        call, barrier = self.asked(person), Barrier(2)

        def attempt(granted: bool) -> bool:
            try:
                barrier.wait(10)
                return store.answer_consent(call.pk, granted=granted)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(attempt, [True, False])) == [False, True]

    def test_queued_again_is_not_taken_for_abandoned(self, person: User) -> None:
        call = self.asked(person)
        store.answer_consent(call.pk, granted=True)
        assert recovery.settle_abandoned() == []
        assert leases.claim(call.turn_id, "b")


def test_turn_that_cannot_be_settled_keeps_no_other_from_it(
    person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = running(person), running(person)
    Turn.objects.update(lease_expires_at=timezone.now() - dt.timedelta(seconds=1))
    load = store.load_turn

    def broken(turn_id: int) -> Turn:
        if turn_id == first.pk:
            raise RuntimeError("a bug")
        return load(turn_id)

    monkeypatch.setattr(store, "load_turn", broken)
    assert recovery.settle_abandoned() == [second.pk]


def test_same_client_id_with_other_words_is_refused_and_not_swallowed(person: User) -> None:
    client_id = uuid.uuid4()
    opened = store.open_turn(person.pk, None, "anota 77 kg", new(client_id))
    assert not store.open_turn(person.pk, None, "anota 77 kg", new(client_id)).created
    with pytest.raises(ClientIdTaken):
        store.open_turn(person.pk, opened.turn.conversation_id, "y 20 % de grasa", new(client_id))
