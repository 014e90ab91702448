"""Import and export in the browser, without any script."""

import os
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from measurements import import_forms, services
from measurements.models import ImportBatch, Measurement
from tests.measurements.conftest import Record
from tests.measurements.reading import DATA
from tests.pages import text

pytestmark = pytest.mark.django_db

CHOOSE = "/measurements/import/"
HEADER = "DATE,TIME,WEIGHT,COMMENT\n"


def send(page: Client, content: str | bytes, name: str = "export.csv") -> str:
    """Sends a file; gives the address of its preview."""
    file = SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode())
    response = page.post(CHOOSE, {"file": file})
    assert response.status_code == 302
    return str(response["Location"])


def confirm(page: Client, address: str, answers: Any = (), **decisions: Any) -> Any:
    """Looks at the preview with these answers, and sends back its form as a browser does."""
    shown = text(page.get(f"{address}?{urlencode(answers)}"))
    found = re.search(r'name="seen" value="([^"]*)"', shown)
    assert found is not None
    data = {**dict(parse_qsl(found[1])), "seen": found[1], **decisions}
    return page.post(address, data, follow=True)


def weights() -> list[str]:
    return [str(record.value.normalize()) for record in Measurement.objects.in_order()]


def kept_files() -> list[Path]:
    return list((Path(settings.VAR_DIR) / "imports").glob("*/*"))


@pytest.fixture(autouse=True)
def var_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)


class TestWay:
    def test_preview_shows_everything_and_writes_nothing(self, page: Client) -> None:
        shown = text(page.get(send(page, (DATA / "openscale3.csv").read_bytes(), "my <b>scale</b>.csv")))
        for said in ("openScale 3", "5 values, 3 rows", "Mon 5 Jan 2026", "Tue 6 Jan 2026", "Body fat"):
            assert said in shown
        assert "Import 5 values" in shown
        assert not Measurement.objects.exists()
        assert not ImportBatch.objects.exists()

    def test_confirming_imports_keeps_a_report_and_forgets_the_file(self, page: Client) -> None:
        address = send(page, HEADER + "2026-01-05,07:30,81.4,\nnever,07:30,80,\n")
        response = confirm(page, address)
        shown = text(response)
        assert weights() == ["81.4"]
        assert "1 value was imported." in shown
        assert "“never” is not a date." in shown
        assert response.request["PATH_INFO"] == reverse(
            "measurements_import", args=[ImportBatch.objects.get().pk]
        )
        assert kept_files() == []
        assert "export.csv" in text(page.get(CHOOSE))

    def test_the_whole_is_undone_once(self, page: Client) -> None:
        confirm(page, send(page, HEADER + "2026-01-05,07:30,81.4,\n"))
        undo = reverse("undo_measurements_import", args=[ImportBatch.objects.get().pk])
        assert "The whole import was undone." in text(page.post(undo, follow=True))
        assert weights() == []
        assert "cannot be undone" in text(page.post(undo, follow=True))

    def test_the_same_file_again_has_nothing_to_import(self, page: Client) -> None:
        content = HEADER + "2026-01-05,07:30,81.4,\n"
        confirm(page, send(page, content))
        shown = text(page.get(send(page, content)))
        assert "recorded already" in shown
        assert 'form="confirm"' not in shown

    def test_discarding_forgets_the_file(self, page: Client) -> None:
        address = send(page, HEADER + "2026-01-05,07:30,81.4,\n")
        page.post(address + "discard/")
        assert kept_files() == []
        assert page.post(address).status_code == 302
        assert weights() == []

    def test_measurements_link_to_it(self, page: Client) -> None:
        assert f'href="{CHOOSE}"' in text(page.get(reverse("measurements")))


class TestConflicts:
    @pytest.fixture
    def address(self, page: Client, record: Record) -> str:
        record("81", "2026-01-05", at="07:30")
        record("82", "2026-01-06", at="07:30")
        return send(page, HEADER + "2026-01-05,07:30,71,\n2026-01-06,07:30,72,\n2026-01-07,07:30,73,\n")

    def test_both_values_are_shown(self, page: Client, address: str) -> None:
        shown = text(page.get(address))
        assert all(f"{value}\u00a0kg" in shown for value in (81, 71, 82, 72))

    @pytest.mark.parametrize(
        ("choice", "left"),
        [("keep", ["81", "82", "73"]), ("take", ["71", "72", "73"]), ("", ["81", "82", "73"])],
    )
    def test_once_for_all(self, page: Client, address: str, choice: str, left: list[str]) -> None:
        confirm(page, address, conflicts=choice)
        assert weights() == left

    def test_one_by_one(self, page: Client, address: str) -> None:
        second = Measurement.objects.in_order()[1]
        assert f'name="take" value="{second.pk}"' in text(page.get(address))
        confirm(page, address, conflicts="each", take=[str(second.pk), "999", "x"])
        assert weights() == ["81", "72", "73"]

    def test_who_hides_numbers_is_shown_none(self, page: Client, reader: User, address: str) -> None:
        services.update_profile(reader, hide_numbers=True)
        assert "71\u00a0kg" not in text(page.get(address))


class TestQuestions:
    def test_unit_is_the_person_s_until_they_say_another(self, page: Client) -> None:
        address = send(page, HEADER + "2026-01-05,07:30,180,\n")
        shown = text(page.get(address))
        assert re.search(r'name="mass_unit" value="kg"[^>]*checked', shown)
        shown = text(page.get(address + "?mass_unit=lb"))
        assert re.search(r'name="mass_unit" value="lb"[^>]*checked', shown)
        confirm(page, address, {"mass_unit": "lb"})
        assert Measurement.objects.get().entered_unit == "lb"

    @pytest.mark.parametrize("changed", [{"mass_unit": "lb"}, {"again": "1"}, {"seen": ""}])
    def test_what_nobody_looked_at_is_not_imported(self, page: Client, changed: dict[str, str]) -> None:
        address = send(page, HEADER + "2026-01-05,07:30,180,\n")
        response = confirm(page, address, **changed)
        assert weights() == []
        chosen = changed.get("mass_unit", "kg")
        assert re.search(f'name="mass_unit" value="{chosen}"[^>]*checked', text(response))

    def test_order_of_day_and_month_is_asked_and_can_be_changed(self, page: Client) -> None:
        address = send(page, "Date,Weight\n05/01/2026,81.4\n")
        shown = text(page.get(address))
        assert "leaves something open" in shown
        assert 'form="confirm"' not in shown
        confirm(page, address)
        assert weights() == []
        assert "Fri 1 May 2026" in text(page.get(address + "?date_order=month"))
        assert 'name="date_order"' in text(page.get(address + "?date_order=month"))
        confirm(page, address, {"date_order": "day"})
        assert str(Measurement.objects.get().measured_on) == "2026-01-05"

    def test_columns_are_mapped(self, page: Client) -> None:
        address = send(page, "when;what;else\n2026-01-05;81,4;<i>\n")
        shown = text(page.get(address))
        assert 'name="column-2"' in shown
        assert "81,4" in shown
        answers = {"column-0": "date", "column-1": "weight", "column-2": "note"}
        assert "Import 1 value" in text(page.get(f"{address}?{urlencode(answers)}"))
        confirm(page, address, answers)
        assert Measurement.objects.get().note == "<i>"

    def test_answers_that_make_no_sense_count_as_none(self, page: Client) -> None:
        address = send(page, HEADER + "2026-01-05,07:30,80,\n")
        odd = {"mass_unit": "ton", "date_order": "x", "column-0": "evil", "column-9999": "weight"}
        assert "Import 1 value" in text(page.get(f"{address}?{urlencode(odd)}"))


class TestRefusals:
    def test_no_file(self, page: Client) -> None:
        response = page.post(CHOOSE)
        assert response.status_code == 422
        assert "Choose a file first." in text(response)

    @pytest.mark.parametrize(
        "content", [b"", b"hello", b"\x89PNG\r\n\x1a\n\0\0", b"PK\x03\x04broken", b"[NaN]"]
    )
    def test_other_files_are_refused_in_words(self, page: Client, content: bytes) -> None:
        response = page.get(send(page, content))
        assert response.status_code == 422
        assert "cannot be imported" in text(response)

    def test_a_file_beyond_the_limit(self, page: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(import_forms, "MOST_BYTES", 3)
        response = page.post(CHOOSE, {"file": SimpleUploadedFile("f.csv", b"four")})
        assert response.status_code == 422
        assert kept_files() == []

    def test_nothing_of_it_can_be_taken(self, page: Client) -> None:
        address = send(page, HEADER + "never,07:30,81.4,\n")
        shown = text(page.get(address))
        assert "Nothing in the file can be imported" in shown
        assert 'form="confirm"' not in shown

    def test_a_name_of_a_file_is_text(self, page: Client) -> None:
        content = page.get(send(page, HEADER + "2026-01-05,07:30,80,\n", "<b>.csv")).content
        assert b"<b>.csv" not in content


class TestOwner:
    def test_others_reach_neither_file_nor_report(self, page: Client, stranger: User) -> None:
        address = send(page, HEADER + "2026-01-05,07:30,81.4,\n")
        other = Client()
        other.force_login(stranger)
        assert other.get(address)["Location"] == CHOOSE
        assert other.post(address)["Location"] == CHOOSE
        other.post(address + "discard/")
        assert len(kept_files()) == 1
        confirm(page, address)
        batch = ImportBatch.objects.get()
        assert other.get(reverse("measurements_import", args=[batch.pk])).status_code == 404
        assert other.post(reverse("undo_measurements_import", args=[batch.pk])).status_code == 404
        assert weights() == ["81.4"]

    @pytest.mark.parametrize(
        "address", [CHOOSE, CHOOSE + "x/", "/measurements/imports/1/", "/measurements/export/csv/"]
    )
    def test_only_for_who_is_signed_in(self, client: Client, address: str) -> None:
        assert client.get(address)["Location"].startswith("/accounts/login/")

    def test_a_file_is_kept_for_a_day(self, page: Client) -> None:
        address = send(page, HEADER + "2026-01-05,07:30,81.4,\n")
        (folder,) = kept_files()
        long_ago = time.time() - 25 * 3600
        os.utime(folder, (long_ago, long_ago))
        assert "not kept any more" in text(page.get(address, follow=True))
        send(page, HEADER)
        assert folder not in kept_files()


class TestExport:
    def test_comes_back_through_the_import(self, page: Client, record: Record) -> None:
        record("81.4", "2026-01-05", at="07:30")
        record("180", "2026-01-06", unit="lb")
        for form in ("csv", "json"):
            response = page.get(reverse("export_measurements", args=[form]))
            assert f".{form}" in response["Content-Disposition"]
            assert "recorded already" in text(page.get(send(page, response.content)))

    def test_of_other_forms_there_is_none(self, page: Client) -> None:
        assert page.get(reverse("export_measurements", args=["pdf"])).status_code == 404
