"""What a person measured, every change ever made to it, and how they like to see it."""

import datetime as dt
from typing import Any, ClassVar, Protocol, cast
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Source(models.TextChoices):
    FORM = "form", _("form")
    COACH = "coach", _("Coach")
    IMPORT = "import", _("import")
    API = "api", _("API")


class MeasurementQuerySet(models.QuerySet["Measurement"]):
    def visible_to(self, user_id: int) -> "MeasurementQuerySet":
        return self.filter(user_id=user_id)

    def between(self, start: dt.date, end: dt.date) -> "MeasurementQuerySet":
        """Both days belong to it."""
        return self.filter(measured_on__range=(start, end))

    def at(self, metric: str, on: dt.date, at: dt.datetime | None) -> "MeasurementQuerySet":
        """The record of that metric at that very moment, or without a time when `at` is None."""
        if at is None:
            return self.filter(metric=metric, measured_on=on, measured_at__isnull=True)
        return self.filter(metric=metric, measured_on=on, measured_at=at)

    def in_order(self) -> "MeasurementQuerySet":
        """Oldest first; within a day the untimed ones first."""
        return self.order_by("measured_on", models.F("measured_at").asc(nulls_first=True), "pk")


class Measurement(models.Model):
    """One measured quantity of one person at one moment.

    `value` is in the canonical unit of its dimension; `entered_value` and `entered_unit` are what was
    typed and is shown again. `measured_on` is the person's calendar date and no time zone ever moves
    it; `measured_at` is the instant, where a time is known, with the offset of the person's clock then.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="measurements", verbose_name=_("user")
    )
    metric = models.CharField(_("metric"), max_length=32)
    value = models.DecimalField(_("value"), max_digits=12, decimal_places=4)
    entered_value = models.DecimalField(_("value as entered"), max_digits=12, decimal_places=4)
    entered_unit = models.CharField(_("unit as entered"), max_length=8)
    measured_on = models.DateField(_("date"))
    measured_at = models.DateTimeField(_("moment"), null=True, blank=True)
    utc_offset_minutes = models.SmallIntegerField(_("UTC offset in minutes"), null=True, blank=True)
    note = models.TextField(_("note"), blank=True)
    source = models.CharField(_("source"), max_length=8, choices=Source)
    # Not `auto_now_add`: undoing a removal makes the record again as it was.
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
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
        indexes: ClassVar = [
            models.Index(fields=["user", "metric", "measured_on"]),
            models.Index(fields=["user", "-measured_on"]),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.measured_on}"

    @property
    def local_time(self) -> dt.time | None:
        """What the person's clock said, or None when no time is known."""
        if self.measured_at is None or self.utc_offset_minutes is None:
            return None
        clock = dt.timezone(dt.timedelta(minutes=self.utc_offset_minutes))
        return self.measured_at.astimezone(clock).time()


class RevisionQuerySet(models.QuerySet["Revision"]):
    def visible_to(self, user_id: int) -> "RevisionQuerySet":
        return self.filter(user_id=user_id)

    def with_undo_state(self) -> "RevisionQuerySet":
        """Adds `is_undone`, and `standing`: what the last change left of the record."""
        of_record = Revision.objects.filter(record_id=OuterRef("record_id")).order_by("-pk")
        return self.annotate(
            is_undone=Exists(Revision.objects.filter(undoes=OuterRef("pk"))),
            standing=Subquery(of_record.values("after")[:1]),
        )


class Revision(models.Model):
    """One change of one record, append-only. `before` is empty for a new record, `after` for a removed one.

    `record_id` outlives its record: removing is real, and undoing it makes the same record again.
    `reference` says through what it came: a call of the Coach, an import batch.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="revisions", verbose_name=_("user")
    )
    record_id = models.BigIntegerField(_("record"))
    metric = models.CharField(_("metric"), max_length=32)
    measured_on = models.DateField(_("date"))
    before = models.JSONField(_("before"), null=True, blank=True)
    after = models.JSONField(_("after"), null=True, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("actor")
    )
    source = models.CharField(_("source"), max_length=8, choices=Source)
    reference = models.CharField(_("reference"), max_length=64, blank=True)
    undoes = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, related_name="undone_by", verbose_name=_("undoes")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ("-pk",)
        indexes: ClassVar = [
            models.Index(fields=["record_id", "-id"]),
            models.Index(fields=["user", "source", "-id"]),
            models.Index(fields=["reference"]),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.measured_on} #{self.pk}"

    @property
    def can_undo(self) -> bool:
        """Whether the record is as this change left it. Of rows that came through `with_undo_state` alone.

        A later change that was taken back in its turn stands in nobody's way.
        """
        state = cast("_WithUndoState", self)
        return not state.is_undone and state.standing == self.after


class _WithUndoState(Protocol):
    is_undone: bool
    standing: dict[str, Any] | None


class Profile(models.Model):
    """How a person reads and writes. An empty language is the browser's."""

    class MassUnit(models.TextChoices):
        KG = "kg", _("kilograms")
        LB = "lb", _("pounds")
        ST_LB = "st_lb", _("stones and pounds")

    class LengthUnit(models.TextChoices):
        CM = "cm", _("centimetres")
        IN = "in", _("inches")

    class Theme(models.TextChoices):
        SYSTEM = "system", _("as the system")
        DARK = "dark", _("dark")
        LIGHT = "light", _("light")

    class Sex(models.TextChoices):
        """Which of two formulas for body fat holds. Asked, never assumed; empty is an answer too."""

        FEMALE = "female", _("female")
        MALE = "male", _("male")

    class DayValue(models.TextChoices):
        """Which of a day's records stands for the day."""

        FIRST = "first", _("the first")
        LAST = "last", _("the last")
        MEAN = "mean", _("the average")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="profile", verbose_name=_("user")
    )
    language = models.CharField(_("language"), max_length=10, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    mass_unit = models.CharField(_("unit of mass"), max_length=8, choices=MassUnit, default=MassUnit.KG)
    length_unit = models.CharField(
        _("unit of length"), max_length=8, choices=LengthUnit, default=LengthUnit.CM
    )
    theme = models.CharField(_("theme"), max_length=8, choices=Theme, default=Theme.SYSTEM)
    hide_numbers = models.BooleanField(_("hide numbers"), default=False)
    sex = models.CharField(_("sex"), max_length=8, choices=Sex, blank=True)
    birth_date = models.DateField(_("date of birth"), null=True, blank=True)
    day_value = models.CharField(_("value of a day"), max_length=8, choices=DayValue, default=DayValue.MEAN)

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")

    def __str__(self) -> str:
        return str(self.user_id)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def now(self) -> dt.datetime:
        """What the person's clock says."""
        return dt.datetime.now(self.zone)

    def today(self) -> dt.date:
        return self.now().date()


class ImportBatch(models.Model):
    """One file that was imported: what it was, and the report of what was done with it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="import_batches", verbose_name=_("user")
    )
    file_name = models.CharField(_("file"), max_length=255)
    format = models.CharField(_("format"), max_length=32)
    report = models.JSONField(_("report"), default=dict)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.file_name

    @property
    def reference(self) -> str:
        """The name under which its revisions are found."""
        return f"import:{self.pk}"


class Submission(models.Model):
    """One thing that was sent under a key of the sender's own, and what came of it: see `submissions`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="submissions", verbose_name=_("user")
    )
    key = models.CharField(_("key"), max_length=255)
    kind = models.CharField(_("kind"), max_length=32)
    fingerprint = models.CharField(_("fingerprint of the content"), max_length=64)
    result = models.JSONField(_("result"))
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "key"], name="one_effect_per_key")]
        indexes: ClassVar = [models.Index(fields=["user", "created_at"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
