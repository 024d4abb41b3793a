"""Events: visibility of each part, and completeness."""

from __future__ import annotations

import numpy as np
import pytest

from goldenspike import Game
from goldenspike.engine import events as kinds
from goldenspike.errors import MoveError
from goldenspike.game.events import EVENT_KINDS, HIDDEN, Event, read_events, redact
from tests.game.games import TABLES, GameSetup, every_moment, give, random_game, started
from tests.game.story import check_story

OTHERS_SEE: dict[int, tuple[bool, ...] | None] = {
    kinds.STARTED: (True,),
    kinds.OFFERED: (False,),
    kinds.CHOSE: (False,),
    kinds.KEPT: (False,),
    kinds.RETURNED: (False,),
    kinds.DREW: (False,),
    kinds.TOOK: (True, True),
    kinds.TURNED_UP: (True, True),
    kinds.WIPED: (),
    kinds.RESHUFFLED: (True,),
    kinds.CLAIMED: (True, True, True, True),
    kinds.JOINED: None,
    kinds.COMPLETED: (True,),
    kinds.COAST_TO_COAST: (),
    kinds.RECEIVED: (False,),
    kinds.SWAPPED: (True,),
    kinds.PASSED: (),
    kinds.TURN_ENDED: (True, True, True),
    kinds.LAST_ROUND: (),
    kinds.TURN_BEGAN: (),
    kinds.REVEALED: (True, True),
    kinds.SCORED: (True, True),
    kinds.ENDED: (True, True, True),
}
"""For each detail of an event, whether others see it; None if they do not see the event at all."""


def test_the_table_has_every_kind_of_event() -> None:
    assert set(OTHERS_SEE) == set(EVENT_KINDS) == set(range(kinds.ENDED + 1))
    assert len({kind.name for kind in EVENT_KINDS.values()}) == len(EVENT_KINDS)


@pytest.mark.parametrize("kind", sorted(OTHERS_SEE), ids=lambda kind: EVENT_KINDS[kind].name)
@pytest.mark.parametrize("watcher", [0, None])
def test_other_seats_see_only_the_public_details(kind: int, watcher: int | None) -> None:
    rows = np.array([[kind, 1, 1, 2, 3, 4]], np.int16)
    before = rows.copy()
    seen = redact(rows, watcher)
    visible = OTHERS_SEE[kind]
    if visible is None:
        assert seen.shape == (0, kinds.WIDTH)
    else:
        shown = [
            number if is_seen else HIDDEN for number, is_seen in zip((1, 2, 3, 4), visible, strict=False)
        ]
        assert seen[0, : 2 + len(visible)].tolist() == [kind, 1, *shown]
    assert (rows == before).all(), "the game's own rows are left alone"


@pytest.mark.parametrize("kind", sorted(OTHERS_SEE), ids=lambda kind: EVENT_KINDS[kind].name)
def test_a_seat_sees_all_details_of_its_own_events(kind: int) -> None:
    rows = np.array([[kind, 1, 1, 2, 3, 4]], np.int16)
    assert redact(rows, 1).tolist() == rows.tolist()


def test_hidden_details_read_as_none_and_print_as_a_question_mark() -> None:
    game = Game.new("usa-classic", 2, seed=1)
    own, others = game.events_for(1), game.events_for(0)
    assert all(event.details["card"] for event in own if event.kind == "drew" and event.seat == 1)
    drawn = next(event for event in others if event.kind == "drew" and event.seat == 1)
    assert drawn == Event("drew", 1, {"card": None})
    assert str(drawn) == "drew seat=1 card=?"
    assert str(Event("wiped", None, {})) == "wiped"


@pytest.mark.parametrize(("route", "length", "points"), [("CHI-PIT/black", 3, 4), ("ATL-CHS", 2, 2)])
def test_a_claim_with_only_locomotives_has_no_colour(route: str, length: int, points: int) -> None:
    """For coloured and grey routes alike, because a replay compares a record with these events."""
    game = started()
    give(game, 0, loco=length)
    game.play(f"claim {route} with {length} loco")
    [claim] = [event for event in game.events if event.kind == "claimed"]
    assert claim.details == {"route": route, "card": "loco", "locos": length, "points": points}


def test_joined_tickets_are_shown_only_to_their_seat() -> None:
    """T-2: completion of a ticket stays secret."""
    for seed in range(20):
        game = random_game(("usa-classic", 2), seed)
        told = {event.seat for event in game.events if event.kind == "joined"}
        if told:
            break
    else:
        pytest.fail("no random game joined a ticket")
    for watcher in (None, 0, 1):
        heard = {event.seat for event in game.events_for(watcher) if event.kind == "joined"}
        assert heard == told & {watcher}


def test_redacted_events_contain_no_secret() -> None:
    """A redacted row has the same bytes whatever the hidden value was."""
    for kind, visible in OTHERS_SEE.items():
        if visible is None or all(visible):
            continue
        a = np.array([[kind, 1, 5, 0, 0, 0]], np.int16)
        b = np.array([[kind, 1, 6, 0, 0, 0]], np.int16)
        assert redact(a, 0).tobytes() == redact(b, 0).tobytes()
        assert redact(a, None).tobytes() == redact(b, None).tobytes()


def test_event_texts_use_the_words_of_the_edition() -> None:
    game = started("new-york")
    rows = np.array([[kinds.DREW, 0, 8, 0, 0, 0], [kinds.DREW, 0, 3, 0, 0, 0]], np.int16)
    assert [str(e) for e in read_events(game.edition, rows)] == [
        "drew seat=0 card=loco",
        "drew seat=0 card=pink",
    ]
    row = np.array([kinds.ENDED, -1, 1, 3, 0b101, 0], np.int16)
    (ended,) = read_events(game.edition, row[None])
    assert ended.seat is None
    assert ended.details == {"ending": "last round played", "tie_break": "shared", "winners": [0, 2]}


def test_hands_pieces_and_scores_follow_from_events(table: GameSetup) -> None:
    check_story(random_game(table, 31))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_hands_pieces_and_scores_follow_from_events_at_every_moment(table: GameSetup) -> None:
    for game in every_moment(table, 32):
        check_story(game)


def test_points_equal_to_the_hidden_marker_are_not_hidden() -> None:
    """A score of -2 is a score: only private details can be hidden."""
    game = Game.new("new-york", 2, seed=1)
    row = np.array([kinds.SCORED, 0, 2, HIDDEN, 0, 0], np.int16)
    assert next(read_events(game.edition, row[None])).details == {"term": "tickets failed", "points": HIDDEN}


def test_events_for_an_unknown_seat_are_refused() -> None:
    with pytest.raises(MoveError, match=r"A seat is a number from 0 \(Seat 1\) to 1 \(Seat 2\)"):
        Game.new("usa-classic", 2, seed=1).events_for(2)
