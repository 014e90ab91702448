"""Every address of the application."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from gymnasia import health

# The admin's own sign-in page has no rate limit; this sends it through the one that has.
admin.autodiscover()
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # as allauth says to

urlpatterns = [
    path("", include("measurements.urls")),
    path("settings/providers/", include("coach.provider_urls")),
    path("coach/", include("coach.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz, name="healthz"),
]
