"""Readers of answers: each returns a value, or a sentence on what to type instead."""

import difflib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Literal, TypeVar

from furoshiki.core import numbers, setting_rows
from furoshiki.core.catalogue import later, say
from furoshiki.faces.cli.context import NO, YES

T = TypeVar("T")

Choice = Literal["keep", "change", "reset"]

LONGEST_NAME = 40
DEAREST_DAY_USD = 1000.0

_TOKEN = re.compile(r"(?<![\w-])\d{6,15}:[A-Za-z0-9_-]{20,100}(?![\w-])")
_CLOCK = re.compile(r"(?P<hour>[01]?\d|2[0-3])(?:[:.h](?P<minute>[0-5]\d))?")
_NONE = ("none", "no", "off", "-", "never")

# the accepted words for each choice; the untranslated ones are accepted as well
CHOICES = later("keep change reset")


@dataclass(frozen=True)
class Wrong:
    """An invalid answer: the cause, and what to type instead."""

    words: str


Reader = Callable[[str], T | Wrong]


def token(text: str) -> str | Wrong:
    """Read a bot's token, also from the whole message of @BotFather."""
    match = _TOKEN.search(text)
    if match is not None:
        return match.group()
    bare = text.strip().strip("\"'")
    if setting_rows.is_token(bare):
        return bare
    return Wrong(
        say(
            "That isn't a bot token: one looks like 123456789:AAE… (digits, a colon, letters). Copy it from @BotFather."
        )
    )


def key(text: str) -> str | Wrong:
    """Read a provider's key: one word of visible ASCII characters."""
    bare = text.strip().strip("\"'")
    if not bare:
        return Wrong(say("That's empty: paste the key, like sk-…"))
    if len(bare.split()) > 1 or not bare.isprintable() or not bare.isascii():
        return Wrong(say("That isn't a key: it has spaces or characters that no key has. Copy just the key again."))
    return bare


def address(text: str) -> str | Wrong:
    """Read the address of a server with an OpenAI-compatible interface."""
    bare = text.strip().rstrip("/")
    if setting_rows.is_address(bare):
        return bare
    return Wrong(f"{text.strip()!r} {say(setting_rows.ADDRESS, like='http://192.168.1.20:8000/v1')}.")


def name(text: str) -> str | Wrong:
    """Read the companion's name, of at most `LONGEST_NAME` characters."""
    bare = " ".join(text.split())
    if not bare or not bare.isprintable():
        return Wrong(say("A name needs letters: type one, like Furo."))
    if len(bare) > LONGEST_NAME:
        too_long = later("A name can have at most {most} characters, but that one has {there}.")
        return Wrong(say(too_long, there=len(bare), most=LONGEST_NAME))
    return bare


def language(known: Mapping[str, str]) -> Reader[str]:
    """Return a reader of a language's code or name; `known` maps codes to names."""

    def read(text: str) -> str | Wrong:
        bare = text.strip().lower()
        short = bare.replace("_", "-").partition("-")[0]
        by_name = {name.lower(): code for code, said in known.items() for name in (said, say(said))}
        if short in known:
            return short
        if bare in by_name:
            return by_name[bare]
        each = ", ".join(f"{code} ({say(said)})" for code, said in known.items())
        return Wrong(
            say("“{typed}” isn't one of the languages it reads: {each}. Type one of them.", typed=bare, each=each)
        )

    return read


def zone(known: Collection[str]) -> Reader[str]:
    """Return a reader of a time zone by its name, or by its city if that is unique."""

    def read(text: str) -> str | Wrong:
        bare = text.strip().replace(" ", "_")
        by_lower = {one.lower(): one for one in known}
        if bare.lower() in by_lower:
            return by_lower[bare.lower()]
        cities = sorted(one for one in known if one.rpartition("/")[2].lower() == bare.lower() and "/" in one)
        if len(cities) == 1 or (cities and len({one.rpartition("/")[2] for one in cities}) == 1):
            return min(cities, key=len)
        near = difflib.get_close_matches(bare, known, 1, 0.4)
        if near:
            return Wrong(say("There is no time zone “{typed}”: did you mean {near}?", typed=bare, near=near[0]))
        return Wrong(say("There's no time zone “{typed}”: write it like Europe/Lisbon.", typed=bare))

    return read


def quiet_hours(text: str) -> tuple[time, time] | Wrong:
    """Read the quiet hours; the same time twice means never quiet."""
    bare = " ".join(text.lower().split())
    if bare in (*_NONE, say("none")):
        return time(0), time(0)
    ends = [_clock(part) for part in re.split(r" ?[-–] ?| (?:to|bis|a) ", bare)]
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
        return ends[0], ends[1]
    return Wrong(say("“{typed}” isn't a time range: write it like 23:00-08:00, or none.", typed=bare))


def budget(text: str) -> float | Wrong:
    """Read dollars a day; 0 means no limit."""
    bare = text.strip().lower().removesuffix("usd").strip().lstrip("$").replace(",", ".")
    if bare in _NONE:
        return 0.0
    found = numbers.decimal(bare)
    if found is None:
        return Wrong(say("“{typed}” isn't an amount: enter dollars per day, like 1 or 0.50 (0: no limit).", typed=bare))
    if not 0 <= found <= DEAREST_DAY_USD:
        return Wrong(say("A day may cost from 0 (no limit) to {most:g} dollars.", most=DEAREST_DAY_USD))
    return found


def owner_id(text: str) -> int | Wrong:
    """Read a numeric Telegram id."""
    bare = text.strip()
    found = numbers.whole(bare, 1, 2**52 - 1)
    return found or Wrong(
        say("“{typed}” isn't a Telegram ID: it's a number like 123456789 (@userinfobot tells you yours).", typed=bare)
    )


def gguf(text: str) -> str | Wrong:
    """Read the name of a GGUF model file."""
    bare = text.strip().strip("\"'").removeprefix("local:")
    if bare.endswith(".gguf"):
        return bare
    return Wrong(say("“{typed}” isn't a model file: the name must end in .gguf.", typed=bare))


def yes(text: str) -> bool | Wrong:
    bare = text.strip().lower()
    for answer, words, signs in ((True, YES, ("true", "1")), (False, NO, ("false", "0"))):
        if bare in (*say(words).split(), *words.split(), *signs):
            return answer
    return Wrong(say("Type y for yes or n for no."))


def one_of(options: Sequence[str]) -> Reader[str]:
    """Return a reader of an option by its number (from 1), its name, or a unique prefix."""

    def read(text: str) -> str | Wrong:
        bare = text.strip().lower()
        if (number := numbers.whole(bare, 1, len(options))) is not None:
            return options[number - 1]
        if bare in (option.lower() for option in options):
            return next(option for option in options if option.lower() == bare)
        fitting = [option for option in options if bare and option.lower().startswith(bare)]
        if len(fitting) == 1:
            return fitting[0]
        return Wrong(
            say("“{typed}” isn't one of these: type a number from 1 to {most}.", typed=bare, most=len(options))
        )

    return read


def parse_choice(text: str) -> Choice | Wrong:
    """Read the choice about an earlier answer: keep, change or reset."""
    choices: tuple[Choice, ...] = ("keep", "change", "reset")
    bare = text.strip().lower()
    for words in (say(CHOICES), CHOICES):
        for choice, word in zip(choices, words.split(), strict=True):
            if bare and word.startswith(bare):
                return choice
    return Wrong(say("Type k to keep it, c to change it, r to reset it to the default."))


def parse_model(wanted: str, known: Collection[str]) -> str | Wrong:
    """Read the name of a model on a server; any name if the server's models are unknown."""
    bare = wanted.strip().removeprefix("openai:")
    if not bare:
        return Wrong(say("Type the model's name."))
    if not known or bare in known:
        return bare
    near = difflib.get_close_matches(bare, known, 3, 0.4)
    if near:
        return Wrong(say("The server has no model “{typed}”: did you mean {near}?", typed=bare, near=", ".join(near)))
    there = ", ".join(sorted(known)[:8])
    return Wrong(say("The server has no model “{typed}”; it has {there}.", typed=bare, there=there))


def mask_secret(secret: str) -> str:
    """Mask a secret for display: a bot's number, or the length of anything else."""
    number, colon, _rest = secret.partition(":")
    if colon and number.isdigit():
        return f"{number}:••••••"
    return f"•••••• ({len(secret)})"


def describe_quiet(since: time, until: time) -> str:
    """Return the quiet hours in words."""
    return say("none") if since == until else f"{since:%H:%M}-{until:%H:%M}"


def _clock(text: str) -> time | None:
    match = _CLOCK.fullmatch(text.strip())
    return None if match is None else time(int(match["hour"]), int(match["minute"] or 0))
