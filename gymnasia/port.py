"""The port on which `make run` serves.

Uses the standard library alone: as a program it says whether the port is free before anything is installed.
"""

import errno
import os
import socket
import sys

HOST = "127.0.0.1"


def listen() -> socket.socket:
    """A socket that listens on PORT; ends the program with one line when there can be none."""
    port = _number()
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        problem = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
        sys.exit(f"Port {port} {problem}. Choose another, for example: PORT={_another(port)} make run")
    return listening


def _number() -> int:
    word = os.environ.get("PORT", "").strip() or "8000"
    if not word.isdecimal() or not 0 < int(word) < 65536:
        sys.exit(f"PORT={word}: use a number from 1 to 65535.")
    return int(word)


def _another(port: int) -> int:
    return port + 1 if 1024 <= port < 65535 else 8001


if __name__ == "__main__":
    listen()
