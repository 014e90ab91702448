"""Settings of the providers: keys, models, checks, and who answers by default or in a conversation."""

from collections.abc import Callable
from functools import wraps

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from coach import credentials, provider_access, provider_cards
from coach.models import Conversation, ProviderAccess
from coach.notices import provider_name
from coach.provider_cards import Told
from coach.provider_forms import AccessForm
from coach.providers import registry
from coach.providers.base import Rejected
from coach.verification import Catalogue, Checked, Fault, check
from gymnasia.http import PersonRequest, signed_in

CARD = "settings/provider_card.html"

type ProviderView = Callable[[PersonRequest, str], HttpResponseBase]


def with_key(view: ProviderView) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """For a POST of somebody signed in, about a provider that takes a key; else 404."""

    @signed_in
    @require_POST
    @wraps(view)
    def guarded(request: PersonRequest, provider: str) -> HttpResponseBase:
        if provider == registry.BUILTIN or not _is_offered(request, provider):
            raise Http404
        return view(request, provider)

    return guarded


@sensitive_post_parameters("key")
@with_key
def save(request: PersonRequest, provider: str) -> HttpResponseBase:
    """Keeps what was typed. Nothing is asked of the provider, and nobody else answers from now on."""
    own = ProviderAccess.objects.filter(user=request.user, provider=provider).first()
    form = AccessForm(request.POST, user=request.user, provider=provider, own=own)
    if not form.is_valid():
        return _refuse(request, provider, form)
    typed = form.cleaned_data
    changed = typed["key"] or typed.get("base_url", "") != (own.base_url if own else "")
    provider_access.save_access(
        request.user,
        provider,
        key=typed["key"],
        base_url=typed.get("base_url", ""),
        model=typed["model"],
        effort=typed["effort"],
    )
    if changed:
        provider_cards.forget_models(request.user, provider)
        return _answer(request, provider, Told(answer=_("Saved. Verify it to see whether it works.")))
    return _answer(request, provider, Told(answer=_("Saved.")))


@with_key
def verify(request: PersonRequest, provider: str) -> HttpResponseBase:
    """Asks the provider whether the stored key works, and for its models. A failure changes nothing."""
    own = ProviderAccess.objects.filter(user=request.user, provider=provider).first()
    model = (own and own.model) or credentials.default_model(provider)
    checked = _check(request, provider, model)
    if checked.models:
        provider_cards.remember_models(request.user, provider, checked.models)
    if checked.fault is None:
        provider_access.mark_verified(request.user, provider)
    answer = provider_cards.verdict_on(checked, provider, model)
    return _answer(request, provider, Told(answer=answer, is_fault=checked.fault is not None))


def _check(request: PersonRequest, provider: str, model: str) -> Checked:
    try:
        access = credentials.access_of(request.user, provider)
    except Rejected:
        return Checked(Fault.KEY)
    catalogue = registry.provider(provider)
    assert isinstance(catalogue, Catalogue)
    return async_to_sync(check)(catalogue, access.connection, model)


@with_key
def remove(request: PersonRequest, provider: str) -> HttpResponseBase:
    """Forgets the key. If that provider answered by default, the page says who answers now."""
    was_default = provider_access.remove_access(request.user, provider)
    provider_cards.forget_models(request.user, provider)
    facts = {"provider": provider_name(provider)}
    if was_default:
        messages.warning(
            request,
            _("What was stored for %(provider)s was removed. The built-in coach answers by default now.")
            % facts,
        )
    else:
        messages.success(request, _("What was stored for %(provider)s was removed.") % facts)
    return _back(provider)


@signed_in
@require_POST
def make_default(request: PersonRequest, provider: str) -> HttpResponseBase:
    """Lets a provider answer wherever no other was chosen, if it can be asked at all."""
    if not _is_offered(request, provider):
        raise Http404
    card = provider_cards.card_of(request.user, provider)
    if not card.can_answer:
        messages.warning(request, _("%(provider)s needs a key first.") % {"provider": card.name})
        return _back(provider)
    provider_access.make_default(request.user, provider)
    messages.success(request, _("%(provider)s answers by default now.") % {"provider": card.name})
    return _back(provider)


@signed_in
@require_POST
def choose(request: PersonRequest, pk: int) -> HttpResponseBase:
    """Gives a conversation to another provider from its next message on."""
    own = Conversation.objects.visible_to(request.user.pk)
    conversation = own.filter(pk=pk).first()
    offers = provider_cards.offers_for(request.user, conversation) if conversation else []
    chosen = next((offer for offer in offers if offer.provider == request.POST.get("provider")), None)
    if chosen is None:
        raise Http404
    own.filter(pk=pk).update(provider=chosen.provider, model="")
    messages.success(request, _("%(provider)s answers from the next message on.") % {"provider": chosen.name})
    return redirect("conversation", pk)


def _is_offered(request: PersonRequest, provider: str) -> bool:
    return provider in registry.names() and provider_cards.is_offered(request.user, provider)


def _refuse(request: PersonRequest, provider: str, form: AccessForm) -> HttpResponseBase:
    card = provider_cards.card_of(request.user, provider, Told(form))
    template = CARD if request.htmx else "settings/provider.html"
    return render(request, template, {"card": card}, status=422)


def _answer(request: PersonRequest, provider: str, told: Told) -> HttpResponseBase:
    """The card as it stands now with what is to be said; without htmx, the page with a message."""
    if request.htmx:
        return render(request, CARD, {"card": provider_cards.card_of(request.user, provider, told)})
    messages.add_message(request, messages.WARNING if told.is_fault else messages.SUCCESS, told.answer)
    return _back(provider)


def _back(provider: str) -> HttpResponseBase:
    return redirect(f"{reverse('settings')}#provider-{provider}")
