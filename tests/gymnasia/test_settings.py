"""What an installation may not be: each unsafe mixture is refused at the start, in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KEY = "0123456789abcdefghijklmnopqrstuvwxyz" * 2


def start(
    folder: Path, command: str = "check", *options: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", command, *options],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "GYMNASIA_VAR": str(folder), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"ALLOWED_HOSTS": "gym.example"}, "SECRET_KEY"),
        ({"ALLOWED_HOSTS": "gym.example", "SECRET_KEY": KEY, "DEMO": "1"}, "DEMO=1"),
        (
            {"ALLOWED_HOSTS": "gym.example", "SECRET_KEY": KEY, "GYMNASIA_FAULTS_FILE": "f"},
            "GYMNASIA_FAULTS_FILE",
        ),
        ({"ALLOWED_HOSTS": "*", "SECRET_KEY": KEY, "DEMO": "1"}, "DEMO=1"),
        ({"DATABASE_URL": "mysql://db.example/name"}, "DATABASE_URL"),
        ({"REDIS_URL": "cache.example:6379"}, "REDIS_URL"),
        ({"EMAIL_URL": "mail.example"}, "EMAIL_URL"),
        ({"DEBUG": "perhaps"}, "DEBUG"),
        ({"COACH_MAX_ROUNDS": "0"}, "COACH_MAX_ROUNDS"),
    ],
)
def test_unsafe_or_wrong_environment_is_refused_in_one_line(
    tmp_path: Path, variables: dict[str, str], named: str
) -> None:
    refused = start(tmp_path, **variables)
    assert refused.returncode == 1
    assert named in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_nothing_configured_is_enough_on_loopback(tmp_path: Path) -> None:
    started = start(tmp_path / "var")
    assert started.returncode == 0, started.stderr
    assert (tmp_path / "var" / "secret-key").stat().st_mode & 0o777 == 0o600


def test_public_installation_starts_when_it_is_told_all(tmp_path: Path) -> None:
    strict = ("--deploy", "--fail-level", "WARNING")
    told = {"ALLOWED_HOSTS": "gym.example", "SECRET_KEY": KEY, "EMAIL_URL": "smtp://mail.example"}
    started = start(tmp_path, "check", *strict, **told)
    assert started.returncode == 0, started.stderr
    assert not (tmp_path / "secret-key").exists()


def test_database_that_does_not_answer_is_named_in_one_line(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "gymnasia.sqlite3"
    refused = start(tmp_path, "prepare", DATABASE_URL=f"sqlite://{nowhere}")
    assert refused.returncode == 1
    assert f"{nowhere} does not answer" in refused.stderr
    assert refused.stderr.count("\n") == 1
