"""A custom board, small enough for its decks to run out."""

from __future__ import annotations

from goldenspike.boards import parse_board
from goldenspike.editions import Edition, parse_edition

_BOARD = """
format = 1
id = "islands"
name = "Four Islands"
colours = ["red", "blue"]
routes = [
  { a = "AAA", b = "BBB", length = 1, colour = "red" },
  { a = "BBB", b = "CCC", length = 1, colour = "red" },
  { a = "CCC", b = "DDD", length = 1, colour = "blue" },
  { a = "AAA", b = "DDD", length = 2, colour = "blue" },
]
[cities]
AAA = { name = "Alder", at = [10, 10] }
BBB = { name = "Birch", at = [90, 10] }
CCC = { name = "Cedar", at = [90, 90] }
DDD = { name = "Daphne", at = [10, 90] }
[tickets]
all = [
  { a = "AAA", b = "BBB", points = 1 },
  { a = "BBB", b = "CCC", points = 1 },
  { a = "CCC", b = "DDD", points = 1 },
  { a = "AAA", b = "DDD", points = 2 },
  { a = "AAA", b = "CCC", points = 2 },
]
"""
_RACE = """
format = 1
id = "islands-race"
name = "Race of the Islands"
board = "islands"
minutes = [1, 5]
players = [2, 2]
pieces = 6
opening_hand = 1
face_up = 0
deck = { colour = 5, locomotive = 2 }
route_points = []
doubles_close_up_to = 0
[tickets]
flow = "swap"
sets = ["all"]
deal = 2
[end]
when = "race"
tickets = 5
"""
_POINTS = """
format = 1
id = "islands-points"
name = "Points of the Islands"
board = "islands"
minutes = [1, 5]
players = [2, 2]
pieces = 6
opening_hand = 1
face_up = 5
deck = { colour = 6, locomotive = 3 }
route_points = [1, 2]
doubles_close_up_to = 2
tie_breaks = ["longest-path", "completed-tickets"]
[tickets]
flow = "offer"
sets = ["all"]
deal = 1
deal_keep = 1
draw = 2
draw_keep = 2
[end]
when = "few-pieces"
pieces = 0
[bonuses]
longest_path = 3
"""


def islands_race() -> Edition:
    """Return an edition with First Journey's rules: five tickets in total, two dealt to each of two seats."""
    return parse_edition(_RACE, "race.toml", parse_board(_BOARD))


def islands_points() -> Edition:
    """Return an edition with the USA's rules, in which the path breaks ties before the tickets."""
    return parse_edition(_POINTS, "points.toml", parse_board(_BOARD))
