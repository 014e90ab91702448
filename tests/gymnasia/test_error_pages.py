"""Pages for when something is wrong: in the same look, whatever else is broken."""

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client


@pytest.mark.parametrize("code", ["400", "403", "403_csrf", "404", "500"])
def test_an_error_page_needs_neither_context_nor_database(code: str) -> None:
    shown = render_to_string(f"{code}.html")
    assert "<h1>" in shown
    assert 'href="/"' in shown
    assert 'class="places"' not in shown


def test_a_missing_page_keeps_the_places_of_who_is_signed_in(person: User) -> None:
    client = Client()
    client.force_login(person)
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert 'class="places"' in response.content.decode()


def test_a_form_without_its_token_is_refused_in_the_same_look(stranger: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(stranger)
    response = client.post("/", {"value": "80", "unit": "kg"})
    assert response.status_code == 403
    assert "too old to be sent" in response.content.decode()


def test_every_answer_carries_the_strict_content_policy(db: None) -> None:
    policy = Client().get("/accounts/login/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
