"""Finds the Chromium that the browser tests drive. `python -m e2e.chromium` gets one where there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATION = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # Chromium's sandbox refuses to start for root, which is who runs the tests in CI.
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]


def find() -> str | None:
    """The path of a Chromium: $CHROMIUM, else the system's, else Playwright's own; None without any."""
    if chosen := os.environ.get("CHROMIUM"):
        return chosen
    if installed := next((path for name in NAMES if (path := shutil.which(name))), None):
        return installed
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return next((path for path in (own, MAC_APPLICATION) if Path(path).exists()), None)


def get() -> str | None:
    """As `find`, after Playwright's download and, for root, Debian's package were tried."""
    if not find():
        _try(sys.executable, "-m", "playwright", "install", "chromium")
    if not find() and os.geteuid() == 0 and shutil.which("apt-get"):
        _try("apt-get", "update", "-qq")
        _try("apt-get", "install", "-qq", "-y", "--no-install-recommends", "chromium")
    return find()


def _try(*command: str) -> None:
    sys.stderr.write(f"Chromium is missing; trying: {' '.join(command)}\n")
    # Whether it worked shows in what is found afterwards.
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, env=environment, capture_output=True, check=False)


if __name__ == "__main__" and get() is None:
    sys.exit(
        "The browser tests need Chromium: install it (Debian: apt-get install chromium), or set CHROMIUM."
    )
