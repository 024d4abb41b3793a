"""A person's decision: the screen, the prompt, and typed lines until a move is played."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from rich.text import Text

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.answer import CommandAnswer, Reader, say_plainly
from goldenspike.cli.terminal.commands import Commands
from goldenspike.cli.terminal.completing import complete, suggest_line
from goldenspike.cli.terminal.layout import chip, columns, styled
from goldenspike.cli.terminal.menu import CLAIM, Claim, claims_of, entries, read_numbers
from goldenspike.cli.terminal.palette import LOCO
from goldenspike.cli.terminal.panels import hand_lines
from goldenspike.cli.terminal.screen import (
    Shown,
    claim_line,
    draw_turn,
    fitted,
    menu_lines,
    offer_lines,
    spare_lines,
    title_bar,
    told_lines,
)
from goldenspike.cli.terminal.story import in_words_of, payment_in_words
from goldenspike.cli.terminal.table import GameTable
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.errors import AmbiguousMoveError, IllegalMoveError, MoveError
from goldenspike.game.moves import KeepTickets
from goldenspike.game.view import View

_LEAST_LIST = 4
"""The fewest lines of a list that are shown below the board."""
_ALL_CLAIMS = f"{CLAIM} {texts.ALL}"

_BACK = {"", "0", "back"}


class Choices(NamedTuple):
    """A list to choose from: how each item is shown, and the line it means.

    The first ones, up to `split`, have separate columns; the routes of `path` are highlighted meanwhile.
    """

    shown: Sequence[Text]
    lines: Sequence[str]
    title: str = ""
    split: int = 0
    path: Set[int] = frozenset()
    can_be_cut: bool = False

    def in_columns(self, width: int, most: int | None = None) -> list[Text]:
        """Return the numbered list: as many items as fit on `most` lines, if it may be cut."""
        numbered = [
            styled(f"{number:>2} ", "bold").append_text(text)
            for number, text in enumerate(self.shown, start=1)
        ]
        count = len(numbered)
        lines = self._first(count, numbered, width)
        if most is None or most < _LEAST_LIST or not self.can_be_cut:
            return lines
        while len(lines) > most:
            count -= 1
            lines = self._first(count, numbered, width)
            lines.append(Text(texts.MORE_CHOICES.format(count=len(numbered) - count), "dim"))
        return lines

    def _first(self, count: int, numbered: list[Text], width: int) -> list[Text]:
        split = min(self.split, count)
        return [*columns(numbered[:split], width), *columns(numbered[split:count], width)]


class Turn:
    """One decision of one person. :meth:`take` returns when the game has changed.

    The screen has the board, the menu and the news; a command's answer replaces the news, or has its own
    pages if it is long. Enter shows the board again.
    """

    def __init__(self, terminal: Terminal, table: GameTable, seat: int) -> None:
        self._terminal = terminal
        self._table = table
        self._seat = seat
        self._name = table.names[seat]
        self._view: View = table.game.view(seat)
        self._claims = claims_of(self._view)
        self._commands = Commands(terminal, table, seat)
        self._news = [*table.news(seat), *table.to_say]
        table.to_say.clear()
        self._played = len(table.game.played)
        self._answer = CommandAnswer()
        self._reader: Reader | None = None
        """Pages through the answer, if it is too long to be shown with the board."""

    def take(self) -> GameTable:
        """Ask until a move is played or undone, or another game resumed; return the table to go on with."""
        self._show(CommandAnswer())
        while True:
            line = self._ask(texts.PROMPT.format(name=self._name))
            while line is not None:
                line, other = self._handle(line)
                if other is not None:
                    return other
                if len(self._table.game.played) != self._played:
                    return self._table

    def _show(self, answer: CommandAnswer) -> None:
        """Show an answer, or the turn itself if it is empty."""
        self._answer, self._reader = answer, None
        if not self._terminal.look.is_drawn and answer.lines:
            say_plainly(self._terminal, answer)
            return
        if answer.lines:
            self._reader = Reader(self._terminal, answer.title, answer.lines)
        self._terminal.show_page(answer.draw or self._draw)

    def _draw(self) -> None:
        shown = self._shown(self._menu())
        if self._reader is not None and self._is_too_long(shown):
            self._reader.draw()
        else:
            draw_turn(self._terminal, self._table, self._view, shown)

    def _is_too_long(self, shown: Shown) -> bool:
        return spare_lines(self._terminal, self._table, self._view, shown) < 0

    def _shown(self, menu: Sequence[Text]) -> Shown:
        answer = self._answer
        if answer.lines:
            # A path is shown on the board, which then takes the space of everything else.
            is_lit = bool(answer.path)
            return Shown(menu, answer.lines, True, is_lit, self._claims, answer.path)
        trouble = [self._table.trouble] if self._table.trouble else []
        return Shown(menu, [*self._news, *trouble], claims=self._claims)

    def _menu(self) -> list[Text]:
        view, width = self._view, self._terminal.width
        if view.offer and view.phase in {"choosing", "keeping"}:
            menu = offer_lines(view, self._least_kept())
        else:
            menu = menu_lines(view, entries(view, self._claims, self._terminal.look), width)
        return [fitted(line, width) for line in menu] if self._terminal.look.is_drawn else menu

    def _least_kept(self) -> int:
        return min(len(move.tickets) for move in self._view.legal_moves() if isinstance(move, KeepTickets))

    def _say(self, text: str) -> None:
        answer = CommandAnswer(texts.PAGE_TITLE.format(edition=self._view.edition.name, what=self._name))
        answer.say(in_words_of(self._view.edition, text))
        self._show(answer)

    def _ask(self, prompt: str) -> str:
        return self._terminal.ask(prompt, self._name, lambda typed: complete(self._view, typed))

    def _handle(self, line: str) -> tuple[str | None, GameTable | None]:
        """Handle a line. Return a line to handle next, if any, and a table to switch to, if any."""
        if not line:
            self._go_on_reading()
            return None, None
        if self._view.offer and line.lower() == texts.ALL:
            line = f"keep {line}"
        numbers = read_numbers(line)
        if numbers is not None:
            line_of_numbers = self._keep(numbers) if self._view.offer else self._pick(numbers)
            if line_of_numbers is None:
                return None, None
            line = line_of_numbers
        if line.lower() in {CLAIM, _ALL_CLAIMS}:
            return self._choose_claim(is_cut=line.lower() == CLAIM), None
        answer = self._commands.run(line)
        if isinstance(answer, GameTable):
            return None, answer
        if answer is None:
            return self._play(line), None
        if len(self._table.game.played) == self._played:
            self._show(answer)
        else:  # a move was undone: the message is for the next screen
            self._table.to_say += [str(each) for each in answer.lines]
        return None, None

    def _go_on_reading(self) -> None:
        """Show the next page of an answer, or the board again."""
        is_paged = self._reader is not None and self._is_too_long(self._shown(self._menu()))
        if self._reader is not None and is_paged and self._reader.turn_page():
            self._terminal.show_page(self._draw)
        else:
            self._show(CommandAnswer())

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
        """Play a move; ask if it is ambiguous. Return a line to handle next, if any."""
        try:
            self._table.play(line, self._seat)
        except AmbiguousMoveError as error:
            shown = [Text(in_words_of(self._view.edition, option)) for option in error.options]
            return self._choose(Choices(shown, error.options), texts.WHICH_MEANING)
        except IllegalMoveError as error:
            self._commands.refusal = error
            self._say(str(error))
        except MoveError as error:
            suggestion = suggest_line(line)
            if suggestion:
                self._say(texts.NO_SUCH_COMMAND.format(word=line.split(maxsplit=1)[0], suggestion=suggestion))
            else:
                self._say(texts.NOT_UNDERSTOOD.format(error=error))
        return None

    def _choose(self, choices: Choices, prompt: str, default: str = "") -> str | None:
        """Let the person pick one of several lines by number; any other text is a line itself."""
        refusal = ""
        while True:
            self._offer(choices, refusal)
            answer = self._ask(prompt) or default
            if answer in _BACK:
                self._show(CommandAnswer())
                return None
            numbers = read_numbers(answer)
            if numbers is None:
                return answer
            if len(numbers) == 1 and 1 <= numbers[0] <= len(choices.lines):
                return choices.lines[numbers[0] - 1]
            refusal = texts.NOT_IN_LIST.format(number=answer, count=len(choices.lines))

    def _offer(self, choices: Choices, note: str) -> None:
        """Show a list to choose from and a note, with the board if there is space."""
        terminal = self._terminal

        def shown(menu: Sequence[Text]) -> Shown:
            told = [note] if note else []
            return Shown(menu, told, is_answer=True, is_choice=True, claims=self._claims, path=choices.path)

        def draw() -> None:
            spare = spare_lines(terminal, self._table, self._view, shown([]))
            menu = choices.in_columns(terminal.width, spare)
            if not self._is_too_long(shown(menu)):
                draw_turn(terminal, self._table, self._view, shown(menu))
                return
            title = texts.PAGE_TITLE.format(edition=self._view.edition.name, what=choices.title)
            hand = hand_lines(self._view, terminal.width, terminal.look)
            note_lines = told_lines(shown(menu).told, terminal.width)
            terminal.say_all([title_bar(title, terminal.width), *menu, *hand, *note_lines])

        if terminal.look.is_drawn:
            terminal.show_page(draw)
        else:
            terminal.say_all([note] if note else choices.in_columns(terminal.width))

    def _choose_claim(self, is_cut: bool) -> str | None:
        """Let the person pick a route; with `is_cut` the board stays, and a long list shows only the best."""
        if not self._claims:
            self._say(texts.NOTHING_TO_CLAIM)
            return None
        routes = [claim.route for claim in self._claims]
        shown = [claim_line(self._view.edition, claim, self._terminal.look) for claim in self._claims]
        useful = sum(bool(claim.tickets) for claim in self._claims)
        choices = Choices(shown, routes, texts.CLAIMS.lower(), useful, can_be_cut=is_cut)
        answer = self._choose(choices, texts.WHICH_ROUTE)
        if answer not in routes:
            return answer
        return self._choose_payment(self._claims[routes.index(answer)])

    def _choose_payment(self, claim: Claim) -> str | None:
        lines = [str(payment) for payment in claim.payments]
        shown = [
            chip(payment_in_words(self._view.edition, payment), payment.colour or LOCO, self._terminal.look)
            for payment in claim.payments
        ]
        route = next(route for route in self._view.edition.board.routes if route.name == claim.route)
        choices = Choices(shown, lines, claim.route, path=frozenset({route.index}))
        if len(lines) > 1:
            return self._choose(choices, texts.WHICH_PAYMENT.format(route=claim.route), default="1")
        self._offer(Choices([], [], claim.route, path=choices.path), self._preview(claim))
        answer = self._ask(texts.CONFIRM)
        if answer in _BACK - {""}:
            self._show(CommandAnswer())
            return None
        return answer or lines[0]

    def _preview(self, claim: Claim) -> str:
        """Return a preview of a claim with its only payment."""
        edition, payment = self._view.edition, claim.payments[0]
        left = self._view.pieces[self._seat] - payment.cards - payment.locomotives
        text = texts.PREVIEW if edition.route_points else texts.PREVIEW_RACE
        return text.format(
            move=in_words_of(edition, str(payment)),
            points=texts.POINTS.of(claim.points),
            pieces=texts.pieces(left, edition.words.piece),
        )
