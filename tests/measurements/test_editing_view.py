"""Adding, editing, removing and undoing, in place and without scripts; and never for somebody else."""

import datetime as dt
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.test import Client

from measurements.models import Measurement, Revision
from tests.measurements.conftest import Record
from tests.pages import text


def edit(record: Measurement, **changed: str) -> dict[str, str]:
    """What the edit form of a record sends."""
    sent = {"value": "80.1", "unit": "kg", "date": record.measured_on.isoformat(), "time": "", "note": ""}
    return sent | changed


def test_adding_without_scripts_saves_and_comes_back_with_undo(page: Client) -> None:
    sent = {"value": "86,5", "unit": "cm", "date": "2020-01-02"}
    response = page.post("/measurements/add/waist/", sent, follow=True)
    assert response.redirect_chain == [("/measurements/?metric=waist", 302)]
    assert "Saved: waist 86.5\u00a0cm, Thu 2 Jan 2020." in text(response)
    assert f'action="/measurements/undo/{Revision.objects.get().pk}/"' in text(response)


def test_adding_in_place_answers_with_the_list_a_closed_form_and_a_toast(htmx: Client) -> None:
    response = htmx.post("/measurements/add/weight/", {"value": "80", "unit": "kg", "date": "2020-01-02"})
    shown = text(response)
    assert '<hx-partial hx-target="#days"' in shown
    assert '<details id="add" class="add">' in shown
    assert '<hx-partial hx-target="#toasts"' in shown
    assert response.headers["HX-Trigger"] == "measurements-changed"


def test_a_second_value_of_a_day_brings_only_that_day_again(htmx: Client, record: Record) -> None:
    record("80", "2020-01-02")
    sent = {"value": "20", "unit": "%", "date": "2020-01-02"}
    shown = text(htmx.post("/measurements/add/body_fat/", sent))
    assert '<hx-partial hx-target="#d-2020-01-02" hx-swap="outerHTML">' in shown
    assert "#days" not in shown


def test_a_value_that_cannot_be_added_keeps_the_form_open_with_all_that_was_typed(htmx: Client) -> None:
    response = htmx.post("/measurements/add/waist/", {"value": "5,6", "unit": "in", "note": "after a run"})
    shown = text(response)
    assert response.status_code == 422
    assert "Waist must be between" in shown
    assert 'value="5,6"' in shown
    assert '<option value="in" selected>' in shown
    assert "after a run" in shown
    assert '<details id="add" class="add" open>' in shown


def test_there_is_no_form_for_a_metric_that_does_not_exist(page: Client) -> None:
    assert page.get("/measurements/add/mood/").status_code == 404


def test_the_edit_form_shows_what_was_typed(page: Client, record: Record) -> None:
    saved = record("80.1", "2020-01-02", at="07:10")
    shown = text(page.get(f"/measurements/{saved.pk}/"))
    for value in ("80.1", "2020-01-02", "07:10"):
        assert f'value="{value}"' in shown


def test_editing_changes_the_record_and_can_be_undone(page: Client, record: Record) -> None:
    saved = record("80.1", "2020-01-02")
    response = page.post(f"/measurements/{saved.pk}/", edit(saved, value="80,4"), follow=True)
    assert Measurement.objects.get().value == Decimal("80.4")
    assert "Changed: weight 80.4\u00a0kg, Thu 2 Jan 2020; it was 80.1\u00a0kg." in text(response)
    page.post(f"/measurements/undo/{Revision.objects.latest('pk').pk}/")
    assert Measurement.objects.get().value == Decimal("80.1")


def test_an_edit_that_moves_a_record_answers_with_both_days(htmx: Client, record: Record) -> None:
    saved = record("80.1", "2020-01-02")
    record("81", "2020-01-03")
    shown = text(htmx.post(f"/measurements/{saved.pk}/", edit(saved, date="2020-01-03", time="08:00")))
    assert '<hx-partial hx-target="#d-2020-01-02" hx-swap="delete">' in shown
    assert '<hx-partial hx-target="#d-2020-01-03" hx-swap="outerHTML">' in shown


def test_an_edit_without_a_date_is_refused_rather_than_moved_to_now(page: Client, record: Record) -> None:
    saved = record("80.1", "2020-01-02")
    response = page.post(f"/measurements/{saved.pk}/", edit(saved, date=""))
    assert response.status_code == 422
    assert Measurement.objects.get().measured_on == dt.date(2020, 1, 2)


def test_an_edit_onto_another_record_is_refused_and_says_which(page: Client, record: Record) -> None:
    saved = record("80.1", "2020-01-02")
    record("79", "2020-01-03")
    response = page.post(f"/measurements/{saved.pk}/", edit(saved, date="2020-01-03"))
    assert response.status_code == 422
    assert "79\u00a0kg" in text(response)


def test_a_note_can_be_added_to_a_value_that_would_be_refused_today(page: Client, record: Record) -> None:
    saved = record("80.1", "2020-01-02")
    Measurement.objects.update(value=900, entered_value=900)
    page.post(f"/measurements/{saved.pk}/", edit(saved, value="900", note="from the old scale"))
    assert Measurement.objects.get().note == "from the old scale"


def test_an_edit_to_an_unlikely_value_asks_first(page: Client, record: Record) -> None:
    record("80.4", "2020-01-01")
    saved = record("80.1", "2020-01-02")
    asked = text(page.post(f"/measurements/{saved.pk}/", edit(saved, value="60")))
    assert "Save 60\u00a0kg?" in asked
    assert Measurement.objects.get(pk=saved.pk).value == Decimal("80.1")


def test_an_edit_that_changes_nothing_says_so(htmx: Client, record: Record) -> None:
    saved = record("80.1", "2020-01-02")
    shown = text(htmx.post(f"/measurements/{saved.pk}/", edit(saved)))
    assert "Nothing was changed." in shown
    assert "#d-2020-01-02" in shown
    assert Revision.objects.count() == 1


def test_removing_takes_the_day_out_of_the_list_and_offers_undo(htmx: Client, record: Record) -> None:
    saved = record("80.1", "2020-01-02")
    shown = text(htmx.post(f"/measurements/{saved.pk}/remove/"))
    assert not Measurement.objects.exists()
    assert '<hx-partial hx-target="#d-2020-01-02" hx-swap="delete">' in shown
    assert "Removed: weight 80.1\u00a0kg, Thu 2 Jan 2020." in shown
    htmx.post(f"/measurements/undo/{Revision.objects.latest('pk').pk}/")
    assert Measurement.objects.get().pk == saved.pk


def test_undo_goes_back_to_the_page_that_offered_it(page: Client, record: Record) -> None:
    record("80.1", "2020-01-02")
    undo = f"/measurements/undo/{Revision.objects.get().pk}/"
    response = page.post(undo, headers={"Referer": "http://testserver/coach/3/"})
    assert response.headers["Location"] == "http://testserver/coach/3/"


def test_undo_never_leads_to_another_host(page: Client, record: Record) -> None:
    record("80.1", "2020-01-02")
    undo = f"/measurements/undo/{Revision.objects.get().pk}/"
    assert page.post(undo, headers={"Referer": "https://evil.example/"}).headers["Location"] == "/"


def test_undoing_twice_says_that_it_cannot_be_done(htmx: Client, record: Record) -> None:
    record("80.1", "2020-01-02")
    undo = f"/measurements/undo/{Revision.objects.get().pk}/"
    htmx.post(undo)
    response = htmx.post(undo)
    assert "cannot be undone any more" in text(response)
    assert "HX-Trigger" not in response.headers


@pytest.mark.parametrize("address", ["/measurements/{record}/remove/", "/measurements/undo/{revision}/"])
def test_reading_an_address_that_changes_something_changes_nothing(
    page: Client, record: Record, address: str
) -> None:
    saved = record("80.1", "2020-01-02")
    where = address.format(record=saved.pk, revision=Revision.objects.get().pk)
    assert page.get(where).status_code == 405
    assert Measurement.objects.filter(pk=saved.pk).exists()


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", "/measurements/{record}/"),
        ("post", "/measurements/{record}/"),
        ("post", "/measurements/{record}/remove/"),
        ("post", "/measurements/undo/{revision}/"),
    ],
)
def test_what_belongs_to_somebody_else_is_not_there(
    page: Client, record: Record, stranger: User, method: str, address: str
) -> None:
    saved = record("80.1", "2020-01-02", user=stranger)
    where = address.format(record=saved.pk, revision=Revision.objects.get().pk)
    assert getattr(page, method)(where, edit(saved, value="70")).status_code == 404
    assert Measurement.objects.get().value == Decimal("80.1")
