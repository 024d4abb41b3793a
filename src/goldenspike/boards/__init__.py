"""Boards: cities, routes and tickets, read from TOML files and checked.

>>> from goldenspike.boards import load_board
>>> usa = load_board("usa")
>>> usa.cities[usa.city("montreal")].name
'Montréal'
"""

from goldenspike.boards.load import board_ids, load_board, parse_board
from goldenspike.boards.model import Board, City, Route, Ticket, TicketEntry
from goldenspike.boards.summary import BoardSummary, TicketSummary, format_summary, summarise
from goldenspike.datafiles.problems import BoardError, DataError, FileProblem

__all__ = [
    "Board",
    "BoardError",
    "BoardSummary",
    "City",
    "DataError",
    "FileProblem",
    "Route",
    "Ticket",
    "TicketEntry",
    "TicketSummary",
    "board_ids",
    "format_summary",
    "load_board",
    "parse_board",
    "summarise",
]
