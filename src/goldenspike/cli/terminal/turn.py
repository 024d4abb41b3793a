"""A person's decision: the screen, the prompt, and what is typed there until a move is played."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.commands import Commands
from goldenspike.cli.terminal.completing import complete
from goldenspike.cli.terminal.layout import chip, columns, styled, wrap
from goldenspike.cli.terminal.menu import CLAIM, Claim, claims_of, entries, read_numbers
from goldenspike.cli.terminal.palette import LOCO
from goldenspike.cli.terminal.screen import claim_line, fitted, menu_lines, offer_lines, show_turn
from goldenspike.cli.terminal.story import payment_in_words
from goldenspike.cli.terminal.table import Table
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.errors import AmbiguousMoveError, IllegalMoveError, MoveError
from goldenspike.moves import ClaimRoute, KeepTickets
from goldenspike.view import View

_BACK = {"", "0", "back"}


class Turn:
    """One decision of one person. :meth:`take` returns when the game has changed."""

    def __init__(self, terminal: Terminal, table: Table, seat: int) -> None:
        self._terminal = terminal
        self._table = table
        self._seat = seat
        self._name = table.names[seat]
        self._view: View = table.game.view(seat)
        self._claims = claims_of(self._view)
        self._commands = Commands(terminal, table, seat)

    def take(self) -> Table:
        """Ask until a move is played, taken back, or another game resumed; return the table to go on at."""
        self._show()
        while True:
            line = self._ask(texts.PROMPT.format(name=self._name))
            while line is not None:
                before = len(self._table.game.played)
                line, other = self._handle(line)
                if other is not None:
                    return other
                if len(self._table.game.played) != before:
                    return self._table

    def _show(self) -> None:
        view, width = self._view, self._terminal.width
        if view.offer and view.phase in {"choosing", "keeping"}:
            menu = offer_lines(view, self._least_kept())
        else:
            menu = menu_lines(view, entries(view, self._claims, self._terminal.look), width)
        menu = [fitted(line, width) for line in menu] if self._terminal.look.is_drawn else menu
        news = self._table.news(self._seat)
        if self._table.trouble:
            news.append(self._table.trouble)
        show_turn(self._terminal, self._table, view, menu, self._claims, news)

    def _least_kept(self) -> int:
        return min(len(move.tickets) for move in self._view.legal_moves() if isinstance(move, KeepTickets))

    def _say(self, text: str) -> None:
        self._terminal.say_all(wrap(text, self._terminal.width))

    def _ask(self, prompt: str) -> str:
        return self._terminal.ask(prompt, self._name, lambda typed: complete(self._view, typed))

    def _handle(self, line: str) -> tuple[str | None, Table | None]:
        """Do what a line says. Return a line to handle next, if any, and a table to go to, if any."""
        if not line:
            self._show()
            return None, None
        if self._view.offer and line.lower() == texts.ALL:
            line = f"keep {line}"
        numbers = read_numbers(line)
        if numbers is not None:
            line_of_numbers = self._keep(numbers) if self._view.offer else self._pick(numbers)
            if line_of_numbers is None:
                return None, None
            line = line_of_numbers
        if line.lower() == CLAIM:
            return self._choose_claim(), None
        is_done, other = self._commands.run(line)
        if is_done:
            return None, other
        return self._play(line), None

    def _keep(self, numbers: Sequence[int]) -> str | None:
        offer = self._view.offer
        for number in numbers:
            if not 1 <= number <= len(offer):
                self._say(texts.NOT_OFFERED.format(number=number, count=len(offer)))
                return None
        return f"keep {', '.join(offer[number - 1] for number in sorted(set(numbers)))}"

    def _pick(self, numbers: Sequence[int]) -> str | None:
        menu = {entry.number: entry for entry in entries(self._view, self._claims, self._terminal.look)}
        if len(numbers) != 1 or numbers[0] not in menu:
            shown = " ".join(map(str, numbers))
            self._say(texts.NOT_IN_MENU.format(number=shown, numbers=", ".join(map(str, menu))))
            return None
        entry = menu[numbers[0]]
        if not entry.move:
            self._say(texts.EMPTY_SLOT_TAKEN)
            return None
        return entry.move

    def _play(self, line: str) -> str | None:
        """Play a move; one that could mean several is asked about. Return a line to handle next, if any."""
        try:
            self._table.play(line, self._seat)
        except AmbiguousMoveError as error:
            return self._choose(
                [Text(option) for option in error.options], error.options, texts.WHICH_MEANING
            )
        except IllegalMoveError as error:
            self._commands.refusal = error
            self._say(str(error))
        except MoveError as error:
            self._say(texts.NOT_UNDERSTOOD.format(error=error))
        return None

    def _choose(
        self, shown: Sequence[Text], lines: Sequence[str], prompt: str, default: str = "", split: int = 0
    ) -> str | None:
        """Let one of several lines be picked by its number; anything else that is typed is a line itself.

        The first ones, up to `split`, have columns of their own.
        """
        width = self._terminal.width
        numbered = [styled(f"{n:>2} ", "bold").append_text(text) for n, text in enumerate(shown, start=1)]
        self._terminal.say_all([*columns(numbered[:split], width), *columns(numbered[split:], width)])
        while True:
            answer = self._ask(prompt) or default
            if answer in _BACK:
                return None
            numbers = read_numbers(answer)
            if numbers is None:
                return answer
            if len(numbers) == 1 and 1 <= numbers[0] <= len(lines):
                return lines[numbers[0] - 1]
            self._say(texts.NOT_IN_LIST.format(number=answer, count=len(lines)))

    def _choose_claim(self) -> str | None:
        if not self._claims:
            self._say(texts.NOTHING_TO_CLAIM)
            return None
        routes = [claim.route for claim in self._claims]
        shown = [claim_line(self._view.edition, claim, self._terminal.look) for claim in self._claims]
        useful = sum(bool(claim.tickets) for claim in self._claims)
        answer = self._choose(shown, routes, texts.WHICH_ROUTE, split=useful)
        if answer not in routes:
            return answer
        return self._choose_payment(self._claims[routes.index(answer)])

    def _choose_payment(self, claim: Claim) -> str | None:
        if len(claim.payments) == 1:
            answer = self._ask(self._confirmation(claim.payments[0], claim.points))
            if not answer:
                return str(claim.payments[0])
            return None if answer in _BACK else answer
        lines = [str(payment) for payment in claim.payments]
        shown = [
            chip(payment_in_words(self._view.edition, payment), payment.colour or LOCO, self._terminal.look)
            for payment in claim.payments
        ]
        return self._choose(shown, lines, texts.WHICH_PAYMENT.format(route=claim.route), default="1")

    def _confirmation(self, payment: ClaimRoute, points: int) -> str:
        left = self._view.pieces[self._seat] - payment.cards - payment.locomotives
        pieces = texts.pieces(left, self._view.edition.words.piece)
        text = texts.CONFIRM if self._view.edition.route_points else texts.CONFIRM_RACE
        return text.format(move=payment, points=texts.POINTS.of(points), pieces=pieces)
