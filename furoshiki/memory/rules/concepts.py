"""Extract concepts (key nouns) from a text, and measure how the topics have changed.

No grammar is parsed: words without a subject are excluded by lists and endings, and names come
first. A superfluous word costs a row; rarity and co-occurrence give concepts their value.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from furoshiki.core.similarity import cosine_of_counts
from furoshiki.language.detection import Language
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.word_tables import texts
from furoshiki.language.words import SPELLED_HYPHENED, singular, word_set

# concepts of one memory: six make fifteen links, more would link everything to everything
MOST_OF_A_TEXT = 6

# days after which a link between two concepts that were not mentioned together halves
HALF_LIFE_DAYS = 60.0

LONGEST = 40  # characters of one concept
STRENGTH = 0.5  # the initial strength of a concept, in [0, 1]
REINFORCED = 1.1  # the factor on a concept's strength at each occurrence
STRENGTH_HALF_LIFE_DAYS = 30.0  # days without occurrence after which a concept's strength halves
FADED = 0.05  # concepts below this strength bring up no memories until their next occurrence

_DETERMINERS = word_set("a an the my your his her its our their this that these those of some any no")

_FIRST_SIGN = "\u3400"  # from this code point on (CJK) a character counts for several letters

_EMPTY = frozenset(" ".join(texts("topics", "no_concept").values()).split()).union(WEEKDAYS)


@dataclass(frozen=True)
class Drift:
    """A change of topics: `distance` in [0, 1], rising and fading concepts by strength."""

    distance: float
    rising: tuple[str, ...]
    fading: tuple[str, ...]


def key_nouns(text: str, languages: Collection[Language] = ()) -> tuple[str, ...]:
    """Return a text's distinct concepts, lower-case, singular, names first."""
    small = _EMPTY.union(*(language.small | language.asks for language in languages))
    for language in languages:
        text = language.part_words(text)
    names: dict[str, None] = {}
    others: dict[str, None] = {}
    before, ended = "", 0
    for match in SPELLED_HYPHENED.finditer(text):
        word = match[0].replace("’", "'").removesuffix("'s")
        opens = match.start() == 0 or opens_sentence(text[ended : match.start()])
        name = word[0].isupper() and not opens
        plain = _lower(word)
        single = plain if name else singular(plain)
        if _is_meaningful(plain, name, before) and small.isdisjoint((plain, single)):
            (names if name else others)[single[:LONGEST]] = None
        before, ended = plain, match.end()
    return tuple(dict.fromkeys([*names, *others]))[:MOST_OF_A_TEXT]


def concept_name(text: str) -> str:
    """Normalise a concept: lower case, no article, singular; "" without content."""
    words = [_lower(match[0]) for match in SPELLED_HYPHENED.finditer(text)]
    while words and words[0] in _DETERMINERS:
        words = words[1:]
    if len(words) == 1:
        words = [singular(words[0])]
    name = " ".join(words)
    return name if len(name) <= LONGEST and any(word not in _EMPTY for word in words) else ""


def _lower(word: str) -> str:
    """Return a word in lower case, without the combining dot of "İlker"."""
    return word.casefold().replace("i\u0307", "i")


def opens_sentence(gap: str) -> bool:
    """Whether a sentence ends in the text between two words."""
    bare = gap.rstrip()
    return bare[-1:] in (".", "!", "?", ":") or "\n" in gap[len(bare) :]


def fade(weight: float, days: float) -> float:
    """Return a link's weight after `days` without a mention (exponential decay)."""
    return weight * float(0.5 ** (max(days, 0.0) / HALF_LIFE_DAYS))


def strength(kept: float, days: float) -> float:
    """Return a concept's strength `days` after its last occurrence; `kept` is its strength then."""
    return kept * float(0.5 ** (max(days, 0.0) / STRENGTH_HALF_LIFE_DAYS))


def strengthen(strength_now: float) -> float:
    """Return a concept's strength after another occurrence (at most 1)."""
    return min(1.0, strength_now * REINFORCED)


def drift(before: Mapping[str, float], after: Mapping[str, float], most: int = 5) -> Drift:
    """Measure the change of topics between two periods, from the counts of each concept.

    The distance is one minus the cosine of the counts: 0 if nothing changed or either period is
    empty.
    """
    rise = {name: _share(after, name) - _share(before, name) for name in before.keys() | after.keys()}
    order = sorted(rise, key=lambda name: (-rise[name], name))
    if not any(before.values()) or not any(after.values()):
        return Drift(0.0, (), ())
    return Drift(
        min(1.0 - cosine_of_counts(before, after), 1.0),
        tuple(name for name in order[:most] if rise[name] > 0),
        tuple(name for name in reversed(order[-most:]) if rise[name] < 0),
    )


def rarity(count: int) -> float:
    """Return the significance of a shared concept: 1 if seen once, less for common ones."""
    return 1.0 / math.log2(1.0 + max(count, 1))


def _is_meaningful(plain: str, name: bool, before: str) -> bool:
    if len(plain) < (3 if plain < _FIRST_SIGN else 2) or plain in _EMPTY or "'" in plain:
        return False
    if name:
        return True
    if plain.endswith("ly"):
        return False
    return not (plain.endswith(("ing", "ed")) and len(plain) > 5 and before not in _DETERMINERS)


def _share(counts: Mapping[str, float], name: str) -> float:
    total = sum(counts.values())
    return counts.get(name, 0.0) / total if total else 0.0
