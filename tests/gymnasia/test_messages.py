"""Three languages: all is translated, nothing is left over, and a page speaks one language alone."""

import datetime as dt
import os
import re
from collections.abc import Iterator
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import allauth
import django.conf
import django.contrib.auth
import polib
import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from coach import notices
from coach.contract import ErrorCode
from coach.models import StopReason, ToolCall, Turn, TurnState, Verification
from coach.providers.builtin.intents import Log, ReadDays, Trend
from coach.providers.builtin.phrases import PHRASEBOOKS
from coach.providers.builtin.understanding import understand
from coach.views import _suggestions
from measurements.format import show_date
from measurements.models import Profile, Revision, Source
from measurements.sentences import tell_change
from measurements.services import Moment, NewValue, Origin, record_measurements
from tests import catalogues
from tests.coach.builtin.talk import situated
from tests.coach.conftest import open_turn

type Catalogues = dict[str, polib.POFile]

PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w+\}")
LANGUAGES = {"es": "es", "pt_BR": "pt-br"}
# Each language is offered under the name that its own speakers know.
NATIVE_NAMES = {"English"}
# In every language the admin shows the contract's codes, and Django names the picture of its search
# field in English.
SAME_EVERYWHERE = NATIVE_NAMES | set(ErrorCode) | {"Search"}


# The catalogues


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Catalogues:
    """The catalogues as they would be if they were brought up to date now."""
    if not catalogues.can_extract():
        if os.environ.get("CI"):
            pytest.fail(catalogues.NO_GETTEXT)
        pytest.skip(catalogues.NO_GETTEXT)
    copy = tmp_path_factory.mktemp("sources")
    catalogues.copy_sources(copy)
    catalogues.extract(copy)
    return {locale: polib.pofile(str(catalogues.catalogue(locale, copy))) for locale in catalogues.LOCALES}


def committed(locale: str) -> polib.POFile:
    return polib.pofile(str(catalogues.catalogue(locale)))


@pytest.mark.parametrize("locale", catalogues.LOCALES)
def test_every_string_of_the_sources_is_translated(extracted: Catalogues, locale: str) -> None:
    assert len(extracted[locale]) > 500
    missing = extracted[locale].untranslated_entries() + extracted[locale].fuzzy_entries()
    assert [entry.msgid for entry in missing if not entry.obsolete] == []


@pytest.mark.parametrize("locale", catalogues.LOCALES)
def test_no_catalogue_keeps_what_the_sources_no_longer_say(extracted: Catalogues, locale: str) -> None:
    assert [entry.msgid for entry in extracted[locale].obsolete_entries()] == []
    assert [entry.msgid for entry in committed(locale).obsolete_entries()] == []


@pytest.mark.parametrize("locale", catalogues.LOCALES)
def test_a_translation_has_the_placeholders_of_its_source(locale: str) -> None:
    for entry in committed(locale):
        wanted = set(PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
        for form, translated in (entry.msgstr_plural or {None: entry.msgstr}).items():
            found = set(PLACEHOLDER.findall(translated))
            # One may be said in words, as "a day ago" is in English.
            assert found == wanted or (form == 0 and found < wanted), entry.msgid


@pytest.mark.parametrize("locale", catalogues.LOCALES)
def test_plural_forms_are_complete(locale: str) -> None:
    catalogue = committed(locale)
    assert catalogue.metadata["Plural-Forms"].startswith("nplurals=2;")
    for entry in catalogue:
        if entry.msgid_plural:
            assert sorted(entry.msgstr_plural) == [0, 1], entry.msgid
            assert all(entry.msgstr_plural.values()), entry.msgid


@pytest.mark.parametrize("locale", catalogues.LOCALES)
def test_what_is_compiled_is_what_is_written(locale: str) -> None:
    source = catalogues.catalogue(locale)
    assert source.with_suffix(".mo").read_bytes() == catalogues.compiled(source)


@pytest.mark.parametrize("locale", catalogues.LOCALES)
def test_no_translation_shouts(locale: str) -> None:
    for entry in committed(locale):
        for translated in (entry.msgstr, *entry.msgstr_plural.values()):
            assert "!" not in translated, entry.msgid


def test_every_borrowed_word_is_one_of_those_who_lent_it(extracted: Catalogues) -> None:
    known = {
        entry.msgid
        for module in (django.conf, django.contrib.auth, allauth)
        for entry in polib.pofile(str(Path(str(module.__file__)).parent / "locale/es/LC_MESSAGES/django.po"))
    }
    borrowed = {
        entry.msgid
        for entry in extracted["es"]
        if [source for source, _line in entry.occurrences] == ["gymnasia/borrowed_words.py"]
    }
    assert len(borrowed) > 40
    assert borrowed - known == set()


# What the contract says word by word

CONTRACT = {
    "en": {
        StopReason.OUTCOME_UNKNOWN: (
            "Gymnasia cannot confirm whether the action was completed. To avoid duplicating it, it did not "
            "repeat it. Check your data before asking for it again."
        ),
        StopReason.ROUND_LIMIT: (
            "The Coach reached the limit of 10 steps for one message and stopped. Nothing is pending."
        ),
        StopReason.CANCELLED: "You stopped this answer.",
        StopReason.INTERRUPTED: "This answer was interrupted when the server stopped.",
        StopReason.LOCAL_FAILURE: (
            "Something failed inside Gymnasia, not at the provider. Nothing was changed."
        ),
        Verification.SAVED: "Checked: it was saved.",
        Verification.NOT_SAVED: "Checked: it was not saved. You can repeat it safely.",
    },
    "es": {
        StopReason.OUTCOME_UNKNOWN: (
            "Gymnasia no puede confirmar si la acción se completó. Para evitar duplicarla, no la ha "
            "repetido. Comprueba tus datos antes de volver a pedirla."
        ),
        StopReason.ROUND_LIMIT: (
            "El Coach ha llegado al límite de 10 pasos por mensaje y se ha detenido. No queda nada pendiente."
        ),
        StopReason.CANCELLED: "Has detenido esta respuesta.",
        StopReason.INTERRUPTED: "Esta respuesta se interrumpió cuando el servidor se detuvo.",
        StopReason.LOCAL_FAILURE: (
            "Algo ha fallado dentro de Gymnasia, no en el proveedor. No se ha cambiado nada."
        ),
        Verification.SAVED: "Comprobado: se guardó.",
        Verification.NOT_SAVED: "Comprobado: no se guardó. Puedes repetirlo sin riesgo.",
    },
    "pt-br": {
        StopReason.OUTCOME_UNKNOWN: (
            "O Gymnasia não consegue confirmar se a ação foi concluída. Para evitar duplicá-la, não a "
            "repetiu. Confira seus dados antes de solicitá-la novamente."
        ),
        StopReason.ROUND_LIMIT: (
            "O Coach chegou ao limite de 10 passos por mensagem e parou. Nada está pendente."
        ),
        StopReason.CANCELLED: "Você parou esta resposta.",
        StopReason.INTERRUPTED: "Esta resposta foi interrompida quando o servidor parou.",
        StopReason.LOCAL_FAILURE: "Algo falhou dentro do Gymnasia, não no provedor. Nada foi alterado.",
        Verification.SAVED: "Conferido: foi salvo.",
        Verification.NOT_SAVED: "Conferido: não foi salvo. Você pode repetir sem risco.",
    },
}


@pytest.mark.parametrize("language", CONTRACT)
def test_the_notices_say_what_the_contract_says(language: str) -> None:
    with translation.override(language):
        for reason, sentence in CONTRACT[language].items():
            if isinstance(reason, Verification):
                assert notices.verdict(ToolCall(verification=reason)) == sentence
                continue
            turn = Turn(state=TurnState.STOPPED, stop_reason=reason, provider="anthropic", rounds=10)
            notice = notices.stop_notice(turn, changed=False)
            assert notice is not None
            assert notice.text == sentence


# Words that have to fit each other


@pytest.mark.parametrize("language", PHRASEBOOKS)
def test_the_built_in_coach_calls_the_button_what_it_is_called(language: str) -> None:
    with translation.override(language):
        assert gettext("Undo") in PHRASEBOOKS[language].phrases["undo"]


@pytest.mark.parametrize("language", PHRASEBOOKS)
def test_the_built_in_coach_understands_what_the_page_suggests(language: str) -> None:
    with translation.override(language):
        intents = [understand(said, situation=situated(language)).intent for said in _suggestions()]
    assert [type(intent) for intent in intents] == [Trend, ReadDays, Log]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Saved: weight 77.4\u00a0kg, Sat 4 Jan 2020."),
        ("es", "Guardado: peso 77,4\u00a0kg, sáb 4 ene 2020."),
        ("pt-br", "Salvo: peso 77,4\u00a0kg, sáb 4 jan 2020."),
    ],
)
def test_a_change_is_told_as_one_sentence_of_the_language(person: User, language: str, sentence: str) -> None:
    with translation.override(language):
        assert tell_change(weigh(person)) == sentence
        assert show_date(dt.date(2020, 1, 4)) in sentence


def weigh(person: User) -> Revision:
    (revision,) = record_measurements(
        person,
        moment=Moment(dt.date(2020, 1, 4)),
        values=[NewValue("weight", Decimal("77.4"), "kg")],
        origin=Origin(Source.FORM),
    )
    return revision


# The pages


class Wording(HTMLParser):
    """Collects what people read or hear of a page: its text, and the attributes that hold text.

    Data attributes hold the sentences that scripts show.
    """

    READ_ALOUD = {"aria-label", "title", "placeholder", "alt", "aria-valuetext"}
    CODES = {"data-theme"}

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._mute = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._mute = tag in {"script", "style"}
        for name, value in attrs:
            is_read = name in self.READ_ALOUD or (name.startswith("data-") and name not in self.CODES)
            if value and is_read:
                self.said.append(" ".join(value.split()))

    def handle_endtag(self, tag: str) -> None:
        self._mute = False

    def handle_data(self, data: str) -> None:
        if not self._mute and data.strip():
            self.said.append(" ".join(data.split()))


def wording(page: str) -> list[str]:
    reader = Wording()
    reader.feed(page)
    return reader.said


def in_english(page: str, locale: str) -> list[str]:
    """What of a page is English: strings, with anything in their placeholders, that have a translation."""
    patterns = _english(locale)
    with translation.override(LANGUAGES[locale]):
        return [
            said
            for said in wording(page)
            # What the catalogues, also those of Django and allauth, still change was not put through them.
            if (gettext(said) != said or any(pattern.fullmatch(said) for pattern in patterns))
            and said not in SAME_EVERYWHERE
        ]


def _english(locale: str) -> list[re.Pattern[str]]:
    entries = committed(locale)
    own = {text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values())}
    sources = {text for entry in entries for text in (entry.msgid, entry.msgid_plural) if text}
    # Not those without a word of their own: "%(line)s: %(x)s" would match anything.
    worded = {text for text in sources - own if re.search(r"[A-Za-z]{3}", PLACEHOLDER.sub("", text))}
    return [re.compile(".+".join(map(re.escape, PLACEHOLDER.split(text)))) for text in worded]


def test_english_is_found_where_it_stands() -> None:
    with translation.override("es"):
        assert in_english("<p>Guardado</p><a title='Undo'>x</a> Read 2 days. ", "es") == [
            "Undo",
            "Read 2 days.",
        ]


OPEN_PAGES = ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"]
PAGES = [
    "/",
    "/measurements/",
    "/measurements/table/?metric=weight",
    "/measurements/day/2020-01-04/",
    "/measurements/add/weight/",
    "/measurements/import/",
    "/coach/",
    "/settings/",
    "/accounts/password/change/",
    "/accounts/email/",
    "/accounts/logout/",
    "/nowhere/",
]
ADMIN_PAGES = [
    "/admin/",
    "/admin/coach/conversation/",
    "/admin/coach/conversation/{conversation}/change/",
    "/admin/coach/turn/",
    "/admin/coach/turn/{turn}/change/",
    "/admin/coach/entry/",
    "/admin/coach/toolcall/",
    "/admin/coach/modelrequest/",
    "/admin/measurements/measurement/",
    "/admin/measurements/revision/",
    "/admin/measurements/profile/",
]
ERRORS = ["400", "403", "403_csrf", "404", "500"]


@pytest.fixture(params=LANGUAGES)
def locale(request: pytest.FixtureRequest) -> Iterator[str]:
    with translation.override(LANGUAGES[request.param]):
        yield request.param


@pytest.fixture
def reader(db: None, locale: str) -> User:
    """Somebody who reads that language, has recorded something and talked."""
    user = User.objects.create_user("carla", email="carla@example.org", password="uma-senha-longa")
    Profile.objects.create(user=user, language=LANGUAGES[locale], time_zone="Europe/Madrid")
    return user


@pytest.mark.parametrize("address", OPEN_PAGES)
def test_a_page_for_everybody_is_in_the_language_of_the_browser(
    client: Client, db: None, locale: str, address: str
) -> None:
    response = client.get(address, headers={"Accept-Language": LANGUAGES[locale]})
    assert f'<html lang="{LANGUAGES[locale]}"' in response.content.decode()
    assert in_english(response.content.decode(), locale) == []


@pytest.mark.parametrize("address", PAGES)
def test_an_empty_page_is_in_the_language_of_the_person(
    client: Client, reader: User, locale: str, address: str
) -> None:
    client.force_login(reader)
    assert in_english(client.get(address, follow=True).content.decode(), locale) == []


@pytest.mark.parametrize("address", PAGES)
def test_a_page_with_records_is_in_the_language_of_the_person(
    client: Client, reader: User, locale: str, address: str
) -> None:
    weigh(reader)
    client.force_login(reader)
    assert in_english(client.get(address, follow=True).content.decode(), locale) == []


@pytest.mark.parametrize("address", ADMIN_PAGES)
def test_an_admin_page_is_in_the_language_of_who_operates(
    client: Client, reader: User, locale: str, address: str
) -> None:
    User.objects.filter(pk=reader.pk).update(is_staff=True, is_superuser=True)
    weigh(reader)
    turn = open_turn(reader, "77,4")
    client.force_login(reader)
    page = client.get(address.format(turn=turn.pk, conversation=turn.conversation_id))
    assert page.status_code == 200
    assert in_english(page.content.decode(), locale) == []


@pytest.mark.parametrize("reason", [reason for reason in StopReason.values if reason])
def test_a_conversation_is_in_the_language_of_the_person(
    client: Client, reader: User, locale: str, reason: str
) -> None:
    turn = open_turn(reader, "77,4")
    Turn.objects.update(state=TurnState.STOPPED, stop_reason=reason)
    client.force_login(reader)
    page = client.get(f"/coach/{turn.conversation_id}/")
    assert 'class="notice' in page.content.decode()
    assert in_english(page.content.decode(), locale) == []


@pytest.mark.parametrize("address", ["/", "/measurements/add/weight/"])
def test_what_is_wrong_with_a_form_is_said_in_the_language_of_the_person(
    client: Client, reader: User, locale: str, address: str
) -> None:
    client.force_login(reader)
    for value in ("", "ocho", "5", "1,23456", "9" * 30):
        page = client.post(address, {"value": value, "unit": "kg", "date": "2999-01-01"})
        assert in_english(page.content.decode(), locale) == []


def test_a_refused_sign_up_is_in_the_language_of_the_browser(client: Client, db: None, locale: str) -> None:
    sent = {"username": "carla", "email": "carla", "password1": "123", "password2": "1234"}
    page = client.post("/accounts/signup/", sent, headers={"Accept-Language": LANGUAGES[locale]})
    assert page.status_code == 200
    assert in_english(page.content.decode(), locale) == []


@pytest.mark.parametrize("code", ERRORS)
def test_an_error_page_is_in_the_active_language(locale: str, code: str) -> None:
    assert in_english(render_to_string(f"{code}.html"), locale) == []
