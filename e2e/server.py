"""The real server as a process of its own, on a fresh database and a free port."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
STOP_SECONDS = 40


class Server:
    """One installation: its folder, its environment and, while it runs, its process.

    It keeps its port: a killed server comes back at the same address.
    """

    def __init__(
        self, folder: Path, *, application: str = "gymnasia.asgi:application", **environment: str
    ) -> None:
        self.folder = folder
        self.application = application
        self.log_file = folder / "server.log"
        self.port = 0
        # Nothing of the developer's own: no key, no database, no language.
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "GYMNASIA_VAR": str(folder),
            "GYMNASIA_FAULTS_FILE": str(folder / "faults.json"),
            **environment,
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def manage(self, *arguments: str) -> str:
        """Runs a management command of this installation; gives what it printed."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(("127.0.0.1", self.port))
            listening.listen()
            self.port = listening.getsockname()[1]
            descriptor = listening.fileno()
            command = [sys.executable, "-m", "uvicorn", self.application, "--fd", str(descriptor)]
            command += ["--lifespan", "on", "--log-level", "warning", "--timeout-graceful-shutdown", "5"]
            with self.log_file.open("ab") as log:
                self._process = subprocess.Popen(
                    command, cwd=ROOT, env=self.environment, pass_fds=[descriptor], stdout=log, stderr=log
                )
        # The socket listened before the process did: this one request waits until it is answered, or
        # fails as soon as the process ends.
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=START_SECONDS):
                pass
        except OSError as error:
            self.kill()
            raise AssertionError(f"the server did not come up: {error}\n{self.log()}") from error

    def stop(self) -> int:
        """As an operator stops it; gives the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(STOP_SECONDS)

    def send_signal(self, which: signal.Signals) -> None:
        """For whatever is between living and dead: SIGSTOP, SIGCONT."""
        assert self._process is not None
        self._process.send_signal(which)

    def kill(self) -> None:
        """As when the power goes: nothing is tidied up."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def wait_until_dead(self) -> None:
        """For a fault that kills the process from inside."""
        assert self._process is not None
        self._process.wait(START_SECONDS)

    def faults(self, **actions: str) -> None:
        """Sets the faults of the installation; none clears them."""
        draft = self.folder / "faults.draft"
        draft.write_text(json.dumps(actions), encoding="utf-8")
        # Renamed into place: the server never reads half of it.
        draft.replace(self.folder / "faults.json")

    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace")


@contextmanager
def installed(folder: Path, **environment: str) -> Iterator[Server]:
    """A fresh installation that is running; `DEMO="1"` brings the demo account."""
    server = Server(folder, **environment)
    server.manage("prepare")
    server.start()
    try:
        yield server
    finally:
        if server.is_running:
            server.stop()
