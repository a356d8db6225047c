"""Detection of API keys in texts by their shape, and masking so that none is stored."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from furoshiki.core.network import providers

T = TypeVar("T")

COVER = "•"  # replaces each character of a key, so that offsets into the text stay valid

_SHAPES: Mapping[str, re.Pattern[str]] = {
    spec.name: re.compile(spec.key_shape, re.ASCII) for spec in providers.PROVIDERS if spec.key_shape
}
# a key of any known provider, or anything else that begins with "sk-"
_ANY = re.compile(
    rf"(?<![A-Za-z0-9+/._-])(?:{'|'.join(one.pattern for one in _SHAPES.values())}|sk-[\w-]{{16,}})(?![\w-])", re.ASCII
)

# a word of letters and digits: accepted as a key when the user was asked for one
BARE = re.compile(r"(?=[\d_.:-]{0,200}[A-Za-z])(?=[A-Za-z_.:-]{0,200}\d)[\w.:-]{20,200}", re.ASCII)

# a URL, accepted as a secret when the user was asked for one
ADDRESS = re.compile(r"(?:https?|webcals?)://\S{4,2000}")

# two letters that hardly occur together in words of any supported language
_UNSPOKEN = r"(?:q(?!u)|[jvz][b-df-hj-np-tvx]|[b-df-hj-mp-tv-z][jqx]|x[b-df-hj-np-su-xz])"

# A password, when the user was asked for one: a word with a digit or symbol; sixteen
# unpronounceable letters in one or four groups (Google, Yahoo, Microsoft); or three groups of five
# with digits. No ordinary message may match, least of all a call for help (`python -m
# bench.asked`).
PASSWORD = re.compile(
    rf"(?=[a-z \u00a0]{{0,19}}(?:[bcdfghj-np-tv-xz]{{3}}|{_UNSPOKEN}))[a-z]{{4}}(?:[ \u00a0][a-z]{{4}}){{3}}"
    rf"|(?=[a-z]{{0,15}}(?:[bcdfghj-np-tv-z]{{4}}|{_UNSPOKEN}))[a-z]{{16}}"
    r"|(?=[a-z0-9 ]{0,20}\d)[a-z0-9]{5}(?: [a-z0-9]{5}){2}"
    r"|(?!/)(?=[!-~]{0,100}(?:\d|[a-z][A-Z]|[!-/:-@\[-`{-~][A-Za-z0-9]))[!-~]{8,100}"
)

_LEAST_COVER = 16  # minimum length of a mask, in characters: hides the length of short secrets

_COVERED = re.compile(rf"{COVER}{{{_LEAST_COVER},}}")
# maximum length of a message that is a secret and nothing else, in characters
LONGEST_ALONE = 2_020

# maximum length of a text searched for keys, in characters; longer texts are files
_LONGEST = 200_000

# maximum characters around a masked key in a message of its own ("here is my key:")
MOST_BESIDE = 40


def find_key(text: str, alone: re.Pattern[str] | None = None) -> str | None:
    """Return the first key in a text, or the whole text when it matches `alone`; else None."""
    if len(text) > _LONGEST:
        return None
    match = _ANY.search(text)
    if match is not None:
        return match.group()
    bare = text.strip()
    fits = alone is not None and len(bare) <= LONGEST_ALONE and alone.fullmatch(bare)
    return bare if fits else None


def whose(key: str) -> str | None:
    """Return the provider whose shape this key has; None when no shape matches."""
    return next((name for name, shape in _SHAPES.items() if shape.fullmatch(key)), None)


def cover(value: T, key: str | None = None) -> T:
    """Return a JSON value with all keys in it, and this `key`, masked."""
    plain: Any = value
    if isinstance(plain, str):
        if len(plain) > _LONGEST:
            return value
        plain = plain if key is None else plain.replace(key, COVER * max(len(key), _LEAST_COVER))
        plain = _ANY.sub(lambda found: COVER * len(found.group()), plain)
    elif isinstance(plain, Mapping):
        plain = {name: cover(one, key) for name, one in plain.items()}
    elif isinstance(plain, list | tuple):
        plain = [cover(one, key) for one in plain]
    return cast("T", plain)


def is_covered(text: str) -> bool:
    """Return whether a text is little more than a masked key."""
    rest = _COVERED.sub("", text)
    return rest != text and len(rest.strip()) <= MOST_BESIDE
