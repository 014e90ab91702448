"""`make run` from its first line to its last: what it prints, that it serves, how it stops."""

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from e2e.server import ROOT, Server


def run(server: Server, **variables: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "gymnasia.serve"],
        cwd=ROOT,
        env={**server.environment, "PYTHONUNBUFFERED": "1", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_greeting(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl-C" in line:
            break
    return "".join(lines)


@pytest.mark.parametrize(("demo", "how"), [("1", "demo with the password demo"), ("0", "Create an account")])
def test_serves_and_stops_at_ctrl_c(tmp_path: Path, unused_port: int, demo: str, how: str) -> None:
    with run(Server(tmp_path), DEMO=demo, PORT=str(unused_port)) as process:
        greeting = read_greeting(process)
        address = f"http://127.0.0.1:{unused_port}/"
        assert address in greeting
        assert how in greeting
        with urllib.request.urlopen(f"{address}healthz", timeout=30) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=30)
    assert (process.returncode, rest.strip(), complaints) == (0, "Stopped.", "")


def test_port_in_use_is_said_before_any_work(server: Server, tmp_path: Path) -> None:
    with run(Server(tmp_path), PORT=str(server.port)) as process:
        _, complaint = process.communicate(timeout=30)
    assert process.returncode == 1
    assert complaint.startswith(f"Port {server.port} is in use.")
    assert complaint.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
