"""In which language somebody writes, told from what they wrote."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from furoshiki.core import catalogue
from furoshiki.language.detection import Language
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import USER
from furoshiki.recall.retrieval.other_languages import known
from furoshiki.world import World

__all__ = ["ENGLISH_WORDS", "known", "speaking_as_usual", "speaking_to", "written"]

LOOKED_AT = 40
"""Messages, theirs and ours, that are looked at for the language somebody usually writes."""

LEAST_TELLING = 3
"""Messages that must tell a language before they count for more than what Telegram is set to."""


def written(said: Iterable[str], config: Path) -> str | None:
    """The name of the language of somebody's messages (oldest first), by the last that tells; None where none does,
    and for English."""
    languages, before = known(config), None
    found: Language | None = None
    for text in said:
        before = languages.of(text, before)
        found = before or found
        if before is None and len(text.split()) >= ENGLISH_WORDS:
            found = None
    return None if found is None else found.name or None


ENGLISH_WORDS = 4
"""A message of so many words that shows no other language is English."""


@contextmanager
def speaking_as_usual(world: World) -> Iterator[None]:
    """Speak the language that the person of this world usually writes: for what is said unasked."""
    with world.database.read() as db:
        code = usual(world, db)
    with catalogue.speaking(code):
        yield


@contextmanager
def speaking_to(world: World, text: str) -> Iterator[None]:
    """Speak the language of a message; the usual one where it is a command, or too short to tell."""
    with world.database.read() as db:
        code = usual(world, db)
    if not text.startswith("/"):
        found = known(world.config).of(text, _by_code(world, code))
        if found is not None and found.spoken:
            code = found.code
        elif found is None and len(text.split()) >= ENGLISH_WORDS:
            code = catalogue.ENGLISH
    with catalogue.speaking(code):
        yield


def usual(world: World, db: sqlite3.Connection) -> str:
    """The code of the language somebody usually writes: as it is set, else the one of most messages that tell one,
    else the one their channel is set to."""
    if world.settings.furoshiki_language:
        return world.settings.furoshiki_language
    told = Counter(_told(world, (turn.own for turn in turns.lately(db, LOOKED_AT) if turn.speaker == USER)))
    if told.total() >= LEAST_TELLING:
        return told.most_common(1)[0][0]
    return accounts.owners_language(db) or catalogue.ENGLISH


def _told(world: World, said: Iterable[str]) -> Iterator[str]:
    before: Language | None = None
    for text in said:
        before = known(world.config).of(text, before)
        if before is not None and before.spoken:
            yield before.code
        elif before is None and len(text.split()) >= ENGLISH_WORDS:
            yield catalogue.ENGLISH


def _by_code(world: World, code: str) -> Language | None:
    short = code.lower().partition("-")[0]
    return next((one for one in known(world.config).each if one.code == short), None)
