"""Phrase facts as sentences: "you live in Lyon", "The user's sister is called Anika"."""

import re
from collections.abc import Mapping, Sequence

from furoshiki.language.facts import words
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.humanize import join_items
from furoshiki.language.word_tables import by_language

_VERBS: Mapping[str, Sequence[str]] = {
    name: forms.split(" / ") for name, forms in by_language("retelling")["en"].items()
}
_OCCASION = re.compile(rf"(?:[\w'-]+\s+){{0,3}}?(?:{words.OCCASION_WORD})s?\b(?!\s+(?:up|to)\b)", re.IGNORECASE)
_LESSON = re.compile(
    r"\w+ing\s+(?:lesson|class|course|exam|test|appointment|competition|party|trip)s?\b", re.IGNORECASE
)
# starts of a plan in which "meeting" is what they do, not an occasion: "meeting Jaz"
_MEETS = re.compile(r"(?i:meeting) (?:(?:my|your|their) |[A-Z])")
_PAST = frozenset({"died", "passed away"})
_BREED = re.compile(words.BREED_WORD, re.IGNORECASE)
_ADJECTIVES = frozenset({"retired", "unemployed", "self-employed", "freelancing", "between jobs"})


_TO_YOU = {"They said: \u201c": "You said: \u201c", "They ": "You ", "Their ": "Your ", "The user's ": "Your "}
_THE_USER = "The user "
# verbs in facts about the user with their second-person forms, longest first
_TO_SECOND = sorted(
    {("used to", "used to"), ("wants to be called", "want to be called")}
    | {(third, second) for second, third in _VERBS.values()},
    key=lambda pair: (-len(pair[0]), pair),
)
_OF_THEM = re.compile(r"\b(?:they|them|their|theirs|themsel\w+|the user)\b", re.IGNORECASE)


def address_user(text: str) -> str:
    """Rephrase a stored sentence in the second person: "They live in Lyon." is "You live in Lyon.".

    They and you share verb forms, so only the opening changes; after "the user" the verb changes
    too. A sentence with another "them" is ambiguous and stays as it is, except for quotations.
    """
    if text.startswith(_THE_USER):
        rest = text.removeprefix(_THE_USER)
        pair = next((one for one in _TO_SECOND if rest.startswith(f"{one[0]} ")), None)
        if pair is None or _OF_THEM.search(rest):
            return text
        return f"You {pair[1]}{rest.removeprefix(pair[0])}"
    for opening, reply in _TO_YOU.items():
        if text.startswith(opening):
            rest = text.removeprefix(opening)
            return text if opening[-1] == " " and _OF_THEM.search(rest) else reply + rest
    return text


def sentence(subject: str, predicate: str, object_: str) -> str:
    """Phrase a fact as a sentence about the user: "The user lives in Lyon" (no full stop)."""
    return _phrase_fact(subject, predicate, object_, second=False)


def past_sentence(subject: str, predicate: str, object_: str) -> str:
    """Phrase a fact that is over: "The user used to live in Rome"."""
    if subject == "user" and predicate in RELATIONS:
        return f"{object_} used to be the user's {predicate}"
    return _past(sentence(subject, predicate, object_), subject, predicate, second=False)


def has_past(predicate: str, object_: str, told: str) -> bool:
    """Return whether a past fact can be phrased: known predicate, object in its sentence."""
    return (predicate in _VERBS or predicate in RELATIONS) and object_.casefold() in told.casefold()


def past_to_user(subject: str, predicate: str, object_: str) -> str:
    """Phrase a fact that is over to the user: "you used to live in Rome"."""
    if subject == "user" and predicate in RELATIONS:
        return f"{object_} used to be your {predicate}"
    return _past(to_user(subject, predicate, object_), subject, predicate, second=True)


def _past(told: str, subject: str, predicate: str, second: bool) -> str:
    forms = _VERBS.get(predicate, ("are", "is"))
    verb = forms[0] if second and subject == "user" else forms[1]
    before, verb_found, after = told.partition(f" {verb} ")
    return f"{before} used to {re.sub(r'^are', 'be', forms[0])} {after}" if verb_found else f"{told} (no longer)"


def to_user(subject: str, predicate: str, object_: str) -> str:
    """Phrase a fact to the user, without full stop: "you live in Lyon"."""
    return _phrase_fact(subject, predicate, object_, second=True)


_PLURALS = {"child": "children", "wife": "wives", "mouse": "mice", "fish": "fish", "goldfish": "goldfish"}


def names_to_user(relation: str, names: Sequence[str]) -> str:
    """Phrase the names of several, without full stop: "your sons are called Finn and Ruairi"."""
    first, in_law, law = relation.partition("-in-law")
    ending = "s"
    if re.search(r"(?:x|s|sh|ch)$", first):
        ending = "es"
    elif re.search(r"[^aeiou]y$", first):
        first, ending = first[:-1], "ies"
    several = _PLURALS.get(first, f"{first}{ending}") + in_law + law
    return f"your {several} are called {join_items(names)}"


def _phrase_fact(subject: str, predicate: str, object_: str, second: bool) -> str:
    own = subject == "user"
    user, whose = ("you", "your") if second else ("The user", "The user's")
    who = f"{whose} {subject}" if subject in RELATIONS else subject
    if own:
        who = user
    theirs = whose if own else f"{who}'s"
    be = "are" if own and second else "is"
    if predicate in RELATIONS:
        return f"{theirs} {predicate} is called {object_}"
    if predicate.startswith("favourite_"):
        return f"{theirs} favourite {predicate[10:].replace('_', ' ')} is {object_}"
    if predicate == "speaks_natively":
        return f"{theirs} native language is {object_}"
    if predicate in ("name", "birthday", "pronouns"):
        return f"{theirs} {predicate} {'are' if predicate == 'pronouns' else 'is'} {object_}"
    if predicate == "goal":
        return f"{who} {'want' if own and second else 'wants'} to {object_}"
    if predicate in ("plans", "intends"):
        return f"{who} {_phrase_plan(object_, own and second)}"
    if predicate == "has_condition":
        has = "have" if own and second else "has"
        return f"{who} {be if object_.lower() in words.STATES else has} {object_}"
    if predicate == "is" and object_ in _PAST:
        return f"{who} {object_}"
    if predicate in ("works_as", "diet", "nationality", "is") or object_.lower().split()[-1] in words.FAITHS:
        return f"{who} {be} {_with_article(predicate, object_)}"
    verb = _VERBS.get(predicate, (predicate.replace("_", " "),) * 2)
    return f"{who} {verb[0] if own and second else verb[1]} {_turn_my(object_, second)}"


def _turn_my(words_said: str, second: bool) -> str:
    return re.sub(r"\bmy\b", "your" if second else "their", words_said)


def _phrase_plan(plan: str, second: bool) -> str:
    """Phrase a plan: "has a dentist appointment on Friday", "means to run a marathon"."""
    plan = _turn_my(plan, second)
    first = plan.split()[0].lower()
    if first in words.LEAVING:  # "I start my new job on Monday"
        return plan if second else f"is to {plan}"
    occasion = re.fullmatch(words.OCCASION_WORD, first) and _MEETS.match(plan) is None
    if first.endswith("ing") and not occasion and not _LESSON.match(plan):
        return f"{'are' if second else 'is'} {plan}"
    if _OCCASION.match(plan):
        article = "an " if first[0] in "aeiou" else "a "
        if first.endswith("s"):
            article = ""
        return f"{'have' if second else 'has'} {article}{plan}"
    return f"{'mean' if second else 'means'} to {plan}"


def _with_article(predicate: str, object_: str) -> str:
    first = object_.split()[0].lower()
    bare = predicate in ("diet", "nationality") or object_.lower() in _ADJECTIVES or first in {"a", "an", "the", "on"}
    if bare or (predicate == "is" and not _BREED.search(object_)):
        return object_
    return f"{'an' if first[0] in 'aeiou' else 'a'} {object_}"
