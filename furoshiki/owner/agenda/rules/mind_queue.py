"""The mind queue: a few thoughts of each kind that the companion may say, each only once.

The text of a thought is not the message: the turn decides whether and how it is said.
"""

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
from furoshiki.language.signals import HEAVY
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.words import ends_asking, word_set


@dataclass(frozen=True)
class Thought:
    """A thought to be queued: its text, its deduplication key, and its source."""

    kind: str
    summary: str
    key: str
    source: str


@dataclass(frozen=True)
class Waiting:
    """A queued thought. `priority` 1 is highest; `detail` is background, shown only where a button
    decides about it; `draft` is its composed message; `attempts` counts failed compositions;
    `salience`, in [0, 1], is its last score of attention (`conversation/acting/attention.py`), 0 if
    none."""

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


def of_plugin(name: str, text: str) -> str:
    """Return the text of a plugin's message in the queue, in the plugin's name."""
    return f"From the plugin {name}: {text}"


def parse_plugin_words(summary: str) -> tuple[str, str] | None:
    """Return the plugin's name and message of such a text, or None."""
    match = _OF_PLUGIN.fullmatch(summary)
    return None if match is None else (match["name"], match["said"])


def curious(thought: Waiting) -> bool:
    """Whether a thought is a curiosity (something the companion would like to know)."""
    return thought.kind in ASKING or thought.key.startswith("need:curiosity_need:")


# kinds of what a reading of their words noted, to be said some day
COME_BACK = frozenset({"follow_up", "thought"})

ASKING = frozenset({"question", "curiosity"})  # kinds that ask for unknown information
OWN = ASKING | {"need", "growth"}  # kinds of the companion's own wishes
UNHURRIED = OWN | COME_BACK  # kinds that lose nothing by waiting

# kinds that are sent unprompted with buttons, and not mentioned in conversation, where a yes could
# not be linked to them
BY_THEMSELVES = frozenset({"reminder", "reply_nudge", "delegation"})

LEAST_HEAVY = 0.6  # the strength from which a message counts as heavy

# the user's needs that hold back the companion's own wishes
HELD_BACK_FOR = frozenset({"emotional_support", "space"})


def in_place(waiting: Sequence[Waiting], strengths: Mapping[str, float], needs: Collection[str]) -> list[Waiting]:
    """Return the thoughts that fit the present message: no own wishes if it is heavy (`strengths`
    of signals) or the user needs support or space (`needs`), no notes to come back to beside a
    heavy one, and no kinds that are sent unprompted."""
    aside = BY_THEMSELVES
    if heavy(strengths):
        aside |= UNHURRIED
    elif weighs(strengths, needs):
        aside |= OWN
    return [item for item in waiting if item.kind not in aside]


def weighs(strengths: Mapping[str, float], needs: Collection[str]) -> bool:
    """Whether the writer is distressed, by the strengths of signals and the needs."""
    return heavy(strengths) or not HELD_BACK_FOR.isdisjoint(needs)


def heavy(strengths: Mapping[str, float]) -> bool:
    """Whether a message is heavy, by the strengths of its signals."""
    return any(strengths.get(feeling, 0.0) >= LEAST_HEAVY for feeling in HEAVY)


# -- new thoughts --


@dataclass(frozen=True)
class NeedTargets:
    """Subjects for a need's thought: the last topic, a task, a plan and a fact (with ids), and the
    companion's mood with the day, for a question to itself."""

    topic: str | None = None
    task: tuple[int, str] | None = None
    plan: tuple[int, str] | None = None
    fact: tuple[int, str] | None = None
    mood: str = ""
    day: str = ""


def of_need(need: str, since: str, reach: NeedTargets) -> Thought | None:
    """Return the thought of a need that has become strong; None for `self_knowledge` (see
    `of_itself`). `since` is the time it became strong, so that each occurrence has its own key."""
    key, own = f"need:{need}:{since}", refs.name("needs", need)
    match need:
        case "communication":
            last = f", and what became of what we talked about: {reach.topic}" if reach.topic else ""
            return Thought("need", f"I would like to hear how they are{last}", key, own)
        case "connection":
            words = "I miss being close to them: I could share something of my own, and hear what moves them"
            return Thought("need", words, key, own)
        case "curiosity_need" if reach.fact is not None:
            return Thought("need", f"I would like to hear more about this: {reach.fact[1]}", key, _memory(reach.fact))
        case "curiosity_need":
            return Thought("need", "I would like to find out something new about their world", key, own)
        case "helpfulness" if reach.task is not None:
            words = f"They have this before them, and I might take some of it off their hands: {reach.task[1]}"
            return Thought("need", words, key, refs.name("tasks", reach.task[0]))
        case "helpfulness" if reach.plan is not None:
            return Thought("need", f"I might be of help with this: {reach.plan[1]}", key, _memory(reach.plan))
        case "helpfulness":
            return Thought("need", "I would like to be of use: what is in their way just now?", key, own)
    return None


def of_itself(reach: NeedTargets) -> str:
    """Return the companion's question to itself for the night. The day makes it unique."""
    return f"What has made me {reach.mood} in the days before {reach.day}?"


def of_anticipation(anticipation_id: int, need: str, day: str) -> Thought:
    """Return the thought of an anticipated need whose time is near; `day` as spoken ("Monday")."""
    source = refs.name("anticipations", anticipation_id)
    return Thought("anticipation", f"What they may need on {day}: {_inside(need)}", f"anticipation:{source}", source)


# questions about empty fields of the profile
OF_FIELDS: Mapping[str, str] = {
    "addressing": "What would they like to be called?",
    "location": "Where do they live?",
    "employment": "What do they do all day?",
    "family": "Is there family they would tell me about?",
    "preference": "What do they enjoy most?",
    "plan": "What is coming up for them?",
}

_UNSURE = re.compile(r"^Is it so: ", re.IGNORECASE)


def of_gap(field: str, asked: str, empty: bool) -> tuple[str, str]:
    """Return a gap of the profile as a question, and as the text of a thought."""
    if empty and field in OF_FIELDS:
        question = OF_FIELDS[field]
        return question, f"Something I do not know of them yet: {_inside(question)}"
    statement = _UNSURE.sub("", asked)
    return asked, f"I am not sure of this any more, and could ask: {statement}"


def of_commitment(commitment_id: int, text: str) -> Thought:
    """Return the thought of a commitment kept so long that it became a habit."""
    source = refs.name("commitments", commitment_id)
    words = f"I have kept to something so long that it has become mine: {text}"
    return Thought("growth", words, f"growth:{source}:kept", source)


def of_change(change_id: int, reason: str) -> Thought:
    """Build the thought that its self-description has changed."""
    source = refs.name("personality_drift_log", change_id)
    because = f": {reason}" if reason else ""
    return Thought("growth", f"I have come to see myself a little differently{because}", f"growth:{source}", source)


def of_insight(memory_id: int, text: str) -> Thought:
    source = refs.name("memories", memory_id)
    return Thought("growth", f"Something has become clear to me: {_inside(text)}", f"growth:{source}", source)


def _memory(fact: tuple[int, str]) -> str:
    return refs.name("memories", fact[0])


def _inside(sentence: str) -> str:
    """Lower-case a common opening word of a sentence for use inside another."""
    first, _, rest = sentence.partition(" ")
    return f"{first.casefold()} {rest}".strip() if first in _OPENING else sentence


_OPENING = word_set("""
A An The They Their There Some Someone Somebody To Time Help Company Quiet Rest Room What Where
When Who Why How Is Are Do Does Did Has Have
""")


# -- priority and limits --


def compute_priority(base: int, mark: Mark) -> int:
    """Return the priority of a need's thought: one higher while the need is rose."""
    return max(MOST_PRESSING, base - 1) if mark == "rose" else base


def beyond(waiting: Sequence[Waiting], most: Mapping[str, int]) -> list[int]:
    """Return the ids beyond the limit of their kind: the lowest priority first, then the oldest."""
    count_of: dict[str, int] = {}
    dropped = []
    for item in sorted(waiting, key=lambda one: (one.priority, -one.id)):
        count_of[item.kind] = count_of.get(item.kind, 0) + 1
        if item.kind in most and count_of[item.kind] > most[item.kind]:
            dropped.append(item.id)
    return sorted(dropped)


def choose_shown(waiting: Sequence[Waiting], most: int) -> list[Waiting]:
    """Choose the thoughts shown to a turn, by priority; at most one need, as needs are alike."""
    needs = [item for item in waiting if item.kind == "need"][1:]
    return [item for item in waiting if item not in needs][:most]


# -- detecting said thoughts --

ENOUGH_SHARED = 0.5  # the share of a thought's own words that must be said …

# … at least two of them (or its only one), and at most four, as long thoughts are shortened
LEAST_SHARED, MOST_SHARED = 2, 4

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_OF_YOU = re.compile(r"\byou(?:r|rs|rself)?\b|\byou['\u2019]", re.IGNORECASE)
# words of the templates of thoughts, which do not identify a thought
_WORDING = stems_of(
    "would hear more this something became what we talked about miss share own moves find new "
    "their world have before them take off hands help use way what may need not sure any could "
    "not so is it yet see myself differently clear been kept mine become set keeps failing go "
    "went going "
    "did today soon them all day " + " ".join(WEEKDAYS)
)


def was_raised(thought: Waiting, said: str, heard: str) -> bool:
    """Whether the companion's words (`said`) raised a thought, in answer to `heard`:

    - a question: a sentence that asks, with its question word and enough of its other words;
    - a need or a follow-up without a subject ("how they are"): the companion asked about the user;
    - a follow-up: the companion asked about it, or answered what the user told of it;
    - any other thought: enough of its words were said, at least one of them by the companion.
    """
    asking = [one for one in _SENTENCE.findall(said) if ends_asking(one)]
    if thought.kind in ASKING:
        its = _words(thought.summary.rpartition(": ")[2])
        return any(enough(its[1], theirs[1]) and its[0] <= theirs[0] for theirs in map(_words, asking))
    own = about(thought)
    if refs.is_of(thought.source, "needs") or not own:
        return thought.kind in ("need", "follow_up") and any(_OF_YOU.search(one) for one in asking)
    mine, theirs = stems_of(said), stems_of(heard)
    if thought.kind == "follow_up" and not any(own & stems_of(one) for one in asking):
        return bool(own & mine) and enough(own, theirs)
    return bool(own & mine) and enough(own, mine | theirs)


def about(thought: Waiting) -> frozenset[str]:
    """Return the stems of a thought's own words, without those of the templates."""
    return _content(thought.summary)


def same_matter(summary: str, other: str) -> bool:
    """Whether two thoughts' texts concern the same matter."""
    return enough(_content(summary), _content(other)) or enough(_content(other), _content(summary))


def _content(summary: str) -> frozenset[str]:
    return content_of(summary, MUSED | _WORDING)


def _words(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the question words of a question, and the stems of its other words."""
    its = stem(question).split()
    asks = frozenset(one for one in its if one in _ASKING)
    return asks, frozenset(one.lstrip("^") for one in its if one not in _ASKING and one not in _SPEAKING)


_ASKING = frozenset({"^who", "^where", "^when", "^why"})
_SPEAKING = frozenset({"^i", "^you", "^what", "^which", "^how"})


def enough(own: frozenset[str], spoken: frozenset[str]) -> bool:
    """Whether enough of a thought's own words were said; False if it has none."""
    least = min(MOST_SHARED, max(LEAST_SHARED, ceil(len(own) * ENOUGH_SHARED)), len(own))
    return bool(own) and len(own & spoken) >= least
