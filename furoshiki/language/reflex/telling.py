"""React to told facts: store them, confirm, and ask one friendly question."""

from collections.abc import Callable
from functools import partial

from furoshiki.core.catalogue import capital
from furoshiki.language.facts import conflicts, endings, words
from furoshiki.language.facts.extraction import USER, Fact
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.retelling import names_to_user, past_to_user, to_user
from furoshiki.language.humanize import join_items
from furoshiki.language.reflex import days, greetings, noting
from furoshiki.language.reflex.care.dead import dead
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import KnownFact, Reflex, SkillCall
from furoshiki.language.reflex.wording import Wording, day, flip_person, join_sentences
from furoshiki.language.requests.lines import CURIOUS, CURIOUS_WHEN_HEAVY, HEARD, HEARD_ANYTHING, REPLIES

_MOST_KEPT = 5
# predicates that count ("two sons"): not said again beside their names
_COUNTED = frozenset({"has_family", "has_pet"})

_HEAVY = frozenset({"worry", "sadness", "anger", "frustration"})


def keep(heard: Heard, wording: Wording) -> Reflex | None:
    """Store the facts in the message first; the reply follows the result. What it ends, the commit ends."""
    if heard.ended and not heard.facts:
        over = [past_to_user(fact.subject, fact.predicate, fact.object) for fact in heard.ended]
        return Reflex(capital(wording.one(HEARD_ANYTHING, told=join_items(over))))
    if not heard.facts or heard.situation.nlp.pure_greeting:
        return None
    new = new_facts(heard)
    if not new and all(_age_of_the_dead(fact, heard) for fact in heard.facts):
        return None
    if not new:
        return Reflex(acknowledge(heard, wording))
    return Reflex(calls=(*map(memorize, new), *noting.offer_plan(heard)))


def new_facts(heard: Heard) -> list[Fact]:
    """Return the facts of the message that are not stored yet."""
    new = (fact for fact in heard.facts if find_known(fact, heard) is None)
    return [fact for fact in new if not _age_of_the_dead(fact, heard)][:_MOST_KEPT]


def _age_of_the_dead(fact: Fact, heard: Heard) -> bool:
    """Return whether a fact is the age of a dead person, which is not stored."""
    return fact.predicate == "age" and fact.subject.lower() in dead(heard.situation.facts)


def acknowledge(heard: Heard, wording: Wording) -> str:
    """Confirm stored (or known) facts: first a name, then the fact, then one question."""
    name = greetings.name_taken(heard, wording) if heard.name else None
    fact = _choose_fact(heard)
    if len(named := _list_named_with(fact, heard)) > 1:
        return join_sentences(name, capital(wording.one(HEARD_ANYTHING, told=names_to_user(fact.predicate, named))))
    before = find_known(fact, heard)
    if before is not None:
        return join_sentences(name, _acknowledge_known(before, heard, wording), _question(fact, heard, wording))
    ended = _find_replaced(fact, heard)
    if ended is not None:
        return join_sentences(name, _acknowledge_change(fact, ended, heard, wording), _question(fact, heard, wording))
    return join_sentences(
        name, _acknowledge_fact(fact, heard, wording), _also(fact, heard), _question(fact, heard, wording)
    )


def find_known(fact: Fact, heard: Heard) -> KnownFact | None:
    """Return the stored fact that says the same."""
    if fact.predicate == "plans":
        return None  # plans are always new: "dentist on Friday" is another Friday a month later
    return _find_alike(fact, heard, conflicts.same)


def _find_alike(fact: Fact, heard: Heard, fits: Callable[[str, str], bool]) -> KnownFact | None:
    """Return a stored fact of the same person and kind whose object fits; None for what is over."""
    for other in () if fact.past else heard.situation.facts:
        same_thing = other.subject.lower() == fact.subject.lower() and other.predicate == fact.predicate
        if same_thing and fits(other.object, fact.object):
            return other
    return None


def memorize(fact: Fact) -> SkillCall:
    """Return the skill call that stores a fact."""
    return SkillCall(
        "memorize",
        {
            "text": fact.text + ".",
            "subject": fact.subject,
            "predicate": fact.predicate,
            "object": fact.object,
            "category": fact.category,
            "preference": fact.category == "preference",
        },
    )


def _choose_fact(heard: Heard) -> Fact:
    """Choose the fact to mention: new before known, activities before names."""
    new = [fact for fact in heard.facts if find_known(fact, heard) is None] or list(heard.facts)
    if any(fact.predicate in RELATIONS for fact in new):
        new = [fact for fact in new if fact.predicate not in _COUNTED]
    return max(new, key=lambda fact: (fact.predicate == "plans", fact.subject != USER, fact.predicate in HEARD))


def _list_named_with(fact: Fact, heard: Heard) -> list[str]:
    """List the names of everybody of the fact's relation in the message: both sons."""
    if fact.subject != USER or fact.predicate not in RELATIONS:
        return []
    return [one.object for one in heard.facts if (one.subject, one.predicate) == (USER, fact.predicate)]


def _find_replaced(fact: Fact, heard: Heard) -> KnownFact | None:
    """Return the stored fact that this one replaces."""
    return _find_alike(fact, heard, partial(conflicts.ends, fact.predicate))


def _acknowledge_known(fact: KnownFact, heard: Heard, wording: Wording) -> str:
    if fact.said_at is None:
        return wording.one(("I remember.", "Yes, I know that one."))
    when = day(fact.said_at, heard.situation.now)
    return wording.one(("I remember; you told me {when}.", "Yes, you told me that {when}."), when=when)


def _acknowledge_change(fact: Fact, ended: KnownFact, heard: Heard, wording: Wording) -> str:
    told = day(ended.said_at, heard.situation.now) if ended.said_at else "today"
    when = f" (you told me {told})" if told != "today" else ""
    return wording.one(REPLIES["changed"], new=fact.object, old=ended.object, when=when)


def _acknowledge_fact(fact: Fact, heard: Heard, wording: Wording) -> str:
    options = HEARD_ANYTHING if fact.past else HEARD.get(_kind(fact), HEARD_ANYTHING)
    return capital(wording.one(options, **_values(fact, heard)))


def _also(spoken: Fact, heard: Heard) -> str | None:
    """Mention another new fact of the message, unless it was named in passing."""
    named = any(fact.predicate in RELATIONS for fact in heard.facts)
    for fact in heard.facts:
        if (named and fact.predicate in _COUNTED) or conflicts.is_death(fact.predicate, fact.object):
            continue
        named_in_passing = fact.object == spoken.subject or fact.subject == spoken.object
        if fact is not spoken and not named_in_passing and find_known(fact, heard) is None:
            return f"And {_to_user(fact)}."
    return None


def _question(fact: Fact, heard: Heard, wording: Wording) -> str | None:
    """Ask one question, without cheer if the fact was told in distress."""
    if fact.past or conflicts.is_death(fact.predicate, fact.object):
        return None
    if not dead(heard.situation.facts).isdisjoint((fact.subject.lower(), fact.predicate)):
        return None
    if fact.predicate == "birthday" and (either := days.of_two(fact.object)) is not None:
        return f"Is that {either[0]} or {either[1]}?"
    named = fact.predicate == "has_pet" and any(other.predicate in words.PETS for other in heard.facts)
    if not wording.may_ask or named:
        return None
    kind = _kind(fact)
    heavy = heard.situation.strongest_feeling in _HEAVY
    options = CURIOUS_WHEN_HEAVY.get(kind, ()) if heavy else CURIOUS.get(kind)
    return wording.unused(options, **_values(fact, None)) if options else None


def _kind(fact: Fact) -> str:
    """Return the key of the wording: the predicate, separate for user, people and pets."""
    if conflicts.is_death(fact.predicate, fact.object):
        return "died"
    if endings.is_denied(fact):
        return "none"
    if fact.subject != USER:
        return f"other {fact.predicate}"
    if fact.predicate in words.PETS:
        return "pet"
    if fact.predicate in RELATIONS:
        return "person"
    if fact.predicate.startswith("favourite_"):
        return "favourite"
    return fact.predicate


def _values(fact: Fact, heard: Heard | None) -> dict[str, str]:
    relation = next((f.predicate for f in heard.facts if f.object == fact.subject), "") if heard else ""
    who = f"your {fact.subject}" if fact.subject in RELATIONS else fact.subject
    return {
        "o": flip_person(fact.object),
        "what": fact.predicate.removeprefix("favourite_").replace("_", " "),
        "relation": fact.predicate.replace("_", " "),
        "who": who,
        "whose": f"your {relation}" if relation else who,
        "told": _to_user(fact),
    }


def _to_user(fact: Fact) -> str:
    said = past_to_user if fact.past else to_user
    return said(fact.subject, fact.predicate, flip_person(fact.object))
