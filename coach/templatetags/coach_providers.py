"""Lets pages that know nothing of the Coach show who can answer."""

from django import template
from django.contrib.auth.models import User

from coach import provider_cards
from coach.models import Conversation
from coach.provider_cards import Card, Offer

register = template.Library()


@register.simple_tag
def provider_cards_of(user: User) -> list[Card]:
    return provider_cards.cards_of(user)


@register.simple_tag
def provider_offers(user: User, conversation: Conversation) -> list[Offer]:
    return provider_cards.offers_for(user, conversation)
