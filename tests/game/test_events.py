"""Events: who sees which part, and that they tell the whole story."""

from __future__ import annotations

import numpy as np
import pytest

from goldenspike import Game
from goldenspike.engine import events as kinds
from goldenspike.errors import MoveError
from goldenspike.event import EVENT_KINDS, HIDDEN, Event, read_event, read_events, redact
from tests.game.games import TABLES, Table, every_moment, give, random_game, started
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
"""Of each detail of an event, whether others see it; None where they do not hear of it at all."""


def test_the_table_knows_every_kind() -> None:
    assert set(OTHERS_SEE) == set(EVENT_KINDS) == set(range(kinds.ENDED + 1))
    assert len({kind.name for kind in EVENT_KINDS.values()}) == len(EVENT_KINDS)


@pytest.mark.parametrize("kind", sorted(OTHERS_SEE), ids=lambda kind: EVENT_KINDS[kind].name)
@pytest.mark.parametrize("watcher", [0, None])
def test_others_see_what_the_table_says(kind: int, watcher: int | None) -> None:
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
def test_a_seat_sees_all_of_its_own(kind: int) -> None:
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
def test_a_claim_with_locomotives_alone_is_told_without_a_colour(
    route: str, length: int, points: int
) -> None:
    """Whether the route is coloured or grey; records are compared with what is told."""
    game = started()
    give(game, 0, loco=length)
    game.play(f"claim {route} with {length} loco")
    [claim] = [event for event in game.events if event.kind == "claimed"]
    assert claim.details == {"route": route, "card": "loco", "locos": length, "points": points}


def test_joined_tickets_are_told_to_their_seat_alone() -> None:
    """T-2: whether a ticket is complete stays secret."""
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


def test_nothing_of_a_secret_is_left_in_what_is_sent() -> None:
    """A redacted row holds the same bytes whatever the secret was."""
    for kind, visible in OTHERS_SEE.items():
        if visible is None or all(visible):
            continue
        a = np.array([[kind, 1, 5, 0, 0, 0]], np.int16)
        b = np.array([[kind, 1, 6, 0, 0, 0]], np.int16)
        assert redact(a, 0).tobytes() == redact(b, 0).tobytes()
        assert redact(a, None).tobytes() == redact(b, None).tobytes()


def test_events_read_with_the_words_of_the_edition() -> None:
    game = started("new-york")
    rows = np.array([[kinds.DREW, 0, 8, 0, 0, 0], [kinds.DREW, 0, 3, 0, 0, 0]], np.int16)
    assert [str(e) for e in read_events(game.edition, rows)] == [
        "drew seat=0 card=loco",
        "drew seat=0 card=pink",
    ]
    row = np.array([kinds.ENDED, -1, 1, 3, 0b101, 0], np.int16)
    ended = read_event(game.edition, row)
    assert ended.seat is None
    assert ended.details == {"ending": "last round played", "tie_break": "shared", "winners": [0, 2]}


def test_events_alone_tell_hands_pieces_and_scores(table: Table) -> None:
    check_story(random_game(table, 31))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_events_tell_the_story_at_every_moment(table: Table) -> None:
    for game in every_moment(table, 32):
        check_story(game)


def test_points_that_look_like_hidden_ones_are_not() -> None:
    """A score of -2 is a score: only what may be private can be hidden."""
    game = Game.new("new-york", 2, seed=1)
    row = np.array([kinds.SCORED, 0, 2, HIDDEN, 0, 0], np.int16)
    assert read_event(game.edition, row).details == {"term": "tickets failed", "points": HIDDEN}


def test_seats_that_are_not_there_have_no_events() -> None:
    with pytest.raises(MoveError, match="no such seat"):
        Game.new("usa-classic", 2, seed=1).events_for(2)
