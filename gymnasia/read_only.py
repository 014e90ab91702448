"""The admin as a window: an operator reads there what happened, and changes none of it.

Every write to these rows has its one door with its own rules (services, ledger, store). A form in the
admin would be a second one, past the ledger and past the history of changes.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    AnyModelAdmin = admin.ModelAdmin[Any]
else:
    AnyModelAdmin = admin.ModelAdmin


class LightList(ChangeList):
    """A list that loads what it shows and no more: a query for each row fails instead of being slow."""

    def get_queryset(
        self, request: HttpRequest, exclude_parameters: list[str | None] | None = None
    ) -> models.QuerySet[Any]:
        rows = super().get_queryset(request, exclude_parameters)
        heavy = cast(ReadOnlyAdmin, self.model_admin).heavy
        return rows.defer(*heavy).fetch_mode(models.FETCH_RAISE)


class ReadOnlyAdmin(AnyModelAdmin):
    """`heavy` names the columns that a list leaves in the database."""

    heavy: ClassVar[Sequence[str]] = ()
    # Counting a whole table beside the page that was asked for costs most of the page's time.
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LightList


def as_written(text: str) -> SafeString | str:
    """Text to be read to the letter; empty when there is none."""
    return format_html('<pre class="as-written">{}</pre>', text) if text else ""


def seconds_between(start: datetime | None, end: datetime | None) -> str:
    """How long something took, to the millisecond; empty while one of its ends is missing."""
    if start is None or end is None:
        return ""
    return f"{(end - start).total_seconds():.3f} s"


def pretty(value: Any) -> str:
    """JSON as a person reads it; empty for nothing."""
    return "" if value is None else json.dumps(value, ensure_ascii=False, indent=2)
