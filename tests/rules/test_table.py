"""Every rule has a test, and the page of the rules knows which."""

from __future__ import annotations

from goldenspike.editions import edition_ids, load_edition
from goldenspike.rulings import rulings_of
from tests.rules.index import PAGE, find_tests, rule_ids, with_tests

CHAPTERS = {"V": 6, "S": 5, "D": 9, "C": 6, "T": 4, "E": 1, "F": 6, "J": 8, "R": 16}


def test_the_page_states_every_rule_once() -> None:
    expected = [f"{chapter}-{i + 1}" for chapter, count in CHAPTERS.items() for i in range(count)]
    assert rule_ids(PAGE.read_text("utf-8")) == expected


def test_every_rule_has_a_test() -> None:
    tests = find_tests()
    assert [rule for rule in rule_ids(PAGE.read_text("utf-8")) if not tests.get(rule)] == []


def test_every_test_names_rules_that_there_are() -> None:
    assert {*find_tests()} - {*rule_ids(PAGE.read_text("utf-8"))} == set()


def test_the_page_knows_the_tests_of_today() -> None:
    page = PAGE.read_text("utf-8")
    assert page == with_tests(page), "docs/reference/rules.md is out of date: run tools/rules_table"


def test_players_are_told_the_same_rulings() -> None:
    told = {rule for edition in edition_ids() for rule in rulings_of(load_edition(edition))}
    assert told == {rule for rule in rule_ids(PAGE.read_text("utf-8")) if rule.startswith("R-")}


def test_players_are_told_only_rulings_that_matter() -> None:
    with_bonus = {edition for edition in edition_ids() if "R-7" in rulings_of(load_edition(edition))}
    assert with_bonus == {"usa-classic", "usa-1910", "usa-mega"}
