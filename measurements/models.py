"""What a person measured, and every change ever made to it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Source(models.TextChoices):
    FORM = "form", _("form")
    COACH = "coach", _("Coach")
    IMPORT = "import", _("import")
    API = "api", _("API")


class MeasurementQuerySet(models.QuerySet["Measurement"]):
    def visible_to(self, user_id: int) -> "MeasurementQuerySet":
        return self.filter(user_id=user_id)


class Measurement(models.Model):
    """One measured quantity of one person at one moment.

    `value` is in the metric's canonical unit; `entered_value` and `entered_unit` are what was typed
    and is shown again. `measured_on` is the person's calendar date and no time zone ever moves it;
    `measured_at` is the instant, where a time is known, with the offset of the person's clock then.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="measurements")
    metric = models.CharField(_("metric"), max_length=32)
    value = models.DecimalField(_("value"), max_digits=12, decimal_places=4)
    entered_value = models.DecimalField(_("value as entered"), max_digits=12, decimal_places=4)
    entered_unit = models.CharField(_("unit as entered"), max_length=8)
    measured_on = models.DateField(_("date"))
    measured_at = models.DateTimeField(_("moment"), null=True, blank=True)
    utc_offset_minutes = models.SmallIntegerField(_("UTC offset in minutes"), null=True, blank=True)
    note = models.TextField(_("note"), blank=True)
    source = models.CharField(_("source"), max_length=8, choices=Source)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    objects = MeasurementQuerySet.as_manager()

    class Meta:
        verbose_name = _("measurement")
        verbose_name_plural = _("measurements")
        ordering = ("-measured_on", "-measured_at", "-pk")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "metric", "measured_on", "measured_at"],
                condition=Q(measured_at__isnull=False),
                name="one_value_per_moment",
            ),
            models.UniqueConstraint(
                fields=["user", "metric", "measured_on"],
                condition=Q(measured_at__isnull=True),
                name="one_untimed_value_per_day",
            ),
            models.CheckConstraint(
                condition=Q(measured_at__isnull=True, utc_offset_minutes__isnull=True)
                | Q(measured_at__isnull=False, utc_offset_minutes__isnull=False),
                name="moment_has_offset",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "metric", "measured_on"])]

    def __str__(self) -> str:
        return f"{self.metric} {self.measured_on}"
