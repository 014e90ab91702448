"""What every page of somebody who is signed in has in common."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address", ["/", "/measurements/", "/coach/", "/settings/", "/measurements/add/weight/"]
)
def test_no_browser_keeps_a_persons_page(client: Client, person: User, address: str) -> None:
    client.force_login(person)
    page = client.get(address)
    assert page.status_code == 200
    assert "no-store" in page.headers["Cache-Control"]
