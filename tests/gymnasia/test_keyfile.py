"""The signing key that an installation makes for itself."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gymnasia.keyfile import read_or_make_key


def test_key_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret-key"
    key = read_or_make_key(path)
    assert len(key) >= 50
    assert read_or_make_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_all_who_start_at_once_get_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(read_or_make_key, [tmp_path / "secret-key"] * 8))
    assert len(keys) == 1
