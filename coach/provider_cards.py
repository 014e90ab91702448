"""What Settings shows of each provider, and what the chat offers to choose from. Reads only."""

from dataclasses import dataclass, field
from enum import StrEnum

from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils.translation import gettext as _

from coach import credentials
from coach.models import Conversation, ProviderAccess
from coach.notices import PROVIDER_NAMES, provider_name
from coach.provider_forms import AccessForm, may_choose_address
from coach.providers import registry
from coach.providers.base import Rejected
from coach.verification import Checked, Fault

MODELS_SECONDS = 24 * 3600


class Way(StrEnum):
    """By what a person reaches a provider."""

    OWN_KEY = "own_key"
    OWN_SERVER = "own_server"
    INSTALLATION = "installation"
    UNREADABLE = "unreadable"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Card:
    """One provider. `answer` is what the program says about the last thing done to it."""

    provider: str
    name: str
    way: Way
    is_default: bool
    own: ProviderAccess | None = None
    form: AccessForm | None = None
    models: tuple[str, ...] = ()
    answer: str = ""
    is_fault: bool = False

    @property
    def can_answer(self) -> bool:
        return self.way not in (Way.UNREADABLE, Way.NONE)


@dataclass(frozen=True, slots=True)
class Offer:
    """A provider that a conversation can be given to."""

    provider: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Told:
    """What a card is to say, beside what it shows."""

    form: AccessForm | None = None
    answer: str = ""
    is_fault: bool = field(default=False, kw_only=True)


def cards_of(user: User) -> list[Card]:
    """Every provider that the person may set up, the built-in coach first."""
    return [card_of(user, provider) for provider in registry.names() if is_offered(user, provider)]


def card_of(user: User, provider: str, told: Told | None = None) -> Card:
    told = told or Told()
    owned = ProviderAccess.objects.filter(user=user)
    if provider == registry.BUILTIN:
        is_default = not owned.filter(is_default=True).exists()
        return Card(provider, _("Built-in coach"), Way.INSTALLATION, is_default)
    own = owned.filter(provider=provider).first()
    return Card(
        provider,
        provider_name(provider),
        _way(user, provider, own),
        own is not None and own.is_default,
        own,
        told.form or AccessForm(user=user, provider=provider, own=own),
        listed_models(user, provider),
        told.answer,
        told.is_fault,
    )


def is_offered(user: User, provider: str) -> bool:
    """Whether the person can set it up and choose it in the page."""
    return provider in PROVIDER_NAMES and (provider != "local" or may_choose_address(user))


def _way(user: User, provider: str, own: ProviderAccess | None) -> Way:
    try:
        connection = credentials.access_of(user, provider).connection
    except Rejected:
        return Way.UNREADABLE if own and own.encrypted_key else Way.NONE
    if own and own.base_url:
        return Way.OWN_SERVER
    return Way.OWN_KEY if own and own.encrypted_key and connection.api_key else Way.INSTALLATION


def offers_for(user: User, conversation: Conversation) -> list[Offer]:
    """The providers that can answer in this conversation, and the one that does."""
    chosen = credentials.choice_for(user, conversation).provider
    return [
        Offer(card.provider, card.name, card.provider == chosen)
        for card in cards_of(user)
        if card.can_answer or card.provider == chosen
    ]


def listed_models(user: User, provider: str) -> tuple[str, ...]:
    """The models that the provider listed when it was last verified, to choose from."""
    listed: tuple[str, ...] = cache.get(_models_key(user, provider), ())
    return listed


def remember_models(user: User, provider: str, models: tuple[str, ...]) -> None:
    cache.set(_models_key(user, provider), models, MODELS_SECONDS)


def forget_models(user: User, provider: str) -> None:
    cache.delete(_models_key(user, provider))


def _models_key(user: User, provider: str) -> str:
    return f"provider-models:{user.pk}:{provider}"


def verdict_on(checked: Checked, provider: str, model: str) -> str:
    """What a check found, in a sentence that says what to do."""
    facts = {"provider": provider_name(provider), "model": model}
    match checked.fault:
        case None:
            if provider == "local":
                return _("Verified: the local server answers and knows the model %(model)s.") % facts
            return _("Verified: %(provider)s accepts the key and knows the model %(model)s.") % facts
        case Fault.KEY:
            return (
                _(
                    "%(provider)s does not accept the key. Copy it again, or make a new one there. "
                    "Nothing that was stored has changed."
                )
                % facts
            )
        case Fault.QUOTA:
            return (
                _("%(provider)s accepts the key, but the account has no quota left. Check it there.") % facts
            )
        case Fault.MODEL:
            return (
                _("%(provider)s answers, but does not list the model %(model)s. Choose one from the list.")
                % facts
            )
        case Fault.ADDRESS:
            return (
                _(
                    "Something answers at that address, but it does not speak OpenAI's dialect. "
                    "Check the address, or update the server."
                )
                if provider == "local"
                else _("Something answers in the place of %(provider)s that does not speak its dialect.")
                % facts
            )
        case Fault.NETWORK:
            return (
                _(
                    "%(provider)s could not be reached, or is too busy. It says nothing about the key: "
                    "check the network and try again."
                )
                % facts
            )
        case Fault.PROVIDER:
            return _("%(provider)s could not answer the check. Try again later.") % facts
