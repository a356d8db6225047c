"""Find many phrases in a text at once, word by word, in time independent of their number. A
phrase uses words and choices (`notation`). In addition "word*" is any word with that prefix (at
least four letters), a lone "_" any one word, ".." up to three; "<pet>" any word of the kind pet;
"<number>" (digits too) and "<ing>" are kinds by form. Texts and phrases are compared in a plain
form: lower case, straight apostrophes, "isnt" as "isn't", stretched letters ("sooo", "yesss")
shortened when that gives a known word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from string import ascii_lowercase
from typing import Any, Generic, TypeVar

from furoshiki.language import word_tables

Meaning = TypeVar("Meaning")

_Reached = tuple[int, Sequence[Meaning]]  # the word at which a phrase ends, and its meanings

# memo of where phrases lead from a node at a word; lives as long as one search of a text
_Known = dict[tuple[int, int], _Reached[Meaning]]

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*(?:/\d+)?")
_SPACED = {place: " " for place in range(128) if not chr(place).isalnum() and chr(place) not in "'/"}
_ABROAD = re.compile(r"[^\x00-\x7f]")
_ODD = re.compile(r"^'|'$|''|/")
_DRAWN_ABROAD = re.compile(r"([^\W\d_a-z])\1\1")
_RUNS = tuple(letter * 3 for letter in ascii_lowercase)
_DRAWN_RUN = re.compile(r"(.)\1{2,}")
_STEM = 4
_AHEAD = 32  # number of words whose offsets are computed together
_PAST_DIGITS = ":"  # whatever begins with a digit sorts before it
_ANY = "_"
_MOST_KNOWN = 50_000  # words; each costs some hundred bytes
_NO_BEGINNING = (_ANY, "..", "<ing>")
_GAP = ("", "_", "_ _", "_ _ _")
_BLANKS = " \n\t"
# most skippable words between two words of a phrase ("I am just just just … happy")
MOST_SKIPPED = 8

_MOST_DRAWN = 32  # a text with more is noise, and each costs time

# Contractions as people type them in a hurry. "its", "were", "well", "ill", "wed" are words of their own, so not here.
_HURRIED: dict[str, str] = {
    word.replace("'", ""): word for word in word_tables.texts("chat", "contractions")["en"].split()
}


class Said:
    """A text as words: `plain[i]` is the plain form of word i, `place(i)` its span in the text.

    Most messages contain no phrase, so spans are computed only as far as needed.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._straight = _straight(text)
        self._typed = _words(self._straight)
        hurried = not _HURRIED.keys().isdisjoint(self._typed)
        self.plain = [_HURRIED.get(word, word) for word in self._typed] if hurried else self._typed
        self._places: list[tuple[int, int]] = []
        self.drawn = _find_stretched(self._typed, self._straight)

    def __len__(self) -> int:
        return len(self.plain)

    def place(self, i: int) -> tuple[int, int]:
        """Return start and end of word `i` in the text."""
        places = self._places
        if len(places) <= i:
            end = places[-1][1] if places else 0
            for word in self._typed[len(places) : i + _AHEAD]:
                start = self._straight.find(word, end)  # no letter between two words: it is this
                end = start + len(word)
                places.append((start, end))
        return places[i]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return start and end in the text of words `first` up to (not including) `last`."""
        return self.place(first)[0], self.place(last - 1)[1]

    def gap(self, i: int) -> str:
        """Return the text between word i and the next one (or the end)."""
        places = self._places
        if len(places) <= i + 1:
            self.place(i)
            end = self.place(i + 1)[0] if i + 1 < len(self.plain) else len(self.text)
        else:
            end = places[i + 1][0]
        return self.text[places[i][1] : end]

    def words_in(self, start: int, end: int) -> list[str]:
        """Return the plain words between two offsets of the text."""
        return [_HURRIED.get(word, word) for word in _WORD.findall(self._straight, start, end)]


@dataclass(frozen=True, slots=True)
class Hit(Generic[Meaning]):
    """A phrase found: words `first` up to (not including) `last`, and its meaning."""

    first: int
    last: int
    meaning: Meaning


def plain_form(word: str) -> str:
    """Normalize a word: lower case, straight apostrophe, apostrophes restored in contractions."""
    plain = _straight(word)
    return _HURRIED.get(plain, plain)


@dataclass(frozen=True)
class Grammar:
    """Words allowed inside any phrase (`skipped`), and the kinds ("<pet>") of each word."""

    skipped: frozenset[str] = frozenset()
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, skipped: Iterable[str], kinds: Mapping[str, Iterable[str]]) -> Grammar:
        """Build a grammar from each kind's words (kinds without their brackets)."""
        kinds_of: dict[str, tuple[str, ...]] = {}
        for name, words in kinds.items():
            for word in words:
                plain = plain_form(word)
                kinds_of[plain] = (*kinds_of.get(plain, ()), f"<{name}>")
        return cls(frozenset(skipped), kinds_of)

    def kinds_of(self, word: str) -> tuple[str, ...]:
        own_kinds = self.kinds.get(word, ())
        if word < _PAST_DIGITS:
            return (*own_kinds, "<number>") if word else own_kinds
        return (*own_kinds, "<ing>") if word.endswith("ing") else own_kinds


class Phrases(Generic[Meaning]):
    """A set of phrases with meanings, searchable in texts. A phrase may have several meanings.

    Words the grammar skips may stand inside a phrase ("you're very kind"). Phrases are indexed by
    first word and parsed when that word is first met: reading one message costs a few dozen
    phrases, not thousands.
    """

    def __init__(self, entries: Iterable[tuple[str, Meaning]], grammar: Grammar | None = None) -> None:
        self._grammar = grammar or Grammar()
        self._root: _Node[Meaning] = _Node()
        root = self._root
        for phrase, meaning in entries:
            _check(phrase)
            head, _, rest = phrase.partition(" ")
            for option in head.split("|"):  # `notation`, inlined: fastest for 13,000 phrases
                word, _, joined = option.partition("_")
                after = f"{joined.replace('_', ' ')} {rest}" if joined else rest
                node = root.exact.get(word)
                (node or root.child(plain_form(word))).waiting.append((after, meaning))
        root.grow()
        self._ways: dict[str, tuple[_Node[Meaning], ...]] = {}

    def at(self, said: Said, i: int) -> list[Hit[Meaning]]:
        """Return the longest phrase at word `i`: one hit per meaning, or none."""
        return self._at(said, i, {})

    def _at(self, said: Said, i: int, known: _Known[Meaning]) -> list[Hit[Meaning]]:
        if i >= len(said.plain):
            return []
        last, meanings = self._root.longest(said, i, self._grammar, known)
        return [Hit(i, last, meaning) for meaning in meanings]

    def found(self, said: Said) -> Iterator[Hit[Meaning]]:
        """Yield the longest phrase at each place, left to right, without overlaps."""
        taken = 0
        memo: _Known[Meaning] = {}
        for i in self._places_to_look(said):
            if i >= taken:
                hits = self._at(said, i, memo)
                if hits:
                    taken = hits[0].last
                    yield from hits

    def everywhere(self, said: Said) -> Iterator[Hit[Meaning]]:
        """Yield the longest phrase at each place, left to right, overlaps included."""
        memo: _Known[Meaning] = {}
        for i in self._places_to_look(said):
            yield from self._at(said, i, memo)

    def starts(self, said: Said, i: int = 0) -> Hit[Meaning] | None:
        """Return the phrase that begins at word `i`, if any."""
        hits = self.at(said, i)
        return hits[0] if hits else None

    def whole(self, said: Said) -> Hit[Meaning] | None:
        """Return the phrase that covers the whole text, if any."""
        hit = self.starts(said)
        return hit if hit is not None and hit.last == len(said) else None

    def _learnt(self, word: str) -> tuple[_Node[Meaning], ...]:
        """Return the nodes a first word leads to, and cache them: people use few words."""
        if len(self._ways) >= _MOST_KNOWN:
            self._ways.clear()
        exact = self._root.exact.get(word)
        nodes = *(() if exact is None else (exact,)), *self._root.wider(word, self._grammar)
        self._ways[word] = nodes
        return nodes

    def _places_to_look(self, said: Said) -> Iterator[int]:
        """Yield the indices of words that may begin a phrase; most words are ruled out at once."""
        plain, grammar, cached, drawn = said.plain, self._grammar, self._ways.get, said.drawn
        for i, word in enumerate(plain):
            if drawn and (i in drawn or i + 1 in drawn):
                yield i
                continue
            ways = cached(word)
            if ways is None:
                ways = self._learnt(word)
            for node in ways:
                if node.leads_on(plain, i + 1, grammar):
                    yield i
                    break


def _farther(first: _Reached[Meaning], second: _Reached[Meaning]) -> _Reached[Meaning]:
    """Return the longer of two matches; if both end at the same word, merge their meanings."""
    if not second[1] or (first[1] and first[0] > second[0]):
        return first
    if not first[1] or second[0] > first[0]:
        return second
    return first[0], [*first[1], *(meaning for meaning in second[1] if meaning not in first[1])]


_NONE_YET: dict[str, Any] = {}  # the children of most nodes: an empty dict for each takes a megabyte


class _Node(Generic[Meaning]):
    """A node of the phrase tree: the possible next words, and the meanings of phrases that end
    here. It grows by one word when first visited: `waiting` holds the rests still to be parsed."""

    __slots__ = ("any", "exact", "kinded", "meanings", "stems", "waiting")

    def __init__(self) -> None:
        self.any = False  # whether any word may come next
        self.kinded = False  # whether any word of some kind may
        self.exact: dict[str, _Node[Meaning]] = _NONE_YET
        self.stems: dict[str, list[tuple[str, _Node[Meaning]]]] = _NONE_YET
        self.meanings: Sequence[Meaning] = ()
        self.waiting: list[tuple[str, Meaning]] = []

    def grow(self) -> None:
        waiting, self.waiting = self.waiting, []
        for rest, meaning in waiting:
            token, _, beyond = rest.strip().partition(" ")
            for choice in _choices(token):
                word, _, joined = choice.partition(" ")
                after = f"{joined} {beyond}" if joined else beyond
                if word:
                    self.child(word).waiting.append((after, meaning))
                elif after:
                    self._add(after, meaning)
                elif meaning not in self.meanings:
                    self.meanings = (*self.meanings, meaning)
        self.any = _ANY in self.exact
        self.kinded = any(word[0] == "<" for word in self.exact)

    def leads_on(self, plain: list[str], i: int, grammar: Grammar) -> bool:
        """Return whether a phrase may end here or go on with word `i` (may be wrongly True)."""
        node: _Node[Meaning] | None = self
        while node is not None:
            if node.waiting:
                node.grow()
            if node.meanings or node.any:
                return True
            if i == len(plain):
                return False
            word = plain[i]
            if word in grammar.skipped or (node.kinded and grammar.kinds_of(word)) or word[:_STEM] in node.stems:
                return True
            node, i = node.exact.get(word), i + 1
        return False

    def _add(self, rest: str, meaning: Meaning) -> None:
        """Add the rest of a phrase after an optional word that is left out."""
        self.waiting.append((rest, meaning))
        self.grow()

    def longest(self, said: Said, i: int, grammar: Grammar, known: _Known[Meaning]) -> _Reached[Meaning]:
        """Return the end of the longest phrase continuing here with word `i`, and its meanings.

        `known` memoizes results, so that a place reached on several paths is searched once.
        """
        place = id(self), i
        if place in known:
            return known[place]
        if self.waiting:
            self.grow()
        best = i, self.meanings
        plain, skipped = said.plain, grammar.skipped
        for at in range(i, min(i + MOST_SKIPPED + 1, len(plain))):
            word = plain[at]
            if at in said.drawn:
                for child in self.children(said, at, grammar):
                    best = _farther(best, child.longest(said, at + 1, grammar, known))
            else:
                only = self.exact.get(word)
                if only is not None:
                    best = _farther(best, only.longest(said, at + 1, grammar, known))
                if (self.kinded and grammar.kinds_of(word)) or self.any or word[:_STEM] in self.stems:
                    for child in self.wider(word, grammar):
                        best = _farther(best, child.longest(said, at + 1, grammar, known))
            if word not in skipped:
                break
        known[place] = best
        return best

    def children(self, said: Said, i: int, grammar: Grammar) -> Iterator[_Node[Meaning]]:
        for plain in _forms(said, i):
            if plain in self.exact:
                yield self.exact[plain]
            yield from self.wider(plain, grammar)

    def wider(self, word: str, grammar: Grammar) -> Iterator[_Node[Meaning]]:
        """Yield the nodes for a word by its kind, its prefix, or as any word."""
        if self.kinded:
            for kind in grammar.kinds_of(word):
                if kind in self.exact:
                    yield self.exact[kind]
        if word[:_STEM] in self.stems:
            for stem, child in self.stems[word[:_STEM]]:
                if word.startswith(stem):
                    yield child
        if self.any:
            yield self.exact[_ANY]

    def child(self, word: str) -> _Node[Meaning]:
        if not word.endswith("*"):
            node = self.exact.get(word)
            if node is None:
                self.exact = self.exact or {}
                node = self.exact[word] = _Node()
            return node
        stem, self.stems = word[:-1], self.stems or {}
        siblings = self.stems.setdefault(stem[:_STEM], [])
        for sibling, child in siblings:
            if sibling == stem:
                return child
        siblings.append((stem, _Node()))
        return siblings[-1][1]


def _check(phrase: str) -> None:
    """Raise ValueError for a phrase that could never be found."""
    first = phrase.partition(" ")[0]
    if not first or first in _NO_BEGINNING or first[0] == "[":
        raise ValueError(f"the phrase {phrase!r} must begin with a word")
    if "*" in phrase:
        for word in re.split(r"[\s|_\[\]]", phrase):
            if word.endswith("*") and len(word) <= _STEM:
                raise ValueError(f"{word!r} needs at least {_STEM} letters before the star")


@cache
def _choices(token: str) -> tuple[str, ...]:
    if token == "..":
        return _GAP
    if token == _ANY:
        return (token,)
    choice = word_tables.read_notation(token)
    ways = tuple(" ".join(map(plain_form, way)) for way in choice.ways)
    return ("", *ways) if choice.optional else ways


def _forms(message: Said, i: int) -> tuple[str, ...]:
    """Return a word's possible plain forms, nearest first ("goood": "good", "god")."""
    plain = message.plain[i]
    if i not in message.drawn:
        return (plain,)
    return plain, _DRAWN_RUN.sub(r"\1\1", plain), _DRAWN_RUN.sub(r"\1", plain)


def _find_stretched(words: list[str], straight: str) -> frozenset[int]:
    """Return the indices of words with a letter three times in a row."""
    runs = [run for run in _RUNS if run in straight]  # far quicker than a pattern for every letter
    if not straight.isascii():
        runs += {match.group() for match in _DRAWN_ABROAD.finditer(straight)}
    if not runs:
        return frozenset()
    long = set(islice((word for run in runs for word in _with(run, straight)), _MOST_DRAWN))
    return frozenset(islice((i for i, word in enumerate(words) if word in long), _MOST_DRAWN))


def _with(run: str, straight: str) -> Iterator[str]:
    """Yield the words that contain a run of letters, searching from the run outwards."""
    at = straight.find(run)
    while at >= 0:
        start = max(straight.rfind(blank, 0, at) for blank in _BLANKS) + 1
        end = min((there for blank in _BLANKS if (there := straight.find(blank, at)) >= 0), default=len(straight))
        yield from (word for word in _WORD.findall(straight, start, end) if run in word)
        at = straight.find(run, end)


def _words(straight: str) -> list[str]:
    """Split like `_WORD`, but several times as fast for ASCII text."""
    if not straight.isascii():
        for sign in set(_ABROAD.findall(straight)):
            if sign.isalnum():
                return _WORD.findall(straight)
            straight = straight.replace(sign, " ")
    spaced = f" {straight.translate(_SPACED)} "
    words = spaced.split()
    if "/" in spaced or "' " in spaced or " '" in spaced or "''" in spaced:
        return [word for part in words for word in (_WORD.findall(part) if _ODD.search(part) else (part,))]
    return words


def _straight(text: str) -> str:
    # "İ" is the only letter whose lower case is longer, which would shift offsets
    return text.replace("\u0130", "I").lower().replace("\u2019", "'")
