"""Detect in which language a user writes."""

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from furoshiki.core import catalogue
from furoshiki.core.database import kv
from furoshiki.core.errors import StorageUnavailable
from furoshiki.language.detection import Language
from furoshiki.language.requests import small_talk
from furoshiki.language.words import count_words
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import USER
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

LOOKED_AT = 40  # messages of both sides that are read to find a user's usual language
LEAST_TELLING = 3  # messages with a detected language that outweigh Telegram's setting, if they are in several


def find_language(messages: Iterable[str], config: Path) -> str | None:
    """Return the language of a user's messages (oldest first), by the last with a detected one;
    None if there is none, and for English."""
    languages, before = load_languages(config), None
    language: Language | None = None
    for text in messages:
        before = languages.of(text, before)
        language = before or language
        if before is None and len(text.split()) >= ENGLISH_WORDS:
            language = None
    return (language and language.name) or None


MOST_ENGLISH = 0.9  # share of English words up to which a set phrase is of another language
ENGLISH_WORDS = 4  # a message with this many words and no sign of another language is English


@contextlib.contextmanager
def speaking_as_usual(world: World) -> Iterator[None]:
    """Speak the usual language of this world's person, for unprompted messages."""
    with world.database.read() as db:
        code = usual(world, db)
    with catalogue.speaking(code):
        yield


@contextlib.contextmanager
def speaking_to(world: World, text: str) -> Iterator[None]:
    """Speak the language of a message; of a short one the previous, of a command the usual."""
    with world.database.read() as db:
        messages = _read_messages(db)
        codes = [*_list_languages(world, messages)]
        code = usually = _find_usual(world, db, messages, codes)
    if not text.startswith("/"):
        code = codes[-1] if codes else code
        language = load_languages(world.config).of(text, by_code(world, code))
        greeted = None if codes else _match_greeting(world, text)
        if greeted is not None:
            code = greeted.code
        elif language is not None and language.spoken:
            code = language.code
        elif language is None and _is_english(world, text):
            code = catalogue.ENGLISH
    with catalogue.speaking(code if code in catalogue.languages() else usually):
        yield


def usual(world: World, db: sqlite3.Connection) -> str:
    """Return a user's usual language: by the setting, most messages, or the channel."""
    messages = _read_messages(db)
    return _find_usual(world, db, messages, _list_languages(world, messages))


def _find_usual(world: World, db: sqlite3.Connection, messages: Iterable[str], languages: Iterable[str]) -> str:
    """Return the result of `usual` for messages in these languages. Somebody who lives in two of them,
    one of which has no catalogue, is spoken to in the other."""
    if world.settings.furoshiki_language:
        return world.settings.furoshiki_language
    count_of = Counter(languages)
    if count_of.total() >= LEAST_TELLING:
        ranked = [code for code, _ in count_of.most_common()]
        sayable = (one for one in ranked if one in catalogue.languages() and count_of[one] >= LEAST_TELLING)
        return next(sayable, ranked[0])
    if len(count_of) == 1 and sum(map(count_words, messages)) >= ENGLISH_WORDS:
        return next(iter(count_of))
    return accounts.owners_language(db) or world.who.language or kv.get(db, _OF_TERMINAL) or catalogue.ENGLISH


def keep_terminals(world: World, code: str) -> None:
    """Store the language of the owner's terminal, a locale or a code ("de", "pt_BR"): it is the
    usual one until a channel or messages show another."""
    language = by_code(world, code.replace("_", "-"))
    told = language.code if language is not None and language.spoken else catalogue.ENGLISH
    with contextlib.suppress(StorageUnavailable):
        with world.database.read() as db:
            before = kv.get(db, _OF_TERMINAL, catalogue.ENGLISH)
        if told != before:
            with world.database.write() as db:
                kv.put(db, _OF_TERMINAL, told, world.now)


_OF_TERMINAL = "terminal.language"


def _read_messages(db: sqlite3.Connection) -> list[str]:
    return [turn.own for turn in turns.lately(db, LOOKED_AT) if turn.speaker == USER]


def _list_languages(world: World, messages: Iterable[str]) -> Iterator[str]:
    before: Language | None = None
    for text in messages:
        language = load_languages(world.config).of(text, before) or _match_greeting(world, text)
        before = language if language is not None or _is_english(world, text) else before
        if before is not None and before.spoken:
            yield before.code
        elif before is None and len(text.split()) >= ENGLISH_WORDS:
            yield catalogue.ENGLISH


def _is_english(world: World, text: str) -> bool:
    """Whether a message without another language is English by its words, more of them if it is short."""
    words = len(text.split())
    return words > 1 and load_languages(world.config).is_english(text, share=0.5 if words < ENGLISH_WORDS else 0.25)


def _match_greeting(world: World, text: str) -> Language | None:
    """Return the one language to which a set phrase belongs ("bonjour", "yo was geht"); None for English words."""
    languages = load_languages(world.config)
    return None if languages.is_english(text, share=MOST_ENGLISH) else small_talk.language_of(text, languages.each)


def by_code(world: World, code: str) -> Language | None:
    """Return a language by its code ("de", "pt-br"); None for English and for unknown ones."""
    short = code.lower().partition("-")[0]
    return next((language for language in load_languages(world.config).each if language.code == short), None)
