"""Signing up, in and out."""

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from gymnasia import demo
from measurements.models import Profile

NEW = {
    "username": "carla",
    "email": "carla@example.org",
    "password1": "a-really-long-one",
    "password2": "a-really-long-one",
}


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("America/Sao_Paulo", "America/Sao_Paulo"),
        ("Mars/Olympus", "UTC"),
        ("../etc/passwd", "UTC"),
        ("", "UTC"),
    ],
)
def test_sign_up_takes_the_time_zone_of_the_browser_if_there_is_one(db: None, sent: str, kept: str) -> None:
    response = Client().post("/accounts/signup/", NEW | {"time_zone": sent})
    assert response.headers["Location"] == "/"
    profile = Profile.objects.filter(user__username="carla").first() or Profile()
    assert profile.time_zone == kept


def test_the_time_zone_field_is_there_for_the_browser_to_fill(db: None) -> None:
    assert "data-time-zone" in Client().get("/accounts/signup/").content.decode()


def test_the_demo_is_offered_only_where_there_is_one(db: None) -> None:
    offer = "Look around in the demo account"
    assert offer not in Client().get("/accounts/login/").content.decode()
    demo.open_account()
    with override_settings(DEMO=True):
        assert offer in Client().get("/accounts/login/").content.decode()
    response = Client().post("/accounts/login/", {"login": demo.NAME, "password": demo.PASSWORD})
    assert response.headers["Location"] == "/"


@pytest.mark.parametrize("name", ["carla", "carla@example.org"])
def test_signing_in_works_with_the_user_name_and_with_the_email(db: None, name: str) -> None:
    Client().post("/accounts/signup/", NEW)
    response = Client().post("/accounts/login/", {"login": name, "password": NEW["password1"]})
    assert response.headers["Location"] == "/"


def test_a_wrong_password_says_so_and_keeps_the_name(person: User) -> None:
    shown = Client().post("/accounts/login/", {"login": "ana", "password": "wrong"}).content.decode()
    assert 'role="alert"' in shown
    assert 'value="ana"' in shown


def test_signing_out_needs_a_form(person: User) -> None:
    client = Client()
    client.force_login(person)
    assert 'action="/accounts/logout/"' in client.get("/accounts/logout/").content.decode()
    assert client.get("/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/").status_code == 302


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/password/change/",
        "/accounts/email/",
        "/accounts/password/reset/",
        "/accounts/reauthenticate/",
    ],
)
def test_the_other_account_pages_have_the_same_look(person: User, address: str) -> None:
    client = Client()
    client.force_login(person)
    shown = client.get(address, follow=True).content.decode()
    assert 'class="card stack"' in shown
    assert "<h1>" in shown
