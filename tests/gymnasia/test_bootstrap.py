"""The script that finds Python and makes the environment, on machines that are not like this one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(sys._base_executable)  # type: ignore[attr-defined]
BROKEN = "#!/bin/sh\necho 'version manager: not installed' >&2\nexit 127\n"
TOOLS = ("sh", "dirname", "cmp", "cp")


class Clone:
    """The script in a clone of its own, on a machine that has only what is put on its PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "clone"
        self.programs = folder / "bin"
        self.programs.mkdir()
        for tool in TOOLS:
            (self.programs / tool).symlink_to(str(shutil.which(tool)))
        for part in ("gymnasia", "requirements"):
            (self.folder / part).mkdir(parents=True)
        for source in ("__init__.py", "bootstrap.sh", "port.py"):
            shutil.copy(ROOT / "gymnasia" / source, self.folder / "gymnasia")
        self.pins("base", "")

    def pins(self, kind: str, text: str) -> None:
        (self.folder / "requirements" / f"{kind}.txt").write_text(text, encoding="ascii")

    def add_program(self, name: str, script: str) -> Path:
        path = self.programs / name
        path.write_text(script, encoding="ascii")
        path.chmod(0o755)
        return path

    def bootstrap(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.programs), "HOME": str(self.folder), **variables}
        return subprocess.run(
            ["sh", "gymnasia/bootstrap.sh", *(arguments or ("base",))],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_one_line_when_no_python_works(clone: Clone) -> None:
    clone.add_program("python3.13", BROKEN)
    clone.add_program("python3", BROKEN)
    done = clone.bootstrap()
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Python 3.12 or newer" in done.stderr


def test_one_line_when_the_python_asked_for_does_not_work(clone: Clone) -> None:
    done = clone.bootstrap(PYTHON=str(clone.add_program("old", BROKEN)))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("PYTHON=")


def test_port_is_asked_about_before_anything_is_made(clone: Clone) -> None:
    done = clone.bootstrap("base", "gymnasia.port", PYTHON=str(PYTHON), PORT="none")
    assert done.returncode == 1
    assert done.stderr == "PORT=none: use a number from 1 to 65535.\n"
    assert not (clone.folder / ".venv").exists()


def test_environment_is_made_by_the_first_python_that_works_and_kept(clone: Clone) -> None:
    clone.add_program("python3.13", BROKEN)
    found = clone.add_program("python3", f'#!/bin/sh\nexec {PYTHON} "$@"\n')
    first = clone.bootstrap()
    assert first.returncode == 0, first.stderr
    assert os.access(clone.folder / ".venv" / "bin" / "python", os.X_OK)

    found.unlink()
    second = clone.bootstrap()
    assert (second.returncode, second.stderr) == (0, "")

    clone.pins("base", "not-pinned-by-a-hash\n")
    third = clone.bootstrap()
    assert third.returncode == 1
    assert third.stderr.endswith("The requirements could not be installed; the lines above say why.\n")
