"""Finds a Chromium for the browser tests, or gets one: Playwright's own, else Debian's package when root."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATION = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find() -> str | None:
    """The path of a Chromium that is installed, CHROMIUM first; None when there is none."""
    if chosen := os.environ.get("CHROMIUM"):
        return chosen
    for name in NAMES:
        if path := shutil.which(name):
            return path
    if MAC_APPLICATION.exists():
        return str(MAC_APPLICATION)
    return _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def _get() -> None:
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        commands.append(["apt-get", "update", "-qq"])
        commands.append(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"])
    for command in commands:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - constants alone
        if done.returncode == 0 and find():
            return


def main() -> None:
    if find() is None:
        _get()
    if find() is None:
        sys.exit(
            "The browser tests need Chromium: install it (Debian: apt-get install chromium), or set CHROMIUM."
        )


if __name__ == "__main__":
    main()
