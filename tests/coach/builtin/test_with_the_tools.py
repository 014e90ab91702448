"""The built-in coach with the real turn loop, the real tools and a real database."""

import datetime as dt
from decimal import Decimal

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User

from coach import store
from coach.contract import ErrorCode
from coach.models import Entry, EntryKind, TurnState
from coach.providers.builtin.provider import BuiltinProvider
from coach.threads import in_database_thread
from measurements.models import Measurement, Source
from measurements.services import Moment, NewValue, Origin, record_measurements
from tests.coach.conftest import Ran, drive, open_turn
from tests.conftest import SetFaults

pytestmark = pytest.mark.django_db(transaction=True)


class Chat:
    """One conversation of a person with the built-in coach."""

    def __init__(self, person: User) -> None:
        self.person = person
        self.conversation_id: int | None = None

    async def say(self, text: str) -> Ran:
        turn = await sync_to_async(open_turn)(
            self.person, text, conversation_id=self.conversation_id, provider="builtin"
        )
        self.conversation_id = turn.conversation_id
        return await drive(turn, BuiltinProvider())

    async def answer(self, ran: Ran, *, granted: bool) -> Ran:
        """Answers the question of the call that waits, and lets the turn go on."""
        assert ran.end.state == TurnState.AWAITING_CONSENT
        assert await in_database_thread(store.answer_consent, ran.calls[-1].pk, granted=granted)
        return await drive(ran.turn, BuiltinProvider())


@pytest.fixture
def chat(person: User) -> Chat:
    return Chat(person)


def record(person: User, on: str, value: str, *, at: str = "") -> None:
    record_measurements(
        person,
        moment=Moment(dt.date.fromisoformat(on), dt.time.fromisoformat(at) if at else None),
        values=[NewValue("weight", Decimal(value), "kg")],
        origin=Origin(Source.FORM),
    )


async def text_of(ran: Ran) -> str:
    entries = Entry.objects.filter(turn=ran.turn, kind=EntryKind.TEXT)
    return "".join([entry.text async for entry in entries])


async def stored() -> list[tuple[str, str, Decimal, str]]:
    return [
        (m.measured_on.isoformat(), m.metric, m.entered_value.normalize(), m.entered_unit)
        async for m in Measurement.objects.order_by("measured_on", "metric", "pk")
    ]


def tools(ran: Ran) -> list[str]:
    return [call.tool for call in ran.calls]


async def test_the_worked_conversation(chat: Chat) -> None:
    await sync_to_async(record)(chat.person, "2020-01-01", "76")
    ran = await chat.say(
        "consulta el peso de 2020-01-02. Si no existe, consulta 2020-01-01. No crees ni cambies datos."
    )
    assert ran.end.state == TurnState.COMPLETED
    assert [call.error for call in ran.calls] == [ErrorCode.NOT_FOUND, ""]
    assert len(ran.requests) == 3
    assert await text_of(ran) == "Falta el registro de 2020-01-02. El 2020-01-01 hay un peso guardado: 76 kg."
    assert len(await stored()) == 1


async def test_a_value_is_logged_met_again_replaced_and_corrected(chat: Chat) -> None:
    ran = await chat.say("anota 77,4 kg el 2020-01-04 a las 7, nota: tras correr")
    assert await text_of(ran) == "Guardado el 2020-01-04: peso 77,4 kg (07:00)."

    ran = await chat.say("anota 77,4 kg el 2020-01-04 a las 7")
    assert await text_of(ran) == "Ya estaba guardado el 2020-01-04: peso 77,4 kg (07:00). Nada ha cambiado."

    ran = await chat.say("anota 77,9 kg el 2020-01-04 a las 7")
    assert tools(ran) == ["write_measurement", "read_measurement"]
    assert "ya hay: peso 77,4 kg (07:00)" in await text_of(ran)
    assert await stored() == [("2020-01-04", "weight", Decimal("77.4"), "kg")]

    ran = await chat.say("sí, reemplázalo")
    assert (await text_of(ran)).startswith("Reemplazado")
    assert await stored() == [("2020-01-04", "weight", Decimal("77.9"), "kg")]

    ran = await chat.say("no, era 77,2")
    assert tools(ran) == ["read_measurement", "write_measurement"]
    assert await stored() == [("2020-01-04", "weight", Decimal("77.2"), "kg")]


async def test_stones_and_a_second_metric_are_kept_as_said(chat: Chat) -> None:
    await chat.say("registra 12st 7 y grasa 18 % el 4 de enero de 2020")
    assert await stored() == [
        ("2020-01-04", "body_fat", Decimal(18), "%"),
        ("2020-01-04", "weight", Decimal(175), "st_lb"),
    ]
    ran = await chat.say("¿qué registré el 2020-01-04?")
    assert "peso 12 st 7 lb" in await text_of(ran)


@pytest.mark.parametrize("granted", [True, False])
async def test_a_deletion_waits_for_leave(chat: Chat, granted: bool) -> None:
    await sync_to_async(record)(chat.person, "2020-01-03", "80.1", at="07:00")
    asked = await chat.say("borra el peso del 3 de enero de 2020")
    assert len(await stored()) == 1
    ran = await chat.answer(asked, granted=granted)
    assert ran.end.state == TurnState.COMPLETED
    assert len(await stored()) == (0 if granted else 1)
    told = "Borrado: peso 80,1 kg" if granted else "No has dado permiso"
    assert (await text_of(ran)).startswith(told)


async def test_a_value_out_of_range_is_explained(chat: Chat) -> None:
    ran = await chat.say("anota 1.081,4 kg el 2020-01-04")
    assert ran.calls[0].error == ErrorCode.INVALID_ARGUMENTS
    assert len(ran.requests) == 2
    assert (await text_of(ran)).startswith("No se ha aceptado y no se ha cambiado nada. ")
    assert len((await text_of(ran)).split()) > 9


async def test_a_day_to_come_is_explained(chat: Chat) -> None:
    ran = await chat.say("anota 80 kg mañana")
    assert ran.calls[0].error == ErrorCode.INVALID_ARGUMENTS
    assert await stored() == []


async def test_spans_the_latest_value_and_the_trend_read_what_is_there(chat: Chat) -> None:
    today = dt.datetime.now(dt.UTC).date()
    for back, value in ((20, "81.4"), (10, "80.9"), (3, "80.1")):
        await sync_to_async(record)(chat.person, str(today - dt.timedelta(back)), value)
    assert "80,1 kg" in await text_of(await chat.say("¿cuánto peso?"))
    trend = await text_of(await chat.say("¿cómo va mi peso?"))
    assert "primero 81,4 kg" in trend
    assert "Registros: 3." in trend
    listed = await text_of(await chat.say("mi peso de los últimos 15 días"))
    assert "hay 2 registros de peso" in listed
    nothing = await text_of(await chat.say("mi peso en 2001"))
    assert nothing.endswith("Eso no dice nada de otras fechas.")
    assert "en el último año" in await text_of(await chat.say("¿y mi cintura?"))


async def test_a_failed_read_is_no_absence(chat: Chat, faults: SetFaults) -> None:
    faults(storage_read="raise:network timeout")
    ran = await chat.say("consulta el peso de 2020-01-02. Si no existe, consulta 2020-01-01.")
    assert [call.error for call in ran.calls] == [ErrorCode.READ_FAILED]
    assert "No se han podido leer los registros del 2020-01-02" in await text_of(ran)


async def test_an_uncertain_write_ends_the_turn_without_a_word_of_it(chat: Chat, faults: SetFaults) -> None:
    faults(in_handler="raise")
    ran = await chat.say("anota 77,4 kg el 2020-01-03")
    assert ran.end.state == TurnState.STOPPED
    assert len(ran.requests) == 1
    assert await text_of(ran) == ""
    faults()
    ran = await chat.say("anota 77,4 kg el 2020-01-04")
    assert await text_of(ran) == "Guardado el 2020-01-04: peso 77,4 kg."
    assert [on for on, *_rest in await stored()] == ["2020-01-04"]
