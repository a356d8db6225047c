"""Keys to language models as they stand in a text: told by their shape, and covered, so that nothing keeps them."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from furoshiki.core.network import providers

T = TypeVar("T")

COVER = "•"
"""Each character of a key is covered by one of these, so that what is said of places in the text stays right."""

_SHAPES: Mapping[str, re.Pattern[str]] = {
    spec.name: re.compile(spec.key_shape, re.ASCII) for spec in providers.PROVIDERS if spec.key_shape
}
_ANY = re.compile(
    rf"(?<![A-Za-z0-9+/._-])(?:{'|'.join(one.pattern for one in _SHAPES.values())}|sk-[\w-]{{16,}})(?![\w-])", re.ASCII
)
"""A key of any provider; anything that begins with "sk-", as many do, counts too."""

BARE = re.compile(r"(?=[\d_.:-]{0,200}[A-Za-z])(?=[A-Za-z_.:-]{0,200}\d)[\w.:-]{20,200}", re.ASCII)
"""One word of letters and digits: a key without a sign of its own, where one was asked for."""

ADDRESS = re.compile(r"(?:https?|webcals?)://\S{4,2000}")
"""An address, where one was asked for that nobody else may know."""

_UNSPOKEN = r"(?:q(?!u)|[jvz][b-df-hj-np-tvx]|[b-df-hj-mp-tv-z][jqx]|x[b-df-hj-np-su-xz])"
"""Two letters that hardly stand side by side in a word of any language here."""

PASSWORD = re.compile(
    rf"(?=[a-z \u00a0]{{0,19}}(?:[bcdfghj-np-tv-xz]{{3}}|{_UNSPOKEN}))[a-z]{{4}}(?:[ \u00a0][a-z]{{4}}){{3}}"
    rf"|(?=[a-z]{{0,15}}(?:[bcdfghj-np-tv-z]{{4}}|{_UNSPOKEN}))[a-z]{{16}}"
    r"|(?=[a-z0-9 ]{0,20}\d)[a-z0-9]{5}(?: [a-z0-9]{5}){2}"
    r"|(?!/)(?=[!-~]{0,100}(?:\d|[a-z][A-Z]|[!-/:-@\[-`{-~][A-Za-z0-9]))[!-~]{8,100}"
)
"""A password, where one was asked for: one word with a figure or a sign in it, or sixteen letters that nobody can
pronounce, as Google, Yahoo and Microsoft give them, in four groups or in one; or three groups of five with figures.
What may be talk is none, a call for help least of all; `python -m bench.asked` measures it."""

_LEAST_COVER = 16
"""Signs that cover a short one: so many are known for a cover, and how long it was is nobody's business."""

_COVERED = re.compile(rf"{COVER}{{{_LEAST_COVER},}}")
LONGEST_ALONE = 2_020
"""Characters of a secret that is a message of its own."""

_LONGEST = 200_000
"""Characters of a text in which a key is looked for: what is longer is a file."""

MOST_BESIDE = 40
"""Characters that may stand beside a key that is a message of its own ("here is my key:")."""


def find_key(text: str, alone: re.Pattern[str] | None = None) -> str | None:
    """The first key in a text, or all of one that is what was asked for (`alone`) and nothing else."""
    if len(text) > _LONGEST:
        return None
    found = _ANY.search(text)
    if found is not None:
        return found.group()
    bare = text.strip()
    fits = alone is not None and len(bare) <= LONGEST_ALONE and alone.fullmatch(bare)
    return bare if fits else None


def whose(key: str) -> str | None:
    """The name of the provider whose key this is by its shape; None where it may be of several."""
    return next((name for name, shape in _SHAPES.items() if shape.fullmatch(key)), None)


def cover(value: T, key: str | None = None) -> T:
    """A JSON value without the keys in it, and without this `key`: each is covered, and the rest stays as it was."""
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
    """Whether a text is hardly more than a key that was covered."""
    rest = _COVERED.sub("", text)
    return rest != text and len(rest.strip()) <= MOST_BESIDE
