"""Addresses of Today, Measurements and Settings."""

import datetime as dt

from django.urls import path, register_converter

from measurements.views import derived, editing, exporting, history, importing, listing, settings, today


class DateConverter:
    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> dt.date:
        return dt.date.fromisoformat(value)

    def to_url(self, value: dt.date) -> str:
        return value.isoformat()


register_converter(DateConverter, "date")

urlpatterns = [
    path("", today.today, name="today"),
    path("measurements/", listing.measurements, name="measurements"),
    path("measurements/derived/", derived.derived, name="derived_measurements"),
    path("measurements/chart/", listing.chart, name="measurements_chart"),
    path("measurements/table/", listing.table, name="measurements_table"),
    path("measurements/day/<date:on>/", listing.day, name="measurements_day"),
    path("measurements/add/<slug:metric>/", editing.add_measurement, name="add_measurement"),
    path("measurements/<int:pk>/", editing.edit_measurement, name="edit_measurement"),
    path("measurements/<int:pk>/history/", history.history, name="measurement_history"),
    path("measurements/<int:pk>/remove/", editing.remove_measurement, name="remove_measurement"),
    path("measurements/undo/<int:pk>/", editing.undo_revision, name="undo_revision"),
    path("measurements/import/", importing.choose, name="import_measurements"),
    path("measurements/import/<slug:token>/", importing.preview, name="preview_measurements_import"),
    path("measurements/import/<slug:token>/discard/", importing.discard, name="discard_measurements_import"),
    path("measurements/imports/<int:pk>/", importing.report, name="measurements_import"),
    path("measurements/imports/<int:pk>/undo/", importing.undo, name="undo_measurements_import"),
    path("measurements/export/<slug:form>/", exporting.export_measurements, name="export_measurements"),
    path("settings/", settings.settings, name="settings"),
]
