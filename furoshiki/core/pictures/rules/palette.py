"""Colours of pictures for light and dark backgrounds, and dashes that work without colour.

Lines of a picture differ by dash first: five patterns, then the same again in colours that people
with any kind of colour blindness can tell from the earlier ones (a test measures it).
"""

from typing import get_args

from furoshiki.core.pictures.values import Colour, Theme, Tone

COLOURS: tuple[Colour, ...] = get_args(Colour)

_TONES: dict[Tone, tuple[str, str]] = {
    "blue": ("#2166ac", "#6cb0f0"),
    "orange": ("#b8500a", "#f39a5c"),
    "teal": ("#0b7a75", "#4cc7bd"),
    "pink": ("#bd3279", "#f285b9"),
    "slate": ("#55667a", "#9fb0c4"),
    "ochre": ("#866600", "#dbb845"),
    "purple": ("#7347b0", "#b99af2"),
    "red": ("#b3261e", "#f2796e"),
    "green": ("#477520", "#9ccb63"),
    "ink": ("#1d2129", "#e9ebef"),
    "quiet": ("#5c6470", "#a3abb8"),
    "grid": ("#dfe2e7", "#2f353f"),
    "ground": ("#ffffff", "#14171c"),
    "amber": ("#b26a00", "#f0b04a"),
    "rose": ("#c0264f", "#f77a98"),
}

DASHES: tuple[tuple[float, ...], ...] = ((), (7, 3), (2, 2.5), (9, 3, 2, 3), (4, 3))


def colour(tone: Tone, theme: Theme) -> str:
    """Return a tone as "#rrggbb"."""
    return _TONES[tone][theme == "dark"]


def dash(place: int) -> tuple[float, ...]:
    """Return the dash pattern of the line at this index in its picture."""
    return DASHES[place % len(DASHES)]


def css(theme: Theme) -> str:
    """Return CSS rules for a page, which override the colours in an SVG and follow the page's
    theme. Shapes have the class `fill-TONE` or `line-TONE`, within an element of class
    `furoshiki-picture`."""
    return "".join(
        f".furoshiki-picture .fill-{tone}{{fill:{both[theme == 'dark']}}}"
        f".furoshiki-picture .line-{tone}{{stroke:{both[theme == 'dark']}}}"
        for tone, both in _TONES.items()
    )
