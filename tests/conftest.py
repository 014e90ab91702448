"""What all tests share."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from channels.layers import channel_layers
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from measurements.models import Profile

type SetFaults = Callable[..., None]


@pytest.fixture(autouse=True, scope="session")
def _unlike_an_installation() -> Iterator[None]:
    """Two things differ from what ships, and nothing else.

    Pages name static files without the manifest and the folder that only `collectstatic` makes, and
    passwords are hashed fast, since nearly every test makes a person.
    """
    Path(settings.STATIC_ROOT).mkdir()
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(
        STORAGES={**settings.STORAGES, "staticfiles": plain},
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ):
        yield


@pytest.fixture(autouse=True, scope="session")
def _pool_is_closed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """PostgreSQL drops no database that a connection of the pool still uses."""
    yield
    with django_db_blocker.unblock():
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL's wrapper alone


@pytest.fixture(autouse=True)
def _nothing_passed_on() -> Iterator[None]:
    """What one test published is not waiting for the next, whose pages may go by the same names."""
    yield
    channel_layers.backends.clear()
    cache.clear()


@pytest.fixture
def person(db: None) -> User:
    """Somebody in Madrid who reads Spanish."""
    user = User.objects.create_user("ana", password="una-clave-larga")
    Profile.objects.create(user=user, language="es", time_zone="Europe/Madrid")
    return user


@pytest.fixture
def stranger(db: None) -> User:
    """Somebody else, whose rows nobody but them may see."""
    user = User.objects.create_user("bob", password="a-long-password")
    Profile.objects.create(user=user, language="en", time_zone="America/Los_Angeles")
    return user


@pytest.fixture
def faults() -> Iterator[SetFaults]:
    """Sets the faults: `faults(in_handler="raise")`; `faults()` clears them, as the end of the test does."""
    path = Path(settings.FAULTS_FILE)

    def set_faults(**actions: str) -> None:
        path.write_text(json.dumps(actions), encoding="utf-8")

    yield set_faults
    path.unlink(missing_ok=True)
