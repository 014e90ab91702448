"""Server-sent events, decoded from bytes that may be split anywhere. Pure.

All three vendors put the whole event into its `data`, so that is all that is kept of one. This is
done here, once, because the SDKs' typed streams differ in what they raise on what they do not know,
and because one of them walks the bytes in Python one by one.
"""

import re
from collections.abc import Iterator

_LINE_END = re.compile(rb"\r\n|\r|\n")


class Decoder:
    """Gives the data of each event as soon as its closing blank line has come.

    An event without one is incomplete and is never given, as the format demands.
    """

    def __init__(self) -> None:
        self._pending = b""
        self._after_carriage_return = False
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[str]:
        for line in self._lines(chunk):
            if line:
                self._keep(line)
            elif self._data:
                yield "\n".join(self._data)
                self._data.clear()

    def _lines(self, chunk: bytes) -> list[str]:
        if self._after_carriage_return and chunk:
            # The rest of a line end that was split between two chunks.
            chunk = chunk.removeprefix(b"\n")
            self._after_carriage_return = False
        if chunk:
            self._after_carriage_return = chunk.endswith(b"\r")
        *lines, self._pending = _LINE_END.split(self._pending + chunk)
        # Whole lines only: a character split between two chunks is whole again here.
        return [line.decode("utf-8", "replace") for line in lines]

    def _keep(self, line: str) -> None:
        field, _, value = line.partition(":")
        if field.removeprefix("\ufeff") == "data":
            self._data.append(value.removeprefix(" "))
