"""Check the predicate a model chose for a fact: a wrong one would end true facts. "They work at
the harbour" under `name` would rename a person, under `lives_in` move them. A predicate that
ends others needs a sign of it in the sentence; any other may say no more than the sentence."""

import re
from collections.abc import Mapping, Set

from furoshiki.language.facts.conflicts import FAVOURITE
from furoshiki.language.facts.relation_words import GROUPS, THEIRS
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.words import RELATION_FORMS
from furoshiki.language.tables.numbers import spelled
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import WORD, word_set

OTHER = "other"  # the predicate of a claim that fits no other: it ends nothing

# words of every language: a model writes a fact in the language of the talk as well
_SIGNS: Mapping[str, frozenset[str]] = {
    name: word_set(" ".join(signs.get(name, "") for signs in by_language("predicates").values()))
    for name in by_language("predicates")["en"]
}

_HAN = re.compile("[\u4e00-\u9fff]")

_LIGHT = frozenset(by_language("small")["en"]["light"].split())

_SAME_START = 4

# names that models give to the predicate of a name
_ADDRESSED = re.compile(
    r"(?:wants_to_be_|prefers_to_be_|likes_to_be_|is_|to_be_)?(?:called|addressed_as)|goes_by|nickname|"
    r"preferred_name|form_of_address"
)

# what somebody lives in ("a flat on the second floor") ends no place where they live
_DWELLING = re.compile(r"\blives? (?:in|on) an? ", re.IGNORECASE)


def choose_predicate(predicate: str, claim: str) -> str:
    """Return a claim's predicate in normalized spelling, or `OTHER` if it does not fit."""
    name = "_".join(WORD.findall(predicate.casefold()))
    if _ADDRESSED.match(name) and claim.startswith("They "):
        name = "name"
    if name == "lives_in" and _DWELLING.search(claim):
        return OTHER
    words = {word.replace("\u2019", "'") for word in WORD.findall(claim.casefold())}
    if name == "age":
        return name if re.search(r"\d", claim) or spelled(claim, "en") else OTHER
    sign = "favourite" if name.startswith(FAVOURITE) else name
    if sign in _SIGNS:
        return name if _is_signed(words, claim, _SIGNS[sign]) else OTHER
    bare = {RELATION_FORMS.get(word, word) for word in (one.removesuffix("'s") for one in words)}
    if name in RELATIONS:
        kind = GROUPS.get(name, name)
        abroad = {word for forms in THEIRS.values() for word, relation in forms.items() if relation == kind}
        return name if name in bare or _is_signed(words, claim, abroad) else OTHER
    unsaid = [part for part in name.split("_") if part not in _LIGHT and not any(_akin(part, word) for word in words)]
    return OTHER if unsaid or not name else name


def _is_signed(words: Set[str], claim: str, signs: Set[str]) -> bool:
    """Return whether a claim has one of these words; those in Chinese signs have no ends."""
    return not signs.isdisjoint(words) or any(one in claim for one in signs if _HAN.match(one))


def _akin(first: str, second: str) -> bool:
    """Return whether two words are forms of one: "commutes", "commute"."""
    start = max(_SAME_START, min(len(first), len(second)) - 2)
    return first == second or (min(len(first), len(second)) >= _SAME_START and first[:start] == second[:start])
