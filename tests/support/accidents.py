"""What may happen to a JSON file that holds an object: each accident takes its text, and dice, and spoils it."""

from __future__ import annotations

import json
import random
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1e999, 10**400, 0.5, "", "\ud800", "9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00",
    [], {}, [[[]]], {"": {"": None}}, "rose", "purple", "2026-03-03",
)  # fmt: skip


def cut(text: str, dice: random.Random) -> str:
    return text[: dice.randrange(len(text))]


def flipped(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text))
    return text[:at] + chr(dice.randrange(1, 0x250)) + text[at + 1 :]


def doubled(text: str, dice: random.Random) -> str:
    start = dice.randrange(len(text))
    return text[:start] + text[start : start + dice.randrange(60)] + text[start:]


def replaced(text: str, dice: random.Random) -> str:
    """One value somewhere in the tree is another one, or gone, or has company."""
    tree = json.loads(text)
    branch = tree
    while True:
        key = dice.choice(list(branch))
        if not isinstance(branch[key], dict) or not branch[key] or dice.random() < 0.4:
            break
        branch = branch[key]
    match dice.randrange(3):
        case 0:
            branch[key] = dice.choice(ODD)
        case 1:
            del branch[key]
        case _:
            branch[f"{key}2"] = dice.choice(ODD)
    return json.dumps(tree)


def buried(text: str, dice: random.Random) -> str:
    depth = dice.choice((5, 400, 950, 5000))
    return text.rstrip().removesuffix("}") + ', "deep": ' + "[" * depth + "]" * depth + "}"


def noise(_text: str, dice: random.Random) -> str:
    return dice.randbytes(dice.randrange(200)).decode("latin-1")


ACCIDENTS = (cut, flipped, doubled, noise) * 3 + (replaced,) * 10 + (buried,)
"""As often as each stands here it is chosen."""
