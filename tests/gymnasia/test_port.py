"""The port of `make run`."""

import socket

import pytest

from gymnasia import port


def test_free_port_is_taken_and_listened_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as chooser:
        chooser.bind(("127.0.0.1", 0))
        free = chooser.getsockname()[1]
    monkeypatch.setenv("PORT", str(free))
    with port.listen(), socket.create_connection(("127.0.0.1", free)):
        pass


def test_port_in_use_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setenv("PORT", str(taken))
        with pytest.raises(SystemExit, match=rf"^Port {taken} is in use\. .*PORT=\d+ make run$"):
            port.listen()


@pytest.mark.parametrize("word", ["web", "0", "65536", "-1"])
def test_port_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("PORT", word)
    with pytest.raises(SystemExit, match=f"PORT={word}"):
        port.listen()
