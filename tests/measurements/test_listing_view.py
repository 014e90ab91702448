"""Reading what was measured: the page, the list by days, the chart and its table."""

import datetime as dt
import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from measurements.models import Profile, Source
from tests.measurements.conftest import Record
from tests.pages import text


@pytest.fixture(autouse=True)
def _a_day_in_january(monkeypatch: pytest.MonkeyPatch) -> None:
    at = dt.datetime(2020, 1, 20, 12, 0, tzinfo=dt.UTC)
    monkeypatch.setattr(Profile, "now", lambda self: at.astimezone(self.zone))


def payload(shown: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json">(.*?)</script>', shown)
    assert found
    loaded: dict[str, object] = json.loads(found[1])
    return loaded


def test_an_empty_page_says_what_to_do_first(page: Client) -> None:
    assert "Add a first value above." in text(page.get("/measurements/"))


def test_days_come_most_recent_first_each_with_all_its_records(page: Client, record: Record) -> None:
    record("80", "2020-01-02")
    record("21", "2020-01-03", metric="body_fat", unit="%")
    record("79", "2020-01-03", at="07:05", source=Source.COACH)
    shown = text(page.get("/measurements/"))
    assert shown.index('id="d-2020-01-03"') < shown.index('id="d-2020-01-02"')
    day = shown[shown.index('id="d-2020-01-03"') : shown.index('id="d-2020-01-02"')]
    assert all(part in day for part in ("Fri 3 Jan 2020", "79\u00a0kg", "07:05", "Coach", "21\u00a0%"))


def test_earlier_days_are_one_click_away_with_and_without_scripts(
    page: Client, htmx: Client, record: Record
) -> None:
    first = dt.date(2019, 11, 1)
    for offset in range(35):
        record("80", (first + dt.timedelta(days=offset)).isoformat())
    shown = text(page.get("/measurements/"))
    assert 'id="d-2019-11-06"' in shown
    assert 'id="d-2019-11-05"' not in shown
    older = "/measurements/?metric=weight&before=2019-11-06"
    assert f'href="{older}"' in shown
    fragment = text(htmx.get(older))
    assert "<html" not in fragment
    assert fragment.count('class="day"') == 5
    assert 'id="d-2019-11-05"' in text(page.get(older))


@pytest.mark.parametrize("before", ["yesterday", "2020-02-31", ""])
def test_a_date_that_makes_no_sense_shows_the_most_recent_days(page: Client, before: str) -> None:
    assert page.get("/measurements/", {"before": before}).status_code == 200


def test_an_unknown_metric_or_range_shows_weight_over_three_months(page: Client, record: Record) -> None:
    record("80", "2020-01-02")
    shown = text(page.get("/measurements/", {"metric": "mood", "range": "9y"}))
    assert '<h2 id="chart-title">Weight</h2>' in shown
    assert re.search(r'range=3m" aria-current="true"', shown)


def test_the_chart_has_a_point_a_day_in_the_unit_of_the_person(
    page: Client, reader: User, record: Record
) -> None:
    Profile.objects.filter(user=reader).update(mass_unit="lb")
    record("80", "2020-01-02", at="07:00")
    record("81", "2020-01-02", at="20:00")
    record("80", "2020-01-04")
    data = payload(text(page.get("/measurements/")))
    assert data["days"] == [18263, 18265]
    assert data["values"] == [177.472, 176.37]
    assert data["symbol"] == "lb"


def test_the_range_leaves_out_what_is_older(page: Client, record: Record) -> None:
    record("90", "2019-06-01")
    record("80", "2020-01-02")
    assert len(payload(text(page.get("/measurements/", {"range": "1m"})))["days"]) == 1  # type: ignore[arg-type]
    assert len(payload(text(page.get("/measurements/", {"range": "all"})))["days"]) == 2  # type: ignore[arg-type]


def test_the_chart_comes_alone_for_who_shows_it_elsewhere(page: Client, record: Record) -> None:
    record("80", "2020-01-02")
    shown = text(page.get("/measurements/chart/", {"metric": "weight"}))
    assert shown.strip().startswith('<section id="chart"')
    assert 'hx-trigger="measurements-changed from:document"' in shown


def test_the_same_data_is_a_table_as_fragment_and_as_page(page: Client, htmx: Client, record: Record) -> None:
    record("80", "2020-01-02")
    record("81", "2020-01-09")
    for client in (page, htmx):
        shown = text(client.get("/measurements/table/", {"metric": "weight", "range": "1m"}))
        rows = re.findall(r"<tr><th scope=\"row\">(.*?)</th><td class=\"number\">(.*?)</td>", shown)
        assert rows == [("Thu 9 Jan 2020", "81\u00a0kg"), ("Thu 2 Jan 2020", "80\u00a0kg")]
    assert "<html" not in shown


def test_a_day_has_a_page_of_its_own(page: Client, record: Record) -> None:
    record("80", "2020-01-02")
    assert "80\u00a0kg" in text(page.get("/measurements/day/2020-01-02/"))
    assert "Nothing is recorded for this day." in text(page.get("/measurements/day/2020-01-03/"))
    assert page.get("/measurements/day/2020-02-31/").status_code == 404


def test_a_note_is_text_and_never_markup(page: Client, reader: User, record: Record) -> None:
    saved = record("80", "2020-01-02")
    saved.note = "<script>alert(1)</script>"
    saved.save()
    assert "<script>alert(1)" not in page.get("/measurements/").content.decode()


def test_who_hides_numbers_gets_the_shape_of_the_chart_and_no_figure(
    page: Client, reader: User, record: Record
) -> None:
    Profile.objects.filter(user=reader).update(hide_numbers=True)
    record("83.7", "2020-01-02")
    record("81.3", "2020-01-09")
    shown = text(page.get("/measurements/"))
    assert "83.7" not in shown
    assert "81.3" not in shown
    data = payload(shown)
    assert (data["figures"], data["values"]) == (False, [10.0, 0.0])


@pytest.mark.parametrize(
    "address",
    ["/measurements/", "/measurements/table/", "/measurements/chart/", "/measurements/day/2020-01-02/"],
)
def test_nobody_sees_what_a_stranger_measured(
    page: Client, record: Record, stranger: User, address: str
) -> None:
    record("123.4", "2020-01-02", user=stranger)
    assert "123.4" not in text(page.get(address))


def test_a_page_of_many_days_asks_the_database_a_few_times(
    page: Client, record: Record, django_assert_max_num_queries: object
) -> None:
    for day in range(1, 19):
        record("80", f"2020-01-{day:02}")
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        page.get("/measurements/")
