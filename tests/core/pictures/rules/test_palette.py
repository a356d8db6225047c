"""Colours are told apart by everybody, on both grounds, by colour or by dash."""

from __future__ import annotations

from itertools import combinations

import pytest

from furoshiki.core.pictures.rules import palette
from furoshiki.core.pictures.values import Theme

Rgb = tuple[float, float, float]
SIMULATED: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB."""


def linear(hex_: str) -> Rgb:
    red, green, blue = (int(hex_[at : at + 2], 16) / 255 for at in (1, 3, 5))
    one = lambda value: value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4  # noqa: E731
    return one(red), one(green), one(blue)


def contrast(one: str, other: str) -> float:
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other)))
    return (high + 0.05) / (low + 0.05)


def oklab(rgb: Rgb) -> Rgb:
    r, g, b = (max(0.0, one) for one in rgb)
    long = (0.4122 * r + 0.5363 * g + 0.0514 * b) ** (1 / 3)
    medium = (0.2119 * r + 0.6807 * g + 0.1074 * b) ** (1 / 3)
    short = (0.0883 * r + 0.2817 * g + 0.6300 * b) ** (1 / 3)
    return (
        0.2105 * long + 0.7936 * medium - 0.0041 * short,
        1.9780 * long - 2.4286 * medium + 0.4506 * short,
        0.0259 * long + 0.7828 * medium - 0.8087 * short,
    )


def seen(hex_: str, sight: str) -> Rgb:
    rgb = linear(hex_)
    red, green, blue = (sum(a * b for a, b in zip(row, rgb, strict=True)) for row in SIMULATED[sight])
    return oklab((red, green, blue))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_and_words_stand_out_from_the_ground(theme: Theme) -> None:
    ground = palette.colour("ground", theme)
    for tone in (*palette.COLOURS, "ink", "quiet", "rose"):
        assert contrast(palette.colour(tone, theme), ground) >= 4.5, tone
    assert contrast(palette.colour("amber", theme), ground) >= 3.0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIMULATED)
def test_lines_with_the_same_dash_differ_in_colour_for_everybody(theme: Theme, sight: str) -> None:
    for (first, one), (second, other) in combinations(enumerate(palette.COLOURS), 2):
        if palette.dash(first) == palette.dash(second):
            a, b = (seen(palette.colour(tone, theme), sight) for tone in (one, other))
            assert sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5 >= 0.08, (one, other)
