"""Each page comes in the person's own language and time zone, and leaves nothing behind."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone, translation

from measurements import services
from measurements.middleware import ProfileMiddleware

pytestmark = pytest.mark.django_db


def visit(user: User | AnonymousUser) -> tuple[str, str, HttpResponse]:
    """Language and time zone while the page was made, and the page."""
    seen: list[str] = []

    def page(request: HttpRequest) -> HttpResponse:
        seen.extend([translation.get_language() or "", timezone.get_current_timezone_name()])
        return HttpResponse()

    request = RequestFactory().get("/")
    request.user = user
    request.LANGUAGE_CODE = "en"
    with translation.override("en"):
        response = ProfileMiddleware(page)(request)
        assert translation.get_language() == "en"
    assert timezone.get_current_timezone_name() == "UTC"
    return seen[0], seen[1], response


def test_language_and_time_zone_are_the_person_s(person: User) -> None:
    language, zone, response = visit(person)
    assert (language, zone) == ("es", "Europe/Madrid")
    assert response.headers["Content-Language"] == "es"


def test_without_a_chosen_language_it_is_the_browser_s(person: User) -> None:
    services.update_profile(person, language="")
    language, _zone, response = visit(person)
    assert language == "en"
    assert response.headers["Content-Language"] == "en"


def test_a_visitor_without_account_gets_the_defaults() -> None:
    language, zone, _response = visit(AnonymousUser())
    assert (language, zone) == ("en", "UTC")
