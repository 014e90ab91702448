"""What the operator's documents and files name is what there is."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROVIDERS = ("ANTHROPIC", "OPENAI", "GOOGLE")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def variables() -> set[str]:
    """Those that the settings read."""
    named = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', read("gymnasia/settings.py")))
    suffixes = re.findall(r'env\.\w+\(f"\{name\.upper\(\)\}(_[A-Z_]+)"', read("gymnasia/settings.py"))
    return named | {provider + suffix for provider in PROVIDERS for suffix in suffixes}


def test_every_variable_is_documented_and_no_other() -> None:
    rows = [line.split("|")[1] for line in read("docs/operations.md").splitlines() if line.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    assert documented == variables()


def test_containers_are_given_variables_that_exist() -> None:
    shared = read("compose.yaml").split("services:")[0]
    given = set(re.findall(r"^    ([A-Z_]+):", shared, re.MULTILINE))
    assert {"ALLOWED_HOSTS", "SECRET_KEY", "DATABASE_URL", "REDIS_URL"} <= given <= variables()


def test_image_gets_what_it_runs_on() -> None:
    let_in = {line.removeprefix("!") for line in read(".dockerignore").splitlines() if line.startswith("!")}
    needed = {
        "coach",
        "gymnasia",
        "measurements",
        "static",
        "templates",
        "manage.py",
        "requirements/base.txt",
    }
    assert needed <= let_in
    assert all((ROOT / path).exists() for path in let_in)
    dockerfile = read("Dockerfile")
    assert re.search(r"^USER gymnasia$", dockerfile, re.MULTILINE)
    assert "gymnasia.healthcheck" in dockerfile
    assert dockerfile.index("USER gymnasia") < dockerfile.index("CMD [")


def test_every_way_to_serve_limits_frames_alike() -> None:
    for path in ("Dockerfile", "docs/operations.md", "README.md"):
        text = read(path).replace('", "', " ")
        assert "uvicorn gymnasia.asgi:application" in text, path
        assert "--ws-max-size 262144" in text, path
