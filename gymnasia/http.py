"""What views need to know of a request: who is asking, and whether a fragment is wanted."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, cast

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.cache import patch_cache_control
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails


class PersonRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
    htmx: HtmxDetails


def signed_in[**P](
    view: Callable[Concatenate[PersonRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Lets only people who are signed in reach `view`; others sign in first and come back.

    A fragment request is answered with a redirect of the whole page: following a plain redirect, htmx
    would put the sign-in page into the fragment's place.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            response = view(cast(PersonRequest, request), *args, **kwargs)
            # The Back button must show what is saved now, and after a sign-out nothing at all.
            patch_cache_control(response, private=True, no_store=True)
            return response
        htmx = cast(PersonRequest, request).htmx
        if not htmx:
            return redirect_to_login(request.get_full_path())
        login = redirect_to_login(htmx.current_url_abs_path or resolve_url("today"))
        return HttpResponseClientRedirect(login.url)

    return guarded
