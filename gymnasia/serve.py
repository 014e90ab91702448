"""`make run`: prepares the database and the demo account, says how to sign in, and serves on loopback."""

import os
import socket
import sys

import django
import uvicorn
from django.core.management import call_command

HOST = "127.0.0.1"


def main() -> None:
    listener = _listen(_port())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gymnasia.settings")
    os.environ.setdefault("DEMO", "1")
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_demo")
    address = f"http://{HOST}:{listener.getsockname()[1]}/"
    sys.stdout.write(f"\nGymnasia: {address}   sign in as demo, password demo   (Ctrl-C stops)\n\n")
    sys.stdout.flush()
    config = uvicorn.Config("gymnasia.asgi:application", log_level="warning", access_log=False, lifespan="on")
    uvicorn.Server(config).run(sockets=[listener])


def _port() -> int:
    word = os.environ.get("PORT") or "8000"
    if not word.isdecimal() or int(word) > 65535:
        sys.exit(f"PORT={word}: use a number from 1 to 65535.")
    return int(word)


def _listen(port: int) -> socket.socket:
    """Takes the port before any work is done, so that one in use is said at once."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        sys.exit(
            f"Port {port} on {HOST} cannot be used ({error.strerror}). "
            f"Choose another: make run PORT={port + 1}"
        )
    return listener


if __name__ == "__main__":
    main()
