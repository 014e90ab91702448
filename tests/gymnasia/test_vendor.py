"""What others wrote is served exactly as they published it."""

import hashlib
import re

from django.conf import settings

VENDOR = settings.BASE_DIR / "static" / "vendor"
README = (VENDOR / "README.md").read_text(encoding="utf-8")
LISTED = {path: digest for digest, path in re.findall(r"^([0-9a-f]{64})  (\S+)$", README, re.MULTILINE)}
PRESENT = {
    path.relative_to(VENDOR).as_posix()
    for path in VENDOR.rglob("*")
    if path.is_file() and path.name != "README.md"
}


def test_every_file_has_the_content_that_is_on_record() -> None:
    found = {path: hashlib.sha256((VENDOR / path).read_bytes()).hexdigest() for path in PRESENT}
    assert found == LISTED


def test_every_folder_has_its_licence_and_is_described() -> None:
    for folder in (path for path in VENDOR.iterdir() if path.is_dir()):
        assert (folder / "LICENSE").exists()
        assert f"| `{folder.name}` |" in README
