"""Every rule has a test, and the rules page lists it."""

from __future__ import annotations

from goldenspike.editions import edition_ids, load_edition
from goldenspike.game.rulings import rulings_of
from tests.rules.index import PAGE, find_tests, rule_ids, with_tests

CHAPTERS = {"V": 6, "S": 5, "D": 9, "C": 6, "T": 4, "E": 1, "F": 6, "J": 8, "R": 16}


def test_the_page_states_every_rule_once() -> None:
    expected = [f"{chapter}-{i + 1}" for chapter, count in CHAPTERS.items() for i in range(count)]
    assert rule_ids(PAGE.read_text("utf-8")) == expected


def test_every_rule_has_a_test() -> None:
    tests = find_tests()
    assert [rule for rule in rule_ids(PAGE.read_text("utf-8")) if not tests.get(rule)] == []


def test_every_test_names_existing_rules() -> None:
    assert {*find_tests()} - {*rule_ids(PAGE.read_text("utf-8"))} == set()


def test_the_page_lists_the_current_tests() -> None:
    page = PAGE.read_text("utf-8")
    assert page == with_tests(page), "docs/reference/rules.md is out of date: run tools/rules_table"


def test_the_rulings_shown_to_players_match_the_page() -> None:
    told = {rule for edition in edition_ids() for rule in rulings_of(load_edition(edition))}
    assert told == {rule for rule in rule_ids(PAGE.read_text("utf-8")) if rule.startswith("R-")}


def test_r_2_is_described_as_a_deliberate_reading() -> None:
    """The USA rulebook is not silent about an empty deck; every list of rulings must say so."""
    remark = "deliberate reading, not a gap"
    told = [ruling["R-2"] for ruling in map(rulings_of, map(load_edition, edition_ids())) if "R-2" in ruling]
    assert len(told) == 5
    assert all(remark in text for text in told)
    assert remark in " ".join(PAGE.read_text("utf-8").split())


def test_players_see_only_rulings_that_apply_to_their_edition() -> None:
    with_bonus = {edition for edition in edition_ids() if "R-7" in rulings_of(load_edition(edition))}
    assert with_bonus == {"usa-classic", "usa-1910", "usa-mega"}
