"""A frozen record of settings: a row for each, with type, default, limits and help.

Plain Python instead of pydantic, which takes 13 MB and 0.1 s of CPU in every process and script
that reads settings; most use it for nothing else (ADR 0070).
"""

import contextlib
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.network import credentials

_TRUE = frozenset(("1", "on", "t", "true", "y", "yes"))
_FALSE = frozenset(("0", "off", "f", "false", "n", "no"))
_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,30}(_[0-9]{1,30})*(\.0{1,30})?\s*")


class SecretStr:
    """A text that is hidden where it is printed."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def get_secret_value(self) -> str:
        """Return the text itself."""
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretStr) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return "**********" if self._text else ""

    def __repr__(self) -> str:
        return f"SecretStr({str(self)!r})"


@dataclass(frozen=True)
class Row:
    """The definition of one setting."""

    default: Any
    whose: str
    tier: int
    restarts: str = ""  # the processes to restart after a change, in words; "" for none

    secret: bool = False
    # the credential that is sent to the configured address: the name of a secret, or words
    carries: str = ""

    # `ge`, `gt`, `le`, `lt` of a number; `min_length`, `max_length` and `pattern` of a text
    limits: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """The type of a setting: its name in JSON, what reads a given value, and whether it may be
    None. `read` raises ValueError with a Sentence."""

    name: Literal["boolean", "integer", "number", "string"]
    read: Callable[[Any], Any]
    optional: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Problem:
    """An invalid value: the setting, and what is required."""

    name: str
    words: str


class Misfits(ValueError):
    """Some values do not fit; `problems` says which and why."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(f"{one.name}: {one.words}" for one in problems))
        self.problems = problems


class Record:
    """Base of a class whose attributes are rows: checked values that cannot be changed."""

    model_fields: ClassVar[dict[str, Row]] = {}
    kinds: ClassVar[dict[str, Kind]] = {}

    def __init_subclass__(cls, also: Mapping[str, tuple[Any, Row]] | None = None) -> None:
        """`also` are further settings, placed first: type and row by name."""
        named = {name: (hint, vars(cls).get(name)) for name, hint in typing.get_type_hints(cls).items()}
        every = {**(also or {}), **named}
        cls.model_fields = {name: row for name, (_, row) in every.items() if isinstance(row, Row)}
        cls.kinds = {name: _kind_of(every[name][0]) for name in cls.model_fields}

    def __init__(self, **given: Any) -> None:
        """Check the given values, and the defaults of the others. Raises Misfits."""
        problems = [Problem(name, "is not a setting") for name in given.keys() - self.model_fields.keys()]
        for name, row in self.model_fields.items():
            try:
                self.__dict__[name] = self._check(name, row, given.get(name, row.default))
            except ValueError as error:
                words = error.args[0] if error.args else ""
                problems.append(Problem(name, words if isinstance(words, Sentence) else str(error)))
        if problems:
            raise Misfits(problems)

    def _check(self, name: str, row: Row, value: Any) -> Any:
        """Return the value to hold. Raises ValueError with a Sentence."""
        kind, value = self.kinds[name], self.clean(name, value)
        if value is None and kind.optional:
            return None
        found = kind.read(value)
        for limit, bound in row.limits.items():
            if not _LIMITS[limit](found, bound):
                words = BEYOND.get(limit, INVALID)
                raise ValueError(Sentence(words, **{limit: bound, "help": self.explain(name)}))
        return self.judge(name, found)

    def explain(self, name: str) -> str:
        """Return what a setting is for, for the message about an invalid value."""
        return ""

    def clean(self, name: str, value: Any) -> Any:
        """Return a given value, tidied up before it is read."""
        return value

    def judge(self, name: str, value: Any) -> Any:
        """Return a value of the right type as it is to be held. Raises ValueError."""
        return value

    def model_copy(self, update: Mapping[str, Any]) -> Self:
        """Return a copy with other values, which are not checked."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, **update)
        return made

    def model_dump(self) -> dict[str, Any]:
        """Return all values by name."""
        return dict(self.__dict__)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a setting record cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


def _kind_of(hint: Any) -> Kind:
    """Return the kind of a type hint: bool, int, float, str, Path, SecretStr or a Literal of
    texts, perhaps `| None`."""
    optional = isinstance(hint, types.UnionType)
    if optional:
        [hint] = [one for one in typing.get_args(hint) if one is not types.NoneType]
    if typing.get_origin(hint) is Literal:
        choices = typing.get_args(hint)
        return Kind("string", lambda value: _read_choice(value, choices), optional, choices)
    name, read = _READERS[hint]
    return Kind(name, read, optional)


def _read_bool(value: Any) -> bool:
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    word = value.lower() if isinstance(value, str) else ""
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ValueError(Sentence("must be true or false"))


def _read_int(value: Any) -> int:
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value.partition(".")[0])
    raise ValueError(Sentence(WHOLE))


def _read_float(value: Any) -> float:
    if isinstance(value, int | float) or (isinstance(value, str) and value.isascii()):
        with contextlib.suppress(ValueError, OverflowError):
            found = float(value)
            if not math.isnan(found):
                return found
    raise ValueError(Sentence("must be a number"))


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(Sentence(TEXT))
    return value


def _read_path(value: Any) -> Path:
    if not isinstance(value, str | Path):
        raise ValueError(Sentence(PATH))
    return Path(value)


def _read_secret(value: Any) -> SecretStr:
    return value if isinstance(value, SecretStr) else SecretStr(_read_text(value))


def _read_choice(value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(Sentence(ONE_OF, expected=" or ".join((", ".join(choices[:-1]), choices[-1]))))
    return str(value)


_READERS: dict[Any, tuple[Literal["boolean", "integer", "number", "string"], Callable[[Any], Any]]] = {
    bool: ("boolean", _read_bool),
    int: ("integer", _read_int),
    float: ("number", _read_float),
    str: ("string", _read_text),
    Path: ("string", _read_path),
    SecretStr: ("string", _read_secret),
}


_LIMITS: dict[str, Callable[[Any, Any], bool]] = {
    "le": lambda value, bound: value <= bound,
    "lt": lambda value, bound: value < bound,
    "ge": lambda value, bound: value >= bound,
    "gt": lambda value, bound: value > bound,
    "min_length": lambda value, bound: len(value) >= bound,
    "max_length": lambda value, bound: len(value) <= bound,
    "pattern": lambda value, bound: re.fullmatch(bound, value) is not None,
}


TOKEN = later("is not a bot token (123456:letters…): copy it again from @BotFather")
ADDRESS = later("is not an address: write it like {like}")
ORIGIN = later("must be an address without path or password, like https://furo.example.net or http://192.168.1.5:8330")

INVALID = later("is not valid. It is: {help}")
WHOLE = later("must be a whole number")
TEXT = later("must be a text")
PATH = later("must be the path of a file or folder")
ONE_OF = later("must be one of {expected}")
# messages for values beyond a limit, by its name
BEYOND: Mapping[str, str] = later(
    {
        "gt": "must be more than {gt:g}",
        "ge": "must be at least {ge:g}",
        "lt": "must be less than {lt:g}",
        "le": "must be at most {le:g}",
        "min_length": "must not be empty",
        "max_length": "must have at most {max_length} characters",
    }
)


def is_token(text: str) -> bool:
    """Return whether a text has the form of a bot token: digits, a colon, and a word."""
    number, colon, rest = text.partition(":")
    return bool(colon and rest) and number.isascii() and number.isdigit() and credentials.unfit("", rest) is None


def is_address(text: str) -> bool:
    """Return whether a text is an http(s) URL with a host and a valid port."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(map(str.isspace, text))


def is_origin(text: str) -> bool:
    """Return whether a text is an http(s) origin: a host, an optional port, and no path."""
    if not is_address(text):
        return False
    parts = urlsplit(text)
    return parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
