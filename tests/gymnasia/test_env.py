"""Settings from the environment: read right, or refused by name."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from gymnasia import env

NAME = "GYMNASIA_TEST_VALUE"


@pytest.mark.parametrize(
    ("word", "meaning"),
    [("1", True), ("true", True), (" Yes ", True), ("on", True), ("0", False), ("no", False), ("", False)],
)
def test_flag_is_read(monkeypatch: pytest.MonkeyPatch, word: str, meaning: bool) -> None:
    monkeypatch.setenv(NAME, word)
    assert env.flag(NAME) is meaning


def test_flag_that_says_neither_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "maybe")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}='maybe': use 1 or 0"):
        env.flag(NAME)


def test_integer_is_read_or_its_default_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.integer(NAME, 10) == 10
    monkeypatch.setenv(NAME, "3")
    assert env.integer(NAME, 10) == 3


@pytest.mark.parametrize("word", ["0", "-1", "ten", "1.5"])
def test_integer_that_is_none_or_too_small_is_refused(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv(NAME, word)
    with pytest.raises(ImproperlyConfigured, match=NAME):
        env.integer(NAME, 10)


def test_words_are_split_and_trimmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, " a.example , b.example,,")
    assert env.words(NAME, "localhost") == ["a.example", "b.example"]


def test_database_is_sqlite_where_none_is_named() -> None:
    assert env.database(NAME, "/data/own.sqlite3")["NAME"] == "/data/own.sqlite3"


def test_sqlite_begins_transactions_with_the_lock_and_syncs_in_full() -> None:
    options = env.sqlite_database("/data/own.sqlite3")["OPTIONS"]
    assert isinstance(options, dict)
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in options["init_command"]


def test_database_address_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "postgres://us%40er:p%2Fw@db.example:5433/gym%20nasia")
    read = env.database(NAME, "unused")
    assert (read["USER"], read["PASSWORD"], read["HOST"], read["PORT"], read["NAME"]) == (
        "us@er",
        "p/w",
        "db.example",
        "5433",
        "gym nasia",
    )
    assert read["CONN_MAX_AGE"] == 0


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("postgres://user:geheim@db.example", "name is missing"),
        ("postgres://user:ge/heim@db.example/name", "percent-encoded"),
        ("sqlite://", "name is missing"),
    ],
)
def test_address_that_is_not_whole_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, address: str, problem: str
) -> None:
    monkeypatch.setenv(NAME, address)
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}: .*{problem}") as refused:
        env.database(NAME, "unused")
    assert "heim" not in str(refused.value)


def test_redis_is_read_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.redis(NAME) == ""
    monkeypatch.setenv(NAME, "rediss://:geheim@cache.example:6380/1")
    assert env.redis(NAME) == "rediss://:geheim@cache.example:6380/1"
    monkeypatch.setenv(NAME, "cache.example:6379")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}: use redis://"):
        env.redis(NAME)


def test_database_of_another_kind_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "mysql://user:geheim@db.example/name")
    with pytest.raises(ImproperlyConfigured, match="not 'mysql'") as refused:
        env.database(NAME, "unused")
    assert "geheim" not in str(refused.value)


def test_mail_is_printed_where_no_server_is_named() -> None:
    assert env.mailer(NAME) == {"BACKEND": "django.core.mail.backends.console.EmailBackend"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://us%40er:p%3Aw@mail.example", ("mail.example", 587, "us@er", "p:w", False, True)),
        ("smtps://mail.example:2465", ("mail.example", 2465, "", "", True, False)),
    ],
)
def test_mail_goes_encrypted_to_the_server_that_is_named(
    monkeypatch: pytest.MonkeyPatch, url: str, expected: tuple[object, ...]
) -> None:
    monkeypatch.setenv(NAME, url)
    options = env.mailer(NAME)["OPTIONS"]
    assert isinstance(options, dict)
    names = ("host", "port", "username", "password", "use_ssl", "use_tls")
    assert tuple(options[name] for name in names) == expected
