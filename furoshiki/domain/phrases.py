"""Finding many phrases in a text at once, by words, in time that does not grow with how many phrases there are.

A phrase is words separated by spaces: "a|b" means either, "[a|b]" perhaps one of them, "the_best" joins words inside
these; "word*" is any word that begins with those (four or more) letters, a lone "_" any one word. Texts and phrases
meet in a plain form: lower case, straight apostrophes, "isnt" as "isn't", drawn-out letters brought back ("sooo",
"yesss") when that makes a known word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product, zip_longest
from typing import Generic, TypeVar

Meaning = TypeVar("Meaning")

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*(?:/\d+)?")
_DRAWN = re.compile(r"(.)\1\1")
_DRAWN_RUN = re.compile(r"(.)\1{2,}")
_STEM = 4
_ANY = "_"
_MOST_DRAWN = 32  # a text with more is noise, and each costs a look

# Contractions as people type them in a hurry. "its", "were", "well", "ill", "wed" are words of their own, so not here.
_CONTRACTIONS = """
isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't haven't hasn't hadn't ain't
i'm i've you're you've they're they've he's she's that's there's what's where's who's how's let's
"""
_HURRIED: dict[str, str] = {word.replace("'", ""): word for word in _CONTRACTIONS.split()}


class Said:
    """A text as words: `plain[i]` is the plain form of word i, `places[i]` where it stands in the text.

    Built for speed: most messages hold no phrase, so the places are only worked out when one is found.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._straight = _straight(text)
        self._typed: list[str] = _WORD.findall(self._straight)
        hurried = not _HURRIED.keys().isdisjoint(self._typed)
        self.plain = [_HURRIED.get(word, word) for word in self._typed] if hurried else self._typed
        self.drawn = _drawn(self._typed) if _DRAWN.search(text) else frozenset()

    def __len__(self) -> int:
        return len(self.plain)

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Start and end of each word in the text. Between words no letter stands: looking for each in turn will do."""
        found, end, find = [], 0, self._straight.find
        for word in self._typed:
            start = find(word, end)
            end = start + len(word)
            found.append((start, end))
        return found

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where words `first` up to (not including) `last` stand in the text."""
        return self.places[first][0], self.places[last - 1][1]

    def gap(self, i: int) -> str:
        """What stands between word i and the next one (or the end)."""
        end = self.places[i + 1][0] if i + 1 < len(self.plain) else len(self.text)
        return self.text[self.places[i][1] : end]


@dataclass(frozen=True, slots=True)
class Hit(Generic[Meaning]):
    """A phrase found: words `first` up to (not including) `last`, and what it means."""

    first: int
    last: int
    meaning: Meaning


def plain_form(word: str) -> str:
    """One word as phrases spell it: lower case, straight apostrophe, hurried contractions mended."""
    plain = _straight(word)
    return _HURRIED.get(plain, plain)


class Phrases(Generic[Meaning]):
    """A set of phrases, each with a meaning, ready to be found in texts. The same phrase may have several meanings.

    Words in `skipped` may stand inside a phrase without being part of it ("you're very kind"). Phrases are sorted by
    their first word and taken apart when that word is met for the first time: a script that reads one message pays for
    the few dozen phrases that could begin in it, not for thousands.
    """

    def __init__(self, entries: Iterable[tuple[str, Meaning]], skipped: frozenset[str] = frozenset()) -> None:
        self._skipped = skipped
        self._waiting: dict[str, list[tuple[str, Meaning]]] = {}
        self._grown: dict[str, _Node[Meaning]] = {}
        self._stems: dict[str, list[tuple[str, list[tuple[str, Meaning]]]]] = {}
        self._grown_stems: dict[str, _Node[Meaning]] = {}
        for phrase, meaning in entries:
            _check(phrase)
            head, _, rest = phrase.partition(" ")
            for option in head.split("|") if "|" in head else (head,):
                self._set_down(option, rest, meaning)

    def _set_down(self, option: str, rest: str, meaning: Meaning) -> None:
        word, _, joined = option.partition("_")
        if joined:
            rest = f"{joined.replace('_', ' ')} {rest}"
        if not word.endswith("*"):
            self._waiting.setdefault(plain_form(word), []).append((rest, meaning))
            return
        stem = word[:-1].lower()
        siblings = self._stems.setdefault(stem[:_STEM], [])
        for known, entries in siblings:
            if known == stem:
                entries.append((rest, meaning))
                return
        siblings.append((stem, [(rest, meaning)]))

    def _beginning(self, word: str) -> _Node[Meaning] | None:
        """The tree of what may follow `word` where it begins a phrase; None where it begins none."""
        known = self._grown.get(word)
        if known is None and word in self._waiting:
            known = self._grown[word] = _grown(self._waiting[word])
        return known

    def _beginnings(self, said: Said, i: int) -> Iterator[_Node[Meaning]]:
        for plain in _forms(said, i):
            node = self._beginning(plain)
            if node is not None:
                yield node
            for stem, entries in self._stems.get(plain[:_STEM], ()):
                if plain.startswith(stem):
                    if stem not in self._grown_stems:
                        self._grown_stems[stem] = _grown(entries)
                    yield self._grown_stems[stem]

    def at(self, said: Said, i: int) -> list[Hit[Meaning]]:
        """The longest phrase that begins at word `i`: one hit for each of its meanings, none when there is none."""
        if i >= len(said.plain):
            return []
        last, meanings = _longest(
            (node.longest(said, i + 1, i + 1, self._skipped) for node in self._beginnings(said, i))
        )
        return [Hit(i, last, meaning) for meaning in meanings]

    def found(self, said: Said) -> Iterator[Hit[Meaning]]:
        """Every phrase from left to right, the longest at each place; what one phrase took, no other may use."""
        taken = 0
        for i in self._places_to_look(said):
            if i >= taken:
                hits = self.at(said, i)
                if hits:
                    taken = hits[0].last
                    yield from hits

    def everywhere(self, said: Said) -> Iterator[Hit[Meaning]]:
        """Every phrase from left to right, the longest at each place, also where they overlap."""
        for i in self._places_to_look(said):
            yield from self.at(said, i)

    def starts(self, said: Said, i: int = 0) -> Hit[Meaning] | None:
        """The phrase that begins at word `i`, if any."""
        hits = self.at(said, i)
        return hits[0] if hits else None

    def whole(self, said: Said) -> Hit[Meaning] | None:
        """The phrase that is all that was said, if one is."""
        hit = self.starts(said)
        return hit if hit is not None and hit.last == len(said) else None

    def _places_to_look(self, said: Said) -> list[int]:
        """Words that may begin a phrase, told by one look at the word and the next: nearly all words fall here."""
        beginning, waiting, stems, skipped = self._beginning, self._waiting, self._stems, self._skipped
        plain = said.plain
        likely = []
        for i, (word, then) in enumerate(zip_longest(plain, plain[1:])):
            if word in waiting:
                node = beginning(word)
                if node is not None and (node.open or then in node.exact or then in skipped):
                    likely.append(i)
                    continue
            if word[:_STEM] in stems:
                likely.append(i)
        if not said.drawn:
            return likely
        return sorted({*likely, *said.drawn, *(i - 1 for i in said.drawn if i)})


def _grown(entries: Iterable[tuple[str, Meaning]]) -> _Node[Meaning]:
    node: _Node[Meaning] = _Node()
    for rest, meaning in entries:
        if not rest:
            node.add((), meaning)
            continue
        for option in _options(rest):
            node.add(option, meaning)
    node.open = bool(node.meanings or node.stems or _ANY in node.exact)
    return node


def _longest(ways: Iterable[tuple[int, list[Meaning]]]) -> tuple[int, list[Meaning]]:
    """The way that goes farthest; where several do, all that they mean."""
    best: tuple[int, list[Meaning]] = 0, []
    for end, meanings in ways:
        if meanings and end > best[0]:
            best = end, meanings
        elif meanings and end == best[0]:
            best = end, [*best[1], *(m for m in meanings if m not in best[1])]
    return best


class _Node(Generic[Meaning]):
    """A place in the tree of phrases: the words that may come next, and what it means to end here."""

    __slots__ = ("exact", "meanings", "open", "stems")

    def __init__(self) -> None:
        self.open = False  # whether anything may come next, or nothing: known where a phrase begins
        self.exact: dict[str, _Node[Meaning]] = {}
        self.stems: dict[str, list[tuple[str, _Node[Meaning]]]] = {}
        self.meanings: list[Meaning] = []

    def add(self, option: tuple[str, ...], meaning: Meaning) -> None:
        if not option:
            if meaning not in self.meanings:
                self.meanings.append(meaning)
            return
        self._child(option[0]).add(option[1:], meaning)

    def longest(self, said: Said, i: int, last: int, skipped: frozenset[str]) -> tuple[int, list[Meaning]]:
        """Where the longest phrase ends that goes on from here with word `i`, and what it means.

        `last` is the end of what was matched so far (words from there to `i` were skipped).
        """
        here = last, self.meanings
        if i >= len(said.plain):
            return here
        ways = [here, *(child.longest(said, i + 1, i + 1, skipped) for child in self._children(said, i))]
        if said.plain[i] in skipped:
            ways.append(self.longest(said, i + 1, last, skipped))
        return _longest(ways)

    def _children(self, said: Said, i: int) -> Iterator[_Node[Meaning]]:
        for plain in _forms(said, i):
            if plain in self.exact:
                yield self.exact[plain]
            for stem, child in self.stems.get(plain[:_STEM], ()):
                if plain.startswith(stem):
                    yield child
        if _ANY in self.exact:
            yield self.exact[_ANY]

    def _child(self, word: str) -> _Node[Meaning]:
        if not word.endswith("*"):
            return self.exact.setdefault(word, _Node())
        stem = word[:-1]
        siblings = self.stems.setdefault(stem[:_STEM], [])
        for known, child in siblings:
            if known == stem:
                return child
        siblings.append((stem, _Node()))
        return siblings[-1][1]


def _check(phrase: str) -> None:
    """ValueError for a phrase that could never be found."""
    first = phrase.split()[:1]
    if not first or first[0] == _ANY or first[0].startswith("["):
        raise ValueError(f"the phrase {phrase!r} must begin with a word")
    if "*" in phrase:
        for word in re.split(r"[\s|_\[\]]", phrase):
            if word.endswith("*") and len(word) <= _STEM:
                raise ValueError(f"{word!r} needs at least {_STEM} letters before the star")


def _options(phrase: str) -> Iterator[tuple[str, ...]]:
    """Every way to say a phrase: its alternatives chosen, its optional words there or not, its joined words apart."""
    choices = [["", *token[1:-1].split("|")] if token.startswith("[") else token.split("|") for token in phrase.split()]
    for option in product(*choices):
        parts = (part if part == _ANY else part.replace("_", " ") for part in option)
        yield tuple(plain_form(word) for word in " ".join(parts).split())


def _forms(said: Said, i: int) -> tuple[str, ...]:
    """The plain forms a word may stand for, nearest first (drawn out, "goood": "good", "god")."""
    plain = said.plain[i]
    if i not in said.drawn:
        return (plain,)
    return plain, _DRAWN_RUN.sub(r"\1\1", plain), _DRAWN_RUN.sub(r"\1", plain)


def _drawn(plain: list[str]) -> frozenset[int]:
    drawn = (i for i, word in enumerate(plain) if _DRAWN.search(word) and not word.isdigit())
    return frozenset(islice(drawn, _MOST_DRAWN))


def _straight(text: str) -> str:
    # "İ" is the one letter that grows when made small, which would move every place after it
    return text.replace("\u0130", "I").lower().replace("\u2019", "'")
