"""Measurements, their changes and imports as an operator reads them. Changes go through services alone."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from gymnasia.read_only import ReadOnlyAdmin, as_written, pretty
from measurements.labels import METRIC_NAMES
from measurements.models import ImportBatch, Measurement, Profile, Revision


class MetricFilter(admin.SimpleListFilter):
    """By the metrics there are: asking the table which occur would read all of it."""

    title = _("metric")
    parameter_name = "metric"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(METRIC_NAMES.items())

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(metric=self.value()) if self.value() else queryset


@admin.register(Measurement)
class MeasurementAdmin(ReadOnlyAdmin):
    list_display = ("measured_on", "user", "metric", "entered_value", "entered_unit", "value", "source")
    list_filter = (MetricFilter, "source", "measured_on")
    list_select_related = ("user",)
    search_fields = ("user__username", "note")
    ordering = ("-pk",)
    fields = (
        "user",
        "metric",
        "entered_value",
        "entered_unit",
        "value",
        "measured_on",
        "measured_at",
        "utc_offset_minutes",
        "note",
        "source",
        "created_at",
        "updated_at",
    )


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "user", "record_id", "actor", "source", "reference", "undoes", "created_at")
    list_filter = (MetricFilter, "source", "created_at")
    list_select_related = ("user", "actor", "undoes")
    search_fields = ("user__username", "=reference")
    search_help_text = _("A user name, or a reference in full")
    ordering = ("-pk",)
    heavy = ("before", "after")
    fields = (
        "user",
        "record_id",
        "metric",
        "measured_on",
        "before",
        "after",
        "actor",
        "source",
        "reference",
        "undoes",
        "created_at",
    )


@admin.register(Profile)
class ProfileAdmin(ReadOnlyAdmin):
    list_display = ("user", "language", "time_zone", "mass_unit", "length_unit", "theme")
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(ImportBatch)
class ImportBatchAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "user", "format", "created_at", "undone_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "file_name")
    heavy = ("report",)
    fields = ("user", "file_name", "format", "report_as_written", "created_at", "undone_at")
    readonly_fields = ("report_as_written",)

    @admin.display(description=_("report"))
    def report_as_written(self, batch: ImportBatch) -> SafeString | str:
        return as_written(pretty(batch.report))
