"""The message catalogues: `python -m tests.catalogues` brings them up to date with the sources.

Extraction needs GNU gettext (Debian: apt-get install gettext). Compiling needs only polib, and the
compiled catalogues are committed: to run Gymnasia takes neither.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ("es", "pt_BR")
SOURCES = ("gymnasia", "measurements", "coach", "templates")
NO_GETTEXT = "xgettext is missing: install GNU gettext (Debian: apt-get install gettext)."


def catalogue(locale: str, root: Path = ROOT) -> Path:
    return root / "gymnasia" / "locale" / locale / "LC_MESSAGES" / "django.po"


def can_extract() -> bool:
    return shutil.which("xgettext") is not None


def extract(root: Path) -> None:
    """Merges what the sources under `root` say into the catalogues there. Needs xgettext."""
    command = [sys.executable, "manage.py", "makemessages", "--no-wrap", "--add-location", "file"]
    for locale in LOCALES:
        command += ["--locale", locale]
    for name in sorted(entry.name for entry in root.iterdir() if entry.is_dir()):
        if name not in SOURCES:
            command += ["--ignore", f"{name}/*"]
    subprocess.run(command, cwd=root, check=True, capture_output=True)


def copy_sources(to: Path) -> None:
    """What extraction reads, apart from the tree that others work in."""
    for name in SOURCES:
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", to)


def compiled(source: Path) -> bytes:
    return bytes(polib.pofile(str(source)).to_binary())


def main() -> None:
    if not can_extract():
        sys.exit(NO_GETTEXT)
    extract(ROOT)
    for locale in LOCALES:
        source = catalogue(locale)
        source.with_suffix(".mo").write_bytes(compiled(source))
        catalogue_now = polib.pofile(str(source))
        left = len(catalogue_now.untranslated_entries()) + len(catalogue_now.fuzzy_entries())
        print(f"{source.relative_to(ROOT)}: {left} to translate")  # noqa: T201


if __name__ == "__main__":
    main()
