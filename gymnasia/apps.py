"""The application that wires the others together."""

from django.apps import AppConfig


class GymnasiaConfig(AppConfig):
    name = "gymnasia"

    def ready(self) -> None:
        from gymnasia import checks  # noqa: F401 - registers the system checks
