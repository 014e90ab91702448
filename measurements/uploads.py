"""Files between being chosen and being imported: kept for their owner alone, and for a day at most."""

import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile

KEPT_SECONDS: Final = 24 * 3600
MOST_BYTES: Final = 4 * 1024**3


@dataclass(frozen=True, slots=True)
class Upload:
    """A file under a name that nobody can guess. `name` is what its owner calls it."""

    token: str
    path: Path
    name: str


def keep(owner: User, file: "UploadedFile[Any]") -> Upload:
    """Puts a file aside, and clears away what was left behind, whoever left it."""
    _sweep()
    token = secrets.token_urlsafe(16)
    folder = _folder_of(owner) / token
    folder.mkdir(mode=0o700, parents=True)
    with (folder / "content").open("wb") as content:
        for chunk in file.chunks():
            content.write(chunk)
    name = (file.name or "file")[:255]
    (folder / "name").write_text(name, encoding="utf-8")
    return Upload(token, folder / "content", name)


def find(owner: User, token: str) -> Upload | None:
    """The file that `owner` put aside under `token`, while it is kept."""
    folder = _folder_of(owner) / token
    if not folder.is_dir() or _is_old(folder):
        return None
    return Upload(token, folder / "content", (folder / "name").read_text(encoding="utf-8"))


def discard(upload: Upload) -> None:
    shutil.rmtree(upload.path.parent, ignore_errors=True)


def _root() -> Path:
    return Path(settings.VAR_DIR) / "imports"


def _folder_of(owner: User) -> Path:
    return _root() / str(owner.pk)


def _sweep() -> None:
    for folder in _root().glob("*/*"):
        if _is_old(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_old(folder: Path) -> bool:
    try:
        return time.time() - folder.stat().st_mtime > KEPT_SECONDS
    except FileNotFoundError:
        # Another request discarded it just now.
        return True
