"""Texts that stand where a number is expected."""

from __future__ import annotations

ODD = (
    "²", "٣", "1_000", "  7 ", "+7", "0x1f", "", "-", "--1", "1e3", "٣٤٥", "５", "7\n", "NaN", "inf", "1.5", "½", "𝟗",
    "9" * 20, "1" + "0" * 23, "9" * 5000, "9223372036854775808", "-9223372036854775809",
)  # fmt: skip
"""Texts that are no whole number of ours, though Python takes some of them for one."""
