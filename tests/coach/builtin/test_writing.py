"""Logging and correcting."""

import pytest

from coach.contract import ErrorCode, FieldProblem, Outcome, failure, success
from tests.coach.builtin.talk import (
    ALREADY,
    DECLINED,
    NOT_FOUND,
    READ_FAILED,
    SUMMARY,
    Talk,
    day,
    record,
    result,
    saved,
    situated,
    write,
)


async def test_a_value_is_saved_and_only_then_called_saved() -> None:
    talk = Talk().say("anota 77,4 kg el 4 de enero a las 7, nota: tras correr")
    call = await talk.carry_out(saved(record("77.4", time="07:00"), on="2026-01-04"))
    assert call == ("write_measurement", write(77.4, on="2026-01-04", time="07:00", note="tras correr"))
    assert await talk.text() == "Guardado el 4 de enero de 2026: peso 77,4 kg (07:00)."


async def test_stones_are_written_as_their_pounds_and_told_as_stones() -> None:
    talk = Talk(situated("es")).say("registra 12st 7")
    assert await talk.carry_out(saved(record(175, "st_lb"))) == (
        "write_measurement",
        write(175, unit="st_lb"),
    )
    assert await talk.text() == "Guardado el 1 de diciembre de 2026: peso 12 st 7 lb."


async def test_what_was_saved_before_is_not_called_saved_now() -> None:
    talk = Talk().say("81.4 kg, 18 % fat")
    created = {**record(18, "%", "body_fat"), "date": "2026-12-01", "change": "created"}
    unchanged = {**record("81.4"), "date": "2026-12-01", "change": "unchanged"}
    await talk.carry_out(result({"saved": [unchanged, created]}))
    assert await talk.text() == (
        "Saved for 1 December 2026: body fat 18 %. "
        "Already saved for 1 December 2026: weight 81.4 kg. Nothing changed."
    )


async def test_another_value_that_stands_there_is_read_and_asked_about() -> None:
    talk = Talk(situated("es")).say("anota 77,4 kg el 2020-01-04")
    await talk.carry_out(ALREADY)
    standing = day("2020-01-04", record("78.1"), record("79", time="20:00"), record(88, "cm", "waist"))
    assert await talk.carry_out(standing) == ("read_measurement", {"date": "2020-01-04"})
    assert await talk.text() == (
        "El 2020-01-04 ya hay: peso 78,1 kg. No he cambiado nada. "
        "¿Lo reemplazo? Responde «sí, reemplázalo» o «no»."
    )


@pytest.mark.parametrize("looked", [READ_FAILED, NOT_FOUND])
async def test_it_asks_without_the_standing_value_when_that_cannot_be_read(looked: Outcome) -> None:
    talk = Talk().say("81.4")
    await talk.carry_out(ALREADY)
    await talk.carry_out(looked)
    assert (await talk.text()).startswith("Another value is already saved for 1 December 2026. Nothing was")


@pytest.mark.parametrize("answer", ["sí, reemplázalo", "sí", "vale"])
async def test_yes_replaces(answer: str) -> None:
    talk = Talk(situated("es")).say("anota 77,4 kg hoy a las 7")
    await talk.carry_out(ALREADY)
    await talk.carry_out(day("2026-12-01", record("78.1", time="07:00")))
    talk.answered(await talk.text()).say(answer)
    call = await talk.carry_out(saved(record("77.4", time="07:00"), change="replaced"))
    assert call == ("write_measurement", write(77.4, time="07:00", replace=True))
    assert await talk.text() == "Reemplazado el 1 de diciembre de 2026: ahora es peso 77,4 kg (07:00)."


async def test_no_leaves_it() -> None:
    talk = Talk().say("81.4").called("write_measurement", write(81.4), ALREADY).answered("…").say("no")
    assert await talk.text() == "Fine, it stays as it is. I changed nothing."


async def test_yes_answers_only_the_question_just_before() -> None:
    talk = Talk().say("81.4").called("write_measurement", write(81.4), ALREADY).answered("…")
    talk.say("hello").answered("Hello.").say("yes")
    assert (await talk.text()).startswith("I have no open question")


async def test_yes_does_not_repeat_a_write_that_was_replaced() -> None:
    talk = Talk().say("81.4").called("write_measurement", write(81.4), ALREADY).answered("…").say("yes")
    await talk.carry_out(saved(record("81.4"), change="replaced"))
    talk.answered("…").say("yes")
    assert (await talk.text()).startswith("I have no open question")


async def test_a_refused_write_is_explained_and_not_tried_again() -> None:
    talk = Talk().say("log 1,081.4")
    problem = FieldProblem("value", "Weight must be between 1 kg and 650 kg.")
    await talk.carry_out(failure(ErrorCode.INVALID_ARGUMENTS, "Not valid.", [problem]))
    assert await talk.text() == (
        "That was not accepted, and nothing was changed. Weight must be between 1 kg and 650 kg."
    )


async def test_a_declined_write_is_left() -> None:
    talk = Talk().say("log 35 kg")
    await talk.carry_out(DECLINED)
    assert await talk.text() == "You declined, so I changed nothing."


@pytest.mark.parametrize(
    "error",
    [ErrorCode.UNKNOWN_TOOL, ErrorCode.REPEATED_CALL, ErrorCode.NOT_RUN, ErrorCode.OUTCOME_UNKNOWN],
)
@pytest.mark.parametrize("text", ["81.4", "weight yesterday", "my weight", "weight last week", "yes"])
async def test_any_other_error_ends_in_an_answer(error: ErrorCode, text: str) -> None:
    talk = Talk().say("80").called("write_measurement", write(80), ALREADY).answered("…").say(text)
    await talk.carry_out(failure(error, "It failed."))
    answer = await talk.text()
    assert answer == "That could not be done. I have not tried again."


async def test_a_success_that_it_cannot_read_is_not_told_in_numbers() -> None:
    talk = Talk().say("81.4")
    await talk.carry_out(success("Error: nothing saved"))
    assert await talk.text() == "Done. What the program shows beside this is what happened."


@pytest.mark.parametrize(
    "text",
    [
        "81.4 kg, but don't change anything",
        "delete my weight of yesterday, no changes",
        "no, it was 77.2, but do not save it",
    ],
)
async def test_nothing_is_written_when_the_person_says_so(text: str) -> None:
    talk = Talk().say("81").called("write_measurement", write(81), saved(record(81))).answered("…").say(text)
    assert await talk.text() == "You asked me not to change anything, so I changed nothing."


async def test_a_wish_that_nothing_changes_is_acknowledged_by_itself() -> None:
    assert "no he cambiado nada" in await Talk().say("no cambies nada").text()


async def test_a_correction_lands_on_what_was_last_written() -> None:
    talk = Talk(situated("es")).say("anota 77,4 kg el 4 de enero a las 7")
    await talk.carry_out(saved(record("77.4", time="07:00"), on="2026-01-04"))
    talk.answered("Guardado.").say("no, era 77,2")
    assert await talk.carry_out(
        day("2026-01-04", record("77.4", time="07:00"), record("80", time="20:00"))
    ) == (
        "read_measurement",
        {"date": "2026-01-04"},
    )
    call = await talk.carry_out(saved(record("77.2", time="07:00"), on="2026-01-04", change="replaced"))
    assert call == ("write_measurement", write(77.2, on="2026-01-04", time="07:00", replace=True))
    assert await talk.text() == "Reemplazado el 4 de enero de 2026: ahora es peso 77,2 kg (07:00)."


async def test_a_correction_lands_on_what_was_last_asked_about_with_its_time_and_unit() -> None:
    talk = (
        Talk()
        .say("weight on 3 January")
        .called(
            "read_measurement", {"date": "2026-01-03"}, day("2026-01-03", record(170, "lb", time="06:30"))
        )
    )
    talk.answered("…").say("no, it was 171")
    await talk.carry_out(day("2026-01-03", record(170, "lb", time="06:30")))
    assert await talk.call() == (
        "write_measurement",
        write(171, on="2026-01-03", unit="lb", time="06:30", replace=True),
    )


async def test_a_correction_of_the_latest_value_lands_on_its_day() -> None:
    talk = (
        Talk().say("my weight").called("summarize_trend", {"metric": "weight", "days": 365}, result(SUMMARY))
    )
    talk.answered("…").say("actually 79.8")
    assert await talk.call() == ("read_measurement", {"date": "2026-11-29"})


async def test_a_correction_with_a_day_needs_no_conversation() -> None:
    talk = Talk().say("change the weight of 3 January to 80.2")
    await talk.carry_out(NOT_FOUND)
    assert await talk.call() == ("write_measurement", write(80.2, on="2026-01-03", replace=True))


async def test_a_correction_without_any_subject_asks_for_one() -> None:
    assert (await Talk().say("no, it was 77.2").text()).startswith("Which record?")


async def test_a_correction_is_not_written_blind() -> None:
    talk = Talk().say("change the weight of 3 January to 80.2")
    await talk.carry_out(READ_FAILED)
    assert await talk.text() == "The records could not be read. That does not mean that there are none."


async def test_a_correction_asks_which_of_several() -> None:
    talk = Talk().say("change the weight of 3 January to 80.2")
    await talk.carry_out(day("2026-01-03", record(80, time="07:00"), record(81, time="20:00")))
    assert await talk.text() == (
        "On 3 January 2026 there is: weight 80 kg (07:00) and weight 81 kg (20:00). "
        "Tell me which one, with its name and its time."
    )


async def test_a_correction_finds_its_metric_by_the_unit() -> None:
    values = [
        {"metric": "weight", "value": 81.4, "unit": "kg"},
        {"metric": "body_fat", "value": 18, "unit": "%"},
    ]
    written = {"date": "2026-12-01", "values": values}
    talk = Talk().say("81.4 kg, 18 % fat").called("write_measurement", written, saved(record("81.4")))
    talk.answered("…").say("no, 18.5 %")
    await talk.carry_out(day("2026-12-01", record("81.4"), record(18, "%", "body_fat")))
    _tool, arguments = await talk.call()
    assert arguments["values"] == [{"metric": "body_fat", "value": 18.5, "unit": "%"}]


async def test_a_correction_asks_when_the_number_could_be_of_several() -> None:
    read = day("2026-12-01", record("81.4"), record(88, "cm", "waist"))
    talk = Talk().say("today?").called("read_measurement", {"date": "2026-12-01"}, read).answered("…")
    assert (await talk.say("no, 80").text()).startswith("Which value is of which measurement?")


async def test_a_bare_number_does_not_correct_stones() -> None:
    talk = (
        Talk()
        .say("12 st 7")
        .called("write_measurement", write(175, unit="st_lb"), saved(record(175, "st_lb")))
    )
    assert (await talk.answered("…").say("no, 12").text()).startswith("In which unit?")
