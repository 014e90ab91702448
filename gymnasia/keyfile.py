"""The signing key of an installation that was given none: made once, kept in a private file."""

import os
import tempfile
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def read_or_make_key(path: Path) -> str:
    """The key at `path`; makes file and key when there is none. Safe when several start at once."""
    if not path.exists():
        _make(path)
    return path.read_text(encoding="ascii").strip()


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written beside its place, readable by the owner alone, and linked there when it is whole.
    with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=path.parent, prefix=path.name) as draft:
        draft.write(get_random_secret_key())
        draft.flush()
        try:
            os.link(draft.name, path)
        except FileExistsError:
            # Somebody else was first; link() refuses an existing name, and their key is the key.
            return
