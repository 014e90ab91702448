from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from coach.providers.builtin.days import Span, take_day_to_day, take_days, take_span
from coach.providers.builtin.grammar import GRAMMARS
from coach.providers.builtin.text import Draft
from tests.coach.builtin.talk import TUESDAY


def day_in(text: str, language: str, now: datetime = TUESDAY) -> date | None:
    (named,) = take_days(Draft(text), GRAMMARS[language], now)
    return named.on


def span_in(text: str, language: str, now: datetime = TUESDAY) -> Span | None:
    draft, grammar = Draft(text), GRAMMARS[language]
    span = take_day_to_day(draft, grammar, now)
    return span or take_span(draft, grammar, take_days(draft, grammar, now), now)


@pytest.mark.parametrize(
    ("language", "text", "on"),
    [
        ("en", "2020-01-02", "2020-01-02"),
        ("en", "2020/1/2", "2020-01-02"),
        ("en", "today", "2026-12-01"),
        ("en", "yesterday", "2026-11-30"),
        ("en", "the day before yesterday", "2026-11-29"),
        ("en", "two days ago", "2026-11-29"),
        ("en", "a week ago", "2026-11-24"),
        ("en", "3 January", "2026-01-03"),
        ("en", "3rd of January", "2026-01-03"),
        ("en", "January 3rd", "2026-01-03"),
        ("en", "Jan 3, 2025", "2025-01-03"),
        ("en", "1 December", "2026-12-01"),
        ("en", "2 December", "2025-12-02"),
        ("en", "29 February", "2024-02-29"),
        ("en", "last monday", "2026-11-30"),
        ("en", "on Sunday", "2026-11-29"),
        ("en", "the 4th", "2026-11-04"),
        ("en", "tomorrow", "2026-12-02"),
        ("en", "4/3/2026", "2026-04-03"),
        ("en", "13/3/2026", "2026-03-13"),
        ("es", "4/3/2026", "2026-03-04"),
        ("pt-br", "4/3/26", "2026-03-04"),
        ("es", "4.3.2026", "2026-03-04"),
        ("es", "4-3-2026", "2026-03-04"),
        ("es", "3/12", "2025-12-03"),
        ("es", "29/2", "2024-02-29"),
        ("es", "hoy", "2026-12-01"),
        ("es", "ayer", "2026-11-30"),
        ("es", "anteayer", "2026-11-29"),
        ("es", "antes de ayer", "2026-11-29"),
        ("es", "antier", "2026-11-29"),
        ("es", "hace dos días", "2026-11-29"),
        ("es", "hace 3 dias", "2026-11-28"),
        ("es", "hace una semana", "2026-11-24"),
        ("es", "4 de enero", "2026-01-04"),
        ("es", "primero de enero del 2025", "2025-01-01"),
        ("es", "1º de enero", "2026-01-01"),
        ("es", "el lunes pasado", "2026-11-30"),
        ("es", "el sábado", "2026-11-28"),
        ("es", "el día 4", "2026-11-04"),
        ("es", "mañana", "2026-12-02"),
        ("pt-br", "hoje", "2026-12-01"),
        ("pt-br", "ontem", "2026-11-30"),
        ("pt-br", "anteontem", "2026-11-29"),
        ("pt-br", "antes de ontem", "2026-11-29"),
        ("pt-br", "há 3 dias", "2026-11-28"),
        ("pt-br", "faz dois dias", "2026-11-29"),
        ("pt-br", "duas semanas atrás", "2026-11-17"),
        ("pt-br", "4 de janeiro", "2026-01-04"),
        ("pt-br", "1º de março de 2025", "2025-03-01"),
        ("pt-br", "na segunda-feira", "2026-11-30"),
        ("pt-br", "terça passada", "2026-11-24"),
        ("pt-br", "no dia 4", "2026-11-04"),
    ],
)
def test_a_day_is_understood(language: str, text: str, on: str) -> None:
    assert day_in(text, language) == date.fromisoformat(on)


@pytest.mark.parametrize(
    ("language", "text", "on"),
    [
        ("en", "today", "2024-03-01"),
        ("en", "yesterday", "2024-02-29"),
        ("en", "1 March", "2024-03-01"),
        ("es", "hace una semana", "2024-02-23"),
        ("pt-br", "4 de janeiro", "2024-01-04"),
        ("es", "2 de marzo", "2023-03-02"),
        ("en", "last monday", "2024-02-26"),
    ],
)
def test_days_are_counted_from_the_persons_now(language: str, text: str, on: str) -> None:
    midnight = datetime(2024, 3, 1, 0, 1, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert day_in(text, language, midnight) == date.fromisoformat(on)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "31 February"),
        ("en", "2026-02-30"),
        ("en", "29 February 2025"),
        ("es", "30 de febrero"),
        ("es", "31/2/2026"),
        ("es", "13/13/2026"),
        ("es", "el día 40"),
        ("pt-br", "31 de fevereiro de 2025"),
        ("en", "0000-01-01"),
    ],
)
def test_a_day_that_does_not_exist_is_named_and_is_none(language: str, text: str) -> None:
    assert day_in(text, language) is None


def test_only_the_year_first_spelling_counts_as_such() -> None:
    iso, other = take_days(Draft("2020-01-02 or 3 January"), GRAMMARS["en"], TUESDAY)
    assert (iso.iso, other.iso) == (True, False)


@pytest.mark.parametrize("text", ["81.4", "12 st 7", "81,4 4", "1/2/3/4", "may be", "18 %", "81.4 january"])
def test_a_number_is_no_day(text: str) -> None:
    assert take_days(Draft(text), GRAMMARS["en"], TUESDAY) == []


@pytest.mark.parametrize(
    ("language", "text", "start", "end"),
    [
        ("en", "last week", "2026-11-23", "2026-11-29"),
        ("en", "this week", "2026-11-30", "2026-12-01"),
        ("en", "the last 7 days", "2026-11-25", "2026-12-01"),
        ("en", "past week", "2026-11-25", "2026-12-01"),
        ("en", "last two weeks", "2026-11-18", "2026-12-01"),
        ("en", "last 3 months", "2026-09-03", "2026-12-01"),
        ("en", "last month", "2026-11-01", "2026-11-30"),
        ("en", "in January", "2026-01-01", "2026-01-31"),
        ("en", "February 2024", "2024-02-01", "2024-02-29"),
        ("en", "in December", "2026-12-01", "2026-12-01"),
        ("en", "in 2025", "2025-01-01", "2025-12-31"),
        ("en", "this year", "2026-01-01", "2026-12-01"),
        ("en", "last year", "2025-01-01", "2025-12-31"),
        ("en", "between January 1 and January 10", "2026-01-01", "2026-01-10"),
        ("en", "from 1 to 10 January 2025", "2025-01-01", "2025-01-10"),
        ("en", "January 1 to 10", "2026-01-01", "2026-01-10"),
        ("en", "2020-01-01 to 2020-01-10", "2020-01-01", "2020-01-10"),
        ("en", "since 3 November", "2026-11-03", "2026-12-01"),
        ("es", "la semana pasada", "2026-11-23", "2026-11-29"),
        ("es", "la última semana", "2026-11-25", "2026-12-01"),
        ("es", "los últimos 30 días", "2026-11-02", "2026-12-01"),
        ("es", "este mes", "2026-12-01", "2026-12-01"),
        ("es", "el mes pasado", "2026-11-01", "2026-11-30"),
        ("es", "en enero de 2025", "2025-01-01", "2025-01-31"),
        ("es", "entre el 1 y el 10 de enero", "2026-01-01", "2026-01-10"),
        ("es", "del 1 de enero al 3 de febrero", "2026-01-01", "2026-02-03"),
        ("es", "desde el 3 de noviembre", "2026-11-03", "2026-12-01"),
        ("pt-br", "em janeiro", "2026-01-01", "2026-01-31"),
        ("pt-br", "na semana passada", "2026-11-23", "2026-11-29"),
        ("pt-br", "nos últimos 7 dias", "2026-11-25", "2026-12-01"),
        ("pt-br", "de 1 a 10 de janeiro", "2026-01-01", "2026-01-10"),
        ("pt-br", "entre 1 e 10 de janeiro", "2026-01-01", "2026-01-10"),
        ("pt-br", "desde 3 de novembro", "2026-11-03", "2026-12-01"),
        ("pt-br", "no mês passado", "2026-11-01", "2026-11-30"),
    ],
)
def test_a_span_is_understood(language: str, text: str, start: str, end: str) -> None:
    assert span_in(text, language) == Span(date.fromisoformat(start), date.fromisoformat(end))


def test_a_span_over_the_turn_of_the_year_keeps_its_order() -> None:
    fifth_of_december = datetime(2026, 12, 5, 9)
    span = span_in("from 1 to 10 December", "en", fifth_of_december)
    assert span == Span(date(2026, 12, 1), date(2026, 12, 5))


def test_two_days_without_a_link_are_no_span() -> None:
    assert span_in("2020-01-01, 2020-01-02", "en") is None


@pytest.mark.parametrize("offset", range(-400, 400, 37))
def test_a_day_of_the_month_is_the_latest_that_has_been(offset: int) -> None:
    now = TUESDAY + timedelta(offset)
    on = day_in("the 31st", "en", now)
    assert on is not None
    assert on <= now.date()
    assert (now.date() - on).days < 63
    assert on.day == 31
