"""Figures that follow from measurements: right, or the reason why not."""

import datetime as dt
from decimal import Decimal
from math import log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurements.derived import Derived, Input, Lack, Person, age, bmi, derive, navy_body_fat

TODAY = dt.date(2026, 6, 1)
ADULT = dt.date(1990, 1, 1)


def girths(**values: str) -> dict[str, Input]:
    return {
        metric: Input(metric, Decimal(value), number, TODAY)
        for number, (metric, value) in enumerate(values.items(), start=1)
    }


def figures(person: Person, **values: str) -> dict[str, Derived]:
    return {figure.code: figure for figure in derive(person, girths(**values), TODAY)}


def test_bmi_is_kilograms_over_squared_metres() -> None:
    assert bmi(Decimal(70), Decimal(200)) == Decimal("17.5")
    found = figures(Person("", ADULT), weight="81.4", height="178")["bmi"]
    assert found.value == Decimal("25.7")
    assert [one.record_id for one in found.inputs] == [1, 2]


@pytest.mark.parametrize(
    ("born", "lacks", "assumes"),
    [
        (dt.date(2008, 6, 1), (), False),
        (dt.date(2008, 6, 2), (Lack.MINOR,), False),
        (None, (), True),
    ],
)
def test_bmi_is_for_adults_known_or_said_to_be_unknown(
    born: dt.date | None, lacks: tuple[Lack, ...], assumes: bool
) -> None:
    found = figures(Person("", born), weight="70", height="180")["bmi"]
    assert (found.lacks, found.assumes_adult) == (lacks, assumes)
    assert (found.value is None) == bool(lacks)


def test_the_ratios_need_both_lengths_and_no_age() -> None:
    found = figures(Person("", dt.date(2015, 1, 1)), waist="80", height="160", hips="100")
    assert found["waist_to_height"].value == Decimal("0.50")
    assert found["waist_to_hip"].value == Decimal("0.80")
    assert figures(Person("", None), waist="80")["waist_to_hip"].lacks == (Lack.HIPS,)


def test_sex_is_never_assumed() -> None:
    whole = {"height": "178", "neck": "38", "waist": "85", "hips": "98"}
    assert figures(Person("", ADULT), **whole)["body_fat_estimate"].lacks == (Lack.SEX,)
    assert figures(Person("male", ADULT), **whole)["body_fat_estimate"].value == Decimal("16.5")


def test_what_is_missing_is_named() -> None:
    found = figures(Person("female", ADULT), height="165")["body_fat_estimate"]
    assert found.lacks == (Lack.NECK, Lack.WAIST, Lack.HIPS)
    assert figures(Person("male", ADULT))["body_fat_estimate"].lacks == (
        Lack.HEIGHT,
        Lack.NECK,
        Lack.WAIST,
    )


@pytest.mark.parametrize("waist", ["38", "30"])
def test_girths_that_do_not_fit_give_no_logarithm(waist: str) -> None:
    found = figures(Person("male", ADULT), height="178", neck="38", waist=waist)["body_fat_estimate"]
    assert (found.value, found.lacks) == (None, (Lack.DO_NOT_FIT,))


def test_a_woman_needs_hips_and_the_formula_knows_two_sexes() -> None:
    for sex in ("female", "", "other"):
        with pytest.raises(ValueError, match="formula"):
            navy_body_fat(sex, height=Decimal(165), neck=Decimal(33), waist=Decimal(75))


# Worked by hand from the published equations.
MAN = {"height": Decimal(180), "waist": Decimal(85), "neck": Decimal(38)}
WOMAN = {"height": Decimal(165), "waist": Decimal(75), "neck": Decimal(33), "hips": Decimal(98)}


@pytest.mark.parametrize(("sex", "girths", "share"), [("male", MAN, 16.15), ("female", WOMAN, 28.73)])
def test_worked_examples(sex: str, girths: dict[str, Decimal], share: float) -> None:
    found = navy_body_fat(sex, **girths)
    assert found is not None
    assert float(found) == pytest.approx(share, abs=0.005)


@given(
    height=st.decimals("160", "195", places=1),
    neck=st.decimals("34", "44", places=1),
    girth=st.decimals("35", "60", places=1),
)
def test_for_men_of_common_build_the_first_equation_says_nearly_the_same(
    height: Decimal, neck: Decimal, girth: Decimal
) -> None:
    """Hodgdon and Beckett's own, which gives a density, and Siri's share of it."""
    density = 1.0324 - 0.19077 * log10(girth) + 0.15456 * log10(height)
    found = navy_body_fat("male", height=height, neck=neck, waist=neck + girth)
    if found is not None:
        assert float(found) == pytest.approx(495 / density - 450, abs=1.0)


@given(waist=st.decimals("60", "140", places=1), more=st.decimals("0.1", "20", places=1))
def test_a_larger_waist_never_means_less_fat(waist: Decimal, more: Decimal) -> None:
    man = {"height": Decimal(178), "neck": Decimal(38)}
    thin, wide = (navy_body_fat("male", waist=girth, **man) for girth in (waist, waist + more))
    if thin is not None and wide is not None:
        assert wide > thin


def test_ages_are_completed_years() -> None:
    assert age(dt.date(2008, 2, 29), dt.date(2026, 2, 28)) == 17
    assert age(dt.date(2008, 2, 29), dt.date(2026, 3, 1)) == 18
