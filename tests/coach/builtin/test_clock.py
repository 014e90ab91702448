from datetime import time

import pytest

from coach.providers.builtin.clock import take_time
from coach.providers.builtin.grammar import GRAMMARS
from coach.providers.builtin.text import Draft


@pytest.mark.parametrize(
    ("language", "text", "at"),
    [
        ("en", "at 7", "07:00"),
        ("en", "at 7:30", "07:30"),
        ("en", "7:30", "07:30"),
        ("en", "7am", "07:00"),
        ("en", "7 p.m.", "19:00"),
        ("en", "7:30 pm", "19:30"),
        ("en", "12 am", "00:00"),
        ("en", "12 pm", "12:00"),
        ("en", "at noon", "12:00"),
        ("en", "tonight at 9", "21:00"),
        ("en", "at 7 in the morning", "07:00"),
        ("en", "at 7 in the evening", "19:00"),
        ("en", "19:45", "19:45"),
        ("es", "a las 7", "07:00"),
        ("es", "a las 7:30", "07:30"),
        ("es", "a las 7.30", "07:30"),
        ("es", "a las 7 y media", "07:30"),
        ("es", "a las 7 y cuarto", "07:15"),
        ("es", "a la 1 de la tarde", "13:00"),
        ("es", "a las 9 de la noche", "21:00"),
        ("es", "7 h", "07:00"),
        ("es", "19:30 h", "19:30"),
        ("es", "al mediodía", "12:00"),
        ("pt-br", "às 7h30", "07:30"),
        ("pt-br", "às 7", "07:00"),
        ("pt-br", "7h", "07:00"),
        ("pt-br", "às 8 da noite", "20:00"),
        ("pt-br", "às 7 e meia", "07:30"),
        ("pt-br", "às 19 horas", "19:00"),
        ("pt-br", "ao meio-dia", "12:00"),
    ],
)
def test_a_time_is_understood_and_nothing_of_it_is_left(language: str, text: str, at: str) -> None:
    draft = Draft(text)
    assert take_time(draft, GRAMMARS[language].time) == time.fromisoformat(at)
    assert draft.leftover() == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "at 81.4"),
        ("en", "at 12 st 7"),
        ("en", "at 18 %"),
        ("en", "25:00"),
        ("en", "7:75"),
        ("en", "this morning"),
        ("es", "81,4 kg"),
        ("es", "a las 81"),
        ("pt-br", "às 80,5"),
        ("pt-br", "de manhã"),
    ],
)
def test_what_is_no_time_gives_none(language: str, text: str) -> None:
    assert take_time(Draft(text), GRAMMARS[language].time) is None
