"""A vendor's failure is judged by its status and codes, never by its wording."""

import datetime as dt
from email.utils import format_datetime

import pytest

from coach.providers import base, failures
from coach.providers.base import RejectionReason


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (400, {}, RejectionReason.BAD_REQUEST),
        (401, {}, RejectionReason.AUTH),
        (402, {}, RejectionReason.QUOTA),
        (403, {}, RejectionReason.AUTH),
        (404, {}, RejectionReason.NOT_FOUND),
        (413, {}, RejectionReason.BAD_REQUEST),
        (301, {}, RejectionReason.BAD_REQUEST),
        (429, {"error": {"code": "insufficient_quota"}}, RejectionReason.QUOTA),
        (429, {"code": "insufficient_quota"}, RejectionReason.QUOTA),
        (429, {"error": {"code": "quota_exceeded"}}, RejectionReason.QUOTA),
        (400, {"error": {"details": [{"reason": "API_KEY_INVALID"}]}}, RejectionReason.AUTH),
        (401, {"error": {"details": [1, "reason", None]}}, RejectionReason.AUTH),
        (400, {"error": {"code": "https://errors.google/api_key_invalid"}}, RejectionReason.AUTH),
    ],
)
def test_rejections_are_told_apart(status: int, body: object, expected: RejectionReason) -> None:
    meaning = failures.of_status(status, body, {}).meaning(begun=False)
    assert isinstance(meaning, base.Rejected)
    assert meaning.reason is expected


@pytest.mark.parametrize("status", [408, 409, 500, 503, 529])
def test_unavailable_may_be_tried_again_until_something_has_come(status: int) -> None:
    failure = failures.of_status(status, "<html>", {})
    assert type(failure.meaning(begun=False)) is base.Unavailable
    assert type(failure.meaning(begun=True)) is base.StreamBroken


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("0.5", 0.5), ("-3", 0.0), ("soon", None), ("", None)]
)
def test_retry_after_in_seconds(header: str, seconds: float | None) -> None:
    meaning = failures.of_status(429, {}, {"retry-after": header}).meaning(begun=False)
    assert isinstance(meaning, base.RateLimited)
    assert meaning.retry_after == seconds


def test_retry_after_as_a_date() -> None:
    when = format_datetime(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=30), usegmt=True)
    meaning = failures.of_status(503, {}, {"retry-after": when}).meaning(begun=False)
    assert isinstance(meaning, base.Unavailable)
    assert meaning.retry_after is not None
    assert 25 < meaning.retry_after <= 30


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("overloaded_error", base.Unavailable),
        ("rate_limit_exceeded", base.RateLimited),
        ("authentication_error", base.Rejected),
        ("something_new", base.StreamBroken),
    ],
)
def test_error_inside_a_stream_goes_by_its_code(code: str, expected: type[base.ProviderError]) -> None:
    body = {"type": "error", "error": {"type": code, "message": "rate limit, overloaded, 401, network"}}
    assert type(failures.of_event(body).meaning(begun=False)) is expected


def test_wording_decides_nothing() -> None:
    body = {"error": {"type": "new", "message": "overloaded_error insufficient_quota invalid_api_key"}}
    assert type(failures.of_event(body).meaning(begun=False)) is base.StreamBroken
