"""The shared state of the set-up's steps: flags, whom to ask, where to save, progress."""

import argparse
import functools
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from furoshiki.core import env_file
from furoshiki.core import settings as all_settings
from furoshiki.core.atomic_files import write_text
from furoshiki.core.catalogue import later, say, speaking
from furoshiki.core.database.connection import Database
from furoshiki.core.settings import Settings
from furoshiki.faces.cli import context
from furoshiki.faces.cli.language import find_language
from furoshiki.faces.setup import rules
from furoshiki.faces.setup.asking import Asking, Back
from furoshiki.faces.setup.rules import Choice, Reader, Wrong

T = TypeVar("T")

State = Literal["done", "kept", "left out", "failed"]

# sources of settings that override `.env`
FIXED_ELSEWHERE = later(("environment", "systemd credential"))


@dataclass(frozen=True)
class Result:
    """A step's result: `words` for a person, `fix` for what is left, `facts` for JSON."""

    state: State
    words: str
    fix: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Given:
    """The answers given as flags; None if not given."""

    token: str | None = None
    key: str | None = None
    provider: str | None = None
    base_url: str | None = None
    model: str | None = None
    pull: bool = False
    owner: str | None = None
    name: str | None = None
    language: str | None = None
    zone: str | None = None
    quiet: str | None = None
    budget: str | None = None
    service: bool | None = None
    delete_webhook: bool = False
    reset: frozenset[str] = frozenset()


class Session:
    """One run of the wizard. `asking` is None without a person to ask."""

    def __init__(self, given: Given, asking: Asking | None, say: Callable[[str], None], data: Path) -> None:
        self.given = given
        self.asking = asking
        self.say = say
        self.data = data
        self._before = _load_answered(self._progress)
        self._answered = list(self._before)

    @property
    def resumed(self) -> bool:
        """Whether an earlier run stopped after some answers."""
        return bool(self._before)

    @functools.cached_property
    def database(self) -> Database:
        """The database, migrated on first use. Raises BadSetting, StorageUnavailable."""
        return context.storage()[1]

    def speaking(self) -> AbstractContextManager[None]:
        """Speak the language set at present, which may have changed during the set-up."""
        return nullcontext() if self.asking is None else speaking(find_language())

    def now(self) -> datetime:
        """Return the present moment."""
        return context.clock().now()

    def settings(self) -> Settings:
        """Load the present settings. Raises BadSetting."""
        return all_settings.load()

    def set_names(self) -> frozenset[str]:
        """Return the names of all settings that are set, in lower case."""
        return frozenset(all_settings.effective())

    def save(self, values: Mapping[str, str | None]) -> None:
        """Write settings to `.env` at once; None removes a setting."""
        env_file.save(self.data, values)

    def fixed(self, name: str) -> str | None:
        """Say where a setting is set that `.env` cannot change; None if it can."""
        found = all_settings.effective().get(name.lower())
        if found is None or found[1] not in FIXED_ELSEWHERE:
            return None
        return say("{name} is set by {place}, which overrides .env: change it there.", name=name, place=say(found[1]))

    def fate(self, step: str, held: str | None, *, given: bool) -> Choice:
        """Decide what happens to a step's value; `held` describes it (None: there is none)."""
        if step in self.given.reset:
            return "reset"
        if given or held is None:
            return "change"
        if self.asking is None:
            return "keep"
        self.say(held)
        if step in self._before:
            return "keep"
        return self.asking.value(f"  {say('[k]eep, [c]hange or [r]eset')}", rules.parse_choice, say("keep"))

    def finished(self, step: str) -> None:
        """Mark a step as answered: a resumed run does not ask for it again, and its reset is done."""
        self.given = replace(self.given, reset=self.given.reset - {step})
        if step not in self._answered:
            self._answered.append(step)
            write_text(self._progress, json.dumps({"answered": self._answered}))

    def ask_in_order(self, steps: Iterable[T], take: Callable[[T], None]) -> None:
        """Take steps in their order. Going back repeats a step that has asked already, else the last
        one before it that asked; answers are kept, and asked about again. Raises Back before the first."""
        to_take, asked = list(steps), list[tuple[list[T], int]]()
        while to_take:
            before = self._count_answers()
            try:
                take(to_take[0])
            except Back:
                if self._count_answers() > before:
                    asked.append((to_take, before))
                elif not asked:
                    raise
                to_take, before = asked.pop()
                assert self.asking is not None
                self.asking.answered, self._before = before, ()
                continue
            if self._count_answers() > before:
                asked.append((to_take, before))
            to_take = to_take[1:]

    def _count_answers(self) -> int:
        return 0 if self.asking is None else self.asking.answered or 0

    def over(self) -> None:
        """Mark everything as answered: the next run offers to change it."""
        self._progress.unlink(missing_ok=True)

    @property
    def _progress(self) -> Path:
        return self.data / "run" / "setup.json"


def understood(text: str, reader: Reader[T], flag: str) -> T:
    """Parse the value of a flag. Raises Misused with the reader's words."""
    found = reader(text)
    if isinstance(found, Wrong):
        raise context.Misused(f"{flag}: {found.words}")
    return found


def secret_of(args: argparse.Namespace, name: str, tell: Callable[[str], None]) -> str | None:
    """Read a secret from a flag, a file or stdin ("-"). Raises Misused if empty, OSError."""
    plain, file = getattr(args, name), getattr(args, f"{name}_file")
    if plain is not None:
        tell(
            say(
                "--{name} exposes the secret to everybody who can list processes here, and to "
                "your shell history: use --{name}-file FILE, or --{name}-file - and type it in.",
                name=name,
            )
        )
        return str(plain)
    if file is None:
        return None
    text = sys.stdin.readline() if file == "-" else Path(file).expanduser().read_text(encoding="utf-8-sig")
    if not text.strip():
        empty = say("{file}: it's empty; put just the secret in it", file=f"--{name}-file {file}")
        raise context.Misused(empty)
    return text.strip()


def _load_answered(path: Path) -> tuple[str, ...]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["answered"]
    except (OSError, ValueError, KeyError, TypeError):
        return ()
    return tuple(str(one) for one in found) if isinstance(found, list) else ()
