"""The compiled word lists of one language, for signals, manner of speech and intents.

The words are `config/lexicon/<language>.toml`: a new language needs no code.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from furoshiki.core.config_table import ConfigTable
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.language.inflection import language_of
from furoshiki.language.phrases import Grammar, Phrases, plain_form
from furoshiki.language.tables.wish_names import WISHES

# feelings in a message or conversation; `furoshiki.language.signals` finds them in words
Feeling = Literal[
    "anger", "frustration", "praise", "warmth", "excitement", "worry", "sadness", "curiosity", "disengagement", "relief"
]

CATEGORIES: tuple[str, ...] = get_args(Feeling)

# The strength of a phrase by the list that contains it.
STRENGTHS = {"strong": 0.9, "plain": 0.6, "mild": 0.35, "faint": 0.35, "whole": 0.6}
EMOJI_STRENGTH = 0.6
EMOTICON_STRENGTH = 0.5
MASK = ""
ADMIRED = "admired"
WRY = "wry"

# the names that are known in a file, by table
_NAMES = {key: tuple(names.split()) for key, names in read_toml_file(ROOT / "config" / "lexicon_names.toml").items()}

# phrases that are searched anywhere in a message, in one pass
_ANYWHERE = ("positive_feedback", "negative_feedback")


@dataclass(frozen=True, slots=True)
class Sense:
    """The meaning of a phrase: a category, and its strength in [0, 1].

    `category` is a signal, MASK (no meaning), WRY (irony) or ADMIRED (depends on the object). A
    faint one counts only if nothing else was found: "damn", "haha".
    """

    category: str
    strength: float
    faint: bool = False


@dataclass(frozen=True)
class Lexicon:
    """One language's words, ready to use. `words` and `phrases` are the named lists of the file.

    `manner` finds how something is said ("hedges", "slang" …), `wishes` wishes about the
    companion's style; `beside` is the lexicon of the owner's second language.
    """

    language: str
    senses: Phrases[Sense]
    whole: Phrases[Sense]
    emoji: Mapping[str, tuple[Sense, ...]]
    emoji_letters: frozenset[str]
    emoticon_marks: re.Pattern[str]
    emoticon_pattern: re.Pattern[str]
    negated: Mapping[str, str]
    reactions: Mapping[str, tuple[Sense, ...]]
    words: Mapping[str, frozenset[str]]
    phrases: Mapping[str, Phrases[bool]]
    anywhere: Phrases[str]
    manner: Phrases[str]
    wishes: Phrases[str]
    beside: "Lexicon | None" = None

    def of(self, text: str) -> "Lexicon":
        """Return the second language's lexicon for a text in that language, else this one."""
        lexicon = self.beside
        return lexicon if lexicon is not None and language_of(text) == lexicon.language else self

    @classmethod
    def from_mapping(cls, parsed: Mapping[str, Any]) -> "Lexicon":
        """Compile a parsed lexicon file. Raises ValueError naming the wrong key."""
        file = ConfigTable(parsed)
        file.only(_NAMES["file"])
        signals = file.table("signals")
        signals.only(CATEGORIES)
        tables = {name: signals.table_or_empty(name) for name in CATEGORIES}
        for entry in tables.values():
            entry.only((*STRENGTHS, "emoji"))
        irony = file.table_or_empty("irony")
        irony.only(_NAMES["irony"])
        nlp = file.table("nlp")
        nlp.only((*_NAMES["nlp_words"], *_NAMES["nlp_phrases"]))
        style = file.table_or_empty("style")
        style.only((*_NAMES["manner"], *_NAMES["style"]))
        wishes = style.table_or_empty("wishes")
        wishes.only(WISHES)
        words = _words(file, irony, nlp) | {
            name: frozenset(plain_form(word) for word in style.texts(name))
            for name in ("commands", "around_wishes", "asides")
        }
        kinds = file.table_or_empty("kinds")
        grammar = Grammar.of(
            words["up"] | words["down"] | words["inside"], {name: kinds.phrases(name) for name in kinds}
        )
        whole = []
        for name, entry in tables.items():
            whole += [(phrase, Sense(name, STRENGTHS["whole"])) for phrase in entry.phrases("whole")]
        emoji = _faces(tables, file.table_or_empty("emoticons"), irony.texts("emoji"))
        return cls(
            language=file.text("language"),
            senses=Phrases(_senses(tables, file), grammar),
            whole=Phrases(whole, grammar),
            emoji=emoji,
            emoji_letters=frozenset(face[0] for face in emoji if not face.isascii()),
            emoticon_marks=_any_of({_mark(face) for face in emoji if face.isascii()}),
            emoticon_pattern=_any_of(face for face in emoji if face.isascii()),
            negated=_opposites(file.table_or_empty("negated")),
            reactions=_reactions(file.table_or_empty("reactions")),
            words=words,
            phrases={name: Phrases((p, True) for p in nlp.texts(name)) for name in _NAMES["nlp_phrases"]}
            | {name: Phrases((p, True) for p in style.texts(name)) for name in ("pushback", "concessions")},
            anywhere=_named(nlp, _ANYWHERE),
            manner=_named(style, _NAMES["manner"]),
            wishes=_named(wishes, wishes),
        )


def _named(table: ConfigTable, names: Iterable[str]) -> Phrases[str]:
    """Return the texts under these names as phrases that mean their name."""
    return Phrases((phrase, name) for name in names for phrase in table.texts(name))


def bare(emoji: str) -> str:
    """Remove variation selectors and skin tones, so that ❤️ and ❤, 👍🏽 and 👍 are equal."""
    plain = "".join(c for c in emoji if c != "\ufe0f" and not "\U0001f3fb" <= c <= "\U0001f3ff")
    return plain or emoji


def _senses(tables: Mapping[str, ConfigTable], file: ConfigTable) -> list[tuple[str, Sense]]:
    masks = file.table_or_empty("masks")
    masks.only(("phrases",))
    senses = [
        (phrase, Sense(category, STRENGTHS[grade], faint=grade == "faint"))
        for category, entry in tables.items()
        for grade in ("strong", "plain", "mild", "faint")
        for phrase in entry.phrases(grade)
    ]
    senses += [(word, Sense(ADMIRED, STRENGTHS["plain"])) for word in file.table_or_empty("admiring").texts("words")]
    senses += [(phrase, Sense(WRY, STRENGTHS["plain"])) for phrase in file.table_or_empty("irony").texts("marks")]
    return senses + [(phrase, Sense(MASK, 0.0)) for phrase in masks.texts("phrases")]


def _faces(
    tables: Mapping[str, ConfigTable], emoticons: ConfigTable, wry: tuple[str, ...]
) -> dict[str, tuple[Sense, ...]]:
    emoticons.only(CATEGORIES)
    senses_of: dict[str, tuple[Sense, ...]] = {bare(face): () for face in wry}
    for category in CATEGORIES:
        for face in tables[category].texts("emoji"):
            senses_of[bare(face)] = (*senses_of.get(bare(face), ()), Sense(category, EMOJI_STRENGTH))
        for face in emoticons.texts(category):
            senses_of[face] = (*senses_of.get(face, ()), Sense(category, EMOTICON_STRENGTH))
    return senses_of


def _any_of(faces: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(faces, key=len, reverse=True)
    return re.compile("|".join(re.escape(face) for face in longest_first) or r"(?!)")


def _mark(face: str) -> str:
    """Return the rare part of an emoticon: one of its signs, or all of it."""
    return next((sign for sign in ":;=<^>_+" if sign in face), face)


def _opposites(table: ConfigTable) -> dict[str, str]:
    table.only(CATEGORIES)
    opposite_of = {name: table.text(name) for name in table}
    for name, opposite in opposite_of.items():
        if opposite not in CATEGORIES:
            raise ValueError(f"{table.name(name)}: {opposite!r} is not a signal; known are {', '.join(CATEGORIES)}")
    return opposite_of


def _reactions(table: ConfigTable) -> dict[str, tuple[Sense, ...]]:
    table.only(CATEGORIES)
    return {bare(face): (Sense(category, EMOJI_STRENGTH),) for category in table for face in table.texts(category)}


def _words(file: ConfigTable, irony: ConfigTable, nlp: ConfigTable) -> dict[str, frozenset[str]]:
    modifiers = file.table_or_empty("modifiers")
    modifiers.only(_NAMES["modifiers"])
    admiring = file.table_or_empty("admiring")
    admiring.only(("words", "addressed"))
    lists = {name: modifiers.texts(name) for name in _NAMES["modifiers"]}
    lists |= {name: irony.texts(name) for name in ("leads", "openers", "troubles", "mended", "endings")}
    lists |= {name: nlp.texts(name) for name in _NAMES["nlp_words"]}
    questions = file.table_or_empty("questions")
    questions.only(("practical", "own", "near", "fillers"))
    lists |= {name: questions.texts(name) for name in ("practical", "own", "near", "fillers")}
    dryness = file.table_or_empty("dryness")
    dryness.only(("dry", "driest"))
    lists |= {name: dryness.texts(name) for name in ("dry", "driest")}
    lists["people"] = file.table_or_empty("kinds").phrases("who")
    lists["addressed"] = admiring.texts("addressed")
    lists["wry"] = tuple(bare(face) for face in irony.texts("emoji"))
    return {name: frozenset(plain_form(word) for word in entries) for name, entries in lists.items()}
