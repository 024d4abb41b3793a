"""Estimates of text width without a font, accurate enough to keep labels apart."""

from __future__ import annotations

import unicodedata

_WIDTHS = {
    0.26: "ijlI|'.,:;!`",
    0.33: 'ftr()[]{}-/\\" ',
    0.55: "sczJvxyk",
    0.60: "aeghnopqubdL0123456789?*_~^<>=+$#",
    0.68: "FTZEPSXYKVBRA&",
    0.76: "CDHNUGOQw",
    0.90: "mMW%@",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHER, _WIDE = 0.62, 1.0

RISE, FALL = 0.75, 0.2
"""Height of capitals above the baseline, and depth of descenders below it, as fractions of the size."""


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text in a semi-bold sans-serif font.

    >>> round(text_width("Washington", 13)), round(text_width("Nil", 13)), round(text_width("", 13))
    (73, 17, 0)
    """
    return size * sum(map(_letter_width, unicodedata.normalize("NFC", text)))


def _letter_width(letter: str) -> float:
    if letter in _WIDTH:
        return _WIDTH[letter]
    if unicodedata.east_asian_width(letter) in {"W", "F"}:
        return _WIDE
    plain = unicodedata.normalize("NFD", letter)[0]
    return _WIDTH.get(plain, 0.0 if unicodedata.combining(letter) else _OTHER)


def split_lines(text: str) -> list[tuple[str, ...]]:
    """Return the ways to write a name: on one line, and on two if it has a space to break at.

    >>> split_lines("Boston"), split_lines("Lower East Side")
    ([('Boston',)], [('Lower East Side',), ('Lower', 'East Side')])
    """
    words = text.split()
    ways: list[tuple[str, ...]] = [(" ".join(words),)]
    if len(words) > 1:
        breaks = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
        ways.append(min(breaks, key=lambda pair: max(text_width(line, 1.0) for line in pair)))
    return ways
