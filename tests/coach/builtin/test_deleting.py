"""Deleting, which the day's records are read for first."""

import pytest

from coach.contract import Outcome, success
from coach.messages import Call, Response, Result, Results
from tests.coach.builtin.talk import (
    DECLINED,
    NOT_FOUND,
    READ_FAILED,
    SUMMARY,
    Talk,
    dated,
    day,
    record,
    result,
    saved,
    situated,
    write,
)


async def test_a_record_is_found_before_it_is_deleted() -> None:
    talk = Talk(situated("es")).say("borra el peso del 3 de enero")
    await talk.carry_out(day("2026-01-03", record("80.1", time="07:00"), record(88, "cm", "waist")))
    gone = {**record("80.1"), "date": "2026-01-03"}
    assert await talk.carry_out(result({"deleted": gone})) == (
        "delete_measurement",
        {"date": "2026-01-03", "metric": "weight", "time": "07:00"},
    )
    assert await talk.text() == "Borrado: peso 80,1 kg, del 3 de enero de 2026."


async def test_a_declined_deletion_is_not_called_done() -> None:
    talk = Talk().say("delete the weight of yesterday")
    await talk.carry_out(day("2026-11-30", record(80)))
    await talk.carry_out(DECLINED)
    assert await talk.text() == "You declined, so I changed nothing."


async def test_there_is_nothing_to_delete() -> None:
    talk = Talk().say("delete the weight of yesterday")
    await talk.carry_out(NOT_FOUND)
    assert await talk.text() == (
        "There is no record of 30 November 2026. That says nothing about other dates."
    )


async def test_another_metric_is_not_deleted_in_its_place() -> None:
    talk = Talk().say("delete the weight of yesterday")
    await talk.carry_out(day("2026-11-30", record(88, "cm", "waist")))
    assert await talk.text() == "On 30 November 2026 there are records, but none of weight."


@pytest.mark.parametrize(
    "text",
    [
        "delete the weight of yesterday",
        "delete the weight of yesterday at 9",
        "delete the record of yesterday",
    ],
)
async def test_it_asks_which_of_several_to_delete(text: str) -> None:
    talk = Talk().say(text)
    await talk.carry_out(day("2026-11-30", record(80, time="07:00"), record(81, time="20:00")))
    assert (await talk.text()).endswith("Tell me which one, with its name and its time.")


async def test_the_time_names_the_one_to_delete() -> None:
    talk = Talk().say("delete the weight of yesterday at 8 pm")
    await talk.carry_out(day("2026-11-30", record(80, time="07:00"), record(81, time="20:00")))
    assert await talk.call() == (
        "delete_measurement",
        {"date": "2026-11-30", "metric": "weight", "time": "20:00"},
    )


async def test_that_is_what_was_just_written() -> None:
    talk = Talk().say("81.4").called("write_measurement", write(81.4), saved(record("81.4"))).answered("…")
    talk.say("delete that")
    await talk.carry_out(
        day("2026-12-01", record("81.4"), record(82, time="20:00"), record(88, "cm", "waist"))
    )
    assert await talk.call() == ("delete_measurement", {"date": "2026-12-01", "metric": "weight"})


@pytest.mark.parametrize(
    "arguments", ["", "[]", "{", "[" * 100_000, '{"date": 7, "values": 7}', '{"values": [7]}']
)
async def test_a_call_with_unsound_arguments_is_no_subject(arguments: str) -> None:
    talk = Talk().say("81.4")
    talk.items.append(Response("other", (Call("c1", "write_measurement", arguments),)))
    talk.items.append(Results((Result("c1", "write_measurement", success("{}")),)))
    assert (await talk.say("delete that").text()).startswith("Which record?")


async def test_a_write_of_unsound_values_still_names_its_day() -> None:
    talk = (
        Talk().say("81.4").called("write_measurement", {"date": "2020-01-04", "values": [7]}, success("{}"))
    )
    assert await talk.say("delete that").call() == ("read_measurement", {"date": "2020-01-04"})


async def test_a_result_without_its_call_is_passed_over() -> None:
    talk = Talk().say("weight yesterday")
    talk.items.append(Results((Result("lost", "read_measurement", NOT_FOUND),)))
    assert await talk.call() == ("read_measurement", {"date": "2026-11-30"})


async def test_the_most_recent_record_is_found_before_it_is_deleted() -> None:
    talk = Talk().say("delete my last weight")
    latest = {**SUMMARY, "last": {**dated("80.1", "2026-11-29"), "time": "07:00"}}
    assert await talk.carry_out(result(latest)) == ("summarize_trend", {"metric": "weight", "days": 365})
    records = record("80.1", time="07:00"), record(79)
    assert await talk.carry_out(day("2026-11-29", *records)) == ("read_measurement", {"date": "2026-11-29"})
    assert await talk.carry_out(DECLINED) == (
        "delete_measurement",
        {"date": "2026-11-29", "metric": "weight", "time": "07:00"},
    )
    assert await talk.text() == "You declined, so I changed nothing."


async def test_there_is_no_most_recent_record_to_delete() -> None:
    talk = Talk().say("delete my last waist")
    await talk.carry_out(NOT_FOUND)
    assert (await talk.text()).startswith("There is no record of waist in the last year.")


async def test_a_day_without_records_has_nothing_to_delete() -> None:
    talk = Talk().say("delete the record of yesterday")
    await talk.carry_out(day("2026-11-30"))
    assert (await talk.text()).startswith("There is no record of 30 November 2026.")


async def test_that_is_nothing_in_a_new_conversation() -> None:
    assert (await Talk().say("delete that").text()).startswith("Which record?")


@pytest.mark.parametrize("outcome", [READ_FAILED, success("nonsense")])
async def test_nothing_is_deleted_blind(outcome: Outcome) -> None:
    talk = Talk().say("delete the weight of yesterday")
    await talk.carry_out(outcome)
    assert "could not" in await talk.text()
