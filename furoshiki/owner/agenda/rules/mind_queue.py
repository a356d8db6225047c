"""What is on the companion's mind: a few thoughts of each kind, each with a reason to be there, none said twice.

A thought is worded as it goes through a mind. It is nothing to recite: whether it is said, and how, is the turn's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from furoshiki.core import refs
from furoshiki.feelings.rules.laws import MOST_PRESSING
from furoshiki.feelings.rules.needs import Mark
from furoshiki.language.grounding.thoughts import FRAME as MUSED
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.questions import stem
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.words import ends_asking


@dataclass(frozen=True)
class Thought:
    """A thought that may wait to be said: its words, the key by which it is known again, and what it comes from."""

    kind: str
    summary: str
    key: str
    source: str


@dataclass(frozen=True)
class Waiting:
    """A thought that waits. `priority` 1 presses most; `detail` is what stands behind it, never said as it is but where
    a button decides just that; `draft` its words, once they were found; `attempts` how often they could not be;
    `salience`, in [0, 1], how much attention it drew last (`conversation/acting/attention.py`), 0 when none was
    paid."""

    id: int
    kind: str
    priority: int
    summary: str
    source: str = ""
    key: str = ""
    detail: str = ""
    draft: str | None = None
    attempts: int = 0
    created_at: datetime | None = None
    not_before: datetime | None = None
    salience: float = 0.0


_OF_PLUGIN = re.compile(r"From the plugin (?P<name>[\w-]+): (?P<said>.+)", re.DOTALL)


def of_plugin(name: str, said: str) -> str:
    """What a plugin would have brought up, as it waits: in the plugin's name, since it is nobody's thought."""
    return f"From the plugin {name}: {said}"


def parse_plugin_words(summary: str) -> tuple[str, str] | None:
    """The plugin's name and what it said, of a thought that came from one."""
    found = _OF_PLUGIN.fullmatch(summary)
    return None if found is None else (found["name"], found["said"])


def curious(thought: Waiting) -> bool:
    """Whether a thought is a curiosity: something the companion would like to know."""
    return thought.kind in ASKING or thought.key.startswith("need:curiosity_need:")


ASKING = frozenset({"question", "curiosity"})
"""Kinds that ask for something the companion does not know."""

OWN = ASKING | {"need", "growth"}
"""Kinds of what the companion would like for itself."""

BY_THEMSELVES = frozenset({"reminder", "reply_nudge", "delegation"})
"""Kinds that are said by themselves, unasked and with their buttons: nothing to weave into a talk. A yes to one of them
would be tied to nothing there."""

HEAVY = ("sadness", "worry", "anger")
LEAST_HEAVY = 0.6
"""From this strength on, what was said is heavy."""

HELD_BACK_FOR = frozenset({"emotional_support", "space"})
"""Needs of theirs beside which its own wait."""


def in_place(waiting: Sequence[Waiting], strengths: Mapping[str, float], needs: Collection[str]) -> list[Waiting]:
    """What may be on its mind as somebody writes: when they bring something heavy (`strengths` of signals), or need to
    be held or left alone (`needs` that are felt), nothing that it wants for itself. What is said by itself is not among
    it."""
    waiting = [one for one in waiting if one.kind not in BY_THEMSELVES]
    return [one for one in waiting if not weighs(strengths, needs) or one.kind not in OWN]


def weighs(strengths: Mapping[str, float], needs: Collection[str]) -> bool:
    """Whether something weighs on who writes, by the strengths of signals and the needs that are felt."""
    return heavy(strengths) or not HELD_BACK_FOR.isdisjoint(needs)


def heavy(strengths: Mapping[str, float]) -> bool:
    """Whether what was said is heavy, by the strengths of its signals."""
    return any(strengths.get(feeling, 0.0) >= LEAST_HEAVY for feeling in HEAVY)


# -- what comes to mind --


@dataclass(frozen=True)
class NeedTargets:
    """What a need can turn to: what was talked of last, a task and a plan of theirs, a fact worth hearing more about
    (each with its id), and how the companion feels, with the day, for a question to itself."""

    topic: str | None = None
    task: tuple[int, str] | None = None
    plan: tuple[int, str] | None = None
    fact: tuple[int, str] | None = None
    mood: str = ""
    day: str = ""


def of_need(need: str, since: str, reach: NeedTargets) -> Thought | None:
    """The one thought a need puts into the queue when it has become strong; None for `self_knowledge`, which is no
    matter between the two (see `of_itself`). `since` names the time it became strong, so that each time is its own."""
    key = f"need:{need}:{since}"
    match need:
        case "communication":
            last = f", and what became of what we talked about: {reach.topic}" if reach.topic else ""
            return Thought("need", f"I would like to hear how they are{last}", key, refs.name("needs", need))
        case "connection":
            words = "I miss being close to them: I could share something of my own, and hear what moves them"
            return Thought("need", words, key, refs.name("needs", need))
        case "curiosity_need" if reach.fact is not None:
            return Thought("need", f"I would like to hear more about this: {reach.fact[1]}", key, _memory(reach.fact))
        case "curiosity_need":
            return Thought(
                "need", "I would like to find out something new about their world", key, refs.name("needs", need)
            )
        case "helpfulness" if reach.task is not None:
            words = f"They have this before them, and I might take some of it off their hands: {reach.task[1]}"
            return Thought("need", words, key, refs.name("tasks", reach.task[0]))
        case "helpfulness" if reach.plan is not None:
            return Thought("need", f"I might be of help with this: {reach.plan[1]}", key, _memory(reach.plan))
        case "helpfulness":
            return Thought(
                "need", "I would like to be of use: what is in their way just now?", key, refs.name("needs", need)
            )
    return None


def of_itself(reach: NeedTargets) -> str:
    """What the companion asks itself for the night when it does not understand itself. The day makes it a new one."""
    return f"What has made me {reach.mood} in the days before {reach.day}?"


def of_anticipation(anticipation_id: int, need: str, day: str) -> Thought:
    """Something they may need, now that its time comes near; `day` as one says it ("Monday")."""
    source = refs.name("anticipations", anticipation_id)
    return Thought("anticipation", f"What they may need on {day}: {_inside(need)}", f"anticipation:{source}", source)


OF_FIELDS: Mapping[str, str] = {
    "addressing": "What would they like to be called?",
    "location": "Where do they live?",
    "employment": "What do they do all day?",
    "family": "Is there family they would tell me about?",
    "preference": "What do they enjoy most?",
    "plan": "What is coming up for them?",
}
"""What the companion asks itself about a field of the profile that is empty."""

_UNSURE = re.compile(r"^Is it so: ", re.IGNORECASE)


def of_gap(field: str, asked: str, empty: bool) -> tuple[str, str]:
    """A gap of the profile as a question to oneself, and as the thought that waits."""
    if empty and field in OF_FIELDS:
        question = OF_FIELDS[field]
        return question, f"Something I do not know of them yet: {_inside(question)}"
    told = _UNSURE.sub("", asked)
    return asked, f"I am not sure of this any more, and could ask: {told}"


def of_commitment(commitment_id: int, text: str) -> Thought:
    """Something it had set itself, kept so often that it is its own now."""
    source = refs.name("commitments", commitment_id)
    words = f"I have kept to something so long that it has become mine: {text}"
    return Thought("growth", words, f"growth:{source}:kept", source)


def of_change(change_id: int, reason: str) -> Thought:
    """Build the thought that its self-description has changed."""
    source = refs.name("personality_drift_log", change_id)
    because = f": {reason}" if reason else ""
    return Thought("growth", f"I have come to see myself a little differently{because}", f"growth:{source}", source)


def of_insight(memory_id: int, text: str) -> Thought:
    """Something has become clear."""
    source = refs.name("memories", memory_id)
    return Thought("growth", f"Something has become clear to me: {_inside(text)}", f"growth:{source}", source)


def _memory(fact: tuple[int, str]) -> str:
    return refs.name("memories", fact[0])


def _inside(sentence: str) -> str:
    """A sentence as it stands inside another: no capital where only its place gave it one ("A kind word", "Where")."""
    first, _, rest = sentence.partition(" ")
    return f"{first.casefold()} {rest}".strip() if first in _OPENING else sentence


_OPENING_WORDS = """
A An The They Their There Some Someone Somebody To Time Help Company Quiet Rest Room What Where When Who Why How Is Are
Do Does Did Has Have
"""
_OPENING = frozenset(_OPENING_WORDS.split())


# -- how pressing, how many --


def compute_priority(base: int, mark: Mark) -> int:
    """The priority of a need's thought: one more pressing while the need is rose."""
    return max(MOST_PRESSING, base - 1) if mark == "rose" else base


def beyond(waiting: Sequence[Waiting], most: Mapping[str, int]) -> list[int]:
    """The ids of those that are too many of their kind: the least pressing go, of equals the oldest."""
    kept: dict[str, int] = {}
    gone = []
    for one in sorted(waiting, key=lambda one: (one.priority, -one.id)):
        kept[one.kind] = kept.get(one.kind, 0) + 1
        if one.kind in most and kept[one.kind] > most[one.kind]:
            gone.append(one.id)
    return sorted(gone)


def choose_shown(waiting: Sequence[Waiting], most: int) -> list[Waiting]:
    """Choose the thoughts shown to a turn, the most pressing first; of needs only one, which would
    say the same in other words."""
    needs = [one for one in waiting if one.kind == "need"][1:]
    return [one for one in waiting if one not in needs][:most]


# -- what was said --

ENOUGH_SHARED = 0.5
"""The share of a thought's own words that must be in what was said …"""

LEAST_SHARED, MOST_SHARED = 2, 4
"""… at least two of them (or its only one), and never more than four: a long thought is said in fewer words."""

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_OF_YOU = re.compile(r"\byou(?:r|rs|rself)?\b|\byou['\u2019]", re.IGNORECASE)
_WORDING = stems_of(
    "would hear more this something became what we talked about miss share own moves find new their world have before "
    "them take off hands help use way what may need not sure any could not so is it yet see myself differently clear "
    "been kept mine become set keeps failing go went going "
    "did today soon them all day " + " ".join(WEEKDAYS)
)
"""Words in which thoughts are put. They say nothing of what a thought is about."""


def was_raised(thought: Waiting, said: str, heard: str) -> bool:
    """Whether the companion's words (`said`) brought a thought up, in answer to what was `heard`. Nobody is asked:

    - a question was raised by a sentence that asks, with its question word and enough of its other words;
    - a need or a follow-up about nothing in particular ("how they are"), when the companion asked about themselves;
    - any other thought when enough of its words were said, at least one of them by the companion.
    """
    asking = [one for one in _SENTENCE.findall(said) if ends_asking(one)]
    if thought.kind in ASKING:
        its = _words(thought.summary.rpartition(": ")[2])
        return any(enough(its[1], theirs[1]) and its[0] <= theirs[0] for theirs in map(_words, asking))
    own = about(thought)
    if refs.is_of(thought.source, "needs") or not own:
        return thought.kind in ("need", "follow_up") and any(_OF_YOU.search(one) for one in asking)
    mine = stems_of(said)
    return bool(own & mine) and enough(own, mine | stems_of(heard))


def about(thought: Waiting) -> frozenset[str]:
    """The stems of a thought's own words: without those in which thoughts are put."""
    return _content(thought.summary)


def same_matter(summary: str, other: str) -> bool:
    """Whether two thoughts, as they are put, are about one matter."""
    return enough(_content(summary), _content(other)) or enough(_content(other), _content(summary))


def _content(summary: str) -> frozenset[str]:
    return content_of(summary, MUSED | _WORDING)


def _words(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """The question words of a question, and the stems of what else it says."""
    its = stem(question).split()
    asks = frozenset(one for one in its if one in _ASKING)
    return asks, frozenset(one.lstrip("^") for one in its if one not in _ASKING and one not in _SPEAKING)


_ASKING = frozenset({"^who", "^where", "^when", "^why"})
_SPEAKING = frozenset({"^i", "^you", "^what", "^which", "^how"})


def enough(own: frozenset[str], said: frozenset[str]) -> bool:
    """Whether enough of a thought's own words were said; never of one that has none."""
    least = min(MOST_SHARED, max(LEAST_SHARED, ceil(len(own) * ENOUGH_SHARED)), len(own))
    return bool(own) and len(own & said) >= least
