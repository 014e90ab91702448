"""From utterances in three languages to what the built-in coach takes them to mean."""

from datetime import date, time
from decimal import Decimal

import pytest

from coach.providers.builtin.days import Span
from coach.providers.builtin.intents import (
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
    Value,
    Yes,
)
from coach.providers.builtin.quantities import Stated
from coach.providers.builtin.understanding import LONGEST_MESSAGE, forbids_changes, understand
from tests.coach.builtin.talk import situated

TODAY = date(2026, 12, 1)
YESTERDAY = date(2026, 11, 30)


def meaning(language: str, text: str, *, mass: str = "kg") -> Intent:
    heard = understand(text, situation=situated(language, mass=mass))
    assert heard.language == language
    return heard.intent


def kg(value: str) -> Value:
    return Value("weight", Decimal(value), "kg")


def share(value: str) -> Value:
    return Value("body_fat", Decimal(value), "%")


def waist(value: str) -> Value:
    return Value("waist", Decimal(value), "cm")


def bare(value: str) -> tuple[Stated, ...]:
    return (Stated(None, Decimal(value), None),)


STONES = Value("weight", Decimal(175), "st_lb")
JANUARY = Span(date(2026, 1, 1), date(2026, 1, 31))
JANUARY_DAYS = Span(date(2026, 1, 1), date(2026, 1, 10))
LAST_WEEK = Span(date(2026, 11, 23), date(2026, 11, 29))

LOGS: list[tuple[str, str, Log]] = [
    ("en", "81.4", Log((kg("81.4"),), TODAY)),
    ("en", "81,4 this morning at 7", Log((kg("81.4"),), TODAY, time(7))),
    ("en", "81.4 kg, 18 % fat", Log((kg("81.4"), share("18")), TODAY)),
    ("en", "81.4 kg 18% fat", Log((kg("81.4"), share("18")), TODAY)),
    ("en", "18% fat 81.4 kg", Log((share("18"), kg("81.4")), TODAY)),
    ("en", "weight 81.4 18%", Log((kg("81.4"), share("18")), TODAY)),
    ("en", "fat 18 %, waist 88", Log((share("18"), waist("88")), TODAY)),
    ("en", "waist 88 cm yesterday", Log((waist("88"),), YESTERDAY)),
    ("en", "weight and waist: 81 and 88", Log((kg("81"), waist("88")), TODAY)),
    ("en", "my weight today, 81.4", Log((kg("81.4"),), TODAY)),
    ("en", "I weighed 81.4 kg this morning after breakfast", Log((kg("81.4"),), TODAY)),
    ("en", "I'm 81.4", Log((kg("81.4"),), TODAY)),
    ("en", "today's weight 81.4", Log((kg("81.4"),), TODAY)),
    ("en", "81.4kg 18.2%bf", Log((kg("81.4"), share("18.2")), TODAY)),
    ("en", "hi, 81.4 kg please", Log((kg("81.4"),), TODAY)),
    ("en", "can you log 81.4 for yesterday please?", Log((kg("81.4"),), YESTERDAY)),
    ("en", "log 12 st 7 lb on 3 January", Log((STONES,), date(2026, 1, 3))),
    ("en", "weight 81.4 January 4", Log((kg("81.4"),), date(2026, 1, 4))),
    ("en", "82KG AT 7AM", Log((kg("82"),), TODAY, time(7))),
    ("en", "81.4 tomorrow", Log((kg("81.4"),), date(2026, 12, 2))),
    ("en", "1,081.4", Log((kg("1081.4"),), TODAY)),
    ("en", "81.4 kg, note: after run, felt good", Log((kg("81.4"),), TODAY, note="after run, felt good")),
    ("es", "anota 77,4 kg el 4 de enero", Log((kg("77.4"),), date(2026, 1, 4))),
    ("es", "anota 77,4 kg el 2020-01-04", Log((kg("77.4"),), date(2020, 1, 4))),
    ("es", "registra 12st 7", Log((STONES,), TODAY)),
    ("es", "apunta 12 stones y 7 libras", Log((STONES,), TODAY)),
    ("es", "hoy he pesado 81,4", Log((kg("81.4"),), TODAY)),
    ("es", "81,4 esta mañana a las 7", Log((kg("81.4"),), TODAY, time(7))),
    ("es", "peso 81,4 ayer a las 7 y media de la mañana", Log((kg("81.4"),), YESTERDAY, time(7, 30))),
    ("es", "registra 80 kg el lunes pasado por la noche", Log((kg("80"),), YESTERDAY)),
    ("es", "cintura 88 cm y grasa 18 %", Log((waist("88"), share("18")), TODAY)),
    ("es", "¿puedes anotar 81,4 kg?", Log((kg("81.4"),), TODAY)),
    ("es", "anota 81,4 en ayunas", Log((kg("81.4"),), TODAY)),
    ("es", "anota 80 kg hace dos días", Log((kg("80"),), date(2026, 11, 29))),
    (
        "es",
        'guarda 80,5 kg para ayer, nota: "tras correr"',
        Log((kg("80.5"),), YESTERDAY, note="tras correr"),
    ),
    ("pt-br", "peso 80.2 hoje às 7h30", Log((kg("80.2"),), TODAY, time(7, 30))),
    ("pt-br", "anote 80,2 kg ontem", Log((kg("80.2"),), YESTERDAY)),
    ("pt-br", "pesei 80,5 hoje de manhã", Log((kg("80.5"),), TODAY)),
    ("pt-br", "81,4 kg há 3 dias às 7", Log((kg("81.4"),), date(2026, 11, 28), time(7))),
    ("pt-br", "No dia 4, 80 kg", Log((kg("80"),), date(2026, 11, 4))),
    (
        "pt-br",
        "registra peso 80 kg e gordura 20% ontem às 8 da noite",
        Log((kg("80"), share("20")), YESTERDAY, time(20)),
    ),
    ("pt-br", "81,4 kg em jejum, nota: depois de correr", Log((kg("81.4"),), TODAY, note="depois de correr")),
]


@pytest.mark.parametrize(("language", "text", "intent"), LOGS)
def test_it_understands_what_to_log(language: str, text: str, intent: Log) -> None:
    assert meaning(language, text) == intent


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I want to weigh 75 kg by March"),
        ("en", "if I weighed 75 kg"),
        ("en", "is 81 kg too much?"),
        ("en", "81.4?"),
        ("en", "my goal is 75 kg"),
        ("en", "my wife weighs 60 kg"),
        ("en", "I was 80 kg in January"),
        ("en", "what is 81 kg in pounds?"),
        ("en", "I'm not 81.4"),
        ("en", "did you save 81.4?"),
        ("en", "81.4 kg last night"),
        ("en", "-81.4 kg"),
        ("es", "quiero pesar 75 kg"),
        ("es", "¿son 81 kg demasiado?"),
        ("es", "si pesara 75 kg"),
        ("es", "mi objetivo es 75 kg"),
        ("es", "pesaba 80 kg en enero"),
        ("pt-br", "quero pesar 75 kg"),
        ("pt-br", "minha meta é 75 kg"),
        ("pt-br", "81 kg é muito?"),
    ],
)
def test_it_does_not_log_what_it_does_not_wholly_understand(language: str, text: str) -> None:
    heard = understand(text, situation=situated(language))
    assert isinstance(heard.intent, Remark)
    assert heard.intent.key in {"unclear", "unclear_words", "ask_metric", "unknown"}


@pytest.mark.parametrize(
    ("language", "text", "key"),
    [
        ("en", "log my weight", "ask_value"),
        ("es", "registra mi peso", "ask_value"),
        ("pt-br", "anote meu peso", "ask_value"),
        ("en", "muscle 35", "ask_unit"),
        ("en", "change 80 kg, 81 kg", "ask_metric"),
        ("en", "88 cm", "ask_metric"),
        ("en", "81.4 kg and 82 kg", "ask_metric"),
        ("en", "log 80 kg yesterday and 81 kg today", "one_day"),
        ("en", "log 81.4 on 31 February", "no_such_day"),
        ("es", "peso del 30 de febrero", "no_such_day"),
        ("pt-br", "apague o peso de 31 de fevereiro", "no_such_day"),
        ("en", "delete the weight and waist of yesterday", "one_thing"),
        ("es", "borra el peso de ayer y de hoy", "one_thing"),
    ],
)
def test_it_asks_back(language: str, text: str, key: str) -> None:
    assert meaning(language, text) == Remark(key)


def test_words_that_it_did_not_understand_are_quoted_without_numbers() -> None:
    assert meaning("en", "log 81.4 foo1 bar") == Remark("unclear_words", "bar")


READS: list[tuple[str, str, Intent]] = [
    ("en", "my weight on 3 January", ReadDays((date(2026, 1, 3),), ("weight",))),
    ("en", "what did I weigh last monday?", ReadDays((YESTERDAY,), ("weight",))),
    ("en", "what did I record yesterday?", ReadDays((YESTERDAY,))),
    ("en", "show me the record of yesterday", ReadDays((YESTERDAY,))),
    (
        "en",
        "weight and waist on 2020-01-01 and 2020-01-02",
        ReadDays((date(2020, 1, 1), date(2020, 1, 2)), ("weight", "waist")),
    ),
    (
        "en",
        "weight yesterday, otherwise the day before yesterday",
        ReadDays((YESTERDAY, date(2026, 11, 29)), ("weight",), alternatives=True),
    ),
    ("es", "¿cuánto pesé ayer?", ReadDays((YESTERDAY,), ("weight",))),
    ("es", "muéstrame el registro de ayer", ReadDays((YESTERDAY,))),
    ("es", "peso del 3/1/2026", ReadDays((date(2026, 1, 3),), ("weight",))),
    (
        "es",
        "consulta mi peso de ayer; si no hay, el de anteayer",
        ReadDays((YESTERDAY, date(2026, 11, 29)), ("weight",), alternatives=True),
    ),
    ("pt-br", "qual era o meu peso ontem?", ReadDays((YESTERDAY,), ("weight",))),
    ("en", "what's my weight?", Latest(("weight",))),
    ("en", "latest waist", Latest(("waist",))),
    ("en", "how much do I weigh right now?", Latest(("weight",))),
    ("es", "¿cuánto peso?", Latest(("weight",))),
    ("es", "mi último peso", Latest(("weight",))),
    ("pt-br", "quanto eu peso?", Latest(("weight",))),
    ("en", "show my weight last week", ListSpan(("weight",), LAST_WEEK)),
    ("en", "my weight in January", ListSpan(("weight",), JANUARY)),
    ("en", "how was my weight last month?", ListSpan(("weight",), Span(date(2026, 11, 1), YESTERDAY))),
    ("es", "mi peso la semana pasada", ListSpan(("weight",), LAST_WEEK)),
    ("es", "peso entre el 1 y el 10 de enero", ListSpan(("weight",), JANUARY_DAYS)),
    ("pt-br", "meu peso em janeiro", ListSpan(("weight",), JANUARY)),
    ("pt-br", "peso entre 1 e 10 de janeiro", ListSpan(("weight",), JANUARY_DAYS)),
    ("en", "how is my weight going?", Trend(("weight",), 30)),
    ("en", "average weight last 90 days", Trend(("weight",), 90)),
    ("en", "how am I doing?", Trend(("weight",), 30)),
    ("es", "¿cómo va mi peso este mes?", Trend(("weight",), 1)),
    ("es", "evolución de la cintura en los últimos 90 días", Trend(("waist",), 90)),
    ("pt-br", "como está meu peso?", Trend(("weight",), 30)),
    ("pt-br", "tendência do quadril e da cintura este ano", Trend(("hips", "waist"), 335)),
]


@pytest.mark.parametrize(("language", "text", "intent"), READS)
def test_it_understands_questions(language: str, text: str, intent: Intent) -> None:
    assert meaning(language, text) == intent


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "weight on 2020-01-02. If there is none, look up 2020-01-01. Don't change anything."),
        (
            "es",
            "consulta el peso de 2020-01-02. Si no existe, consulta 2020-01-01. No crees ni cambies datos.",
        ),
        ("es", "consulta el peso de 2020-01-02 y si no hay registro consulta 2020-01-01, no cambies nada"),
        ("pt-br", "qual foi meu peso em 2020-01-02? Se não existir, consulte 2020-01-01. Não altere nada."),
    ],
)
def test_it_understands_a_day_to_fall_back_on(language: str, text: str) -> None:
    heard = understand(text, situation=situated("en"))
    assert heard.language == language
    assert heard.intent == ReadDays((date(2020, 1, 2), date(2020, 1, 1)), ("weight",), alternatives=True)
    assert heard.forbids_changes
    assert heard.iso


def test_a_day_to_fall_back_on_makes_no_span() -> None:
    expected = ReadDays((date(2020, 1, 1), date(2020, 1, 2)), ("weight",), alternatives=True)
    assert meaning("en", "weight on 2020-01-01. If there is none, go to 2020-01-02") == expected


CORRECTIONS: list[tuple[str, str, Correct]] = [
    ("en", "no, it was 77.2", Correct(bare("77.2"))),
    ("en", "no 77.2", Correct(bare("77.2"))),
    ("en", "actually 77.2 kg", Correct((Stated(None, Decimal("77.2"), "kg"),))),
    ("en", "sorry, I meant 77.2", Correct(bare("77.2"))),
    (
        "en",
        "change the weight of 3 January to 80.2",
        Correct((Stated("weight", Decimal("80.2"), None),), date(2026, 1, 3)),
    ),
    ("en", "change 77.4 to 77.2", Correct(bare("77.2"))),
    ("en", "no, it was not 80 kg but 77.2", Correct((Stated(None, Decimal("77.2"), "kg"),))),
    ("es", "no, era 77,2", Correct(bare("77.2"))),
    ("es", "no era 77,4 sino 77,2", Correct(bare("77.2"))),
    (
        "es",
        "cambia el peso de ayer de 77,4 a 77,2",
        Correct((Stated("weight", Decimal("77.2"), None),), YESTERDAY),
    ),
    ("pt-br", "não era 77,4, era 77,2", Correct(bare("77.2"))),
    ("es", "era 77,2", Correct(bare("77.2"))),
    ("es", "perdón, 77,2 kg", Correct((Stated(None, Decimal("77.2"), "kg"),))),
    ("es", "me equivoqué, era 77,2", Correct(bare("77.2"))),
    ("es", "cambia el de ayer a 79,5", Correct(bare("79.5"), YESTERDAY)),
    ("pt-br", "não, era 77,2", Correct(bare("77.2"))),
    ("pt-br", "no, era 77,2", Correct(bare("77.2"))),
    ("pt-br", "desculpa, era 77,2", Correct(bare("77.2"))),
    (
        "pt-br",
        "mude o peso de ontem para 79,5",
        Correct((Stated("weight", Decimal("79.5"), None),), YESTERDAY),
    ),
]


@pytest.mark.parametrize(("language", "text", "intent"), CORRECTIONS)
def test_it_understands_corrections(language: str, text: str, intent: Correct) -> None:
    assert meaning(language, text) == intent


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "no, 77.2, it was not 77.4"),
        ("en", "no, 77.2 and not 77.4"),
        ("es", "no, 77,2, no era 77,4"),
        ("pt-br", "não, 77,2, não era 77,4"),
    ],
)
def test_the_wrong_value_is_not_taken_for_the_right_one(language: str, text: str) -> None:
    assert isinstance(meaning(language, text), Remark)


DELETIONS: list[tuple[str, str, Delete]] = [
    ("en", "delete the weight of 3 January", Delete("weight", date(2026, 1, 3))),
    ("en", "please delete my weight from yesterday at 7", Delete("weight", YESTERDAY, time(7))),
    ("en", "delete that", Delete(None)),
    ("en", "delete it now", Delete(None)),
    ("en", "delete what you just saved", Delete(None)),
    ("en", "delete my last weight", Delete("weight", latest=True)),
    ("en", "delete the last weight of 3 January", Delete("weight", date(2026, 1, 3))),
    ("es", "elimina el último registro", Delete(None, latest=True)),
    ("pt-br", "apague minha última cintura", Delete("waist", latest=True)),
    ("es", "borra el peso del 3 de enero", Delete("weight", date(2026, 1, 3))),
    ("es", "elimina el registro de cintura de ayer a las 7:00", Delete("waist", YESTERDAY, time(7))),
    ("es", "bórralo", Delete(None)),
    ("pt-br", "apague o peso de 3 de janeiro", Delete("weight", date(2026, 1, 3))),
    ("pt-br", "exclua isso", Delete(None)),
]


@pytest.mark.parametrize(("language", "text", "intent"), DELETIONS)
def test_it_understands_deletions(language: str, text: str, intent: Delete) -> None:
    assert meaning(language, text) == intent


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "delete everything"),
        ("en", "delete all of last week"),
        ("en", "don't you dare delete the weight of yesterday"),
        ("es", "borra todo"),
        ("pt-br", "apague tudo"),
    ],
)
def test_it_does_not_delete_what_it_does_not_wholly_understand(language: str, text: str) -> None:
    assert isinstance(meaning(language, text), Remark)


@pytest.mark.parametrize(
    ("language", "text", "intent"),
    [
        ("en", "yes, replace it", Yes()),
        ("en", "ok", Yes()),
        ("es", "sí, reemplázalo", Yes()),
        ("es", "si", Yes()),
        ("pt-br", "sim, substitua", Yes()),
        ("pt-br", "pode substituir", Yes()),
        ("en", "no", No()),
        ("en", "no, leave it", No()),
        ("es", "no, déjalo así", No()),
        ("pt-br", "não", No()),
        ("en", "help", Remark("help")),
        ("en", "are you ChatGPT?", Remark("help")),
        ("es", "¿qué puedes hacer?", Remark("help")),
        ("pt-br", "o que você pode fazer?", Remark("help")),
        ("en", "hi", Remark("greeting")),
        ("en", "how are you doing?", Remark("greeting")),
        ("es", "¡Hola! ¿Qué tal?", Remark("greeting")),
        ("pt-br", "oi, tudo bem?", Remark("greeting")),
        ("en", "thanks!", Remark("thanks")),
        ("en", "good morning", Remark("greeting")),
        ("pt-br", "bom dia", Remark("greeting")),
        ("es", "buenas tardes, gracias", Remark("thanks")),
        ("es", "muchas gracias", Remark("thanks")),
        ("pt-br", "obrigada", Remark("thanks")),
        ("en", "undo", Remark("undo")),
        ("es", "deshazlo", Remark("undo")),
        ("pt-br", "desfaz", Remark("undo")),
        ("en", "what is the meaning of life?", Remark("unknown")),
        ("es", "¿cuál es el sentido de la vida?", Remark("unknown")),
        ("en", "", Remark("unknown")),
        ("en", "yes no", Remark("unknown")),
    ],
)
def test_it_understands_small_talk(language: str, text: str, intent: Intent) -> None:
    assert meaning(language, text) == intent


@pytest.mark.parametrize(
    "text",
    [
        "don't change anything",
        "Don’t  change anything.",
        "do not modify my data",
        "without saving",
        "no changes please",
        "please don't make any changes",
        "I don't want you to modify anything",
        "without changing anything",
        "you must not touch my data",
        "change nothing",
        "leave everything as it is",
        "no quiero que cambies nada",
        "sin hacer ningún cambio",
        "no se modifique nada",
        "deja todo como está",
        "não faça nenhuma alteração",
        "não quero que você altere nada",
        "nem crie dados",
        "read-only",
        "no cambies datos",
        "No crees ni cambies datos.",
        "sin modificar nada",
        "no guardes nada",
        "solo consulta",
        "NÃO ALTERE NADA",
        "nao mude nada",
        "sem salvar",
        "apenas consulte",
    ],
)
@pytest.mark.parametrize("around", ["{}", "81.4 kg, {}", "{} anota 80 kg", "81,4 kg, nota: {}"])
def test_a_wish_that_nothing_changes_is_heard_wherever_it_stands(text: str, around: str) -> None:
    assert forbids_changes(around.format(text))


@pytest.mark.parametrize(
    "text",
    [
        "no, era 77,2",
        "I want change",
        "it was not saved",
        "no, cambia el peso a 77",
        "81.4",
        "não, era 77",
        "No dia 4",
    ],
)
def test_other_refusals_forbid_nothing(text: str) -> None:
    assert not forbids_changes(text)


def test_the_usual_unit_of_mass_is_the_persons() -> None:
    assert meaning("en", "weight 175", mass="lb") == Log((Value("weight", Decimal(175), "lb"),), TODAY)
    assert meaning("en", "weight 12.5", mass="st_lb") == Log((Value("weight", Decimal("12.5"), "st"),), TODAY)
    assert meaning("en", "weight 175", mass="st_lb") == Remark("ask_unit")


def test_a_message_of_great_length_is_not_studied() -> None:
    text = "81.4 " * LONGEST_MESSAGE
    assert understand(text, situation=situated()).intent == Remark("unknown")
