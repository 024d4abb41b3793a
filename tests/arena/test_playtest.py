"""Deliberately faulty boards, and the findings of a playtest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldenspike.arena.findings import Finding
from goldenspike.arena.playtest import best_quick_bot, find_edition, try_out, write_playtest
from goldenspike.bots import bot_names
from goldenspike.editions import Edition, load_edition

DOCS = Path(__file__).parents[2] / "docs" / "how-to" / "make-a-board.md"
BOARD, EDITION = (part.partition("```")[0] for part in DOCS.read_text().split("```toml\n")[1:3])


def make(folder: Path, board: str = BOARD, edition: str = EDITION) -> Edition:
    (folder / "lakes.toml").write_text(board)
    (folder / "quick.toml").write_text(edition)
    return load_edition(folder / "quick.toml")


def found(edition: Edition, subject: str, games: int = 300) -> list[str]:
    findings = try_out(edition, games, bot="greedy", jobs=2).findings
    assert all(isinstance(finding, Finding) for finding in findings)
    return [finding.text for finding in findings if finding.subject == subject]


def test_an_advantage_of_the_first_player_is_reported(tmp_path: Path) -> None:
    (two, three) = found(make(tmp_path), "order of play", 1500)
    assert two.startswith("With 2 players it matters who begins: in the order of play number 1 wins 6")
    assert three.startswith("With 3 players")


def test_games_that_end_because_no_player_can_act_are_reported(tmp_path: Path) -> None:
    edition = make(
        tmp_path, edition=EDITION.replace("colour = 8, locomotive = 4", "colour = 5, locomotive = 1")
    )
    texts = found(edition, "endings")
    assert any("end because no player can move" in text for text in texts)


def test_an_unused_city_and_its_route_are_reported(tmp_path: Path) -> None:
    """Nine spaces of a colour with eight cards, worth nothing: no bot claims them."""
    route = '  { a = "DUN", b = "FAR", length = 9, colour = "red" },'
    city = 'FAR = { name = "Faraway", at = [5, 290] }'
    board = BOARD.replace("]\n\n[cities]", f"{route}\n]\n\n[cities]\n{city}")
    edition = make(tmp_path, board, EDITION.replace("[1, 2, 4]", "[1, 2, 4, 4, 4, 4, 4, 4, 0]"))
    assert any("DUN-FAR" in text for text in found(edition, "routes"))
    assert any(text.startswith("Faraway is visited never") for text in found(edition, "cities"))
    colours = found(edition, "colours")
    assert any("longest red route needs 9 cards and there are only 8" in text for text in colours)
    assert any(text.startswith("Red is scarce: 15 spaces") for text in colours)


def test_rarely_taken_routes_are_reported_with_their_share() -> None:
    """Greedy play prefers long routes and rarely takes some of the American ones."""
    rare = next(
        text for text in found(load_edition("usa-classic"), "routes") if "taken in fewer than 2%" in text
    )
    assert re.search(r"[A-Z]{3}-[A-Z]{3} \([01]\.\d%\)", rare)


def test_a_colour_without_routes_is_reported(tmp_path: Path) -> None:
    edition = make(tmp_path, BOARD.replace('"green" }', '"red" }').replace('"green"  }', '"red"  }'))
    assert any("No route is green: its 8 cards" in text for text in found(edition, "colours"))


def test_an_overvalued_ticket_is_reported(tmp_path: Path) -> None:
    board = BOARD.replace('{ a = "DUN", b = "ASH", points = 2 }', '{ a = "DUN", b = "ASH", points = 12 }')
    (text,) = [text for text in found(make(tmp_path, board), "tickets") if "DUN-ASH" in text]
    assert (
        text == "DUN-ASH gives 12 points for 2 trains, far more than the 2 usual for a path of this length."
    )


def test_a_good_board_has_no_dead_routes_cities_or_tickets(tmp_path: Path) -> None:
    findings = try_out(make(tmp_path), 300, bot="greedy", jobs=2).findings
    assert not [finding for finding in findings if finding.subject in {"routes", "cities", "colours"}]


@pytest.mark.slow
def test_the_page_has_the_same_findings(tmp_path: Path) -> None:
    trial = try_out(make(tmp_path), 40, bot="greedy", jobs=1)
    html = write_playtest(trial)
    assert "2 players" in html
    assert "3 players" in html
    assert html.count("<svg") == 10


def test_the_best_compiled_bot_plays() -> None:
    assert best_quick_bot() in bot_names()
    assert best_quick_bot() != "random"


def test_board_and_edition_files_are_accepted_in_any_order(tmp_path: Path) -> None:
    edition = make(tmp_path)
    (tmp_path / "notes.toml").write_text("[no edition, and no board")
    board, quick = tmp_path / "lakes.toml", tmp_path / "quick.toml"
    for files in ((quick,), (board,), (board, quick), (quick, board)):
        assert find_edition(*files) == edition


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    make(tmp_path)
    board, quick = tmp_path / "lakes.toml", tmp_path / "quick.toml"
    other = tmp_path / "other.toml"
    other.write_text(BOARD.replace("points = 4", "points = 5"))
    with pytest.raises(ValueError, match="are both boards"):
        find_edition(board, other)
    with pytest.raises(ValueError, match="are both editions"):
        find_edition(quick, quick)
    with pytest.raises(ValueError, match=r"is not played on .*other\.toml: its board is .*lakes\.toml"):
        find_edition(other, quick)
    with pytest.raises(ValueError, match="no edition beside it is played on it"):
        find_edition(other)
    (tmp_path / "slow.toml").write_text(EDITION)
    with pytest.raises(ValueError, match=r"give one: .*quick\.toml or .*slow\.toml"):
        find_edition(board)
    with pytest.raises(ValueError, match="there is no such file"):
        find_edition(tmp_path / "nowhere.toml")
