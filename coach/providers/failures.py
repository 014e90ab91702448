"""What went wrong at a vendor, by status and by the vendor's own error codes. Never by wording."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from coach.providers.base import (
    ProviderError,
    RateLimited,
    Rejected,
    RejectionReason,
    StreamBroken,
    Unavailable,
)

DETAIL_CHARACTERS: Final = 500


class Kind(StrEnum):
    AUTH = "auth"
    QUOTA = "quota"
    BAD_REQUEST = "bad_request"
    NOT_FOUND = "not_found"
    PACE = "pace"
    BUSY = "busy"
    DECLINED = "declined"
    UNKNOWN = "unknown"


_OVERRIDING: Mapping[str, Kind] = MappingProxyType(
    {
        "insufficient_quota": Kind.QUOTA,
        "quota_exceeded": Kind.QUOTA,
        "budget_exceeded": Kind.QUOTA,
        "payment_required": Kind.QUOTA,
        "billing_error": Kind.QUOTA,
        "billing_not_active": Kind.QUOTA,
        "billing_hard_limit_reached": Kind.QUOTA,
        "invalid_api_key": Kind.AUTH,
        "api_key_invalid": Kind.AUTH,
        "model_not_found": Kind.NOT_FOUND,
        # OpenAI
        "invalid_prompt": Kind.DECLINED,
        "content_filter": Kind.DECLINED,
        "content_policy_violation": Kind.DECLINED,
        "bio_policy": Kind.DECLINED,
        "misalignment_policy_violation": Kind.DECLINED,
        # Google
        "safety": Kind.DECLINED,
        "recitation": Kind.DECLINED,
        "language": Kind.DECLINED,
        "prohibited_content": Kind.DECLINED,
        "spii": Kind.DECLINED,
        "blocklist": Kind.DECLINED,
        "content_blocked": Kind.DECLINED,
        "jailbreak": Kind.DECLINED,
    }
)
"""Codes that say more than the status they come with."""

_GENERAL: Mapping[str, Kind] = MappingProxyType(
    {
        "authentication": Kind.AUTH,
        "authentication_error": Kind.AUTH,
        "permission_denied": Kind.AUTH,
        "permission_error": Kind.AUTH,
        "unauthenticated": Kind.AUTH,
        "not_found": Kind.NOT_FOUND,
        "not_found_error": Kind.NOT_FOUND,
        "invalid_request": Kind.BAD_REQUEST,
        "invalid_request_error": Kind.BAD_REQUEST,
        "invalid_argument": Kind.BAD_REQUEST,
        "failed_precondition": Kind.BAD_REQUEST,
        "parameter_unknown": Kind.BAD_REQUEST,
        "out_of_range": Kind.BAD_REQUEST,
        "rate_limit_error": Kind.PACE,
        "rate_limit_exceeded": Kind.PACE,
        "too_many_requests": Kind.PACE,
        "resource_exhausted": Kind.PACE,
        "api_error": Kind.BUSY,
        "server_error": Kind.BUSY,
        "internal": Kind.BUSY,
        "overloaded_error": Kind.BUSY,
        "timeout_error": Kind.BUSY,
        "unavailable": Kind.BUSY,
        "service_unavailable": Kind.BUSY,
        "deadline_exceeded": Kind.BUSY,
        "gateway_timeout": Kind.BUSY,
        "conflict_error": Kind.BUSY,
        "aborted": Kind.BUSY,
    }
)
"""Codes of errors that come inside a stream, whose status was 200 long before."""

_REASONS = {
    Kind.AUTH: RejectionReason.AUTH,
    Kind.QUOTA: RejectionReason.QUOTA,
    Kind.BAD_REQUEST: RejectionReason.BAD_REQUEST,
    Kind.NOT_FOUND: RejectionReason.NOT_FOUND,
}


class Failure(Exception):
    """A failure as the vendor reported it, before it is known what it means for the turn."""

    def __init__(self, kind: Kind, detail: str, *, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.retry_after = retry_after

    def meaning(self, *, begun: bool, request_id: str = "", secret: str = "") -> ProviderError:
        """The typed error. Once content has come (`begun`), nothing may be asked again.

        Servers have been seen to repeat the key in what they say about it: `secret` is left out.
        """
        detail = self.detail.replace(secret, "[key]") if secret else self.detail
        detail = detail[:DETAIL_CHARACTERS]
        if reason := _REASONS.get(self.kind):
            return Rejected(detail, reason=reason, request_id=request_id)
        if begun or self.kind not in (Kind.PACE, Kind.BUSY):
            return StreamBroken(detail, request_id=request_id)
        kind = RateLimited if self.kind is Kind.PACE else Unavailable
        return kind(detail, request_id=request_id, retry_after=self.retry_after)


def of_status(status: int, body: object, headers: Mapping[str, str]) -> Failure:
    """What a response with an error status says."""
    codes = list(_codes(body))
    kind = next((_OVERRIDING[code] for code in codes if code in _OVERRIDING), _kind_of_status(status))
    return Failure(kind, f"{status} {_message(body)}", retry_after=_retry_after(headers))


def of_event(body: object) -> Failure:
    """What an error inside a stream says."""
    codes = list(_codes(body))
    known = {**_GENERAL, **_OVERRIDING}
    kind = next((known[code] for code in codes if code in known), Kind.UNKNOWN)
    return Failure(kind, _message(body))


def _kind_of_status(status: int) -> Kind:
    match status:
        case 401 | 403:
            return Kind.AUTH
        case 402:
            return Kind.QUOTA
        case 404:
            return Kind.NOT_FOUND
        case 429:
            return Kind.PACE
        case 408 | 409:
            return Kind.BUSY
        case _:
            return Kind.BUSY if status >= 500 else Kind.BAD_REQUEST


def _codes(body: object) -> Iterator[str]:
    """The error codes in a body, the most particular first."""
    error = _error(body)
    details = error.get("details")
    if isinstance(details, list):
        yield from (
            str(detail["reason"]).lower()
            for detail in details
            if isinstance(detail, Mapping) and "reason" in detail
        )
    for key in ("code", "type", "status"):
        if isinstance(code := error.get(key), str):
            # Google's codes may be addresses that end in the code.
            yield code.rpartition("/")[2].lower()


def _message(body: object) -> str:
    error = _error(body)
    parts = [str(error[key]) for key in ("type", "code", "message") if error.get(key)]
    return " ".join(parts) or "without an explanation"


def _error(body: object) -> Mapping[str, object]:
    if isinstance(body, Mapping) and isinstance(body.get("error"), Mapping):
        return _error(body["error"])
    return body if isinstance(body, Mapping) else {}


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, given as seconds or as a date."""
    value = headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
