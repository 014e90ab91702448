"""PostgreSQL and Redis of the tests' own: fresh, on free ports, in a temporary folder, gone afterwards."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

DEBIAN_BINARIES = Path("/usr/lib/postgresql")
START_SECONDS = 30.0


class Missing(Exception):
    """The program is not installed; the message says what to install."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def postgres() -> Iterator[str]:
    """A cluster that is running; gives the address of an empty database. Raises Missing."""
    binaries = _postgres_binaries()
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="gymnasia-pg-") as name:
        folder = Path(name)
        as_owner = _unprivileged(folder)
        data = folder / "data"
        initdb: list[str | Path] = [
            binaries / "initdb",
            "-D",
            data,
            "-U",
            "gymnasia",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        _run([*as_owner, *initdb])
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
        server: list[str | Path] = [binaries / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
        _run([*as_owner, *server, "-o", options, "start"])
        try:
            _run([binaries / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "gymnasia", "gymnasia"])
            yield f"postgres://gymnasia@127.0.0.1:{port}/gymnasia"
        finally:
            _run([*as_owner, *server, "-m", "immediate", "stop"])


class Redis:
    """A server that a test can take away and bring back at the same address."""

    def __init__(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            raise Missing("Redis is not installed (Debian: apt-get install redis-server).")
        self.program = program
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1):
                    return
            except OSError:
                continue
        raise AssertionError("Redis did not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def redis() -> Iterator[Redis]:
    """A Redis that is running. Raises Missing."""
    server = Redis()
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _postgres_binaries() -> Path:
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(DEBIAN_BINARIES.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not versions:
        raise Missing("PostgreSQL is not installed (Debian: apt-get install postgresql).")
    return versions[-1].parent


def _unprivileged(folder: Path) -> list[str]:
    """What to put before a command that must not run as root: PostgreSQL refuses to."""
    if os.geteuid() != 0:
        return []
    owner = pwd.getpwnam("postgres")
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    return ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"]


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
