"""Colour perception: contrast, colour difference, and both with colour blindness.

Colours are red, green and blue from 0 to 1, as sRGB has them.
"""

from __future__ import annotations

import math
import re

Colour = tuple[float, float, float]

MATRICES: dict[str, tuple[Colour, Colour, Colour]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices on linear light, at full severity: Machado, Oliveira and Fernandes, 2009."""


def parse_colour(text: str) -> Colour:
    """Return a colour from ``#rrggbb`` or a browser's computed value; it must be opaque.

    >>> parse_colour("rgb(255, 0, 51)") == parse_colour("#ff0033") == (1.0, 0.0, 0.2)
    True
    """
    if text.startswith("#"):
        numbers = [int(text[i : i + 2], 16) for i in (1, 3, 5)]
    else:
        found = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", text)
        assert found, f"{text} is not an opaque colour."
        numbers = [int(number) for number in found.groups()]
    red, green, blue = (number / 255 for number in numbers)
    return red, green, blue


def _to_light(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _from_light(light: float) -> float:
    light = min(1.0, max(0.0, light))
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def seen_with(vision: str, colour: Colour) -> Colour:
    """Return a colour as seen with this kind of vision."""
    light = [_to_light(part) for part in colour]
    red, green, blue = (
        _from_light(sum(a * b for a, b in zip(row, light, strict=True))) for row in MATRICES[vision]
    )
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours by WCAG 2, from 1 to 21.

    >>> round(contrast((0, 0, 0), (1, 1, 1)), 3)
    21.0
    """
    dark, bright = sorted(_luminance(colour) for colour in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_to_light(part) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lab(colour: Colour) -> Colour:
    """Return a colour in CIE L*a*b*, under daylight (D65).

    >>> [round(part) + 0 for part in lab((1, 1, 1))]
    [100, 0, 0]
    """
    red, green, blue = (_to_light(part) for part in colour)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: Colour, other: Colour) -> float:
    """Return the difference of two colours (CIEDE2000); 1 is just visible side by side."""
    return lab_difference(lab(one), lab(other))


def lab_difference(one: Colour, other: Colour) -> float:
    """Return CIEDE2000 between two colours in L*a*b*, by the formula of Sharma, Wu and Dalal, 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * _bend(chroma)
    c1, h1 = _polar(a1 * stretch, b1)
    c2, h2 = _polar(a2 * stretch, b2)
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    if c1 * c2 == 0:
        hue = h1 + h2
    elif abs(h1 - h2) <= 180:
        hue = (h1 + h2) / 2
    else:
        hue = (h1 + h2 + 360) / 2 % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = 1 - 0.17 * _cos(hue - 30) + 0.24 * _cos(2 * hue) + 0.32 * _cos(3 * hue + 6)
    weight -= 0.20 * _cos(4 * hue - 63)
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    twist = -2 * _bend(chroma) * math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    return math.sqrt(dl**2 + dc**2 + dh**2 + twist * dc * dh)


def _bend(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + 25.0**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))
