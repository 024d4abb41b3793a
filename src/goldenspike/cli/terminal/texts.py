"""All texts of the terminal game, except those in :mod:`goldenspike.cli.seating`.

A translation needs only these two files. A text is a template for :meth:`str.format`. Where a number decides
between two forms, it is a :class:`Plural`.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from goldenspike.game.words import count_of


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
OR = " or "
SHORT_WORDS = {"locomotive": "loco"}
"""Short forms of editions' long words for cards; the notation accepts them too."""

# Starting

PREPARING = "Setting up the table ..."
STILL_PREPARING = "Still setting up the table ..."
COMPILING = "Speeding up the bots; until then hard bots play at medium level."
NOT_COMPILED = (
    "The bots cannot get faster, because the rules could not be compiled; the game continues as it is. "
    "'goldenspike compile' says why."
)
THINKING = "{name} is thinking ..."
STILL_THINKING = "{name} is still thinking ..."
WELCOME = "Golden Spike. Press Enter for the choice in brackets; Ctrl-D quits."
WHICH_EDITION = "What do you want to play?"
EDITION_LINE = "{number}  {name}, {least} to {most} players, {short} to {long} minutes"
ASK_EDITION = "Number or name [{default}]: "
NO_SUCH_EDITION = "{reason}\nGive a number from 1 to {count}, an edition's id, or the path of its file."
WHO_PLAYS = (
    "Who plays? Give {least} to {most} names of people and bots, separated by commas; "
    "'me' is you.\nBots to choose from:"
)
BOT_LINE = "   {name:<8} {about}"
ASK_SEATS = "Seats [{default}]: "
NOT_A_PACE = "Give a pace between 0 and 60 seconds per turn, not {seconds}."
NOT_A_TIME = "Give bots a time to think between 0.01 and 600 seconds, not {seconds}."

BOT_CRASHED = "The bot {name} failed: {reason} {farewell}"
BOT_FAILED = "The bot {name} broke the rules: {error} {farewell}"

# Playing

HAND_OVER = "Now it is {name}'s turn."
HAND_OVER_WAIT = "{name}, press Enter when no one else is looking: "
HAND_OVER_UNDO = "({previous} can undo the last move: type undo.)"
END_OF_TURN = "Your turn is over, {name}.\nPress Enter to clear the screen for {next_name}: "
LAST_ROUND = "LAST ROUND: {turns} left, this one included."
LAST_TURN = "LAST TURN OF THE GAME"
TITLE = "{edition}: {name} to move"
TITLE_YOU = "{edition}: your move"
TYPE_HELP = "'help' lists all commands"
WATCH_TITLE = "{edition}: the bots play, turn {turn}"
WATCH_KEYS = "{pace} | Space pause  + faster  - slower  Enter next turn  q quit"
PACE = "{seconds} s per turn"
PAUSED = "paused"
SINCE = "What happened"
NOTHING_SINCE = "Nothing has happened yet."

SEAT_HEADINGS = ("", "points", "{pieces}", "cards", "tickets")
COMPLETED_HEADING = "completed"
HAND = "Hand"
NO_CARDS = "no cards"
OWN_TICKETS = "Tickets"
NO_TICKETS = "no tickets"
TRY_WAY = "'way 1' highlights the shortest path for the first ticket on the board and lists its routes."
WAY_ROUTES = "by {routes}."
WAY_ROUTE = "{route} {length} {colour}"
NO_SUCH_TICKET = "You have no ticket {text!r}; {advice}"
YOUR_TICKETS = "your tickets are {tickets}."
MADE = "completed"
CUT_OFF = "cut off"
TO_GO = "{pieces} to go"
TOO_FAR = "{pieces} to go, too many"
CLAIMS = "You can claim"
NO_CLAIMS = "You cannot pay for any route yet."
MORE_CHOICES = "   ... and {count} more: 'claim all' lists them"
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
WHICH_PAYMENT = "How do you pay for {route}? A number, Enter for 1, 0 to go back: "
WHICH_MEANING = "Which one? A number, or Enter to go back: "
PREVIEW = "{move}: {points}, leaves you {pieces}."
PREVIEW_RACE = "{move}: leaves you {pieces}."
CONFIRM = "Enter to claim, 0 to go back: "
FOR_TICKET = "for {tickets}"
NOTHING_TO_CLAIM = (
    "You cannot pay for any route now. Draw cards first; 'why claim ...' says why you cannot claim a route."
)
NOT_IN_MENU = (
    "There is no {number} in the menu; the numbers are {numbers}. 'help' lists everything you can type."
)
EMPTY_SLOT_TAKEN = "That place in the row is empty."
NOT_OFFERED = "There is no ticket {number}; the tickets are 1 to {count}."
NOT_UNDERSTOOD = "{error} 'help' lists everything you can type."

# Events

DREW_CARD = "drew {card}"
DREW_BLIND = Plural("drew a card from the deck", "drew {count} cards from the deck")
TOOK_CARD = "took {card}"
TOOK_CARDS = "took {card} and {other}"
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
JOINED = "{name} completed the ticket {ticket}."
COMPLETED = "{name} completed the ticket {ticket}!"
COAST = "{name} connected both coasts and earned a bonus ticket!"
WIPED = "Three {locomotive}s were face up, so the whole row was replaced."
RESHUFFLED = Plural(
    "The discard was shuffled into the deck.", "The {count} discards were shuffled into the deck."
)
LAST_ROUND_BEGAN = "{name} started the last round."
GAME_ENDED = "The game is over."

# Commands

HELP_MOVES = "Moves, by number from the menu or typed (Tab completes):"
HELP_COMMANDS = "Commands:"
HELP = {
    "draw": ("draw deck", "the top card of the deck"),
    "take": ("take {colour}, take {loco}", "a face-up card"),
    "claim": ("claim {route}", "a route; add how to pay: with 1 {colour}, 1 {loco}"),
    "claims": ("claim", "list the routes you can claim"),
    "offer": ("draw tickets", "tickets to choose from"),
    "keep": ("keep {ticket}, keep all", "some of the tickets offered, or all of them"),
    "swap": ("swap tickets", "your tickets for new ones"),
    "look": ("board  hand  tickets", "show the board alone, your cards, your tickets"),
    "way": ("way {ticket}, way 2, way", "highlight the shortest path for a ticket, or for all"),
    "score": ("score  statistics", "points so far; who did what, and how often"),
    "log": ("log  log all  replay", "what happened; everything; move by move"),
    "hint": ("hint", "ask the best bot what it would play"),
    "why": ("why claim {route}", "why a move is not possible; 'why': the last refusal"),
    "undo": ("undo", "undo your last move, if nothing hidden was revealed"),
    "rules": ("rules", "the numbers of this edition and our rulings"),
    "save": ("save FILE  resume FILE", "save the game; resume another one"),
    "help": ("help  quit", "this page; quit (you can keep the game)"),
}
PAGE_TITLE = "{edition}: {what}"
BACK_TO_GAME = "Press Enter to go back to the game, or type a move or a command."
MORE_LINES = Plural("{count} more line: Enter shows it.", "{count} more lines: Enter shows them.")
NO_SUCH_COMMAND = "There is no {word!r}; {suggestion}"
UNKNOWN_COMMAND_WORD = "'{word}' takes nothing after it; type it alone."
HINT = "The {bot} bot would play: {move}"
HINT_CHANCE = " (it gives you a {chance} chance to win)"
HINT_REASON = "  - {reason}"
HINT_FAILED = "The {bot} bot has no hint here: {error}. Continue without it."
WHY_NOTHING = "No move has been refused yet. 'why claim CHI-PIT' asks about a move."
WHY_LEGAL = "{move!r} is possible: type it to play it."
WHY_RULE = "{reason}\n  That is rule {rule}; docs/reference/rules.md has it in full."
WHY_RULING = "  Our ruling {rule}: {text}"
UNDONE = "Undone: {moves}."
NOTHING_TO_UNDO = "You have no move to undo."
CANNOT_UNDO = (
    "You cannot undo: {who} played '{move}' since, and that revealed hidden information. "
    "You can undo a claim as long as no player has drawn after it."
)
CANNOT_UNDO_OWN = (
    "You cannot undo '{move}', because it revealed hidden information. "
    "You can undo moves that reveal nothing, such as a claim."
)
SAVED = "Saved in {file}. Resume it at any time: {command} --resume {file}"
NOT_SAVED = "The game was not saved."
SAVE_WHERE = "Which file? For example: save game.jsonl"
SAVE_FAILED = "The game could not be saved in {file}: {error}. It continues; try another file."
RESUME_WHAT = "Which file? For example: resume game.jsonl"
RESUME_FAILED = "{error} This game continues."
BAD_RECORD = "{file} is not a valid game: {error} Choose another file, or start a new game."
OVERWRITE = "{file} already exists.\nOverwrite it? [y/N]: "
QUIT_SAVE = "Enter or y keeps this game for later, n discards it, a file name saves it there.\nKeep it? "
KEPT = "The game is kept. Resume it: {command} --resume {file}"
KEPT_WITHOUT = (
    "The game is kept. Fix the bot and resume, or continue with {other} instead: "
    "{command} --resume {file} --seats {seats}"
)
DROPPED = "The game is discarded."
GOODBYE = "Goodbye."
CANNOT_KEEP = "The game cannot be saved in {file} ({error}). Type 'save FILE' with a file you can write to."
NO_KEPT_GAME = "There is no kept game in {folder}. Start a new one: {command}"
NO_SUCH_FILE = "There is no file {file}."
NO_SEATS_FILE = (
    "{file} does not say who plays which seat. Add --seats with {count} names, as in: "
    "{command} --resume {file} --seats {example}"
)
BAD_SEATS_FILE = "{file} cannot be read: {error}. Remove it, and say who plays with --seats."
SEATS_DIFFER = "The game in {file} has {count} seats, but these are {given}: {names}."

# Reference pages

RULE = "{name}: {text}"
RULINGS = "Our rulings:"
STATISTICS_SO_FAR = "So far ('?' is still hidden):"
STATISTICS = {
    "turns": "turns",
    "turns_drawing_cards": "  drawing cards",
    "turns_claiming": "  claiming routes",
    "turns_drawing_tickets": "  drawing tickets",
    "turns_passed": "  passed",
    "points_per_turn": "points per turn",
    "routes": "routes",
    "average_route_length": "  average length",
    "longest_path": "longest path",
    "pieces_left": "{piece}s left",
    "cards_taken": "cards taken face up",
    "locomotives_taken": "  {loco}s among them",
    "cards_drawn": "cards drawn blind",
    "locomotives_drawn": "  {loco}s among them",
    "luck": "  compared with average",
    "cards_played": "cards played",
    "locomotives_played": "  {loco}s among them",
    "cards_left": "cards left in hand",
    "tickets_offered": "tickets offered",
    "tickets_returned": "  put back",
    "tickets_made": "  completed",
    "tickets_failed": "  failed",
    "tickets_cut_off": "  cut off",
}
SCORE_CHART = "Score over time, counting open tickets as failed:"
REPLAY_TITLE = "{edition}: replay, move {number} of {count}"
REPLAY_LINE = "{number}. {told}"
REPLAY_PROMPT = "Enter next, b back, a number goes to that move, q quits the replay: "
NO_SUCH_MOVE = "There is no {answer!r} here; the moves are 1 to {count}."

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
'statistics', 'replay', 'board' or 'rules' to look at more, 'save FILE' to
keep this game; Enter for a rematch with the seats rotated, q to quit.
What next? """
NEXT = "What next? "
BACK_TO_END = "Enter goes back to the result."
NO_SUCH_COMMAND_AT_END = "There is no {word!r} here; {suggestion}"
ENDINGS = {
    "last round played": "the last round was played",
    "nobody can act": "no player could move",
    "tickets completed": "enough tickets were completed",
    "last piece placed": "the last {piece} was placed",
}
TERMS = {
    "routes": "routes",
    "tickets made": "completed tickets",
    "tickets failed": "failed tickets",
    "longest path": "longest path",
    "globetrotter": "most tickets",
    "attractions": "attractions",
    "completed tickets": "completed tickets",
}
TIE_BREAKS = {"completed tickets": "completed tickets", "longest path": "the longest path"}

# The board as a list

CITY_LINE = "{code} {city}: {routes}"
ROUTE_OPEN = "{code} {length} {colour}"
ROUTE_OWNED = "{code} {length} {name}"
ROUTE_CLOSED = "{code} {length} closed"
LIST_KEY = "Each city with its routes: where to, how long, which colour (any: any one colour), or whose."
ANY_COLOUR = "any"
