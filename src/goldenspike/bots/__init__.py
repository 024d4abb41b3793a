"""Bots: the interface, the built-in bots, and loading bots from a user's file."""

from goldenspike.bots.bot import Bot, BotAnswerError, Budget, Choice
from goldenspike.bots.dice import Dice
from goldenspike.bots.registry import LEVELS, bot_label, bot_names, describe_bot, make_bot

__all__ = [
    "LEVELS",
    "Bot",
    "BotAnswerError",
    "Budget",
    "Choice",
    "Dice",
    "bot_label",
    "bot_names",
    "describe_bot",
    "make_bot",
]
