import pytest

from coach.providers.builtin.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("how is my weight going?", "en"),
        ("¿cómo va mi peso este mes?", "es"),
        ("como va mi peso", "es"),
        ("como está meu peso?", "pt-br"),
        ("anota 77,4 kg el 4 de enero", "es"),
        ("anote 77,4 kg em 4 de janeiro", "pt-br"),
        ("peso 80.2 hoje às 7h30", "pt-br"),
        ("peso 80.2 hoy a las 7", "es"),
        ("não altere nada", "pt-br"),
        ("no cambies datos", "es"),
    ],
)
def test_the_message_decides(text: str, language: str) -> None:
    other = "en" if language != "en" else "es"
    assert detect([text], other) == language


def test_the_conversation_decides_when_the_message_does_not() -> None:
    assert detect(["81,4", "¿cómo va mi peso?"], "en") == "es"


def test_the_profile_decides_when_nothing_else_does() -> None:
    assert detect(["81,4"], "pt-br") == "pt-br"
    assert detect(["peso 81,4"], "es") == "es"
    assert detect(["peso 81,4"], "pt-br") == "pt-br"


def test_an_unknown_language_of_the_profile_counts_as_english() -> None:
    assert detect(["81,4"], "fr") == "en"


def test_words_weigh_more_than_the_profile_even_where_two_languages_share_them() -> None:
    assert detect(["peso 81,4"], "en") in {"es", "pt-br"}
