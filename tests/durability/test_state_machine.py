"""Whatever people, models and faults do in whatever order, the books balance."""

import asyncio
import datetime as dt
import os
import uuid
from contextlib import aclosing
from dataclasses import dataclass
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models import Count
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from coach import execution, harness, history, leases, prompts, recovery, rendering, store
from coach.events import TurnEnded
from coach.models import CallState, Conversation, ToolCall, Turn, TurnState, Verification
from coach.providers.base import Connection
from coach.stopping import StopSignal
from coach.threads import in_database_thread
from measurements import services
from measurements.errors import MeasurementError
from measurements.models import Measurement, Profile, Revision, Source
from measurements.services import Moment, NewValue, Origin
from tests.coach.scripted import ScriptedProvider, calls, says
from tests.conftest import SetFaults

pytestmark = pytest.mark.django_db(transaction=True)

DAYS = st.sampled_from(["2020-01-01", "2020-01-02", "2020-01-03"])
VALUES = st.sampled_from([77, 77.5, 78])
WRITES = st.builds(
    lambda on, value, replace: (
        "write_measurement",
        {"date": on, "values": [{"metric": "weight", "value": value, "unit": "kg"}], "replace": replace},
    ),
    DAYS,
    VALUES,
    st.booleans(),
)
OTHERS = st.one_of(
    st.builds(lambda on: ("delete_measurement", {"date": on, "metric": "weight"}), DAYS),
    st.builds(lambda on: ("read_measurement", {"date": on}), DAYS),
    st.just(("write_measurement", "{not json")),
    st.just(("unheard_of", "{}")),
)
# The dangerous cases twice: chance alone would seldom meet them in a run of this length.
CALLS = st.one_of(WRITES, WRITES, OTHERS)
FAULTS = st.sampled_from(
    ["", "before_commit", "after_commit", "in_handler", "after_intent", "before_commit", "after_commit",
     "before_intent", "storage_read", "before_request"]
)  # fmt: skip
KILLS = st.one_of(st.none(), st.integers(0, 8))


@dataclass
class Outside:
    """What the machine needs of pytest."""

    set_faults: SetFaults


OUTSIDE: list[Outside] = []


class Books(RuleBasedStateMachine):
    """One person and their Coach, from a fresh database on."""

    @initialize()
    def begin(self) -> None:
        call_command("flush", verbosity=0, interactive=False)
        self.person = User.objects.create_user("ana")
        Profile.objects.create(user=self.person, language="es", time_zone="Europe/Madrid")
        self.conversation = Conversation.objects.create(user=self.person, title="t")

    @rule(made=st.lists(CALLS, min_size=1, max_size=3), fault=FAULTS, kill=KILLS, twice=st.booleans())
    def say(self, made: list[tuple[str, object]], fault: str, kill: int | None, twice: bool) -> None:
        """A message whose answer makes calls; the server may fail or die over it."""
        new = store.NewTurn(
            client_id=uuid.uuid4(),
            provider="scripted",
            model="m",
            language="es",
            time_zone="Europe/Madrid",
            prompt_version=prompts.VERSION,
        )
        try:
            opened = store.open_turn(self.person.pk, self.conversation.pk, "hola", new)
        except store.TurnInProgress:
            return
        if twice:
            again = store.open_turn(self.person.pk, self.conversation.pk, "hola", new)
            assert (again.turn, again.created) == (opened.turn, False)
        self.run(opened.turn.pk, ScriptedProvider(calls(*made), says("listo")), fault, kill)

    @rule(made=st.lists(WRITES, min_size=1, max_size=2), fault=FAULTS)
    def say_to_save(self, made: list[tuple[str, object]], fault: str) -> None:
        """As `say`, for the commonest message of all."""
        self.say(made=made, fault=fault, kill=None, twice=False)

    @rule(granted=st.booleans(), fault=FAULTS, kill=KILLS)
    def answer(self, granted: bool, fault: str, kill: int | None) -> None:
        """The person answers whatever question stands, and answers it again."""
        asking = ToolCall.objects.filter(turn__state=TurnState.AWAITING_CONSENT, consent="asked").first()
        if asking is None:
            return
        assert store.answer_consent(asking.pk, granted=granted)
        assert not store.answer_consent(asking.pk, granted=not granted)
        self.run(asking.turn_id, ScriptedProvider(says("listo")), fault, kill)

    @rule()
    def stop_waiting(self) -> None:
        for turn in Turn.objects.filter(state=TurnState.AWAITING_CONSENT):
            assert store.cancel_parked(turn)

    @rule(fault=FAULTS)
    def repeat(self, fault: str) -> None:
        """The person repeats the first write that was not saved, twice."""
        unsaved = ToolCall.objects.filter(
            state=CallState.UNKNOWN, verification=Verification.NOT_SAVED
        ).first()
        if unsaved is None:
            return
        turn = store.load_turn(unsaved.turn_id)
        if fault:
            OUTSIDE[-1].set_faults(**{fault: "raise"})
        asyncio.run(execution.repeat(turn, unsaved))
        OUTSIDE[-1].set_faults()
        asyncio.run(execution.repeat(turn, unsaved))

    @rule(on=DAYS, value=VALUES)
    def record_by_form(self, on: str, value: float) -> None:
        try:
            services.record_measurements(
                self.person,
                moment=Moment(dt.date.fromisoformat(on)),
                values=[NewValue("weight", Decimal(str(value)), "kg")],
                replace=True,
                origin=Origin(Source.FORM),
            )
        except MeasurementError:
            raise AssertionError("a form may always replace") from None

    @rule(position=st.integers(0, 5))
    def undo(self, position: int) -> None:
        """The person takes back one of the last changes, if that can be done."""
        changes = list(Revision.objects.with_undo_state().order_by("-pk")[: position + 1])
        for change in changes[-1:]:
            if change.can_undo:
                try:
                    services.undo(self.person, revision_id=change.pk, origin=Origin(Source.FORM))
                except MeasurementError:
                    # Its moment was taken by another record.
                    return

    def run(self, turn_id: int, provider: ScriptedProvider, fault: str, kill: int | None) -> None:
        if fault:
            OUTSIDE[-1].set_faults(**{fault: "raise"})
        died = asyncio.run(self._run(turn_id, provider, kill))
        OUTSIDE[-1].set_faults()
        if died:
            Turn.objects.filter(pk=turn_id).update(lease_expires_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
            recovery.settle_abandoned()
        assert not Turn.objects.filter(pk=turn_id, state=TurnState.RUNNING).exists()

    async def _run(self, turn_id: int, provider: ScriptedProvider, kill: int | None) -> bool:
        """Runs the turn; True when it was left in the middle, as by a death of the process."""
        assert await in_database_thread(leases.claim, turn_id, "test")
        run = harness.run(
            turn_id, owner="test", provider=provider, connection=Connection(), stop=StopSignal()
        )
        seen = 0
        async with aclosing(run) as events:
            async for event in events:
                if isinstance(event, TurnEnded):
                    return False
                if kill is not None and seen >= kill:
                    return True
                seen += 1
        return True

    @invariant()
    def effects_never_exceed_identities(self) -> None:
        changes = Revision.objects.filter(source=Source.COACH, undoes__isnull=True)
        assert not changes.values("reference").annotate(n=Count("pk")).filter(n__gt=1).exists()

    @invariant()
    def every_change_belongs_to_a_call_that_says_saved(self) -> None:
        for reference in Revision.objects.filter(source=Source.COACH).values_list("reference", flat=True):
            turn_id, ordinal = reference.split(".")
            assert ToolCall.objects.get(turn_id=turn_id, ordinal=ordinal).state == CallState.SUCCEEDED

    @invariant()
    def every_row_is_as_its_last_revision_says(self) -> None:
        last: dict[int, Revision] = {r.record_id: r for r in Revision.objects.order_by("pk")}
        standing = {pk: change for pk, change in last.items() if change.after is not None}
        rows = {row.pk: row for row in Measurement.objects.all()}
        assert rows.keys() == standing.keys()
        for pk, change in standing.items():
            assert rows[pk].entered_value == Decimal((change.after or {})["entered_value"])

    @invariant()
    def every_receipt_has_its_row(self) -> None:
        turns = list(Turn.objects.all())
        for view in rendering.turn_views(self.person, turns) if turns else []:
            for part in view.parts:
                for receipt in getattr(part, "receipts", []):
                    if receipt.can_undo and receipt.value:
                        change = Revision.objects.get(pk=receipt.revision_id)
                        assert Measurement.objects.filter(pk=change.record_id).exists()

    @invariant()
    def every_call_of_an_ended_turn_is_closed(self) -> None:
        ended = Turn.objects.filter(state__in=(TurnState.COMPLETED, TurnState.STOPPED))
        assert not ToolCall.objects.filter(turn__in=ended, is_error__isnull=True).exists()

    @invariant()
    def history_is_built_the_same_twice(self) -> None:
        for turn in Turn.objects.order_by("-number")[:1]:
            once, twice = store.recorded_history(turn), store.recorded_history(turn)
            for provider in ("scripted", "anthropic", "openai"):
                assert history.build(once, provider=provider) == history.build(twice, provider=provider)

    @invariant()
    def settling_again_changes_nothing(self) -> None:
        before = list(ToolCall.objects.values()), list(Turn.objects.values())
        assert recovery.settle_abandoned() == []
        assert (list(ToolCall.objects.values()), list(Turn.objects.values())) == before


def test_books_balance(faults: SetFaults) -> None:
    OUTSIDE.append(Outside(faults))
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=int(os.environ.get("STATE_MACHINE_EXAMPLES", "25")),
            stateful_step_count=15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
