"""Decide without a model whether an answer used an injected memory.

A word is evidence if both contain it, the question did not, and it is rare. A name or number counts
as two plain words; two are enough, or all there are if a memory has fewer.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from furoshiki.language.tables.function_words import query_words
from furoshiki.language.words import RUN, get_opening

ENOUGH = 2  # points for use: a name or number gives 2, another rare word 1

_SHORTEST = 3

# the subject in "The user is allergic to walnuts", for which an answer says "you"
_SUBJECT = get_opening("user")


@dataclass(frozen=True)
class TellingWords:
    """The words of a memory that would prove its use, by stem: whether each is a name or number."""

    words: dict[str, bool]

    @property
    def enough(self) -> int:
        """Points that are needed, at most `ENOUGH`."""
        return min(ENOUGH, sum(2 if proper else 1 for proper in self.words.values()))


def find_telling_words(text: str, question: str) -> TellingWords:
    """Return the words of a memory that the question does not contain."""
    known_stems = _stems(question) | {_SUBJECT}
    return TellingWords({stem: proper for stem, proper in _read(text).items() if stem not in known_stems})


@lru_cache(maxsize=256)  # the same memories are retrieved repeatedly
def _read(text: str) -> Mapping[str, bool]:
    words: dict[str, bool] = {}
    before = "."
    for match in RUN.finditer(text):
        word = match.group()
        begins = before in ".!?:\n"
        between = text[match.end() : match.end() + 2].strip()
        before = between[0] if between else " "
        stem = get_opening(word.lower())
        proper = word.isdigit() or (word[0].isupper() and not begins)
        if proper or _is_meaningful(word.lower()):
            words[stem] = words.get(stem, False) or proper
    return words


def find_shared(memory: TellingWords, reply: str) -> set[str]:
    """Return the stems of a memory's telling words that the reply uses."""
    return memory.words.keys() & _stems(reply)


@lru_cache(maxsize=8)  # each shown memory is compared with the same question and reply
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(get_opening, RUN.findall(text.lower())))


def was_used(memory: TellingWords, common: set[str], rare: AbstractSet[str]) -> bool:
    """Whether the shared words prove the memory's use. `rare` are seldom used stems."""
    points = sum(2 if memory.words[stem] else 1 for stem in common if memory.words[stem] or stem in rare)
    return bool(common) and points >= memory.enough


@lru_cache(maxsize=4096)  # a small vocabulary recurs
def _is_meaningful(word: str) -> bool:
    return len(word) >= _SHORTEST and not word.isdigit() and query_words(f"of {word}") == (word,)
