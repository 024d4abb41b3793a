"""Matches between bots: plans, ratings, reports, and playtests of new boards."""

from goldenspike.arena.match import play_match
from goldenspike.arena.plan import MatchPlan, make_plan
from goldenspike.arena.rows import GameRows
from goldenspike.arena.summary import sum_up

__all__ = ["GameRows", "MatchPlan", "make_plan", "play_match", "sum_up"]
