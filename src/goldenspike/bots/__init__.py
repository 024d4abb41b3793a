"""Players: what a bot is, the bots there are, and the way to bring one's own."""

from goldenspike.bots.bot import Bot, Budget, Choice
from goldenspike.bots.dice import Dice
from goldenspike.bots.registry import LEVELS, bot_names, describe_bot, make_bot

__all__ = ["LEVELS", "Bot", "Budget", "Choice", "Dice", "bot_names", "describe_bot", "make_bot"]
