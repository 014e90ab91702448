"""Each page in the person's own language and time zone."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from measurements import queries
from measurements.models import Profile


class ProfileMiddleware:
    """Puts the profile on the request and activates its time zone, and its language where it names one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return self.get_response(request)
        profile = queries.profile_of(request.user)
        request.profile = profile  # type: ignore[attr-defined]  # see measurements.requests
        with timezone.override(profile.zone):
            if not profile.language:
                return self._localised(request, request.LANGUAGE_CODE)
            with translation.override(profile.language):
                request.LANGUAGE_CODE = translation.get_language() or profile.language
                return self._localised(request, request.LANGUAGE_CODE)

    def _localised(self, request: HttpRequest, language: str) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Content-Language"] = language
        return response


def profile_from(request: HttpRequest) -> Profile:
    """The profile that the middleware found."""
    profile: Profile = request.profile  # type: ignore[attr-defined]  # set above
    return profile
