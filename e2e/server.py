"""The real server as a process of its own, on a fresh database and a free port."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60.0


class Server:
    """One installation: its folder, its environment and, while it runs, its process.

    The port belongs to the test, not to the process: a killed server comes back at the same address.
    """

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(128)
        self.url = f"http://localhost:{self.listener.getsockname()[1]}"
        self.log = folder / "server.log"
        self.environment = _clean_environment() | {
            "DJANGO_SETTINGS_MODULE": "gymnasia.settings",
            "GYMNASIA_VAR": str(folder),
            "GYMNASIA_FAULTS_FILE": str(folder / "faults.json"),
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def manage(self, *arguments: str) -> str:
        """Runs a management command of this installation; gives what it printed."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self) -> None:
        descriptor = self.listener.fileno()
        command = [sys.executable, "-m", "uvicorn", "gymnasia.asgi:application"]
        command += ["--fd", str(descriptor), "--lifespan", "on", "--no-access-log"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, pass_fds=[descriptor], stdout=log, stderr=log
            )
        self.wait_until_healthy()

    def wait_until_healthy(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text()
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                continue
        raise AssertionError(f"the server did not come up:\n{self.log.read_text()}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=40)
            self.process = None

    def kill(self) -> None:
        """As when the power goes: nothing is tidied up."""
        self.stop(signal.SIGKILL)

    def faults(self, **actions: str) -> None:
        """Sets the faults of the installation; none clears them."""
        (self.folder / "faults.json").write_text(json.dumps(actions), encoding="utf-8")

    def close(self) -> None:
        self.stop()
        self.listener.close()


def _clean_environment() -> dict[str, str]:
    """This process's environment without anything that would change the application."""
    own = ("DEMO", "DEBUG", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PORT")
    return {
        name: value
        for name, value in os.environ.items()
        if name not in own and not name.endswith(("_API_KEY", "_BASE_URL")) and "GYMNASIA" not in name
    }


@contextmanager
def installed(folder: Path, **environment: str) -> Iterator[Server]:
    """A fresh installation that is running."""
    server = Server(folder, **environment)
    server.manage("migrate", "-v0")
    server.manage("collectstatic", "-v0", "--noinput")
    server.start()
    try:
        yield server
    finally:
        server.close()
