"""Settings: language, time zone, units, theme, hidden numbers, and the way to the account."""

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from gymnasia.http import PersonRequest, signed_in
from measurements import services
from measurements.forms import ProfileForm
from measurements.middleware import profile_from


@signed_in
@require_http_methods(["GET", "POST"])
def settings(request: PersonRequest) -> HttpResponseBase:
    form = ProfileForm(request.POST or None, instance=profile_from(request))
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "settings/settings.html", {"form": form}, status=status)
    profile = services.update_profile(request.user, **form.cleaned_data)
    # The page that follows is in the language just chosen, so the message has to be too.
    with translation.override(profile.language or translation.get_language()):
        messages.success(request, _("Settings saved."))
    return redirect("settings")
