"""Today: the last weight, logging one, what the Coach changed."""

import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.test import Client

from measurements.models import Measurement, Profile, Revision, Source
from tests.measurements.conftest import Record
from tests.pages import HasContent, text


@pytest.fixture(autouse=True)
def _noon_on_a_thursday(monkeypatch: pytest.MonkeyPatch) -> None:
    at = dt.datetime(2020, 1, 2, 12, 30, 40, tzinfo=dt.UTC)
    monkeypatch.setattr(Profile, "now", lambda self: at.astimezone(self.zone))


def test_an_empty_today_says_what_to_do_first(page: Client) -> None:
    assert "Log your first weight" in text(page.get("/"))


def test_the_last_weight_is_shown_with_its_day_and_trend(page: Client, record: Record) -> None:
    record("82", "2019-12-20")
    record("80.1", "2020-01-01", at="07:10")
    shown = text(page.get("/"))
    assert "80.1\u00a0kg" in shown
    assert "Wed 1 Jan 2020, 07:10" in shown
    assert "falling by" in shown


def test_a_weight_is_logged_for_now_in_the_zone_of_the_person(page: Client) -> None:
    response = page.post("/", {"value": "81,4", "unit": "kg"}, follow=True)
    saved = Measurement.objects.get()
    assert (saved.value, saved.measured_on, saved.local_time) == (
        Decimal("81.4"),
        dt.date(2020, 1, 2),
        dt.time(13, 30),
    )
    assert "Saved: weight 81.4\u00a0kg, Thu 2 Jan 2020." in text(response)


@pytest.mark.parametrize(
    ("zone", "day"), [("America/Los_Angeles", dt.date(2020, 1, 1)), ("Asia/Tokyo", dt.date(2020, 1, 2))]
)
def test_today_is_the_day_of_the_person_and_not_of_the_server(
    page: Client, reader: User, monkeypatch: pytest.MonkeyPatch, zone: str, day: dt.date
) -> None:
    Profile.objects.filter(user=reader).update(time_zone=zone)
    at = dt.datetime(2020, 1, 2, 2, 0, tzinfo=dt.UTC)
    monkeypatch.setattr(Profile, "now", lambda self: at.astimezone(ZoneInfo(zone)))
    page.post("/", {"value": "80", "unit": "kg"})
    assert Measurement.objects.get().measured_on == day


def test_a_day_without_a_time_is_kept_without_a_time(page: Client) -> None:
    page.post("/", {"value": "80", "unit": "kg", "date": "2019-12-31"})
    saved = Measurement.objects.get()
    assert (saved.measured_on, saved.local_time) == (dt.date(2019, 12, 31), None)


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"value": "", "unit": "kg"}, "Type a value first."),
        ({"value": "abc", "unit": "kg"}, "“abc” is not a number. Type one like 81.4."),
        ({"value": "1,081.4", "unit": "kg"}, "Weight must be between 1\u00a0kg and 650\u00a0kg."),
        ({"value": "80", "unit": "kg", "date": "2020-01-03"}, "The date is in the future."),
        ({"value": "80", "unit": "kg", "date": "2020-01-02", "time": "23:00"}, "still to come"),
        ({"value": "36 in", "unit": "kg"}, "Weight cannot be in in."),
    ],
)
@pytest.mark.parametrize("how", ["page", "htmx"])
def test_what_cannot_be_saved_keeps_all_that_was_typed(
    how: str, sent: dict[str, str], says: str, request: pytest.FixtureRequest
) -> None:
    client: Client = request.getfixturevalue(how)
    response = client.post("/", sent | {"note": "after <breakfast>"})
    assert response.status_code == 422
    shown = text(response)
    assert says in shown
    assert f'value="{sent["value"]}"' in shown or not sent["value"]
    assert "after <breakfast>" in shown
    assert 'aria-invalid="true"' in shown
    assert not Measurement.objects.exists()


def test_a_big_jump_is_asked_about_before_anything_is_saved(page: Client, record: Record) -> None:
    record("80.1", "2019-12-31")
    response = page.post("/", {"value": "65,5", "unit": "kg"})
    assert response.status_code == 200
    shown = text(response)
    assert "Save 65.5\u00a0kg? Your last was 80.1\u00a0kg two days ago." in shown
    assert 'value="65,5"' in shown
    assert Measurement.objects.count() == 1


def yes_in(response: HasContent) -> str:
    """The value that the question's own button sends."""
    return text(response).split('name="confirmed" value="')[1].split('"')[0]


def test_saying_yes_saves_what_was_asked_about(page: Client, record: Record) -> None:
    record("80.1", "2019-12-31")
    sent = {"value": "65,5", "unit": "kg"}
    yes = yes_in(page.post("/", sent))
    page.post("/", sent | {"confirmed": yes})
    assert Measurement.objects.filter(value=Decimal("65.5")).exists()


def test_a_yes_does_not_count_for_another_value(page: Client, record: Record) -> None:
    record("80.1", "2019-12-31")
    yes = yes_in(page.post("/", {"value": "65,5", "unit": "kg"}))
    response = page.post("/", {"value": "55", "unit": "kg", "confirmed": yes})
    assert "Save 55\u00a0kg?" in text(response)
    assert Measurement.objects.count() == 1


def test_enter_in_the_field_asks_again_instead_of_saying_yes(page: Client, record: Record) -> None:
    record("80.1", "2019-12-31")
    shown = text(page.post("/", {"value": "65,5", "unit": "kg"}))
    assert shown.index('id="log-save"') < shown.index('name="confirmed"')


def test_another_value_at_the_same_moment_is_replaced_only_after_a_yes(page: Client) -> None:
    page.post("/", {"value": "80", "unit": "kg"})
    sent = {"value": "80.5", "unit": "kg"}
    asked = page.post("/", sent)
    assert "80\u00a0kg is already saved for Thu 2 Jan 2020. Replace it with 80.5\u00a0kg?" in text(asked)
    assert Measurement.objects.get().value == Decimal(80)
    page.post("/", sent | {"confirmed": yes_in(asked)})
    assert Measurement.objects.get().value == Decimal("80.5")


def test_the_same_value_again_is_not_saved_twice(page: Client) -> None:
    page.post("/", {"value": "80", "unit": "kg"})
    response = page.post("/", {"value": "80", "unit": "kg"}, follow=True)
    assert "That value was saved before." in text(response)
    assert Revision.objects.count() == 1


def test_in_place_the_answer_is_a_fresh_form_the_new_figure_and_undo(htmx: Client) -> None:
    shown = text(htmx.post("/", {"value": "81.4", "unit": "kg"}))
    assert "<html" not in shown
    assert 'id="log"' in shown
    assert '<hx-partial hx-target="#overview"' in shown
    assert "81.4\u00a0kg" in shown
    assert f"/measurements/undo/{Revision.objects.get().pk}/" in shown


def test_reading_today_writes_nothing(page: Client) -> None:
    page.get("/")
    assert not Revision.objects.exists()
    assert not Measurement.objects.exists()


def test_the_page_and_its_fragment_are_told_apart_by_caches(page: Client) -> None:
    assert "HX-Request" in page.get("/").headers["Vary"]


def test_the_last_changes_of_the_coach_can_be_undone_here(page: Client, record: Record) -> None:
    record("80.1", "2020-01-01", source=Source.COACH)
    shown = text(page.get("/"))
    assert "Saved: weight 80.1\u00a0kg, Wed 1 Jan 2020." in shown
    assert f"/measurements/undo/{Revision.objects.get().pk}/" in shown


def test_the_person_sees_stones_and_pounds_when_they_chose_them(
    page: Client, reader: User, record: Record
) -> None:
    Profile.objects.filter(user=reader).update(mass_unit="st_lb")
    record("79.3787", "2020-01-01")
    assert "12 st 7 lb" in text(page.get("/"))
    page.post("/", {"value": "12 st 6", "unit": "st_lb"})
    assert Measurement.objects.filter(entered_value=174, entered_unit="st_lb").exists()


def test_no_figure_is_on_the_page_of_who_hides_numbers(page: Client, reader: User, record: Record) -> None:
    Profile.objects.filter(user=reader).update(hide_numbers=True)
    record("83.7", "2019-12-20", source=Source.COACH)
    record("81.3", "2020-01-01", source=Source.COACH)
    shown = text(page.get("/"))
    for figure in ("83.7", "81.3", "83,7", "81,3"):
        assert figure not in shown
    assert "Trend falling" in shown


def test_no_earlier_figure_is_told_to_who_hides_numbers(page: Client, reader: User, record: Record) -> None:
    Profile.objects.filter(user=reader).update(hide_numbers=True)
    record("83.7", "2020-01-01")
    asked = page.post("/", {"value": "60", "unit": "kg"})
    assert "Save 60\u00a0kg?" in text(asked)
    replacing = page.post("/", {"value": "84.2", "unit": "kg", "date": "2020-01-01"})
    assert "A value is already saved for Wed 1 Jan 2020." in text(replacing)
    saved = page.post("/", {"value": "84.2", "unit": "kg", "time": "08:00"}, follow=True)
    assert "Saved: weight, Thu 2 Jan 2020." in text(saved)
    assert "83.7" not in text(asked) + text(replacing) + text(saved)


def test_who_is_not_signed_in_signs_in_first() -> None:
    assert Client().get("/").headers["Location"] == "/accounts/login/?next=/"


def test_a_fragment_for_who_is_not_signed_in_redirects_the_whole_page() -> None:
    response = Client(
        headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/measurements/"}
    ).get("/")
    assert response.headers["HX-Redirect"] == "/accounts/login/?next=/measurements/"
