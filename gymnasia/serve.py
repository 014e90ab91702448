"""`make run`: prepares the database and the demo account, says how to sign in, and serves on loopback."""

import os
import sys

import django
import uvicorn
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from gymnasia import port

STOP_SECONDS = 5
"""How long requests in hand may take once Ctrl-C was pressed; turns have a limit of their own."""

FRAME_BYTES = 256 * 1024
"""The largest frame that a WebSocket takes: what a page sends is smaller, in any script."""


def main() -> None:
    # Taken before any work is done, so that a port in use is said at once; a browser that comes
    # before the server is ready waits for the page instead of being turned away.
    listening = port.listen()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gymnasia.settings")
    os.environ.setdefault("DEMO", "1")
    try:
        django.setup()
        call_command("prepare")
    except (ImproperlyConfigured, CommandError) as error:
        sys.exit(str(error))

    host, number = listening.getsockname()
    sys.stdout.write(f"\nGymnasia is at http://{host}:{number}/\n{_how_to_sign_in()}\nCtrl-C stops it.\n\n")
    sys.stdout.flush()
    config = uvicorn.Config(
        "gymnasia.asgi:application",
        lifespan="on",
        log_level="warning",
        server_header=False,
        ws_max_size=FRAME_BYTES,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _how_to_sign_in() -> str:
    if settings.DEMO:
        return "Sign in as demo with the password demo, or create an account of your own."
    return "Create an account to begin."


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        # The server has stopped by now, and passes on the Ctrl-C that stopped it.
        sys.stdout.write("\nStopped.\n")
