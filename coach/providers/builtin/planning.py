"""The next move of the built-in coach: a pure function of the history and the situation."""

from coach.messages import History
from coach.providers.base import Situation
from coach.providers.builtin import conversation, deleting, reading, writing
from coach.providers.builtin.intents import (
    CHANGING,
    NOT_UNDERSTOOD,
    Correct,
    Delete,
    Intent,
    Latest,
    ListSpan,
    Log,
    No,
    ReadDays,
    Remark,
    Trend,
    Yes,
)
from coach.providers.builtin.moves import Move, Position
from coach.providers.builtin.understanding import understand
from coach.providers.builtin.voice import Voice


def next_move(history: History, situation: Situation) -> Move:
    """Never a changing call when the person's newest message says that nothing may change."""
    *earlier, current = conversation.read(history)
    said_before = [exchange.text for exchange in reversed(earlier)]
    heard = understand(current.text, earlier=said_before, situation=situation)
    voice = Voice.of(heard.language, iso=heard.iso)
    position = Position(current.steps, earlier, situation, voice)
    if heard.forbids_changes and not _only_looks(heard.intent):
        return position.say("left_alone")
    return _move(heard.intent, position)


def _only_looks(intent: Intent) -> bool:
    """Whether the intent is safe, and says enough to be answered in its own right."""
    if isinstance(intent, Remark):
        return intent.key not in NOT_UNDERSTOOD
    return not isinstance(intent, CHANGING)


def _move(intent: Intent, position: Position) -> Move:
    match intent:
        case Log():
            return writing.log(intent, position)
        case Correct():
            return writing.correct(intent, position)
        case Delete():
            return deleting.delete(intent, position)
        case Yes():
            return writing.yes(intent, position)
        case No():
            return writing.no(intent, position)
        case ReadDays():
            return reading.read_days(intent, position)
        case Latest():
            return reading.latest(intent, position)
        case ListSpan():
            return reading.list_span(intent, position)
        case Trend():
            return reading.trend(intent, position)
        case Remark():
            return position.say(intent.key, words=intent.words)
