"""Turn a note written by rules into a message: "exam on Thursday: ask how it went" becomes "You had
an exam on Thursday. How did it go?"

Notes in a model's own words wait for a model.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from furoshiki.core.catalogue import ENGLISH, capital, get_language, say_each
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.language.facts.retelling import to_user
from furoshiki.language.reflex.wording import flip_person
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.tables.numbers import TO_TWELVE

_HOW_ARE = re.compile(
    r"ask (?:them )?how they(?: are|'re|\u2019re)(?: doing| feeling| getting on)?(?: (?:now|today|these days))?", re.I
)
_PLAN = ": ask how it"
_OF_WHOM = re.compile(r"(?: for (?P<whose>[^:]+))? went")
_SOUNDED = re.compile(r"They sounded (?P<felt>[a-z]+): ask how they are")

_AT = r"(?: (?:at|around|by) (?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|noon|midnight|half \w+|\w+ o['\u2019]clock))"
_SOON = (
    r"(?:tomorrow|tonight|today|later(?: today)?|this (?:morning|afternoon|evening|week|weekend|month|year)|now|soon)"
)
_SPAN = rf"in (?:an?|{'|'.join(TO_TWELVE)}|\d+) (?:minute|hour|day|week|month|year)s?"
_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_PART = r"(?: (?:morning|afternoon|evening|night))"
_RELATIVE = re.compile(rf"\b(?:{_SOON}{_PART}?|(?:next|this coming) \w+{_PART}?|{_SPAN})\b{_AT}?", re.IGNORECASE)
_CLOCK = re.compile(rf"{_AT}\b", re.IGNORECASE)
# time expressions that mean another day on another day
RELATIVE = re.compile(rf"\b(?:{_SOON}|(?:next|last|this) \w+|{_SPAN}|yesterday|ago)\b", re.IGNORECASE)

DAY = re.compile(rf"\b{_DAY}\b", re.IGNORECASE)

LONGEST = 160  # maximum length of a note, in characters; a longer one is more than one thought

WAYS: Mapping[str, dict[str, list[str]]] = read_toml_file(ROOT / "config" / "outreach_words.toml")["ways"]
# messages when the topic is heavy, which ask for nothing; after worry; and at any time
GENTLE, _WORRIED, HOW_ARE_YOU = (tuple(WAYS["notes"][name]) for name in ("gentle", "worried", "how_are_you"))


def phrase_note(note: str, today: date) -> tuple[str, ...]:
    """Return ways to say a note; () when no rule fits. `today` is the owner's date."""
    text = " ".join(note.split()).rstrip(".")
    if len(text) > LONGEST:
        return ()
    if sounded := _SOUNDED.fullmatch(text):
        return say_each(*(_WORRIED if sounded["felt"] == "worried" else GENTLE))
    plan, _, end = text.rpartition(_PLAN)
    if plan and (ended := _OF_WHOM.fullmatch(end)):
        return _plan(plan, ended["whose"], today)
    return say_each(*HOW_ARE_YOU) if _HOW_ARE.fullmatch(text) else ()


def _plan(plan: str, whose: str | None, today: date) -> tuple[str, ...]:
    """Ask about a past plan of the owner, or of a person close to them (`whose`)."""
    if get_language() != ENGLISH:
        return (
            ()
            if whose is not None
            else say_each("I remembered that you had this planned: “{plan}”. How did it go?", plan=plan)
        )
    done = _days_as_said(without_time(plan), today)
    clause = had(done, whose)
    if clause is None:
        return ()
    clause, own = capital(clause), flip_person(done)
    if whose is not None:
        return (f"{clause}. Do you know how it went?", f"{clause}, if I remember it right. How was it?")
    if clause.startswith("You meant to "):
        return (f"{clause}. Did it come to that?", f"{clause}, if I remember it right. How did it go?")
    ways = (f"{clause}. How did it go?", f"{clause}, if I remember it right. How was it?")
    if clause.startswith("You had to "):
        return ways
    if clause.startswith("You were "):
        return ways if own.startswith("going to ") else (*ways, f"How was it, {own}?")
    return (*ways, f"How did the {own} go?")


def without_time(plan: str) -> str:
    """Remove relative time expressions and clock times from a plan."""
    plain = _RELATIVE.sub(" ", plan)
    return " ".join(_CLOCK.sub(" ", plain).split()).rstrip(" ,;")


def _days_as_said(plan: str, today: date) -> str:
    """Replace weekdays by "today" or "yesterday" where they fit, else by the plain weekday."""
    names = {today.strftime("%A"): "today", (today - timedelta(days=1)).strftime("%A"): "yesterday"}

    def said(match: re.Match[str]) -> str:
        return names.get(match["day"].capitalize(), f"on {match['day'].capitalize()}")

    return re.sub(rf"\bon (?P<day>{_DAY})\b", said, plan, flags=re.IGNORECASE)


def had(plan: str, whose: str | None = None) -> str | None:
    """Turn a plan into the past: "you had a dentist appointment on Friday"; None for other text."""
    if not plan or _NO_PLAN.search(plan):
        return None
    if plan.startswith("to "):
        who = "you" if whose is None else to_user(whose, "is", "there").removesuffix(" is there")
        return flip_person(f"{who} had {plan}")
    told = to_user("user" if whose is None else whose, "plans", plan)
    past = next((told.replace(present, past, 1) for present, past in _PAST if present in told), None)
    if past is None or _BROKEN.search(past):
        return None
    return flip_person(past.replace("you had a first ", "you had your first "))


_PAST = (
    ("you have ", "you had "),
    ("you are ", "you were "),
    ("you mean to ", "you meant to "),
    (" has ", " had "),
    (" is ", " was "),
    (" means to ", " meant to "),
)
# an article before another article or verb: "you had a run a marathon"
_BROKEN = re.compile(r"\ban? \w+ (?:an?|the|my|your|to)\b", re.IGNORECASE)

_NO_PLAN = re.compile(r"[?\"\u201c\u201d@/<>{}]")  # a question, a quotation or an address
