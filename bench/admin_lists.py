"""How long the admin's lists take on SQLite with 100,000 turns. Run: python -m bench.admin_lists

Makes its own database in a temporary folder. Each figure is the best of five, in process.
"""

import os
import tempfile
import time
import uuid

TURNS, CONVERSATIONS = 100_000, 5_000
LIMIT_MS = 200
LISTS = (
    "turn/",
    "turn/?p=1500",
    "turn/?state__exact=stopped",
    "turn/?stop_reason__exact=outcome_unknown",
    "turn/?error=not_found",
    "turn/?recovery=choose_alternative",
    "turn/?provider=openai",
    "conversation/",
    "entry/",
    "toolcall/",
    "toolcall/?error__exact=not_found",
    "modelrequest/",
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"GYMNASIA_VAR": folder, "DJANGO_SETTINGS_MODULE": "gymnasia.settings"}
        import django

        django.setup()
        _fill()
        _measure()


def _fill() -> None:
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import transaction

    from coach.models import Conversation, Entry, EntryKind, ModelRequest, ToolCall, Turn

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    User.objects.create_superuser("operator", password=uuid.uuid4().hex)
    user = User.objects.create(username="person")
    with transaction.atomic():
        talks = Conversation.objects.bulk_create(
            Conversation(user=user, title=f"Conversation {n}") for n in range(CONVERSATIONS)
        )
        turns = Turn.objects.bulk_create(
            (
                Turn(
                    conversation=talks[n % CONVERSATIONS],
                    number=n // CONVERSATIONS + 1,
                    client_id=uuid.uuid4(),
                    state="completed" if n % 20 else "stopped",
                    stop_reason="" if n % 20 else "outcome_unknown",
                    provider=("builtin", "openai", "google")[n % 3],
                    language="en",
                    time_zone="UTC",
                    prompt_version="1",
                )
                for n in range(TURNS)
            ),
            batch_size=2_000,
        )
        Entry.objects.bulk_create(
            (
                Entry(turn=t, position=0, kind=EntryKind.USER, text="How is my weight going? " * 4)
                for t in turns
            ),
            batch_size=2_000,
        )
        ToolCall.objects.bulk_create(
            (
                ToolCall(turn=t, ordinal=0, round=1, tool="read_measurement", content="x" * 300)
                if n % 50
                else ToolCall(
                    turn=t, ordinal=0, round=1, tool="t", error="not_found", recovery="choose_alternative"
                )
                for n, t in enumerate(turns)
            ),
            batch_size=2_000,
        )
        ModelRequest.objects.bulk_create(
            (ModelRequest(turn=t, round=1, provider=t.provider, sent={"m": "y" * 1_500}) for t in turns),
            batch_size=2_000,
        )


def _measure() -> None:
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="operator"))
    for address in LISTS:
        times = []
        for _n in range(5):
            begun = time.perf_counter()
            assert client.get(f"/admin/coach/{address}").status_code == 200
            times.append((time.perf_counter() - begun) * 1_000)
        print(f"{min(times):6.0f} ms{'  OVER THE LIMIT' if min(times) > LIMIT_MS else ''}  {address}")


if __name__ == "__main__":
    main()
