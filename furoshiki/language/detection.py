"""In which language a short message is: told by its script, and in Latin letters by small words and telling letters.

Made for chat. A loan word, a greeting, a name or a quotation make no message foreign; a language that is only known by
sight (Swedish, Greek) is foreign, and nothing more is known of it. Words and replies are `config/languages.toml`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from furoshiki.core.config_table import ConfigTable
from furoshiki.language.stems import OPENING
from furoshiki.language.words import HYPHENED, bare, pairs_of_signs

LONGEST = 600
"""Characters of a message that are looked at."""

MOST_TOLD = 1000
"""So many texts are kept with what was found of them."""

LEAST = 1.2
"""How much words and letters must say before a message in Latin letters counts as foreign; a small word that no other
language has counts 1."""

LEAST_TOKENS = 2
"""Words or telling letters of its own that a language must show: one may be a loan."""

LEAST_WITHOUT_ENGLISH = 0.6
"""What is enough in three words and more of which none is English."""

LEAST_GOING_ON = 0.2
"""What is enough where the message before was in that language."""

LEAST_SHARE = 0.3
"""The part of the words that must be known, so that two small words do not decide about a long message."""

FOLDED = 0.8
"""What a word counts that was written without the marks of its letters ("cok" for "çok")."""

LETTER = 0.7
"""What a letter counts that few languages have, once for each word that has it."""

LEAST_FOLDED = 3
"""Letters of a word that may be written without its marks: "à" is not "a"."""

_OF_ONESELF = re.compile(r"\b(?:estou|tô|fiquei|cheguei|sono)(?: \w{1,12})? mort[oa]\b")
"""A word of death that somebody says of themselves in Portuguese or Italian: they are tired, or hungry."""

LONGEST_LEAD = 5
"""Letters of a word that may stand before the one that asks."""

LONGEST_SOURCE_QUESTION = 160
"""Characters of a message that may ask where something is known from."""

_MARKS = ("?", "\uff1f", "\u061f", "\u00bf")
_TAG = re.compile(
    r"(?<=[\w.,!:;\u00bb\"\u201d)])[\s,]{1,3}\u00bf?(?:(?:hai )?capito|sai|ti rendi conto|wei(?:ß|ss)t du|verstehst du"
    r"|sab[eé]s|entend[eé]s|entiendes|te das cuenta|понимаешь|знаешь|представляешь|tu vois|tu sais|tu te rends compte"
    r"|t'imagines|acredita|sabe|entende|viu|percebes"
    r"|you know)\s?\?",
    re.IGNORECASE,
)
"""What only looks for a nod: "non viene, capito?"."""
_ASKS_WITHIN = frozenset({"devanagari", "arabic", "bengali"})
"""Scripts of languages whose question words stand anywhere in a sentence."""

_SCRIPTS = {
    "latin": re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    "cyrillic": re.compile("[\u0400-\u052f]"),
    "arabic": re.compile("[\u0600-\u06ff\u0750-\u077f]"),
    "devanagari": re.compile("[\u0900-\u097f]"),
    "bengali": re.compile("[\u0980-\u09ff]"),
    "kana": re.compile("[\u3040-\u30ff]"),
    "hangul": re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"),
    "han": re.compile("[\u3400-\u4dbf\u4e00-\u9fff]"),
}
_DENSE = frozenset({"kana", "hangul", "han"})
"""Scripts of which a sign says as much as several letters."""

_DENSITY = 3
_JAPANESE = ("kana", "han")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['\u2019][^\W\d_]+)?(?!\w)")
_SPACED = re.compile(r"[^\s,.!?;:\u060c\u061b\u061f\u0964\u06d4\u2026]+")
_NOT_SAID = re.compile(
    r"https?://\S{1,300}|(?<![\w.+-])[\w.+-]{1,64}@\S{1,200}|`[^`]{0,300}`|\"[^\"]{0,300}\"|\u201c[^\u201d]{0,300}\u201d"
    r"|\u00ab[^\u00bb]{0,300}\u00bb|\A\W{0,9}(?:please )?translate .*",
    re.IGNORECASE,
)
_QUOTED = re.compile("[\u201c\u201e\u00ab]([^\u201c\u201d\u00bb]{2,600})")
_SENTENCE = re.compile(r"[^.!?\u2026\u3002\uff01\uff1f\u061f\u0964\u06d4]+")
_JOINING = """
de del da do dos das di du van von den der la las los el le les ter ten y e al bin ibn san santa
"""
_NEXT_TO_A_NAME = frozenset(_JOINING.split())


_SAYING_SIGNS = frozenset("了啊吧呢吗想死好不没很太我你")
"""Signs of a sentence that stand in no name."""


@dataclass(frozen=True)
class Language:
    """One language: how it is recognised, and what the built-in mind says in it.

    `name` is how it is called in English, "" for one that is not known well.
    `words` are all by which it is told, `small` those among them that say nothing by themselves, `folded` all of them
    without the marks of their letters. `first` to `unsourced` are said in it where no catalogue says more. `mine`
    say that something is the speaker's own, `sources` are phrases that ask where something is known from, plain, the
    longest first. `says` are phrases that are a whole message with what each means, and `told` patterns by which facts
    are told (both as languages.toml has them).
    """

    code: str
    name: str
    script: str
    small: frozenset[str]
    words: frozenset[str]
    folded: frozenset[str]
    letters: frozenset[str]
    asks: frozenset[str] = frozenset()
    asks_last: frozenset[str] = frozenset()
    first: str = ""
    again: tuple[str, ...] = ()
    asked: str = ""
    quoted: str = ""
    thanks: frozenset[str] = frozenset()
    welcome: str = ""
    heavy: frozenset[str] = frozenset()
    mine: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    unsourced: str = ""
    says: Mapping[str, str] = field(default_factory=dict, compare=False)
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    @property
    def spoken(self) -> bool:
        """Whether anything can be said in it."""
        return bool(self.name)

    @property
    def dense(self) -> bool:
        """Whether it is written without blanks, a sign saying as much as several letters."""
        return self.script in _DENSE

    def is_asked(self, text: str) -> bool:
        """Whether a message in it is a question, by its mark or by the word it begins with (or ends with)."""
        text = _TAG.sub(" ", text)
        if any(mark in text for mark in _MARKS):
            return True
        words = [word.casefold().partition("'")[0] for word in _SPACED.findall(text.replace("\u2019", "'"))]
        if not self.dense:
            short = len("".join(words[:1])) <= LONGEST_LEAD  # "und wann", and no "trabalho como enfermeira"
            first = words if self.script in _ASKS_WITHIN else words[: 1 + short]
            return any(word in self.asks for word in first) or not self.asks_last.isdisjoint(words[-2:])
        return any(word.endswith(tuple(self.asks)) for word in words)

    def is_mine(self, text: str) -> bool:
        """Whether a message in it speaks of something or somebody as the speaker's own."""
        if self.dense:
            return any(word in text for word in self.mine)
        return not self.mine.isdisjoint(_SPACED.findall(text[:LONGEST].casefold()))

    def is_sentence(self, name: str, text: str) -> bool:
        """Whether what was taken from a text for a name says something: "j'ai froid", "好冷啊"."""
        small = name.lower()
        at = max(0, text.lower().find(small))
        if self.dense:
            return not _SAYING_SIGNS.isdisjoint(small)
        words = _SPACED.findall(small)
        says = small.endswith("yorum") or (len(words) > 1 and not self.words.isdisjoint(words[:-1]))
        return says and not text[at : at + len(name)].istitle()

    def is_thanks(self, text: str) -> bool:
        """Whether a message thanks in it and says nothing else."""
        return " ".join(_SPACED.findall(text[:LONGEST].casefold())) in self.thanks

    def weighs(self, text: str) -> bool:
        """Whether a message holds a word that mostly tells of a death. Nobody tells of their own: "estou morta"."""
        said = text[:LONGEST].casefold()
        if self.dense:
            return any(word in said for word in self.heavy)
        return not self.heavy.isdisjoint(_SPACED.findall(_OF_ONESELF.sub(" ", said)))

    def source_question(self, text: str) -> int | None:
        """How many words a message has besides asking in it where something is known from; None where it does not ask
        that. Of "how do you know that I have a cat?" it is 5."""
        if len(text) > LONGEST_SOURCE_QUESTION:
            return None
        for sentence in _SENTENCE.findall(text):
            said = _plain(sentence, joined=self.dense)
            phrase = next((one for one in self.sources if _holds(said, one, self.dense)), None)
            if phrase is not None:
                return self._length(said) - self._length(phrase)
        return None

    def _length(self, said: str) -> int:
        return len(unicodedata.normalize("NFC", said)) // _DENSITY if self.dense else len(said.split())

    @cached_property
    def people(self) -> Mapping[str, str]:
        """The relation ("sister") that a word is for, the longest words first."""
        found: dict[str, str] = {}
        for row in self.told.get("people", ()):
            relation, _, words = row.partition(": ")
            found |= dict.fromkeys(map(bare, words.replace("_", " ").split()), relation)
        return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))

    def related(self, text: str) -> dict[str, str]:
        """The relations that are named in a message, each with its word as it stands there, in order."""
        if self.dense:
            words = sorted(filter(text.__contains__, self.people), key=text.find)
        else:
            words = HYPHENED.findall(text[:LONGEST])
        return {self.people[bare(word)]: word for word in words if bare(word) in self.people}

    def part_signs(self, text: str) -> str:
        """The text with blanks for its small words where words are not told apart; any other text as it is."""
        return self._small_signs.sub(" ", text) if self.dense and self.small else text

    @cached_property
    def _small_signs(self) -> re.Pattern[str]:
        return re.compile("|".join(sorted(map(re.escape, self.small | self.asks), key=len, reverse=True)))

    def content(self, text: str, *, small: bool = False) -> frozenset[str]:
        """What a message is about, to be compared with another: the beginnings of its words, small ones left out unless
        they are asked for, and the relation for a word that says one; pairs of signs where words are not told apart."""
        if self.dense:
            signs = "".join(letter for letter in text[:LONGEST] if letter.isalnum())
            return frozenset(pairs_of_signs(signs))
        said = (word.casefold() for word in _SPACED.findall(text[:LONGEST]))
        left_out = self.asks if small else self.small | self.asks
        return frozenset(
            self.people.get(plain := bare(word), plain[:OPENING])
            for word in said
            if len(word) >= LEAST_FOLDED and word not in left_out
        )


UNKNOWN = Language("?", "", "", frozenset(), frozenset(), frozenset(), frozenset())
"""Foreign, and no language that is known here."""


@dataclass(frozen=True)
class Languages:
    """All that is known of languages. `loans` are phrases that belong to English by now, plain and spaced."""

    each: tuple[Language, ...]
    english: Language
    loans: re.Pattern[str]
    nouns: frozenset[str]
    """Words that are written with a capital and are no names, as German writes its nouns, or that begin a question."""
    spread: Mapping[str, int]
    """In how many languages in Latin letters a word is."""
    told: dict[tuple[int, str | None], Language | None] = field(default_factory=dict, compare=False, repr=False)
    """What was found of the last texts, which one turn asks again and again, each by its hash."""

    @classmethod
    def from_mapping(cls, parsed: Mapping[str, Any]) -> Languages:
        """Read a parsed languages.toml. ValueError names the key that is wrong."""
        file = ConfigTable(parsed)
        file.only(("loans", "languages"))
        tables = file.table("languages")
        every = {code: _language(code, tables.table(code)) for code in tables}
        latin = [one for one in every.values() if one.script == "latin"]
        loans = sorted(file.phrases("loans"), key=len, reverse=True)
        return cls(
            each=tuple(one for code, one in every.items() if code != "en"),
            english=every["en"],
            loans=re.compile(r"\b(?:" + "|".join(map(re.escape, loans)) + r")\b"),
            nouns=frozenset(
                word for code in tables for key in ("nouns", "asks") for word in _small(tables.table(code), key)
            ),
            spread=Counter(word for one in latin for word in one.words),
        )

    def of(self, text: str, before: Language | None = None) -> Language | None:
        """The language of a message; None for English, and for what is too little to tell.

        `before` is that of the message before: then less is enough.
        """
        asked = hash(text), None if before is None else before.code
        try:
            return self.told[asked]
        except KeyError:
            found = self._of(text, before)
        if len(self.told) >= MOST_TOLD:
            self.told.clear()
        self.told[asked] = found
        return found

    def _of(self, text: str, before: Language | None) -> Language | None:
        said = _NOT_SAID.sub(" ", text[:LONGEST])
        script = _script(said)
        if script is None:
            return None
        phrase = " ".join(_SPACED.findall(said.casefold()))
        if thanked := next((one for one in self.each if phrase in one.thanks), None):
            return thanked
        if script == "latin":
            found = self._latin(said, before) or self._find_source_question(said)
        else:
            there = [one for one in self.each if one.script == script]
            words = [word.casefold() for word in _SPACED.findall(said)]
            found = max(there, key=lambda one: _score_language(words, said, one), default=UNKNOWN)
        return found if found is None or found.spoken else UNKNOWN

    def _find_source_question(self, said: str) -> Language | None:
        """The language in whose words it is asked where something is known from; short as that is, it tells."""
        there = [one for one in (self.english, *self.each) if one.script == "latin"]
        found = next((one for one in there if one.source_question(said) is not None), None)
        return None if found is self.english else found

    def find_all(self, text: str) -> frozenset[Language]:
        """The other languages than English that a text, or what it quotes, is in."""
        parts = (text, *_QUOTED.findall(text))
        return frozenset(found for part in parts if (found := self.of(part)) is not None)

    def is_english(self, text: str, *, mostly: bool = False) -> bool:
        """Whether any word of a text, or `mostly` more than half of them, is one that English has."""
        has = (found.group().casefold() in self.english.words for found in _WORD.finditer(text[:LONGEST]))
        if not mostly:
            return any(has)
        every = list(has)
        return 2 * sum(every) > len(every)

    def _latin(self, said: str, before: Language | None) -> Language | None:
        spoken = _WORD.findall(self._without_loans(said))
        words = _without_names(spoken, self.nouns)
        there = [one for one in self.each if one.script == "latin"]
        telling = [word for word in words if word in self._telling or not word.isascii()]
        found = {one.code: self._evidence(telling, said, one) for one in there}
        best = max(there, key=lambda one: sum(found[one.code].values()) + (one == before) * LEAST_GOING_ON)
        evidence = found[best.code]
        told = sum(evidence.values())
        own = [word for word in evidence if word not in self.english.words]
        english = [word for word in words if word in self.english.words and word not in best.words]
        if len(english) >= max(1, len(own)):
            return None
        if best == before and told >= LEAST_GOING_ON:
            return best
        if not english and len(spoken) > LEAST_TOKENS and own and told >= LEAST_WITHOUT_ENGLISH:
            return best
        known = len(evidence) >= LEAST_SHARE * len(set(words))
        return best if len(own) >= LEAST_TOKENS and told >= LEAST and known else None

    @cached_property
    def _telling(self) -> frozenset[str]:
        """Every word, with and without its marks, that speaks for a language in Latin letters but English."""
        return frozenset[str]().union(*(one.words | one.folded for one in self.each if one.script == "latin"))

    def _evidence(self, words: Iterable[str], said: str, one: Language) -> dict[str, float]:
        """What speaks for a language: words and signs, each with what it counts. A word that many languages share
        counts less."""
        found: dict[str, float] = {}
        for word in words:
            if word in one.words:
                found[word] = 2 / (1 + self.spread[word])
            elif len(word) >= LEAST_FOLDED and (plain := bare(word)) in one.folded and plain not in self.english.words:
                found[word] = FOLDED * 2 / (1 + max(1, self.spread[plain]))
            if one.letters.intersection(word):
                found[word] = found.get(word, 0.0) + LETTER
        for sign in one.letters & {"\u00bf", "\u00a1"}:
            if sign in said:
                found[sign] = LETTER
        return found

    def _without_loans(self, said: str) -> str:
        """What is left without phrases that English has taken over; they are written with or without their marks."""
        if said.isascii():
            plain = said.lower()
        else:
            plain = "".join(bare(letter) if len(bare(letter)) == 1 else letter for letter in said)
        kept, at = [], 0
        for loan in self.loans.finditer(plain.replace("\u2019", "'")):
            kept.append(said[at : loan.start()])
            at = loan.end()
        return " ".join((*kept, said[at:]))


def _plain(text: str, joined: bool) -> str:
    """The words of a text in small letters without marks, between blanks or joined."""
    words = _SPACED.findall(text.replace("\u2019", "'").strip("\u00bf\u00a1 ").casefold())
    return ("" if joined else " ").join(bare(word) for word in words)


def _holds(said: str, phrase: str, joined: bool) -> bool:
    return phrase in said if joined else f" {phrase} " in f" {said} "


def _sources(table: ConfigTable, joined: bool) -> tuple[str, ...]:
    if "sources" not in table:
        return ()
    phrases = {_plain(phrase, joined) for phrase in table.text("sources").split(", ")}
    return tuple(sorted(phrases, key=lambda one: (-len(one), one)))


_ANSWERED = ("thanks", "welcome", "heavy", "mine", "sources", "unsourced")


def _language(code: str, table: ConfigTable) -> Language:
    table.only(
        (
            *("name", "script", "words", "everyday", "nouns", "letters"),
            *("asks", "asks_last", "first", "again", "asked", "quoted", "says", "told", *_ANSWERED),
        )
    )
    small = _small(table, "words")
    words = small | _small(table, "everyday") | _small(table, "nouns")
    said = {name: table.text_or_empty(name) for name in ("first", "asked", "quoted", "unsourced")}
    script = table.text("script") if "script" in table else "latin"
    says, told = table.table_or_empty("says"), table.table_or_empty("told")
    return Language(
        code=code,
        name=table.text_or_empty("name"),
        script=script,
        small=small,
        words=words,
        folded=frozenset(bare(word) for word in words if len(word) >= LEAST_FOLDED and not word.isascii()),
        letters=frozenset(table.text_or_empty("letters")),
        asks=_small(table, "asks"),
        asks_last=_small(table, "asks_last"),
        again=table.texts("again"),
        thanks=frozenset(filter(None, table.text_or_empty("thanks").casefold().split(", "))),
        welcome=table.text_or_empty("welcome"),
        heavy=_small(table, "heavy"),
        mine=_small(table, "mine"),
        sources=_sources(table, script in _DENSE),
        says={intent: says.text(intent) for intent in says},
        told={what: told.texts(what) for what in told},
        **said,
    )


def _small(table: ConfigTable, key: str) -> frozenset[str]:
    return frozenset(table.text_or_empty(key).casefold().split())


def _script(said: str) -> str | None:
    """The script of most of a text, "?" for one that is not known; None where there are no letters."""
    counts = {
        name: len(pattern.findall(said)) * (_DENSITY if name in _DENSE else 1) for name, pattern in _SCRIPTS.items()
    }
    known = sum(counts[name] // (_DENSITY if name in _DENSE else 1) for name in counts)
    counts["?"] = len(_LETTER.findall(said)) - known
    if counts["kana"]:
        counts["kana"] = sum(counts.pop(name) for name in _JAPANESE)
    name = max(counts, key=lambda one: counts[one])
    return name if counts[name] > 0 else None


def _score_language(words: Iterable[str], said: str, one: Language) -> float:
    return sum(word in one.words for word in words) + LETTER * sum(said.casefold().count(sign) for sign in one.letters)


def _without_names(words: list[str], nouns: frozenset[str]) -> list[str]:
    """The words of a text in small letters, without names: what is capital within a sentence, and what stands between
    or before such words as a part of a name ("Maria de la Cruz", "Den Haag")."""
    if sum(word[0].isupper() for word in words) > len(words) / 2 and len(words) > 1:
        capital = [word[0].isupper() for word in words]
    else:
        capital = [place > 0 and word[0].isupper() for place, word in enumerate(words)]
    kept: list[str] = []
    for place, word in enumerate(words):
        small = word.casefold().replace("\u2019", "'")
        follows = next((capital[later] for later in range(place + 1, len(words)) if not _joins(words[later])), False)
        named = capital[place] or (
            _joins(word)
            and follows
            and (word[0].isupper() if place == 0 else capital[place - 1] or _joins(words[place - 1]))
        )
        if not named or small in nouns:
            kept.append(small)
    return kept


def _joins(word: str) -> bool:
    return word.casefold() in _NEXT_TO_A_NAME
