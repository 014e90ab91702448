"""The Coach as an operator reads it: conversations, turns and their timeline, calls, requests."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach import timeline
from coach.contract import ErrorCode, Recovery
from coach.models import Conversation, Entry, EntryKind, ModelRequest, ToolCall, Turn
from coach.notices import PROVIDER_NAMES
from gymnasia.read_only import ReadOnlyAdmin, as_written, pretty, seconds_between

WORDS_SHOWN = 90
TURNS_SHOWN = 200


class ProviderFilter(admin.SimpleListFilter):
    """By a list of names: asking the table which providers occur would read all of it."""

    title = _("provider")
    parameter_name = "provider"
    column = "provider"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(provider, str(name)) for provider, name in PROVIDER_NAMES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.column: self.value()}) if self.value() else queryset


class TurnProviderFilter(ProviderFilter):
    column = "turn__provider"


class CallErrorFilter(admin.SimpleListFilter):
    """Turns with a call that failed so. A join would give such a turn once for each call."""

    title = _("error of a call")
    parameter_name = "error"
    column = "error"
    values: Sequence[str] = tuple(ErrorCode)

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(str(value), str(value)) for value in self.values]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        # By the index on the failed calls, which are few, and not turn by turn.
        failed = ToolCall.objects.filter(**{self.column: self.value()})
        return queryset.filter(pk__in=failed.values("turn"))


class CallRecoveryFilter(CallErrorFilter):
    title = _("recovery of a call")
    parameter_name = "recovery"
    column = "recovery"
    values = tuple(Recovery)


def link_to(model: str, pk: int, text: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse(f"admin:coach_{model}_change", args=[pk]), text)


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "user", "provider", "model", "updated_at")
    list_select_related = ("user",)
    list_filter = (ProviderFilter, "updated_at")
    search_fields = ("title", "user__username")
    ordering = ("-updated_at", "-pk")
    fields = (("user", "title"), ("provider", "model"), ("created_at", "updated_at"))

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        turns = list(obj.turns.order_by("-number")[:TURNS_SHOWN])
        said = timeline.first_words(turns)
        context["turns"] = [
            (turn, said.get(turn.pk, ""), seconds_between(turn.started_at, turn.ended_at)) for turn in turns
        ]
        return super().render_change_form(request, context, add, change, form_url, obj)


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    list_display = (
        "__str__",
        "said",
        "person",
        "state",
        "stop_reason",
        "provider",
        "rounds",
        "created_at",
        "duration",
    )
    list_display_links = ("__str__", "said")
    list_select_related = ("conversation__user",)
    list_filter = (
        "state",
        "stop_reason",
        CallErrorFilter,
        CallRecoveryFilter,
        ProviderFilter,
        "created_at",
    )
    search_fields = ("entries__text", "conversation__user__username")
    search_help_text = _("What was said, or a user name")
    ordering = ("-pk",)
    heavy = ("diagnostic", "partial_text")
    fields: ClassVar = [
        ("conversation", "number"),
        ("state", "stop_reason", "rejection"),
        ("provider", "model", "rounds"),
        ("language", "time_zone", "prompt_version"),
        ("created_at", "started_at", "ended_at", "duration"),
        "diagnosis",
    ]
    readonly_fields = ("duration", "diagnosis")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        said = Prefetch("entries", Entry.objects.filter(kind=EntryKind.USER), to_attr="said_by_person")
        rows: QuerySet[Turn] = super().get_queryset(request)
        return rows.prefetch_related(said)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Turn], search_term: str
    ) -> tuple[QuerySet[Turn], bool]:
        """Each word must occur in something that was said, or in the user's name; each turn comes once."""
        for word in search_term.split():
            said = Entry.objects.filter(turn=OuterRef("pk"), text__icontains=word)
            queryset = queryset.filter(Exists(said) | Q(conversation__user__username__icontains=word))
        return queryset, False

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        context |= {"steps": timeline.steps_of(obj), "told": timeline.told_of(obj)}
        return super().render_change_form(request, context, add, change, form_url, obj)

    @admin.display(description=_("said"))
    def said(self, turn: Any) -> str:
        return Truncator(" ".join(entry.text for entry in turn.said_by_person)).chars(WORDS_SHOWN)

    @admin.display(description=_("person"))
    def person(self, turn: Turn) -> str:
        return turn.conversation.user.get_username()

    @admin.display(description=_("duration"))
    def duration(self, turn: Turn) -> str:
        return seconds_between(turn.started_at, turn.ended_at)

    @admin.display(description=_("diagnostic"))
    def diagnosis(self, turn: Turn) -> SafeString | str:
        return as_written(turn.diagnostic)


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "turn_link", "round", "kind", "words", "complete", "created_at")
    list_filter = ("kind", "complete", TurnProviderFilter, "created_at")
    list_select_related = ("turn",)
    search_fields = ("text",)
    ordering = ("-pk",)
    heavy = ("payload",)
    fields = (
        "turn",
        "position",
        "round",
        "kind",
        "text_as_written",
        "complete",
        "item",
        "call",
        "created_at",
    )
    readonly_fields = ("text_as_written", "item")

    @admin.display(description=_("turn"))
    def turn_link(self, entry: Entry) -> SafeString:
        return link_to("turn", entry.turn_id, str(entry.turn))

    @admin.display(description=_("text"))
    def words(self, entry: Entry) -> str:
        return Truncator(entry.text).chars(WORDS_SHOWN)

    @admin.display(description=_("text"))
    def text_as_written(self, entry: Entry) -> SafeString | str:
        return as_written(entry.text)

    @admin.display(description=_("provider's own item"))
    def item(self, entry: Entry) -> SafeString | str:
        return as_written(pretty(entry.payload))


@admin.register(ToolCall)
class ToolCallAdmin(ReadOnlyAdmin):
    list_display = (
        "__str__",
        "turn_link",
        "effect",
        "state",
        "error",
        "recovery",
        "verification",
        "started_at",
        "duration",
    )
    list_filter = ("state", "error", "recovery", "verification", "effect", TurnProviderFilter, "started_at")
    list_select_related = ("turn",)
    search_fields = ("tool", "arguments_text", "content")
    ordering = ("-pk",)
    heavy = ("arguments", "arguments_text", "content", "question", "repeat_content", "diagnostic")
    fields: ClassVar = [
        ("turn", "ordinal", "round", "provider_call_id"),
        ("tool", "effect", "state"),
        "as_received",
        "validated",
        ("consent", "question"),
        "outcome",
        ("mark", "error", "recovery"),
        ("verification", "verified_at"),
        ("repeats", "repeated_at"),
        "repeat_outcome",
        ("started_at", "ended_at", "duration"),
        "diagnosis",
    ]
    readonly_fields = (
        "as_received",
        "validated",
        "outcome",
        "mark",
        "repeat_outcome",
        "duration",
        "diagnosis",
    )

    @admin.display(description=_("turn"))
    def turn_link(self, call: ToolCall) -> SafeString:
        return link_to("turn", call.turn_id, str(call.turn))

    @admin.display(description=_("duration"))
    def duration(self, call: ToolCall) -> str:
        return seconds_between(call.started_at, call.ended_at)

    @admin.display(description=_("arguments as received"))
    def as_received(self, call: ToolCall) -> SafeString | str:
        return as_written(call.arguments_text)

    @admin.display(description=_("validated arguments"))
    def validated(self, call: ToolCall) -> SafeString | str:
        return as_written(pretty(call.arguments))

    @admin.display(description=_("content"))
    def outcome(self, call: ToolCall) -> SafeString | str:
        return as_written(call.content)

    @admin.display(description=_("mark"))
    def mark(self, call: ToolCall) -> str:
        # In words: the admin would draw "is an error" as a green tick.
        if call.is_error is None:
            return ""
        return gettext("error") if call.is_error else gettext("success")

    @admin.display(description=_("content of the repeat"))
    def repeat_outcome(self, call: ToolCall) -> SafeString | str:
        return as_written(call.repeat_content)

    @admin.display(description=_("diagnostic"))
    def diagnosis(self, call: ToolCall) -> SafeString | str:
        return as_written(call.diagnostic)


@admin.register(ModelRequest)
class ModelRequestAdmin(ReadOnlyAdmin):
    list_display = (
        "__str__",
        "turn_link",
        "attempt",
        "model",
        "end_reason",
        "error",
        "input_tokens",
        "output_tokens",
        "started_at",
        "duration",
    )
    list_filter = (ProviderFilter, "started_at")
    list_select_related = ("turn",)
    search_fields = ("model", "provider_request_id", "error")
    ordering = ("-pk",)
    heavy = ("sent", "diagnostic")
    fields: ClassVar = [
        ("turn", "round", "attempt"),
        ("provider", "model", "provider_request_id"),
        ("end_reason", "error"),
        ("input_tokens", "cached_tokens", "output_tokens"),
        ("started_at", "ended_at", "duration"),
        "as_sent",
        "diagnosis",
    ]
    readonly_fields = ("duration", "as_sent", "diagnosis")

    @admin.display(description=_("turn"))
    def turn_link(self, request: ModelRequest) -> SafeString:
        return link_to("turn", request.turn_id, str(request.turn))

    @admin.display(description=_("duration"))
    def duration(self, request: ModelRequest) -> str:
        return seconds_between(request.started_at, request.ended_at)

    @admin.display(description=_("sent"))
    def as_sent(self, request: ModelRequest) -> SafeString | str:
        return as_written(pretty(request.sent))

    @admin.display(description=_("diagnostic"))
    def diagnosis(self, request: ModelRequest) -> SafeString | str:
        return as_written(request.diagnostic)
