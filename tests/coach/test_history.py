"""Every provider gets a history that it accepts: calls closed, ids used once, the same bytes twice."""

from hypothesis import given
from hypothesis import strategies as st

from coach.contract import ErrorCode, Outcome, failure, success
from coach.history import Recorded, RecordedCall, RecordedPart, RecordedResponse, build
from coach.messages import Call, History, Note, Opaque, Response, Results, Text, UserMessage

PROVIDERS = st.sampled_from(["anthropic", "openai", "google"])
OUTCOMES = st.one_of(
    st.none(),
    st.text(max_size=20).map(success),
    st.sampled_from(list(ErrorCode)).map(lambda code: failure(code, "m")),
)


@st.composite
def conversations(draw: st.DrawFn) -> list[Recorded]:
    recorded: list[Recorded] = []
    for turn in range(draw(st.integers(1, 4))):
        recorded.extend(Note(text) for text in draw(st.lists(st.text(max_size=5), max_size=1)))
        recorded.append(UserMessage(draw(st.text(max_size=5))))
        ordinal = 0
        for _ in range(draw(st.integers(0, 3))):
            parts: list[RecordedPart] = []
            for kind in draw(st.lists(st.sampled_from("toc"), max_size=4)):
                if kind == "t":
                    parts.append(Text(draw(st.text(max_size=5)), draw(st.booleans())))
                elif kind == "o":
                    parts.append(Opaque({"signature": draw(st.text(max_size=3))}))
                else:
                    # Ids from a small set: providers reuse them.
                    call = Call(draw(st.sampled_from(["", "a", "b", "gym_0_0"])), "read", "{}")
                    parts.append(RecordedCall(call, turn, ordinal, draw(OUTCOMES)))
                    ordinal += 1
            recorded.append(RecordedResponse(draw(PROVIDERS), tuple(parts)))
    return recorded


def calls_of(history: History) -> list[Call]:
    return [
        part
        for item in history
        if isinstance(item, Response)
        for part in item.parts
        if isinstance(part, Call)
    ]


@given(conversations(), PROVIDERS)
def test_every_call_is_closed_directly_after_its_response(recorded: list[Recorded], provider: str) -> None:
    history = build(recorded, provider=provider)
    for item, following in zip(history, [*history[1:], None], strict=True):
        if isinstance(item, Response):
            made = [part.id for part in item.parts if isinstance(part, Call)]
            if made:
                assert isinstance(following, Results)
                assert [result.call_id for result in following.results] == made
            else:
                assert not isinstance(following, Results)


@given(conversations(), PROVIDERS)
def test_ids_are_unique_and_never_empty(recorded: list[Recorded], provider: str) -> None:
    ids = [call.id for call in calls_of(build(recorded, provider=provider))]
    assert all(ids)
    assert len(set(ids)) == len(ids)


@given(conversations(), PROVIDERS)
def test_building_twice_gives_the_same(recorded: list[Recorded], provider: str) -> None:
    assert build(recorded, provider=provider) == build(recorded, provider=provider)


@given(conversations(), conversations(), PROVIDERS)
def test_what_follows_does_not_change_what_was_there(
    recorded: list[Recorded], more: list[Recorded], provider: str
) -> None:
    before = build(recorded, provider=provider)
    assert build([*recorded, *more], provider=provider)[: len(before)] == before


@given(conversations(), PROVIDERS)
def test_opaque_items_go_back_to_their_own_provider_alone(recorded: list[Recorded], provider: str) -> None:
    for item in build(recorded, provider=provider):
        if isinstance(item, Response) and item.provider != provider:
            assert not any(isinstance(part, Opaque) for part in item.parts)


@given(conversations(), PROVIDERS)
def test_marks_survive_whichever_provider_reads_them(recorded: list[Recorded], provider: str) -> None:
    outcomes = [
        part.outcome
        for said in recorded
        if isinstance(said, RecordedResponse)
        for part in said.parts
        if isinstance(part, RecordedCall)
    ]
    built = [
        r.outcome
        for item in build(recorded, provider=provider)
        if isinstance(item, Results)
        for r in item.results
    ]
    assert len(built) == len(outcomes)
    for was, shown in zip(outcomes, built, strict=True):
        if was is None:
            assert shown.error is ErrorCode.NOT_RUN
        else:
            assert shown == was


def test_own_id_is_kept_and_a_reused_one_is_minted() -> None:
    first = RecordedCall(Call("toolu_1", "read", "{}"), 7, 0, success("a"))
    again = RecordedCall(Call("toolu_1", "read", "{}"), 8, 2, success("b"))
    recorded: list[Recorded] = [
        RecordedResponse("anthropic", (first,)),
        RecordedResponse("anthropic", (again,)),
    ]
    assert [c.id for c in calls_of(build(recorded, provider="anthropic"))] == ["toolu_1", "gym_8_2"]
    assert [c.id for c in calls_of(build(recorded, provider="openai"))] == ["gym_7_0", "gym_8_2"]


def test_a_response_with_nothing_in_it_leaves_no_trace() -> None:
    assert build([UserMessage("hi"), RecordedResponse("google", (Text(""),))], provider="google") == (
        UserMessage("hi"),
    )


def test_outcome_is_one_object_not_read_from_content() -> None:
    looks_bad = Outcome('{"is_error": true}', is_error=False)
    call = RecordedCall(Call("x", "read", "{}"), 1, 0, looks_bad)
    history = build([RecordedResponse("openai", (call,))], provider="openai")
    results = history[1]
    assert isinstance(results, Results)
    assert results.results[0].outcome.is_error is False
