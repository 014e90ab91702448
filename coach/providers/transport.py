"""One exchange with a vendor through its SDK: time limits, decoding, and what each failure means.

The SDK builds and sends the request and raises on an error status. The events of the response are
read from its bytes, so that the three vendors break, hang and end in one and the same way here.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from ssl import SSLContext
from typing import Any, Final, Protocol

import httpx2

from coach.messages import JSONObject
from coach.providers import failures
from coach.providers.base import End, EndReason, Event, ProviderError, StreamBroken
from coach.providers.failures import Failure, Kind
from coach.providers.sse import Decoder

RESPONSE_BYTES: Final = 16_000_000
"""More than any answer takes with its events around it: past it a server only fills the memory."""

_NUL: Final = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds: to connect, until the first event, between two, and for the whole response."""

    connect: float
    first_event: float
    between_events: float
    whole: float


REMOTE: Final = TimeLimits(connect=10, first_event=60, between_events=120, whole=600)
LOCAL: Final = TimeLimits(connect=10, first_event=600, between_events=600, whole=1800)
"""A local model may read its prompt for minutes before its first word."""

CHECK: Final = TimeLimits(connect=10, first_event=20, between_events=20, whole=30)


class Opened(Protocol):
    """What every SDK gives for a streaming request: something that holds the raw response."""

    @property
    def response(self) -> httpx2.Response: ...


class Reader(Protocol):
    """Turns a vendor's events into neutral ones. Raises Failure for an error inside the stream."""

    @property
    def begun(self) -> bool:
        """Whether anything of the answer has come, so that asking again would answer twice."""
        ...

    def read(self, data: JSONObject) -> Iterable[Event]: ...


@dataclass(frozen=True, slots=True)
class Vendor:
    """What tells a vendor's failures from our own: its SDK's error classes, and what must not be told."""

    sdk_errors: tuple[type[Exception], ...]
    secret: str

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        # Once the response has begun, the network's own errors come through as they are.
        return (httpx2.HTTPError, *self.sdk_errors)

    def failure_of(self, error: Exception) -> Failure:
        response = getattr(error, "response", None)
        if isinstance(response, httpx2.Response) and response.status_code >= 300:
            body = getattr(error, "body", None) or getattr(error, "details", None)
            return failures.of_status(response.status_code, body, response.headers)
        return Failure(Kind.BUSY, f"{type(error).__name__} {error}")


async def converse(
    send: Callable[[httpx2.AsyncClient], Awaitable[Opened]],
    reader: Reader,
    *,
    vendor: Vendor,
    limits: TimeLimits,
) -> AsyncGenerator[Event]:
    """Sends one request and yields its events up to the vendor's terminal one, or raises ProviderError."""
    request_id = ""
    # Vendors' exceptions hold the request with its key: what leaves here is raised outside of them.
    try:
        async with new_client(limits) as http:
            clock = _Clock(limits)
            response = (await clock.wait(send(http))).response
            request_id = _request_id(response)
            async with aclosing(_events(response, clock)) as stream:
                async for data in stream:
                    for event in reader.read(data):
                        if isinstance(event, End):
                            yield replace(event, request_id=request_id or event.request_id)
                            return
                        yield event
        raise StreamBroken("the stream ended without its terminal event", request_id=request_id)
    except ProviderError:
        raise
    except TimeoutError:
        reported = Failure(Kind.BUSY, "no answer within the time limit")
    except Failure as failure:
        reported = failure
    except vendor.errors as error:
        reported = vendor.failure_of(error)
        request_id = request_id or _request_id(getattr(error, "response", None))
    if reported.kind is Kind.DECLINED:
        yield End(EndReason.REFUSED, request_id)
        return
    raise reported.meaning(begun=reader.begun, request_id=request_id, secret=vendor.secret)


async def ask[T](
    send: Callable[[httpx2.AsyncClient], Awaitable[T]], *, vendor: Vendor, limits: TimeLimits = CHECK
) -> T:
    """One plain request, as for the list of models. Raises ProviderError."""
    try:
        async with new_client(limits) as http:
            return await _Clock(limits).wait(send(http))
    except TimeoutError:
        failure = Failure(Kind.BUSY, "no answer within the time limit")
    except vendor.errors as error:
        failure = vendor.failure_of(error)
    raise failure.meaning(begun=False, secret=vendor.secret)


def new_client(limits: TimeLimits) -> httpx2.AsyncClient:
    """A client for one exchange. It follows no redirect, which would take the key to another place."""
    timeout = httpx2.Timeout(None, connect=limits.connect)

    async def impose(request: httpx2.Request) -> None:
        # Whatever the SDK makes of its own time-outs: these are the ones that count, and the clock.
        request.extensions["timeout"] = timeout.as_dict()

    return httpx2.AsyncClient(verify=tls(), timeout=timeout, event_hooks={"request": [impose]})


@cache
def tls() -> SSLContext:
    """Made once: reading the certificates takes longer than everything else about a client."""
    return httpx2.create_ssl_context()


class _Clock:
    """Keeps the limits of one exchange."""

    def __init__(self, limits: TimeLimits) -> None:
        self._now = asyncio.get_running_loop().time
        self._end = self._now() + limits.whole
        self._between = limits.between_events
        self._deadline = min(self._end, self._now() + limits.first_event)

    async def wait[T](self, work: Awaitable[T]) -> T:
        """The result of `work`, or TimeoutError."""
        async with asyncio.timeout_at(self._deadline):
            return await work

    def restart(self) -> None:
        self._deadline = min(self._end, self._now() + self._between)


async def _events(response: httpx2.Response, clock: _Clock) -> AsyncGenerator[JSONObject]:
    decoder, size = Decoder(), 0
    async with aclosing(_chunks(response)) as chunks:
        while (chunk := await clock.wait(anext(chunks, None))) is not None:
            clock.restart()
            if (size := size + len(chunk)) > RESPONSE_BYTES:
                raise StreamBroken("the response does not end")
            for text in decoder.feed(chunk):
                if text != "[DONE]":
                    yield _parsed(text)


async def _chunks(response: httpx2.Response) -> AsyncGenerator[bytes]:
    chunks: AsyncIterator[bytes] = response.aiter_bytes()
    try:
        async for chunk in chunks:
            yield chunk
    finally:
        await response.aclose()


def _parsed(text: str) -> JSONObject:
    try:
        data: Any = json.loads(text)
        if "\\u" in text:
            # Legal JSON, and neither storable nor sendable: half a surrogate pair, and NUL (PostgreSQL).
            sound = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
            data = json.loads(_NUL.sub(rb"\1\\ufffd", sound))
    except (ValueError, RecursionError):
        raise StreamBroken("an event of the stream is not JSON") from None
    if not isinstance(data, dict):
        raise StreamBroken("an event of the stream is not an object")
    return data


def _request_id(response: object) -> str:
    if not isinstance(response, httpx2.Response):
        return ""
    return str(response.headers.get("request-id") or response.headers.get("x-request-id") or "")
