"""Build a profile from facts and a model's statements. Pure functions.

A statement is accepted if it is a fact verbatim, or a reader finds it supported by its cited facts.
A refused one is replaced by those facts. Past facts are listed separately, by rule alone.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from furoshiki.language.words import count_words
from furoshiki.owner.user_model.rules.profile import (
    MINI_WORDS,
    PAST,
    REFERENCE_WORDS,
    SECTIONS,
    Fact,
    Gap,
    Profile,
    Statement,
    mini_text,
    reference_text,
)

LONGEST_FACT_WORDS = 60
MOST_PAST = 12
MOST_GAPS = 8

# A field whose most certain fact is below this is a gap. A merely likely pattern gives 0.75.
LOW = 0.8

DOUBTED = 0.3  # the confidence of a fact with contrary evidence, or that a model found unclear

# Fields to ask about, with questions. Health, beliefs and possessions are left out.
ASKED_FOR: Mapping[str, str] = {
    "addressing": "What would you like to be called?",
    "location": "Where do you live?",
    "employment": "What do you do all day?",
    "family": "Is there family you would like to tell me about?",
    "preference": "What do you enjoy most?",
    "plan": "Is there something coming up?",
}

# a reader's verdicts, by text and facts: the objection, or "" if supported
Readings = Mapping[tuple[str, tuple[int, ...]], str]

UNREAD = "nobody has read it"


@dataclass(frozen=True)
class Refused:
    """A refused statement, and the reason."""

    statement: Statement
    reason: str


def objection(statement: Statement, known: Mapping[int, str], readings: Readings) -> str | None:
    """Return why a statement is refused, or None. `known` holds the current facts' texts by id."""
    unknown = [fact for fact in statement.facts if fact not in known]
    if unknown:
        return f"there is no current fact {unknown[0]}"
    if not statement.facts:
        return "it cites no fact"
    return None if is_fact(statement, known) else readings.get((statement.text, statement.facts), UNREAD) or None


def is_fact(statement: Statement, text_of: Mapping[int, str]) -> bool:
    """Whether a statement is one of its cited facts verbatim, so that no reader is needed."""
    return _same(statement.text) in {_same(text_of[fact]) for fact in statement.facts if fact in text_of}


def _same(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


# -- building --


def build_profile(
    mini: Iterable[Statement],
    reference: Iterable[Statement],
    doubted: Collection[int],
    facts: Sequence[Fact],
    held_back: Callable[[str], bool] = lambda _text: False,
    readings: Readings = MappingProxyType({}),
) -> tuple[Profile, list[Refused]]:
    """Build a profile of accepted statements, within its limits; also return the refused ones.

    `facts` are ordered, the most important first; `doubted` are those that a model found unclear;
    texts for which `held_back` is true are left out of the short profile.
    """
    current = {fact.id: fact for fact in facts if not fact.past}
    refused: list[Refused] = []
    short = [
        statement for statement in _select_valid(mini, current, readings, refused) if not held_back(statement.text)
    ]
    full = _select_valid(reference, current, readings, refused)
    order = list(SECTIONS)
    full.sort(key=lambda statement: order.index(statement.section))
    full += _list_past(facts)
    refused = list({(refusal.statement.text, refusal.statement.facts): refusal for refusal in refused}.values())
    return Profile(
        mini=_within(short, MINI_WORDS, mini_text),
        reference=_within(full, REFERENCE_WORDS, reference_text),
        gaps=gaps([fact for fact in facts if not fact.past], doubted),
    ), refused


def tell_past(profile: Profile, facts: Iterable[Fact]) -> Profile:
    """Return a profile with the past facts of now."""
    current = [statement for statement in profile.reference if statement.section != PAST]
    return replace(profile, reference=_within([*current, *_list_past(facts)], REFERENCE_WORDS, reference_text))


def _list_past(facts: Iterable[Fact]) -> list[Statement]:
    return [plain(fact) for fact in facts if fact.past][:MOST_PAST]


def _select_valid(
    statements: Iterable[Statement], current: Mapping[int, Fact], readings: Readings, refused: list[Refused]
) -> list[Statement]:
    """Return accepted statements, and facts that only refused statements cite."""
    text_of = {fact.id: fact.text for fact in current.values()}
    valid: list[Statement] = []
    instead: list[int] = []
    for statement in statements:
        text = " ".join(statement.text.split())
        cited = tuple(dict.fromkeys(statement.facts))
        reason = objection(Statement(statement.section, text, cited), text_of, readings)
        if reason is None and statement.section != PAST and statement.section in SECTIONS:
            valid.append(Statement(statement.section, _add_stop(text), cited))
            continue
        refused.append(Refused(statement, reason or "it belongs to no section of what is so now"))
        instead += [fact for fact in cited if fact in current]
    stated_facts = {fact for statement in valid for fact in statement.facts}
    valid += [plain(current[fact]) for fact in dict.fromkeys(instead) if fact not in stated_facts]
    first: dict[str, Statement] = {}
    for statement in valid:
        first.setdefault(_same(statement.text), statement)
    return list(first.values())


def plain(fact: Fact) -> Statement:
    """Return a fact as a statement, verbatim."""
    words = fact.text.split()
    text = " ".join(words[:LONGEST_FACT_WORDS]) + (" …" if len(words) > LONGEST_FACT_WORDS else "")
    return Statement(PAST if fact.past else _section(fact.category), _add_stop(text), (fact.id,))


def by_rule(facts: Sequence[Fact]) -> dict[str, Any]:
    """Return the profile without a model: every fact verbatim, as a model's answer."""
    current = [fact for fact in facts if not fact.past]
    order = list(SECTIONS)
    first = sorted(current, key=lambda one: order.index(_section(one.category)))
    return {
        "mini": [_export(plain(fact)) for fact in _one_of_each(first)],
        "reference": [{"section": _section(fact.category)} | _export(plain(fact)) for fact in current],
        "unsure": [],
    }


def _export(statement: Statement) -> dict[str, Any]:
    return {"text": statement.text, "facts": list(statement.facts)}


def _one_of_each(facts: Sequence[Fact]) -> list[Fact]:
    """Return the first of every section, then the second of each, and so on."""
    places: dict[str, int] = {}
    ranked = []
    for number, fact in enumerate(facts):
        section = _section(fact.category)
        places[section] = places.get(section, 0) + 1
        ranked.append((places[section], number, fact))
    return [one for _, _, one in sorted(ranked, key=lambda entry: entry[:2])]


def gaps(facts: Sequence[Fact], doubted: Collection[int] = ()) -> tuple[Gap, ...]:
    """Return the empty and uncertain fields, the least certain first."""
    all_gaps = [
        Gap(field, question, 0.0)
        for field, question in ASKED_FOR.items()
        if not any(_section(fact.category) == field for fact in facts)
    ]
    for fact in facts:
        sure = min(fact.confidence, DOUBTED) if fact.id in doubted else fact.confidence
        if sure < LOW:
            all_gaps.append(
                Gap(_section(fact.category), f"Is it so: {_add_stop(fact.text)}", round(sure, 2), (fact.id,))
            )
    return tuple(sorted(all_gaps, key=lambda gap: gap.confidence)[:MOST_GAPS])


def _within(
    statements: Sequence[Statement], words: int, told: Callable[[Iterable[Statement]], str]
) -> tuple[Statement, ...]:
    """Return the statements that fit into so many words, in order, skipping those too long."""
    fitting: list[Statement] = []
    for statement in statements:
        if count_words(told([*fitting, statement])) <= words:
            fitting.append(statement)
    return tuple(fitting)


def _section(category: str) -> str:
    return category if category in SECTIONS and category != PAST else "other"


def _add_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
