"""Confidence intervals: correct coverage, with deals as samples."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from goldenspike.arena.estimate import Estimate, difference, estimate, estimate_share, student_t


def test_an_interval_of_independent_values_is_students_t() -> None:
    values = np.array([3.0, 5.0, 4.0, 8.0, 6.0])
    result = estimate(values, np.arange(5))
    assert result.mean == pytest.approx(5.2)
    assert result.half == pytest.approx(2.7764 * values.std(ddof=1) / np.sqrt(5), rel=1e-3)


def test_games_of_a_deal_are_one_sample() -> None:
    values, deals = np.array([1.0, 2.0, 4.0, 3.0]), np.arange(4)
    once = estimate(values, deals)
    assert estimate(np.repeat(values, 10), np.repeat(deals, 10)).half == pytest.approx(once.half)


def test_differences_that_cancel_within_a_deal_give_width_zero() -> None:
    assert estimate([1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 2, 2]) == Estimate(0.5, 0.0)


def test_intervals_contain_the_true_value_in_95_percent() -> None:
    chance = np.random.default_rng(7)
    deals = np.repeat(np.arange(40), 3)
    hits = differences = 0
    for _ in range(1000):
        shared = np.repeat(chance.normal(size=40), 3)
        values = 2.0 + shared + chance.normal(size=120)
        hits += not estimate(values, deals).excludes(2.0)
        chosen = chance.random(120) < 0.3
        differences += not difference(values + 0.5 * chosen, chosen, deals).excludes(0.5)
    assert 930 <= hits <= 970
    assert 920 <= differences <= 970


def test_fewer_than_two_deals_have_no_interval() -> None:
    assert isnan(estimate([], np.zeros(0, int)).mean)
    assert isnan(estimate([np.nan], [0]).mean)
    one = estimate([4.0, 6.0], [0, 0])
    assert one.mean == 5.0
    assert isnan(one.half)
    assert not one.excludes(0)
    assert isnan(difference([1.0, 2.0], [True, True], [0, 1]).mean)


def test_a_share_of_zero_or_one_has_an_interval() -> None:
    assert estimate_share(np.zeros(100), np.arange(100)).half == pytest.approx(0.03)


@pytest.mark.parametrize(("freedom", "exact"), [(2, 4.3027), (6, 2.4469), (12, 2.1788), (60, 2.0003)])
def test_student(freedom: int, exact: float) -> None:
    assert student_t(freedom) == pytest.approx(exact, abs=2e-3)
