"""What `manage.py check` tells an operator."""

import pytest
from django.core import checks
from django.db import connection
from pytest_django.fixtures import Settings

from gymnasia import checks as own


def ids(*, deploy: bool = False, databases: list[str] | None = None) -> set[str]:
    found = checks.run_checks(include_deployment_checks=deploy, databases=databases)
    return {str(message.id) for message in found if str(message.id).startswith("gymnasia.")}


def test_sound_installation_hears_nothing(settings: Settings) -> None:
    settings.FAULTS_FILE = ""
    assert ids(deploy=True) == set()


def test_faults_on_purpose_are_an_error_for_a_deployment_alone(settings: Settings) -> None:
    settings.FAULTS_FILE = "faults.json"
    assert ids(deploy=True) == {"gymnasia.E001"}
    assert ids() == set()


def test_hosts_that_are_not_named_are_an_error(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    assert ids() == {"gymnasia.E002"}


def test_several_processes_on_sqlite_are_an_error(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = ""
    monkeypatch.setenv("WEB_CONCURRENCY", "1")
    assert ids() == set()
    monkeypatch.setenv("WEB_CONCURRENCY", "2")
    assert ids() == {"gymnasia.E003"}


def test_redis_without_a_database_to_share_is_a_warning(settings: Settings) -> None:
    settings.REDIS_URL = "redis://cache.example"
    expected = {"gymnasia.W002"} if connection.vendor == "sqlite" else set()
    assert ids() == expected


@pytest.mark.django_db
def test_sqlite_with_the_fault_is_a_warning_where_the_database_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own, "SAFE_SQLITE", (999,))
    assert ids(databases=["default"]) == {"gymnasia.W001"}
    monkeypatch.setattr(own, "SAFE_SQLITE", (3,))
    assert ids(databases=["default"]) == set()
