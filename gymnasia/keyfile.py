"""The signing key of an installation that was given none: made once, kept in a private file."""

import os
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def read_or_make_key(path: Path) -> str:
    """The key at `path`; makes file and key when there is none. Safe when two processes start at once."""
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(get_random_secret_key())
    try:
        # link() refuses an existing name, so whoever comes second reads the first one's key.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text(encoding="ascii").strip()
