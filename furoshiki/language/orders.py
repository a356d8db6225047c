"""Whether a sentence that opens with "order", "mark" or "text" orders something, or tells of a thing or a person."""

from __future__ import annotations

from furoshiki.language.lexicon import Lexicon
from furoshiki.language.phrases import Hit, Said

AHEAD = 8
"""Words after the first in which the verb of a sentence is looked for."""

_ASKED = frozenset({"please", "pls", "plz", "kindly", "you"})
"""With one of these in front it is an order: nobody says "please" to tell something."""

_NEXT_CLAUSE = frozenset(
    {"i", "i'm", "i've", "i'll", "i'd", "we", "we're", "you", "he", "he's", "she", "she's", "they"}
    | {"that", "who", "which", "because", "since", "if", "when", "while", "how", "what", "where", "why", "whether"}
    | {"before", "after", "until", "about", "as", "but", "so", "to"}
)
"""What is told from one of these on is told of something else: "text mum that I arrived"."""

_OF_ONE = frozenset({"the", "a", "an", "my", "our", "his", "her", "their", "your", "some", "these", "those"})
"""After these a word in -ed says what something is like: "for the tired kids"."""


def gives(said: Said, hit: Hit[bool], lexicon: Lexicon) -> bool:
    """Whether the words of an order that a sentence opens with are meant as one."""
    if hit.last - hit.first != 1 or said.plain[hit.first] not in lexicon.words["order_nouns"]:
        return True
    if not _ASKED.isdisjoint(said.plain[: hit.first]):
        return True
    if hit.last >= len(said) or lexicon.phrases["no_orders"].starts(said, hit.first):
        return False
    follower = said.plain[hit.last]
    return follower in lexicon.words["order_objects"] or follower[:1].isdigit() or not _told(said, hit.last, lexicon)


def _told(said: Said, first: int, lexicon: Lexicon) -> bool:
    """Whether a verb that tells something stands among the next words of the same clause."""
    for i in range(first, min(len(said), first + AHEAD)):
        word = said.plain[i]
        if word in _NEXT_CLAUSE:
            return False
        if (word in lexicon.words["finite"] and not _name(said, i)) or _past(word, said.plain[i - 1], lexicon):
            return True
    return False


def _past(word: str, before: str, lexicon: Lexicon) -> bool:
    ends = word.endswith("ed") and len(word) > 4 and (not word.endswith("eed") or word == "agreed")
    return ends and before not in _OF_ONE and word not in lexicon.words["participles"]


def _name(said: Said, i: int) -> bool:
    """Whether the word is written like a name, "text Will tomorrow"; where all is in capitals none is."""
    return said.text[said.place(i)[0]].isupper() and not said.text.isupper()
