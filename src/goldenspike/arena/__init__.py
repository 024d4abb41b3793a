"""Bots against each other: matches, ratings, reports, and what bots say about a new board."""

from goldenspike.arena.match import play_match
from goldenspike.arena.plan import Plan, make_plan
from goldenspike.arena.rows import Batch
from goldenspike.arena.summary import sum_up

__all__ = ["Batch", "Plan", "make_plan", "play_match", "sum_up"]
