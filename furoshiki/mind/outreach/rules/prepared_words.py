"""Prepared unprompted messages of the built-in mind, several for each kind.

Thoughts made by rules about the owner become messages to them. Thoughts in a model's words wait for
a model or are dropped: silence is better than odd words. Owed messages (`OWED`) are said anyway,
more plainly.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, capital, get_language, later, say, say_each
from furoshiki.language.facts.clause_subjects import relation
from furoshiki.language.facts.retelling import address_user
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.reflex.care.weighing import PASSING
from furoshiki.language.reflex.wording import add_full_stop
from furoshiki.language.tables.care_words import CareWords
from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN, asks, singular, word_set
from furoshiki.mind.outreach.rules import notes
from furoshiki.mind.outreach.rules.buttons import DECISION
from furoshiki.mind.outreach.rules.notes import GENTLE, RELATIVE
from furoshiki.mind.outreach.rules.second_person import to_me, to_you
from furoshiki.owner.agenda.rules.mind_queue import OWN, parse_plugin_words

# kinds that are said even without a model: decisions only the owner can make
OWED = frozenset({"delegation"})

BUTTON = later("Just tap a button.")

LONGEST = 300  # maximum length, in characters, of repeated text


@dataclass(frozen=True)
class Matter:
    """The thought to word, with its kind and key; `now` is aware, in the owner's zone.

    `name`: the owner's name; `dead`: deceased people, by lower-case name and relation; `weighs`: a
    heavy topic came up recently; `care`: words that reveal one; `said`: the companion's messages.
    """

    kind: str
    summary: str
    now: datetime
    key: str = ""
    name: str | None = None
    dead: frozenset[str] = frozenset()
    weighs: bool = False
    care: Sequence[CareWords] = field(default=())
    said: tuple[str, ...] = ()

    def turned(self, text: str) -> str | None:
        """Return a part of the thought in the second person; None unless English, its language."""
        return to_you(text) if get_language() == ENGLISH else None


Ways = tuple[str, ...]


def find(matter: Matter, rng: random.Random) -> str | None:
    """Return one wording, preferring one not used recently; None when there is none."""
    ways = every_way(matter)
    fresh = [one for one in ways if one not in matter.said] or list(ways)
    return rng.choice(fresh) if fresh else None


def every_way(matter: Matter) -> Ways:
    """Return all wordings."""
    if matter.kind in OWED:
        return _OF_KIND[matter.kind](matter)
    if matter.kind not in _OF_KIND or len(matter.summary) > LONGEST:
        return ()
    if matter.kind in _ABOUT_THEM and (matter.weighs or _heavy(matter) or _names_dead(matter)):
        return _beside_grief(matter)
    return _OF_KIND[matter.kind](matter)


def _beside_grief(matter: Matter) -> Ways:
    """Return wordings for a heavy topic, or while one is present: caring, never light."""
    if matter.kind in OWN:
        return () if is_about_itself(matter) else say_each(*GENTLE)
    if _names_dead(matter):
        return ()
    return say_each(*GENTLE) if _heavy(matter) else _OF_KIND[matter.kind](matter)


def is_about_itself(matter: Matter) -> bool:
    """Return whether a thought is a wish of its own, other than to hear how they are."""
    return matter.kind in OWN and not matter.summary.startswith(_HOW_THEY_ARE)


_HEAVY = re.compile(texts("prepared_words", "heavy")["en"], re.IGNORECASE)


def _heavy(matter: Matter) -> bool:
    """Return whether the thought's own words name a heavy topic."""
    if _HEAVY.search(matter.summary):
        return True
    seen = notice(to_me(matter.summary), matter.care, matter.now.year)
    return seen is not None and seen.kind not in PASSING


def _names_dead(matter: Matter) -> bool:
    words = {word.casefold() for word in RUN.findall(matter.summary)}
    return not matter.dead.isdisjoint({*words, *map(relation, words), *(relation(singular(word)) for word in words)})


# -- questions, and what it would like to know --

_UNKNOWN, _UNSURE = "Something I do not know of them yet: ", "I am not sure of this any more, and could ask: "

# questions for missing facts (keys: `agenda.rules.mind_queue.OF_FIELDS`)
_OF_FIELDS = notes.WAYS["fields"]

_COUNT = re.compile(r"May I count on this for good: \u201c(?P<what>.+)\u201d\?")


def _question(matter: Matter) -> Ways:
    summary = matter.summary
    if counted := _COUNT.fullmatch(summary):
        return _may_i_count(counted["what"])
    if summary.startswith(_UNSURE):
        return _unsure(matter, summary.removeprefix(_UNSURE))
    asked = summary.removeprefix(_UNKNOWN)
    return say_each(*_OF_FIELDS.get(asked.casefold(), ()))


def _unsure(matter: Matter, told: str) -> Ways:
    fact = _fact(matter, told)
    if fact is None:
        return ()
    return (
        f"Do I still have this right: {fact}?",
        f"I would rather ask than believe something old: {fact}. Is that still so?",
    )


def _may_i_count(what: str) -> Ways:
    fact = address_user(what)
    return say_each(
        "May I count on this for good: “{what}”? {button}",
        "I have come to rely on this: “{fact}”. May I count on it for good? {button}",
        what=fact,
        fact=fact.rstrip("."),
        button=say(BUTTON),
    )


# -- needs of its own --

_HOW_THEY_ARE = "I would like to hear how they are"
_MORE, _TOPIC = "I would like to hear more about this: ", ", and what became of what we talked about: "
_TASK, _PLAN = (
    "They have this before them, and I might take some of it off their hands: ",
    "I might be of help with this: ",
)
# messages for a need alone, by how its thought begins
_OF_NEED = {_HOW_THEY_ARE: notes.HOW_ARE_YOU} | notes.WAYS["needs"]


_TOPIC_FITS = re.compile(r"(?:(?:the|a|an|your|my)\b|\w+ing )[^,;]+$", re.IGNORECASE)


def _need(matter: Matter) -> Ways:
    summary = matter.summary
    if summary.startswith(_MORE):
        fact = _fact(matter, summary.removeprefix(_MORE))
        if fact is not None and (named := _CALLED.fullmatch(fact)):
            return (
                f"I would like to hear more about {named['who']} {named['name']}.",
                f"What is {named['name']} like? You have told me little more than the name.",
            )
        return () if fact is None else (
            f"You told me that {fact}. I would like to hear more about it.",
            f"I was thinking of something you told me: {fact}. Tell me more of it, if you like.",
        )  # fmt: skip
    if summary.startswith(_TASK):
        task = summary.removeprefix(_TASK).rstrip(".?! ")
        return say_each(
            "“{title}” is still on your list. Shall I remind you of it? Just say when.",
            "You still have this ahead of you: “{task}”. If a reminder would help, tell me when.",
            title=capital(task),
            task=task,
        )
    if summary.startswith(_PLAN):
        fact = _fact(matter, summary.removeprefix(_PLAN))
        return () if fact is None else (
            f"You told me that {fact}. Is there something I should keep in mind for you?",
            f"I remember that {fact}. A list or a reminder for it is quickly made: just say so.",
        )  # fmt: skip
    beginning, _, topic = summary.partition(_TOPIC)
    if topic:
        turned = matter.turned(topic)
        if turned is None or not _TOPIC_FITS.match(turned) or RELATIVE.search(turned):
            return say_each(*notes.HOW_ARE_YOU)
        return (
            f"How are you, and what became of what we talked about: {turned}?",
            f"I was thinking of what we talked about last: {turned}. How are you, and what became of it?",
        )
    return say_each(*next((ways for start, ways in _OF_NEED.items() if beginning.startswith(start)), ()))


_CALLED = re.compile(r"(?P<who>your [\w -]+) is called (?P<name>[\w -]+)")


def _fact(matter: Matter, text: str) -> str | None:
    """Return a fact as a clause to the owner ("you live in Lyon"); None if perhaps stale."""
    if get_language() != ENGLISH:
        return None
    told = address_user(text)
    if told == text and re.search(r"\b(?:they|their|them|the user)\b", text, re.IGNORECASE):
        turned = matter.turned(text)
        if turned is None:
            return None
        told = turned
    told = " ".join(told.split()).rstrip(".")
    if not told or RELATIVE.search(told) or notes.DAY.search(told) or asks(told) or "\u201c" in told:
        return None
    return told[:1].lower() + told[1:] if re.match(r"You(?:r|['\u2019]\w+)?\b", told) else told


# -- what comes near --

_OWN_BIRTHDAY = " is their birthday"
_BIRTHDAY = "'s birthday is on "
# a name at the end of "their sister Anika"
_NAME = re.compile(r"(?<=[a-z] )[^\W\d_a-z][\w-]+$|^(?!Their\b)[^\W\d_a-z][\w-]+$")

_AGE = re.compile(r"they turn (?P<age>\d+)")


def _anticipation(matter: Matter) -> Ways:
    summary = matter.summary
    turns = _AGE.search(summary)
    age = None if turns is None else turns["age"]
    if _OWN_BIRTHDAY in summary:
        return _own_birthday(matter, age)
    who, born, _ = summary.partition(_BIRTHDAY)
    if born:
        return _birthday(matter, who, age)
    return ()


def _own_birthday(matter: Matter, age: str | None) -> Ways:
    on = _day_of(matter)
    if on is not None and on != matter.now.date():
        return ()
    called = f", {matter.name}" if matter.name else ""
    turned = f" {say('{age} today, if I count right.', age=age)}" if age else ""
    return say_each(
        "Happy birthday{called}!{turned} I hope you have a lovely day.",
        "It's your birthday{called}, and I'm glad you're here. Happy birthday!",
        called=called,
        turned=turned,
    )


def _birthday(matter: Matter, who: str, age: str | None) -> Ways:
    on, turned = _day_of(matter), matter.turned(who)
    ahead = None if on is None else (on - matter.now.date()).days
    if ahead in (0, 1) and get_language() != ENGLISH and (names := _NAME.findall(who)):
        today, tomorrow = later("Today is a birthday: {name}."), later("Tomorrow is a birthday: {name}.")
        return say_each(tomorrow if ahead else today, name=names[-1])
    if turned is None or ahead not in (0, 1):
        return ()
    day, whose = ("today", "tomorrow")[ahead], _low(turned)
    turns = f" ({age} this time)" if age else ""
    return (
        f"{capital(day)} is {whose}'s birthday{turns}. In case a word in time helps.",
        f"So that it does not slip by: {day} is {whose}'s birthday{turns}.",
    )


def _day_of(matter: Matter) -> date | None:
    """Return the date of a birthday, which is part of the thought's key."""
    match = re.search(r":(\d{4}-\d\d-\d\d)$", matter.key)
    return None if match is None else date.fromisoformat(match[1])


# -- news of itself --

_FIRST = "A first for me: "


def _growth(matter: Matter) -> Ways:
    news = matter.turned(matter.summary.removeprefix(_FIRST).rstrip(".")) if matter.summary.startswith(_FIRST) else None
    return () if news is None else (
        f"A small first for me: {news}.",
        f"Something happened with me for the first time: {news}. /readiness shows how far along I am.",
    )  # fmt: skip


# -- what was to be done, and what was left open --

_OPEN_TASK = re.compile(r"Still to be done, on the (?P<list>.+?) list since (?P<since>[^:]+): (?P<title>.+)")
_ENDS_IN_QUESTION = re.compile(r"(?:.*[:\u201c\"] ?)?(?P<question>[^:\u201c\"]+\?)[\u201d\"]?", re.DOTALL)


def _reminder(matter: Matter) -> Ways:
    match = _OPEN_TASK.fullmatch(matter.summary)
    title = capital((matter.summary.rpartition(": ")[2] if match is None else match["title"]).rstrip(". "))
    if match is None or get_language() != ENGLISH:
        return say_each(
            "This is still open: “{title}”. {button}",
            "“{title}” still waits. {button}",
            title=title,
            button=say(BUTTON),
        )
    named = "list" if match["list"] in ("furoshiki", "list") else f"{match['list']} list"
    return (
        f"\u201c{title}\u201d is still on your {named}, since {match['since']}. {BUTTON}",
        f"Still on your {named}: \u201c{title}\u201d. Is it done, or shall it wait? {BUTTON}",
    )


def _nudge(matter: Matter) -> Ways:
    match = _ENDS_IN_QUESTION.fullmatch(matter.summary)
    asked = None if match is None else capital(match["question"].strip())
    question = matter.turned(asked) if asked is not None and get_language() == ENGLISH else asked
    if question is None:
        return ()
    return say_each(
        "This may have slipped by, and I'd still like to know: “{question}” A word is enough.",
        "When you have a moment, I would still like to know: “{question}”",
        question=question,
    )


# -- what is finished, what went wrong, what only they can decide --


_FINISHED = re.compile(r"(?P<title>[^:]+): (?P<state>completed|done|finished|failed|cancelled)\.?", re.IGNORECASE)


_LIST = re.compile(r"the (?P<name>.+ list)", re.IGNORECASE)


def _news(matter: Matter) -> Ways:
    if match := _FINISHED.fullmatch(matter.summary):
        title, well = capital(match["title"]), match["state"].casefold() not in ("failed", "cancelled")
        if get_language() != ENGLISH:
            return say_each(
                later("“{title}” is finished.") if well else later("“{title}” didn't work out."), title=title
            )
        if well and (of_list := _LIST.fullmatch(match["title"])):
            return (f"Everything on your {of_list['name']} is done.", f"Your {of_list['name']} is done, all of it.")
        end = "is finished" if well else "did not work out"
        return (f"\u201c{title}\u201d {end}.", f"You should know: \u201c{title}\u201d {end}.")
    told = _phrase_summary(matter)
    return () if told is None else (f"There is news: {_low(told)}", f"Something has come of it: {_low(told)}")


def _of_plugin(matter: Matter) -> Ways:
    found = parse_plugin_words(matter.summary)
    told = None if found is None else _phrase_summary(replace(matter, summary=found[1]))
    if found is None or told is None:
        return ()
    return (
        f"News from your plugin {found[0]}: {_low(told)}",
        f"Your plugin {found[0]} has found something: {_low(told)}",
    )


def _delegation(matter: Matter) -> Ways:
    if counted := _COUNT.fullmatch(matter.summary):
        return _may_i_count(counted["what"])
    told = _phrase_summary(matter)
    of = refs.Ref.parse(matter.key.removeprefix(DECISION))
    if told is None and of is not None and of.kind in notes.WAYS["decisions"]:
        return say_each(*notes.WAYS["decisions"][of.kind], button=say(BUTTON))
    if told is None:
        decide = later("There is something only you can decide. I noted it as “{what}”. {button}")
        return say_each(decide, what=_cut(matter.summary), button=say(BUTTON))
    if refs.is_of(matter.key.removeprefix(DECISION), "plugin_jobs"):  # no button runs it
        return (told, f"There is something for you to decide: {told}")
    if re.match(r"(?:May|Shall|Should|Can|Could) I\b", told):
        return (f"{told} {BUTTON}", f"This is for you to decide: {told[:1].lower() + told[1:]} {BUTTON}")
    return (
        f"There is something only you can decide: {_low(told)} {BUTTON}",
        f"I need your word for this: {_low(told)} {BUTTON}",
    )


def _phrase_summary(matter: Matter) -> str | None:
    turned = matter.turned(_cut(_SILENCE.sub("", matter.summary)))
    return None if not turned else add_full_stop(capital(turned))


# a note that the owner has not answered; it is removed from messages
_SILENCE = re.compile(r" ?\bThey have(?: not|n['\u2019]t) (?:answered|replied|written)\b[^.!?;]*[.;]?", re.IGNORECASE)


_OPENING = word_set("""
A An The You Your My This That There Something Some It One Two Three Nothing No Not What When Where
How Why Who
""")


def _low(sentence: str) -> str:
    """Lower the first letter, for use after a colon, unless the first word may be a name."""
    first = sentence.partition(" ")[0]
    return sentence[:1].lower() + sentence[1:] if first in _OPENING or first.endswith("ing") else sentence


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST else plain[:LONGEST].rsplit(" ", 1)[0] + " \u2026"


_OF_KIND: Mapping[str, Callable[[Matter], Ways]] = {
    "question": _question,
    "follow_up": lambda matter: notes.phrase_note(matter.summary, matter.now.date()),
    "anticipation": _anticipation,
    "need": _need,
    "growth": _growth,
    "reminder": _reminder,
    "reply_nudge": _nudge,
    "skill_result": _news,
    "task_update": _news,
    "delegation": _delegation,
    "plugin": _of_plugin,
}

# kinds that never ask about deceased people or heavy topics
_ABOUT_THEM = frozenset({"question", "follow_up", "anticipation", "need", "growth"})
