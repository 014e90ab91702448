"""All that happened in a turn, in its order, as the operator reads it in the admin."""

from dataclasses import dataclass

from coach import notices, rendering
from coach.models import Entry, EntryKind, ModelRequest, ToolCall, Turn
from gymnasia.read_only import pretty, seconds_between


@dataclass(frozen=True, slots=True)
class Step:
    """One request that went out, or one thing that was said or done."""

    request: ModelRequest | None = None
    entry: Entry | None = None

    @property
    def kind(self) -> str:
        return self.entry.kind if self.entry else "request"

    @property
    def call(self) -> ToolCall | None:
        return self.entry.call if self.entry else None

    @property
    def duration(self) -> str:
        lasting = self.request or self.call
        return seconds_between(lasting.started_at, lasting.ended_at) if lasting else ""

    @property
    def sent(self) -> str:
        return pretty(self.request.sent) if self.request else ""

    @property
    def arguments(self) -> str:
        return pretty(self.call.arguments) if self.call else ""

    @property
    def payload(self) -> str:
        return pretty(self.entry.payload) if self.entry else ""


@dataclass(frozen=True, slots=True)
class Told:
    """What the program itself told the person at the end, in the turn's language."""

    notice: notices.Notice | None
    verdicts: list[str]
    effect_line: str


def steps_of(turn: Turn) -> list[Step]:
    """Each round's requests, then what came of them: text, the provider's own items, calls."""
    requests = [((r.round, 0, r.attempt), Step(request=r)) for r in turn.requests.all()]
    entries = turn.entries.select_related("call")
    said = [((e.round, 1, e.position), Step(entry=e)) for e in entries]
    return [step for _place, step in sorted([*requests, *said], key=lambda placed: placed[0])]


def told_of(turn: Turn) -> Told:
    with notices.spoken_as(turn):
        (view,) = rendering.turn_views(turn.conversation.user, [turn])
        verdicts = [notices.verdict(call) for call in turn.calls.all()]
        return Told(view.notice, [verdict for verdict in verdicts if verdict], view.effect_line)


def first_words(turns: list[Turn]) -> dict[int, str]:
    """What the person said in each of some turns."""
    said = Entry.objects.filter(turn__in=turns, kind=EntryKind.USER)
    return dict(said.values_list("turn_id", "text"))
