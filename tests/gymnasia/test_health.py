"""Whoever watches the process learns whether it can serve, and nothing else."""

import pytest
from django.db import connection
from django.test import Client


@pytest.mark.django_db
def test_healthy_when_the_database_answers(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"process": "ok", "database": "ok"})
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_503_without_details_when_the_database_is_lost(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE django_migrations")
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"process": "ok", "database": "unreachable"})
