"""What the browser complains about. Any complaint fails the test that caused it."""

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError


class Console:
    """Collects console errors and warnings (violations of the security policy among them) and exceptions."""

    def __init__(self) -> None:
        self._complaints: list[str] = []
        self._expected: list[str] = []

    def listen(self, context: BrowserContext) -> None:
        context.on("console", self._on_message)
        context.on("weberror", self._on_error)

    def expect(self, part: str) -> None:
        """Complaints that contain `part` belong to the test: a server that is down, a socket that closed."""
        self._expected.append(part)

    @property
    def unexpected(self) -> list[str]:
        return [text for text in self._complaints if not any(part in text for part in self._expected)]

    def _on_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _on_error(self, error: WebError) -> None:
        self._complaints.append(f"exception: {error.error}")
