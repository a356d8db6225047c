"""Detect the language of a short message, by script, function words and letters. Made for chat:
a loan word, greeting, name or quotation does not make a message foreign. A language known only
by sight (Swedish, Greek) is foreign, nothing more. Words and replies are
`config/languages.toml`."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from furoshiki.core.config_table import ConfigTable
from furoshiki.language.chat_spelling import write_out
from furoshiki.language.word_tables import by_language, texts
from furoshiki.language.words import HYPHENED, OPENING, RUN, bare, pairs_of_signs, word_set

LONGEST = 600  # characters of a message that are read
MOST_TOLD = 1000  # size of the cache of results, in texts

# least score for a message in Latin letters to be foreign; a word of one language scores 1
LEAST = 1.2

LEAST_TOKENS = 2  # least words or letters of its own that a language must show: one may be a loan
LEAST_WITHOUT_ENGLISH = 0.6  # least score for three or more words of which none is English

# least evidence, beyond shared words, for another language than the conversation's: one word of its
# own
LEAST_OTHER = 1.0
LEAST_GOING_ON = 0.2  # score that is enough for the language of the previous message, and its bonus
LEAST_SHARE = 0.3  # least share of known words: two function words do not decide a long message
FOLDED = 0.8  # the score of a word written without its diacritics ("cok" for "çok")
LETTER = 0.7  # the score of a letter that few languages have, once for each word with it
ENDING = 0.6  # the score of a word that only ends as those of a language do ("calisiyorum")
PLENTY = 3.0  # score that is enough for a message of which few words are known
LEAST_FOLDED = 3  # least letters of a word matched without diacritics: "à" is not "a"

# the letter by which Cyrillic words differ in their cases: "Соня", "Соне", "Соню"
_CASE = re.compile(r"(?<=[\u0400-\u04ff]{2})[аяуюеиыйьо]$")

# "Dead" said of oneself in Portuguese or Italian: dead tired, or starving
_OF_ONESELF = re.compile(r"\b(?:estou|tô|fiquei|cheguei|sono)(?: \w{1,12})? mort[oa]\b")

MOST_OPENING = 6  # words by whose order a question without marks is recognized
LONGEST_LEAD = 5  # most letters of a word that may precede the question word

# most characters of a message that asks for the source of a statement
LONGEST_SOURCE_QUESTION = 160

_MARKS = ("?", "\uff1f", "\u061f", "\u00bf")
_WAYS = by_language("detection")["en"]
# question tags, which ask nothing: "non viene, capito?"
_TAG = re.compile(_WAYS["tag"], re.IGNORECASE)
# scripts of languages whose question words may be anywhere in a sentence
_ASKS_WITHIN = frozenset({"devanagari", "arabic", "bengali"})

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
# scripts of which a character says as much as several letters
_DENSE = frozenset({"kana", "hangul", "han"})

_DENSITY = 3
_JAPANESE = ("kana", "han")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['\u2019][^\W\d_]+)?(?!\w)")
_SPACED = re.compile(r"[^\s,.!?;:\u060c\u061b\u061f\u0964\u06d4\u2026]+")
_NOT_SAID = re.compile(
    r"https?://\S{1,300}|(?<![\w.+-])[\w.+-]{1,64}@\S{1,200}|`[^`]{0,300}`|\"[^\"]{0,300}\"|\u201c[^\u201d]{0,300}\u201d"
    r"|\u00ab[^\u00bb]{0,300}\u00bb|\A\W{0,9}(?:please )?translate .*"
    r"|\A\W{0,9}hi+\W{1,3}im\b(?! moment\b)",  # "hi im Sam"
    re.IGNORECASE,
)
_QUOTED = re.compile("[\u201c\u201e\u00ab]([^\u201c\u201d\u00bb]{2,600})")
_SENTENCE = re.compile(r"[^.!?\u2026\u3002\uff01\uff1f\u061f\u0964\u06d4]+")
_NEXT_TO_A_NAME = word_set(_WAYS["next_to_a_name"])


_SAYING_SIGNS = frozenset("了啊吧呢吗想死好不没很太我你")  # characters that occur in sentences and not in names


# what a relation is one of: "meine Kinder" may be told of as "mein Sohn"
GROUPS = {
    "son": "child", "daughter": "child", "brother": "sibling", "sister": "sibling", "mother": "parent",
    "father": "parent", "grandson": "grandchild", "granddaughter": "grandchild",
}  # fmt: skip


@dataclass(frozen=True)
class Language:
    """One language: how to recognize it, and the built-in mind's replies in it.

    `name` is its English name, "" if only known by sight. `words` are all that identify it, `small`
    its function words, `folded` all without diacritics; `endings` matches how other words of it
    end. `first` to `unsourced` are replies used
    without a catalogue. `mine` are possessives, `sources` normalized phrases that ask for the
    source of a statement, longest first. `opens` matches the first words, without diacritics, of a
    question typed without its marks ("como se llama"); `tells` what only begins like one. `says` maps
    whole-message phrases to meanings, `told` facts to their patterns (as in languages.toml).
    """

    code: str
    name: str
    script: str
    small: frozenset[str]
    words: frozenset[str]
    folded: frozenset[str]
    letters: frozenset[str]
    endings: re.Pattern[str] | None = None
    asks: frozenset[str] = frozenset()
    asks_last: frozenset[str] = frozenset()
    opens: re.Pattern[str] | None = None
    tells: re.Pattern[str] | None = None
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
        """Whether the companion can reply in it."""
        return bool(self.name)

    @property
    def dense(self) -> bool:
        """Whether it is written without spaces, a character saying as much as letters."""
        return self.script in _DENSE

    def is_asked(self, text: str) -> bool:
        """Return whether a message is a question, by its mark or question word."""
        text = write_out(_TAG.sub(" ", text), self.code)
        if any(mark in text for mark in _MARKS):
            return True
        words = [word.casefold().partition("'")[0] for word in _SPACED.findall(text.replace("\u2019", "'"))]
        if not self.dense:
            opening = " ".join(map(bare, _SPACED.findall(text.replace("\u2019", "'"))[:MOST_OPENING]))
            if self.tells is not None and self.tells.match(opening):
                return False
            short = len("".join(words[:1])) <= LONGEST_LEAD  # "und wann", and no "trabalho como enfermeira"
            first = words if self.script in _ASKS_WITHIN else words[: 1 + short]
            if any(word in self.asks for word in first) or not self.asks_last.isdisjoint(words[-2:]):
                return True
            return self.opens is not None and self.opens.match(opening) is not None
        return any(word.endswith(tuple(self.asks)) for word in words) or bool(
            self.opens and self.opens.match("".join(words))
        )

    def is_mine(self, text: str) -> bool:
        """Return whether a message contains a possessive of the speaker."""
        if self.dense:
            return any(word in text for word in self.mine)
        return not self.mine.isdisjoint(_SPACED.findall(text[:LONGEST].casefold()))

    def is_sentence(self, name: str, text: str) -> bool:
        """Return whether a supposed name is a statement or a small word: "j'ai froid", "好冷啊", "seit"."""
        small = name.lower()
        at = max(0, text.lower().find(small))
        if self.dense:
            return not _SAYING_SIGNS.isdisjoint(small)
        words = _SPACED.findall(small)
        says = small.endswith("yorum") or words[0] in self.small
        says = says or (len(words) > 1 and not self.words.isdisjoint(words[:-1]))
        return says and not text[at : at + len(name)].istitle()

    def is_thanks(self, text: str) -> bool:
        """Return whether a message consists of thanks only."""
        return " ".join(_SPACED.findall(text[:LONGEST].casefold())) in self.thanks

    def weighs(self, text: str) -> bool:
        """Return whether a message has a word for death, other than of oneself: "estou morta"."""
        small = text[:LONGEST].casefold()
        if self.dense:
            return any(word in small for word in self.heavy)
        return not self.heavy.isdisjoint(_SPACED.findall(_OF_ONESELF.sub(" ", small)))

    def source_question(self, text: str) -> str | None:
        """Return the words besides the question for a source; None if it asks none. For "how do you
        know that I have a cat?" they are "that i have a cat"."""
        if len(text) > LONGEST_SOURCE_QUESTION:
            return None
        for sentence in _SENTENCE.findall(write_out(text, self.code)):
            plain = _plain(sentence, joined=self.dense)
            phrase = next((source for source in self.sources if _holds(plain, source, self.dense)), None)
            if phrase is not None:
                return plain.replace(phrase, " ", 1).strip()
        return None

    def count_words(self, said: str) -> int:
        """Count the words between spaces, in a dense script three characters as one."""
        return len(unicodedata.normalize("NFC", said)) // _DENSITY if self.dense else len(said.split())

    @cached_property
    def people(self) -> Mapping[str, str]:
        """The relation ("sister") for each word, longest words first; "Töchter" is no "Tochter"."""
        relation_of: dict[str, str] = {}
        for row in (*self.told.get("people", ()), *self.told.get("groups", ())):
            relation, _, words = row.partition(": ")
            relation_of = dict.fromkeys(map(bare, words.replace("_", " ").split()), relation) | relation_of
        return dict(sorted(relation_of.items(), key=lambda pair: -len(pair[0])))

    def related(self, text: str) -> dict[str, str]:
        """Return the relations named in a message, each with its word, in order."""
        if self.dense:
            longest = re.compile("|".join(map(re.escape, self.people)))
            words = longest.findall(text) if self.people else []
        else:
            words = HYPHENED.findall(text[:LONGEST])
        return {self.people[bare(word)]: word for word in words if bare(word) in self.people}

    def part_signs(self, text: str) -> str:
        """Replace function words by spaces in a dense script; return other texts unchanged."""
        return self._small_signs.sub(" ", text) if self.dense and self.small else text

    @cached_property
    def _small_signs(self) -> re.Pattern[str]:
        return re.compile("|".join(sorted(map(re.escape, self.small | self.asks), key=len, reverse=True)))

    def part_words(self, text: str) -> str:
        """Put blanks between words that may name a subject, in a dense script; return other texts
        unchanged."""
        return self._cuts.sub(lambda cut: cut["kept"] or " ", text) if self.dense else text

    @cached_property
    def _cuts(self) -> re.Pattern[str]:
        kept, cut = (texts("topics", key).get(self.code, r"(?!)") for key in ("kept", "cut"))
        return re.compile(f"(?P<kept>{kept})|{cut}|{self._small_signs.pattern}")

    def content(self, text: str, *, small: bool = False) -> frozenset[str]:
        """Return a message's content for comparison: word beginnings, relations; without
        function words unless `small`; pairs of characters in a dense script."""
        if self.dense:
            if small:
                return frozenset(pairs_of_signs("".join(filter(str.isalnum, text[:LONGEST]))))
            runs = RUN.findall(self.part_signs(text[:LONGEST]))
            return frozenset(map(_group, self.related(text))).union(*map(pairs_of_signs, runs))
        words = (word.casefold() for word in _SPACED.findall(text[:LONGEST]))
        left_out = self.asks if small else self.small | self.asks | self.mine
        return frozenset(
            _group(self.people.get(plain := bare(word), _CASE.sub("", plain[:OPENING])))
            for word in words
            if len(word) >= LEAST_FOLDED and word not in left_out
        )


# a foreign language that is not known here
UNKNOWN = Language("?", "", "", frozenset(), frozenset(), frozenset(), frozenset())


@dataclass(frozen=True)
class Languages:
    """All known languages. `loans` are phrases that English has adopted."""

    each: tuple[Language, ...]
    english: Language
    loans: re.Pattern[str]
    # words capitalized without being names, like German nouns, and question words
    nouns: frozenset[str]
    spread: Mapping[str, int]  # the number of languages in Latin letters that have a word
    # cache of recent results by text hash; one turn asks repeatedly
    told: dict[tuple[int, str | None], Language | None] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def from_mapping(cls, parsed: Mapping[str, Any]) -> Languages:
        """Read a parsed languages.toml. Raises ValueError naming the wrong key."""
        file = ConfigTable(parsed)
        file.only(("loans", "languages"))
        tables = file.table("languages")
        every = {code: _language(code, tables.table(code)) for code in tables}
        latin = [language for language in every.values() if language.script == "latin"]
        loans = sorted(file.phrases("loans"), key=len, reverse=True)
        return cls(
            each=tuple(one for code, one in every.items() if code != "en"),
            english=every["en"],
            loans=re.compile(r"\b(?:" + "|".join(map(re.escape, loans)) + r")\b"),
            nouns=frozenset(
                word for code in tables for key in ("nouns", "asks") for word in _small(tables.table(code), key)
            ),
            spread=Counter(word for language in latin for word in language.words),
        )

    def of(self, text: str, before: Language | None = None) -> Language | None:
        """Return the language of a message; None for English or if too little is known.

        `before` is the language of the previous message, for which less evidence is enough.
        """
        key = hash(text), None if before is None else before.code
        try:
            return self.told[key]
        except KeyError:
            language = self._of(text, before)
        if len(self.told) >= MOST_TOLD:
            self.told.clear()
        self.told[key] = language
        return language

    def _of(self, text: str, before: Language | None) -> Language | None:
        own_text = _NOT_SAID.sub(" ", text[:LONGEST])
        script = _script(own_text)
        if script is None:
            return None
        phrase = " ".join(_SPACED.findall(own_text.casefold()))
        if thanked := next((language for language in self.each if phrase in language.thanks), None):
            return thanked
        if script == "latin":
            likely = self._latin(own_text, before) or self._find_source_question(own_text)
        else:
            there = [language for language in self.each if language.script == script]
            words = [word.casefold() for word in _SPACED.findall(own_text)]
            likely = max(there, key=lambda one: _score_language(words, own_text, one), default=UNKNOWN)
        return likely if likely is None or likely.spoken else UNKNOWN

    def _find_source_question(self, said: str) -> Language | None:
        """Return the language whose question for a source this is, however short."""
        there = [language for language in (self.english, *self.each) if language.script == "latin"]
        asking = next((language for language in there if language.source_question(said) is not None), None)
        return None if asking is self.english else asking

    def find_all(self, text: str) -> frozenset[Language]:
        """Return the languages, English apart, of a text or of its quotations."""
        parts = (text, *_QUOTED.findall(text))
        return frozenset(language for part in parts if (language := self.of(part)) is not None)

    def is_english(self, text: str, *, share: float = 0.0) -> bool:
        """Return whether more than this share of the words, in [0, 1], is in the English word list."""
        known, words = _count_known(text[:LONGEST], self.english.words)
        return known > share * words

    def _latin(self, said: str, before: Language | None) -> Language | None:
        spoken = _WORD.findall(self._without_loans(said))
        words = _without_names(spoken, self.nouns)
        there = [language for language in self.each if language.script == "latin"]
        evidence_for = {language.code: self._evidence(words, said, language) for language in there}
        best = max(there, key=lambda one: sum(evidence_for[one.code].values()) + (one == before) * LEAST_GOING_ON)
        if before in there and before != best:
            mine, other = evidence_for[before.code], evidence_for[best.code]
            if len(mine) >= len(other) or sum(map(other.__getitem__, other.keys() - mine)) < LEAST_OTHER:
                best = before
        evidence = evidence_for[best.code]
        score = sum(evidence.values())
        own = [word for word in evidence if word not in self.english.words]
        english = [word for word in words if word in self.english.words and word not in best.words]
        if best == before:
            return None if len(english) > score else best
        if len(english) >= max(1, len(own)):
            return None
        if not english and len(spoken) > LEAST_TOKENS and own and score >= LEAST_WITHOUT_ENGLISH:
            return best
        is_known = len(evidence) >= LEAST_SHARE * len(set(words)) or score >= PLENTY
        return best if len(own) >= LEAST_TOKENS and score >= LEAST and is_known else None

    def _evidence(self, words: Iterable[str], said: str, one: Language) -> dict[str, float]:
        """Return the words and letters of a language with their scores: shared words score less."""
        scores: dict[str, float] = {}
        for word in words:
            if word in one.words:
                scores[word] = 2 / (1 + self.spread[word])
            elif len(word) >= LEAST_FOLDED and (plain := bare(word)) in one.folded and plain not in self.english.words:
                scores[word] = FOLDED * 2 / (1 + max(1, self.spread[plain]))
            elif one.endings and word not in self.english.words and one.endings.search(word):
                scores[word] = ENDING
            if one.letters.intersection(word):
                scores[word] = scores.get(word, 0.0) + LETTER
        for sign in one.letters & {"\u00bf", "\u00a1"}:
            if sign in said:
                scores[sign] = LETTER
        return scores

    def _without_loans(self, said: str) -> str:
        """Remove phrases that English has adopted, with or without diacritics."""
        if said.isascii():
            plain = said.lower()
        else:
            plain = "".join(bare(letter) if len(bare(letter)) == 1 else letter for letter in said)
        parts, at = [], 0
        for loan in self.loans.finditer(plain.replace("\u2019", "'")):
            parts.append(said[at : loan.start()])
            at = loan.end()
        return " ".join((*parts, said[at:]))


@lru_cache(maxsize=256)  # each turn asks it of the last messages
def _count_known(text: str, known: frozenset[str]) -> tuple[int, int]:
    """Return how many words of a text are known, and how many there are."""
    words = [match.group().casefold() for match in _WORD.finditer(text)]
    return sum(map(known.__contains__, words)), len(words)


def _group(relation: str) -> str:
    return GROUPS.get(relation, relation)


def _plain(text: str, joined: bool) -> str:
    """Return the words of a text in lower case without diacritics and apostrophes ("qui ta dit" is
    "qui t'a dit"), spaced or joined."""
    words = _SPACED.findall(text.replace("\u2019", "").replace("'", "").strip("\u00bf\u00a1 ").casefold())
    return ("" if joined else " ").join(bare(word) for word in words)


def _holds(text: str, phrase: str, joined: bool) -> bool:
    return phrase in text if joined else f" {phrase} " in f" {text} "


def _sources(table: ConfigTable, joined: bool) -> tuple[str, ...]:
    if "sources" not in table:
        return ()
    phrases = {_plain(phrase, joined) for phrase in table.text("sources").split(", ")}
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))


_ANSWERED = ("thanks", "welcome", "heavy", "mine", "sources", "unsourced")


def _language(code: str, table: ConfigTable) -> Language:
    table.only(
        (
            *("name", "script", "words", "everyday", "nouns", "letters", "endings"),
            *("asks", "asks_last", "opens", "tells", "first", "again", "asked", "quoted", "says", "told", *_ANSWERED),
        )
    )
    small = _small(table, "words")
    words = small | _small(table, "everyday") | _small(table, "nouns")
    sentences = {name: table.text_or_empty(name) for name in ("first", "asked", "quoted", "unsourced")}
    script = table.text("script") if "script" in table else "latin"
    says, facts = table.table_or_empty("says"), table.table_or_empty("told")
    return Language(
        code=code,
        name=table.text_or_empty("name"),
        script=script,
        small=small,
        words=words,
        folded=frozenset(bare(word) for word in words if len(word) >= LEAST_FOLDED and not word.isascii()),
        letters=frozenset(table.text_or_empty("letters")),
        endings=_pattern(table, "endings"),
        asks=_small(table, "asks"),
        asks_last=_small(table, "asks_last"),
        opens=_pattern(table, "opens"),
        tells=_pattern(table, "tells"),
        again=table.texts("again"),
        thanks=frozenset(filter(None, table.text_or_empty("thanks").casefold().split(", "))),
        welcome=table.text_or_empty("welcome"),
        heavy=_small(table, "heavy"),
        mine=_small(table, "mine"),
        sources=_sources(table, script in _DENSE),
        says={intent: says.text(intent) for intent in says},
        told={what: facts.texts(what) for what in facts},
        **sentences,
    )


def _pattern(table: ConfigTable, key: str) -> re.Pattern[str] | None:
    if key not in table:
        return None
    return re.compile(table.text(key))


def _small(table: ConfigTable, key: str) -> frozenset[str]:
    return frozenset(table.text_or_empty(key).casefold().split())


def _script(text: str) -> str | None:
    """Return the script of most of a text, "?" if unknown; None without letters."""
    counts = {
        name: len(pattern.findall(text)) * (_DENSITY if name in _DENSE else 1) for name, pattern in _SCRIPTS.items()
    }
    counted = sum(counts[name] // (_DENSITY if name in _DENSE else 1) for name in counts)
    counts["?"] = len(_LETTER.findall(text)) - counted
    if counts["kana"]:
        counts["kana"] = sum(counts.pop(name) for name in _JAPANESE)
    name = max(counts, key=lambda one: counts[one])
    return name if counts[name] > 0 else None


def _score_language(words: Iterable[str], text: str, language: Language) -> float:
    return sum(word in language.words for word in words) + LETTER * sum(
        text.casefold().count(sign) for sign in language.letters
    )


def _without_names(words: list[str], nouns: frozenset[str]) -> list[str]:
    """Return the lower-cased words without names: capitalized within the sentence, and particles
    of names between or before them ("Maria de la Cruz", "Den Haag")."""
    if sum(word[0].isupper() for word in words) > len(words) / 2 and len(words) > 1:
        capital = [word[0].isupper() for word in words]
    else:
        capital = [place > 0 and word[0].isupper() for place, word in enumerate(words)]
    plain_words: list[str] = []
    for place, word in enumerate(words):
        small = word.casefold().replace("\u2019", "'")
        follows = next((capital[later] for later in range(place + 1, len(words)) if not _joins(words[later])), False)
        is_name = capital[place] or (
            _joins(word)
            and follows
            and (word[0].isupper() if place == 0 else capital[place - 1] or _joins(words[place - 1]))
        )
        if not is_name or small in nouns:
            plain_words.append(small)
    return plain_words


def _joins(word: str) -> bool:
    return word.casefold() in _NEXT_TO_A_NAME
