"""Addresses of the provider settings."""

from django.urls import path

from coach import provider_views

urlpatterns = [
    path("<slug:provider>/save/", provider_views.save, name="provider_save"),
    path("<slug:provider>/verify/", provider_views.verify, name="provider_verify"),
    path("<slug:provider>/remove/", provider_views.remove, name="provider_remove"),
    path("<slug:provider>/default/", provider_views.make_default, name="provider_default"),
]
