"""Every sentence that only the terminal game says; with :mod:`goldenspike.cli.texts` all that it says.

Another language needs only these two files. A text is a template for :meth:`str.format`. Where a number
decides between two forms, it is a :class:`Plural`.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from goldenspike.words import count_of


class Plural(NamedTuple):
    """A text with a form for one and a form for any other number.

    >>> POINTS.of(1), POINTS.of(12)
    ('1 point', '12 points')
    """

    one: str
    many: str

    def of(self, count: int, **words: object) -> str:
        """Return the form for a number."""
        return (self.one if count == 1 else self.many).format(count=count, **words)


def play_command() -> str:
    """Return what a person types to play here, as far as we know."""
    return f"{os.environ.get('GOLDENSPIKE_PLAY', 'goldenspike play')} --terminal"


def pieces(count: int, piece: str) -> str:
    """Return a number of an edition's pieces: trains, or taxis.

    >>> pieces(1, "train"), pieces(2, "taxi")
    ('1 train', '2 taxis')
    """
    return count_of(count, piece)


POINTS = Plural("{count} point", "{count} points")
ROUTES = Plural("{count} route", "{count} routes")
TURNS = Plural("{count} turn", "{count} turns")

AND = " and "
SHORT_WORDS = {"locomotive": "loco"}
"""Words of editions that are long for a card; the notation knows the short ones too."""

# Getting ready

PREPARING = "Setting up the table ..."
THINKING = "{name} is thinking ..."
STILL_THINKING = "{name} is still thinking ..."
LEARNING = "{name} is thinking; the first time on a machine this takes up to a minute ..."
WELCOME = "Golden Spike. Press Enter for what is in brackets; Ctrl-D leaves."
WHICH_EDITION = "What do you want to play?"
EDITION_LINE = "{number}  {name}, {least} to {most} players, {short} to {long} minutes"
ASK_EDITION = "Number or name [{default}]: "
NO_SUCH_EDITION = "There is no {answer!r} here. Give one of the numbers 1 to {count}."
WHO_PLAYS = (
    "Who plays? Names of people and of bots, {least} to {most} of them, with commas between; "
    "'me' is you.\nBots to choose from:"
)
BOT_LINE = "   {name:<8} {about}"
ASK_SEATS = "Seats [{default}]: "
NOT_A_TIME = "Give bots a time to think between 0.01 and 600 seconds, not {seconds}."

BOT_FAILED = "The bot {name} broke the rules: {error} {farewell}"

# Around the table

HAND_OVER = "Now it is {name}'s turn."
HAND_OVER_WAIT = "{name}, press Enter when nobody else is looking: "
HAND_OVER_UNDO = "({previous} can take back the last move: type undo.)"
END_OF_TURN = "Your turn is over, {name}.\nPress Enter to clear the screen for {next_name}: "
LAST_ROUND = "LAST ROUND: {turns} left, this one included."
LAST_TURN = "LAST TURN OF THE GAME"
TITLE = "{edition}: {name} to move"
TITLE_YOU = "{edition}: your move"
SINCE = "What happened"
NOTHING_SINCE = "Nothing has happened yet."

SEAT_HEADINGS = ("", "points", "{pieces}", "cards", "tickets")
COMPLETED_HEADING = "made"
HAND = "Hand"
NO_CARDS = "no cards"
OWN_TICKETS = "Tickets"
NO_TICKETS = "no tickets"
MADE = "made"
CUT_OFF = "cut off"
TO_GO = "{pieces} to go"
TOO_FAR = "{pieces} to go, too many"
CLAIMS = "You can claim"
NO_CLAIMS = "No route can be paid for yet."
MORE_CLAIMS = "... and {count} more: 'claim' lists them"
KEY = (
    "Signs: 3R is a route of 3 in red, 3RY a double in red and yellow, * takes any one colour, x is closed; "
    "bright ones you can claim. Yellow cities are on your tickets. Seats: {seats}."
)
COLOUR_KEY = "Letters: {letters}."

# The menu

DECK = "deck ({count})"
DRAW_TICKETS = "draw tickets ({count} left)"
SWAP_TICKETS = "swap tickets ({count} in the deck)"
CLAIM = "claim ({routes})"
PASS = "pass"
EMPTY_SLOT = "empty"
SECOND_CARD = "Your second card:"
CHOOSE = "Your move:"
KEEP = "Keep at least {least} of these tickets: type their numbers, as in '1 2', or 'all'."
ALL = "all"
PROMPT = "{name}> "
WHICH_ROUTE = "Which route? Its number, or Enter to go back: "
NOT_IN_LIST = "There is no {number} in the list; give a number from 1 to {count}, or Enter to go back."
WHICH_PAYMENT = "Pay how for {route}? A number, Enter for 1, 0 to go back: "
WHICH_MEANING = "Which one? A number, or Enter to go back: "
CONFIRM = "{move}: {points}, {pieces} left.\nEnter to claim, 0 to go back: "
CONFIRM_RACE = "{move}: {pieces} left.\nEnter to claim, 0 to go back: "
FOR_TICKET = "for {tickets}"
NOTHING_TO_CLAIM = (
    "No route can be paid for now. Draw cards first; 'why claim ...' tells why a route is not to be had."
)
NOT_IN_MENU = (
    "There is no {number} in the menu; the numbers are {numbers}. 'help' tells what else can be typed."
)
EMPTY_SLOT_TAKEN = "There is no card in that place of the row."
NOT_OFFERED = "There is no ticket {number}; the tickets are 1 to {count}."
NOT_UNDERSTOOD = "{error} 'help' lists everything that can be typed."

# What happened

DREW_CARD = "drew {card}"
DREW_BLIND = Plural("drew a card from the deck", "drew {count} cards from the deck")
TOOK_CARD = "took {card}"
A_CARD = "{colour}"
A_LOCO = "a {locomotive}"
CLAIMED = "claimed {route} with {payment}"
CLAIMED_POINTS = "claimed {route} with {payment} for {points}"
KEEP_SECRET = "keep tickets"
DREW_TICKETS = Plural("drew a ticket to choose from", "drew {count} tickets to choose from")
KEPT_COUNT = Plural("kept a ticket", "kept {count} tickets")
KEPT_NAMES = "kept {tickets}"
RECEIVED_COUNT = Plural("got a new ticket", "got {count} new tickets")
RECEIVED_NAMES = "got {tickets}"
SWAPPED = "swapped the tickets"
PASSED = "passed"
JOINED = "{name}: your ticket {ticket} is made."
COMPLETED = "{name} completed the ticket {ticket}!"
COAST = "{name} joined coast to coast and earned a ticket!"
WIPED = "Three {locomotive}s lay face up, so the row was dealt anew."
RESHUFFLED = Plural(
    "The discard was shuffled into the deck.", "The {count} discards were shuffled into the deck."
)
LAST_ROUND_BEGAN = "{name} started the last round."
GAME_ENDED = "The game is over."

# Commands

HELP = """\
Moves, by number from the menu or typed (Tab completes):
  draw deck              the top card of the deck
  take red, take loco    a face-up card
  claim CHI-PIT          a route, by codes or names; add a payment: with 2 black, 1 loco
  claim                  list the routes you can claim
  draw tickets           tickets to choose from ('swap tickets' in First Journey)
  keep LAX-NYC, DEN-ELP  some of the tickets offered; 'keep all'
Commands:
  board  hand  tickets   show the board, your cards, your tickets
  score  log  log all    points so far; what happened
  hint                   ask the best bot what it would play
  why claim CHI-PIT      why a move is not possible; 'why' alone explains the last refusal
  undo                   take your last move back, if nothing hidden was shown since
  save FILE  resume FILE keep the game, or go on with another one
  help  quit             this page; leave (the game can be kept)"""
UNKNOWN_COMMAND_WORD = "'{word}' takes nothing after it; type it alone."
HINT = "The {bot} bot would play: {move}"
HINT_CHANCE = " (it gives you a {chance} chance to win)"
HINT_REASON = "  - {reason}"
HINT_FAILED = "The {bot} bot has no answer here: {error}. Play on without it."
WHY_NOTHING = "No move was refused yet. 'why claim CHI-PIT' asks about a move."
WHY_LEGAL = "{move!r} is possible: type it to play it."
WHY_RULE = "{reason}\n  That is rule {rule}; docs/reference/rules.md has it in full."
WHY_RULING = "  Our ruling {rule}: {text}"
UNDONE = "Taken back: {moves}."
NOTHING_TO_UNDO = "There is no move of yours to take back."
CANNOT_UNDO = (
    "It cannot be taken back: {who} played '{move}' since, and that showed what was hidden. "
    "A claim can be taken back as long as nobody drew after it."
)
CANNOT_UNDO_OWN = (
    "It cannot be taken back: '{move}' showed what was hidden. Moves that show nothing, like a claim, can be."
)
SAVED = "Saved in {file}. Go on with it at any time: {command} --resume {file}"
SAVE_WHERE = "Save it where? Give a file, as in: save game.jsonl"
SAVE_FAILED = "It could not be saved in {file}: {error}. The game goes on; try another file."
RESUME_WHAT = "Which game? Give its file, as in: resume game.jsonl"
RESUME_FAILED = "{error} The game here goes on."
BAD_RECORD = "{file} is not a game that can be trusted: {error} Take another file, or start a new game."
OVERWRITE = "{file} is there already.\nWrite over it? [y/N]: "
QUIT_SAVE = "Enter or y keeps this game for later, n drops it, a file name saves it there.\nKeep it? "
KEPT = "The game is kept. Go on with it: {command} --resume {file}"
DROPPED = "The game is dropped."
GOODBYE = "Goodbye."
CANNOT_KEEP = "The game cannot be kept safe in {file} ({error}). Type 'save FILE' with a file you can write."
NO_KEPT_GAME = "There is no kept game in {folder}. Start a new one: {command}"
NO_SUCH_FILE = "There is no file {file}."
NO_SEATS_FILE = (
    "{file} does not say who sits where. Add --seats with {count} names, as in: "
    "{command} --resume {file} --seats {example}"
)
BAD_SEATS_FILE = "{file} cannot be read: {error}. Remove it, and say who plays with --seats."
SEATS_DIFFER = "The game in {file} has {count} seats, but these are {given}: {names}."

# Scores and the end

SCORE_SO_FAR = "If the game ended now ('?' is still hidden):"
UNKNOWN_SCORE = "?"
TOTAL = "total"
END_TITLE = "The game is over: {reason}."
REVEALED = "Tickets"
TICKET_MADE = "+"
TICKET_FAILED = "-"
NO_TICKETS_AT_END = "none"
COAST_TICKET = "+coast to coast"
WINNER = "Winner: {name}, with {score}."
WINNERS = "Shared victory: {names}, with {score} each."
COMPLETED_SCORE = Plural("{count} completed ticket", "{count} completed tickets")
TIE_BREAK = "The tie was broken by {tie_break}."
REMATCH = """
Enter for a rematch with the seats rotated, 'save FILE' to keep this game,
'board' to look at it, q to leave.
What next? """
ENDINGS = {
    "last round played": "the last round was played",
    "nobody can act": "nobody could do anything more",
    "tickets completed": "enough tickets were completed",
    "last piece placed": "the last {piece} was placed",
}
TERMS = {
    "routes": "routes",
    "tickets made": "tickets made",
    "tickets failed": "tickets failed",
    "longest path": "longest path",
    "globetrotter": "most tickets",
    "attractions": "attractions",
    "completed tickets": "completed tickets",
}
TIE_BREAKS = {"completed tickets": "completed tickets", "longest path": "the longest path"}

# The list of the board

CITY_LINE = "{code} {city}: {routes}"
ROUTE_OPEN = "{code} {length} {colour}"
ROUTE_OWNED = "{code} {length} {name}"
ROUTE_CLOSED = "{code} {length} closed"
LIST_KEY = "Each city with its routes: where to, how long, which colour (any: any one colour), or whose."
ANY_COLOUR = "any"
