"""What was said and what was done: conversations, their turns, and the ledger of tool calls."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from coach.contract import Effect, ErrorCode, Recovery


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def visible_to(self, user_id: int) -> "ConversationQuerySet":
        return self.filter(user_id=user_id)


class Conversation(models.Model):
    """One thread of turns of one person. An empty `provider` or `model` means the person's default."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="conversations", verbose_name=_("user")
    )
    title = models.CharField(_("title"), max_length=200, blank=True)
    provider = models.CharField(_("provider"), max_length=32, blank=True)
    model = models.CharField(_("model"), max_length=128, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ("-updated_at", "-pk")
        indexes: ClassVar = [models.Index(fields=["user", "-updated_at"])]

    def __str__(self) -> str:
        return self.title or f"#{self.pk}"


class TurnState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    AWAITING_CONSENT = "awaiting_consent", _("awaiting consent")
    COMPLETED = "completed", _("completed")
    STOPPED = "stopped", _("stopped")


UNFINISHED = (TurnState.QUEUED, TurnState.RUNNING, TurnState.AWAITING_CONSENT)


class StopReason(models.TextChoices):
    """Why a turn stopped before its answer was complete (contract, section 7)."""

    OUTCOME_UNKNOWN = "outcome_unknown", _("outcome unknown")
    ROUND_LIMIT = "round_limit", _("round limit")
    CANCELLED = "cancelled", _("stopped by the person")
    INTERRUPTED = "interrupted", _("interrupted")
    PROVIDER_UNAVAILABLE = "provider_unavailable", _("provider unavailable")
    PROVIDER_REJECTED = "provider_rejected", _("rejected by the provider")
    PROVIDER_STREAM_BROKEN = "provider_stream_broken", _("answer broke off")
    PROVIDER_TRUNCATED = "provider_truncated", _("answer cut at the length limit")
    PROVIDER_REFUSED = "provider_refused", _("refused by the model")
    PROVIDER_EMPTY = "provider_empty", _("empty answer")
    LOCAL_FAILURE = "local_failure", _("local failure")


class TurnQuerySet(models.QuerySet["Turn"]):
    def visible_to(self, user_id: int) -> "TurnQuerySet":
        return self.filter(conversation__user_id=user_id)

    def unfinished(self) -> "TurnQuerySet":
        return self.filter(state__in=UNFINISHED)


class Turn(models.Model):
    """One message of the person and all that followed from it.

    `client_id` was minted for the composer that sent the message: the same one twice is one turn.
    `language`, `time_zone` and `prompt_version` are those it began with, so that resuming it after
    a crash says the same things. `partial_text` holds the text of the response being streamed.
    """

    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="turns", verbose_name=_("conversation")
    )
    number = models.PositiveIntegerField(_("number"))
    client_id = models.UUIDField(_("client id"), unique=True)
    state = models.CharField(_("state"), max_length=20, choices=TurnState, default=TurnState.QUEUED)
    stop_reason = models.CharField(_("stop reason"), max_length=32, choices=StopReason, blank=True)
    rejection = models.CharField(_("rejection"), max_length=16, blank=True)
    diagnostic = models.TextField(_("diagnostic"), blank=True)
    provider = models.CharField(_("provider"), max_length=32)
    model = models.CharField(_("model"), max_length=128, blank=True)
    language = models.CharField(_("language"), max_length=10)
    time_zone = models.CharField(_("time zone"), max_length=64)
    prompt_version = models.CharField(_("prompt version"), max_length=16)
    rounds = models.PositiveIntegerField(_("rounds"), default=0)
    partial_text = models.TextField(blank=True)
    stop_requested_at = models.DateTimeField(null=True, blank=True)
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        ordering = ("conversation", "number")
        indexes: ClassVar = [
            models.Index(fields=["state", "lease_expires_at"]),
            models.Index(fields=["-created_at"]),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["conversation", "number"], name="turn_number_once"),
            models.UniqueConstraint(
                fields=["conversation"],
                condition=Q(state__in=UNFINISHED),
                name="one_unfinished_turn_per_conversation",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id}/{self.number}"

    @property
    def is_unfinished(self) -> bool:
        return self.state in UNFINISHED


class CallState(models.TextChoices):
    REQUESTED = "requested", _("requested")
    REJECTED = "rejected", _("rejected")
    NOT_RUN = "not_run", _("not run")
    DECLINED = "declined", _("declined")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("succeeded")
    FAILED = "failed", _("failed")
    UNKNOWN = "unknown", _("unknown")


class Consent(models.TextChoices):
    NOT_NEEDED = "", _("not needed")
    ASKED = "asked", _("asked")
    GRANTED = "granted", _("granted")
    DECLINED = "declined", _("declined")


class Verification(models.TextChoices):
    """What storage itself said after an uncertain write. OPEN: it could not be asked yet."""

    NOT_NEEDED = "", _("not needed")
    OPEN = "open", _("open")
    SAVED = "saved", _("saved")
    NOT_SAVED = "not_saved", _("not saved")


class ToolCall(models.Model):
    """The ledger: one row for each call, its identity `(turn, ordinal)`, and its durable outcome.

    The outcome (`content`, `is_error`, `error`, `recovery`) is written once. What was learnt or done
    later stands beside it: `verification`, and `repeat_content` when the person had it repeated.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="calls", verbose_name=_("turn"))
    ordinal = models.PositiveIntegerField(_("ordinal"))
    round = models.PositiveIntegerField(_("round"))
    provider_call_id = models.CharField(_("provider call id"), max_length=255, blank=True)
    tool = models.CharField(_("tool"), max_length=128)
    arguments_text = models.TextField(_("arguments as received"), blank=True)
    arguments = models.JSONField(_("validated arguments"), null=True, blank=True)
    effect = models.CharField(
        _("effect"), max_length=8, choices=[(e.value, e.value) for e in Effect], default=Effect.WRITE.value
    )
    state = models.CharField(_("state"), max_length=12, choices=CallState, default=CallState.REQUESTED)
    consent = models.CharField(_("consent"), max_length=10, choices=Consent, blank=True, default="")
    question = models.TextField(_("question"), blank=True)
    content = models.TextField(_("content"), blank=True)
    is_error = models.BooleanField(_("is error"), null=True)
    error = models.CharField(
        _("error"), max_length=24, choices=[(e.value, e.value) for e in ErrorCode], blank=True
    )
    recovery = models.CharField(
        _("recovery"), max_length=20, choices=[(r.value, r.value) for r in Recovery], blank=True
    )
    verification = models.CharField(
        _("verification"), max_length=10, choices=Verification, blank=True, default=""
    )
    verified_at = models.DateTimeField(_("verified"), null=True, blank=True)
    repeats = models.PositiveIntegerField(_("repeats"), default=0)
    repeat_content = models.TextField(_("content of the repeat"), blank=True)
    repeated_at = models.DateTimeField(_("repeated"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    diagnostic = models.TextField(_("diagnostic"), blank=True)

    class Meta:
        verbose_name = _("tool call")
        verbose_name_plural = _("tool calls")
        ordering = ("turn", "ordinal")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "ordinal"], name="call_identity"),
        ]
        indexes: ClassVar = [models.Index(fields=["error"]), models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"{self.tool} {self.identity}"

    @property
    def identity(self) -> str:
        """The call's stable name, also kept by every revision that it made."""
        return f"{self.turn_id}.{self.ordinal}"


class EntryKind(models.TextChoices):
    NOTE = "note", _("program note")
    USER = "user", _("person")
    TEXT = "text", _("coach")
    OPAQUE = "opaque", _("provider's own item")
    CALL = "call", _("tool call")


class Entry(models.Model):
    """One thing said in a turn, in order. A call's outcome stands in its ledger row."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="entries", verbose_name=_("turn"))
    position = models.PositiveIntegerField(_("position"))
    round = models.PositiveIntegerField(_("round"), default=0)
    kind = models.CharField(_("kind"), max_length=8, choices=EntryKind)
    text = models.TextField(_("text"), blank=True)
    complete = models.BooleanField(_("complete"), default=True)
    payload = models.JSONField(null=True, blank=True)
    call = models.OneToOneField(
        ToolCall, models.CASCADE, null=True, blank=True, related_name="entry", verbose_name=_("tool call")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("turn", "position")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "position"], name="entry_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}:{self.position} {self.kind}"


class ModelRequest(models.Model):
    """One request to a provider: what was sent (keys and headers left out) and what came back, in brief."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="requests", verbose_name=_("turn"))
    round = models.PositiveIntegerField(_("round"))
    attempt = models.PositiveIntegerField(_("attempt"), default=1)
    provider = models.CharField(_("provider"), max_length=32)
    model = models.CharField(_("model"), max_length=128, blank=True)
    sent = models.JSONField(_("sent"), null=True, blank=True)
    end_reason = models.CharField(_("end reason"), max_length=16, blank=True)
    provider_request_id = models.CharField(_("provider request id"), max_length=128, blank=True)
    input_tokens = models.PositiveIntegerField(_("input tokens"), null=True, blank=True)
    output_tokens = models.PositiveIntegerField(_("output tokens"), null=True, blank=True)
    cached_tokens = models.PositiveIntegerField(_("cached tokens"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=32, blank=True)
    diagnostic = models.TextField(_("diagnostic"), blank=True)
    started_at = models.DateTimeField(_("started"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("model request")
        verbose_name_plural = _("model requests")
        ordering = ("turn", "round", "attempt")
        indexes: ClassVar = [models.Index(fields=["-started_at"])]

    def __str__(self) -> str:
        return f"{self.provider} {self.turn_id}:{self.round}"


class ProviderAccess(models.Model):
    """A person's way to a provider: the encrypted key, its last four characters, and their choices."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="provider_access", verbose_name=_("user")
    )
    provider = models.CharField(_("provider"), max_length=32)
    encrypted_key = models.BinaryField(null=True, blank=True)
    key_hint = models.CharField(_("key"), max_length=8, blank=True)
    base_url = models.URLField(_("address"), blank=True)
    model = models.CharField(_("model"), max_length=128, blank=True)
    effort = models.CharField(_("reasoning effort"), max_length=16, blank=True)
    is_default = models.BooleanField(_("default"), default=False)
    verified_at = models.DateTimeField(_("verified"), null=True, blank=True)

    class Meta:
        verbose_name = _("provider access")
        verbose_name_plural = _("provider access")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "provider"], name="one_access_per_provider"),
            models.UniqueConstraint(
                fields=["user"], condition=Q(is_default=True), name="one_default_provider"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.provider}"
