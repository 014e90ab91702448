"""The application that wires the others together."""

from django.apps import AppConfig


class GymnasiaConfig(AppConfig):
    name = "gymnasia"

    def ready(self) -> None:
        from coach.said import words_behind
        from gymnasia import checks  # noqa: F401 - registers the system checks
        from measurements.history import register_explanation
        from measurements.models import Source

        register_explanation(Source.COACH, words_behind)
