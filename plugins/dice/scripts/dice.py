"""Parses and rolls dice in the usual notation, as "4d6kh3+2".

Randomness is passed in as `die(sides) -> 1 … sides`, so that tests can use known dice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST_DICE, MOST_SIDES, MOST_TERMS, MOST_NUMBER = 100, 1000, 10, 1_000_000

Die = Callable[[int], int]

_TERM = re.compile(r"([+-]?)(?:(\d*)d(\d+|%)(?:k([hl])(\d+))?|(\d+))", re.IGNORECASE)
_EXAMPLES = 'write it as "3d6+2", "d20" or "4d6kh3"'


@dataclass(frozen=True)
class Term:
    """A number, or `count` dice of `sides`, the `keep` highest (or `lowest`) count; `sign` is
    ±1."""

    sign: int
    number: int = 0
    count: int = 0
    sides: int = 0
    keep: int = 0
    lowest: bool = False


def parse(text: str) -> tuple[Term, ...]:
    """Parse a notation. Raises ValueError that says what is wrong and what to write."""
    written = re.sub(r"\s+", "", text)
    terms: list[Term] = []
    at = 0
    while at < len(written):
        found = _TERM.match(written, at)
        if found is None or (terms and not found[1]):
            raise ValueError(f"{text!r} is no roll of dice; {_EXAMPLES}")
        terms.append(_term(found))
        at = found.end()
    if not any(term.count for term in terms):
        raise ValueError(f"there is no die in {text!r}; {_EXAMPLES}")
    if len(terms) > MOST_TERMS or sum(term.count for term in terms) > MOST_DICE:
        raise ValueError(f"that is too much to roll at once; up to {MOST_DICE} dice in {MOST_TERMS} parts are possible")
    return tuple(terms)


def _term(found: re.Match[str]) -> Term:
    sign = -1 if found[1] == "-" else 1
    if found[6]:
        if len(found[6]) > 7 or int(found[6]) > MOST_NUMBER:
            raise ValueError(f"{found[6][:20]} is too large; numbers go up to {MOST_NUMBER:,}")
        return Term(sign, number=int(found[6]))
    if any(len(one or "") > 4 for one in found.group(2, 3, 5)):
        raise ValueError(
            f"that is too much to roll at once; up to {MOST_DICE} dice of {MOST_SIDES:,} sides are possible"
        )
    count = int(found[2] or 1)
    sides = 100 if found[3] == "%" else int(found[3])
    if not 1 <= count <= MOST_DICE or not 2 <= sides <= MOST_SIDES:
        raise ValueError(f"1 to {MOST_DICE} dice of 2 to {MOST_SIDES:,} sides are possible, not {count}d{sides}")
    keep = int(found[5]) if found[5] else count
    if not 1 <= keep <= count:
        raise ValueError(f"of {count} dice 1 to {count} can count, not {keep}")
    return Term(sign, count=count, sides=sides, keep=keep, lowest=(found[4] or "").lower() == "l")


def roll(terms: Sequence[Term], die: Die) -> tuple[int, str]:
    """Return the total and each die, dropped ones in parentheses: (13, "[4, 1, 6] + 2")."""
    total = 0
    shown: list[str] = []
    for term in terms:
        value, words = _rolled(term, die)
        total += term.sign * value
        shown.append(words if not shown and term.sign > 0 else f"{'-' if term.sign < 0 else '+'} {words}")
    return total, " ".join(shown)


def _rolled(term: Term, die: Die) -> tuple[int, str]:
    if not term.count:
        return term.number, str(term.number)
    faces = [die(term.sides) for _ in range(term.count)]
    order = sorted(range(term.count), key=faces.__getitem__, reverse=not term.lowest)
    counting = set(order[: term.keep])
    words = ", ".join(str(face) if at in counting else f"({face})" for at, face in enumerate(faces))
    return sum(faces[at] for at in counting), f"[{words}]"


def thrown(notation: str, die: Die, advantage: str = "") -> str:
    """Return a roll in words, of two rolls for "advantage" or "disadvantage"."""
    terms = parse(notation)
    first, shown = roll(terms, die)
    if not advantage:
        return f"{notation}: {shown} = {first}"
    second, again = roll(terms, die)
    taken = max(first, second) if advantage == "advantage" else min(first, second)
    return f"{notation} with {advantage}: {taken} (first {shown} = {first}, second {again} = {second})"


def flipped(count: int, die: Die) -> str:
    """Flip coins and return the result in words."""
    faces = ["heads" if die(2) == 1 else "tails" for _ in range(count)]
    if count == 1:
        return f"a coin: {faces[0]}"
    return f"{count} coins: {faces.count('heads')} heads, {faces.count('tails')} tails ({', '.join(faces)})"


def drawn(things: Sequence[str], die: Die) -> str:
    """Draw one of several things and return it in words."""
    return f"drawn out of {len(things)}: {things[die(len(things)) - 1]}"
