"""The conversation window: how much is shown, and what happens to the rest.

Its size depends on the conversation's intensity. Turns that leave pass the exit gate and are folded
into the running summary: by the fast model after a turn, in the background, else by rule. A summary
by rule is repeated when a model is available again.
"""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import accumulate

from furoshiki.archive.forgetting.store.rows import TOLD_BY_RULE
from furoshiki.conversation import lines
from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import name_day
from furoshiki.language import testimony
from furoshiki.language.tables.function_words import query_words
from furoshiki.language.tokens import cut, estimate, take_fitting
from furoshiki.language.words import count_letters
from furoshiki.memory import exit_gate
from furoshiki.memory.focus import overlap
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.rules.entry_gate import SHORT
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.store import memories, scratch
from furoshiki.messages.store import summaries, turn_journal, turns
from furoshiki.messages.store.summaries import Summary
from furoshiki.messages.values import USER, Turn
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.values import Question
from furoshiki.owner.routing import topics
from furoshiki.owner.user_model import user
from furoshiki.world import World

SUMMARY_TOKENS = 320
# maximum tokens of the summary, enforced, and the word limit given to the model
SUMMARY_WORDS = 180

LONGEST = 400  # maximum turns in the window
MOST_FALLING = 80  # maximum turns folded at once; older ones are left to recall
FALLING_TOKENS = 4_800  # tokens shown of the folded messages together: few of them are shown whole

LAST_SAID = 6
LAST_ANSWERS = 3
GOALS = 20  # numbers of user messages, answers and goals that determine intensity

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")

# the exit gate calls a relevance of 0.3 to 0.6 peripheral: its middle is neutral here
GATE_LOW, GATE_SPAN = 0.15, 0.6


def start_key(channel: str, chat_id: str) -> str:
    """Return the `kv` key of the first visible turn."""
    return f"window.{channel}.{chat_id}"


def begins_at(db: sqlite3.Connection, channel: str, chat_id: str, turn_id: int, now: datetime) -> None:
    """Store the first visible turn, never one that was folded meanwhile."""
    before = int(kv.get(db, start_key(channel, chat_id), 0))
    if turn_id > before or turns.get(db, before) is None:
        kv.put(db, start_key(channel, chat_id), turn_id, now)


def intensity_key(channel: str, chat_id: str) -> str:
    """Return the `kv` key of a conversation's intensity."""
    return f"intensity.{channel}.{chat_id}"


def make_owed_key(channel: str, chat_id: str) -> str:
    """Return the `kv` key of a summary by rule: its first turn, and the text before."""
    return f"{TOLD_BY_RULE}{channel}.{chat_id}"


def intensity(db: sqlite3.Connection, percept: Percept, history: Sequence[Turn]) -> float:
    """Return the intensity of the conversation including this message, in [0, 1]. Read-only."""
    said = [turn for turn in history if turn.speaker == USER][-LAST_SAID:]
    judged = scratch.relevances(db, [turn.id for turn in said])
    gate = [_gate(turn.own, judged.get(turn.id)) for turn in said] + [_gate(percept.own_text, None)]
    answers = turn_journal.newest(db, LAST_ANSWERS)
    effort = [bool(one.answer.get("skills")) for one in answers]
    words = frozenset(query_words(percept.own_text))
    near = [overlap(words, frozenset(query_words(goal.content))) for goal in memories.goals(db, GOALS)]
    stirring = IntensityInputs(
        gate=sum(gate) / len(gate),
        effort=sum(effort) / len(effort) if effort else 0.0,
        goals=UNKNOWN + (1.0 - UNKNOWN) * max(near, default=0.0),
        emotion=max(percept.signals.values(), default=0.0),
    )
    before = kv.get(db, intensity_key(percept.channel, percept.chat_id))
    return compute_intensity(before, stirring.intensity)


async def compact(world: World, channel: str, chat_id: str, budget: int, turned: int | None = None) -> bool:
    """Fold turns that no longer fit into the summary and move the window; return False when nothing
    was done. `turned` is the first turn of a new topic: most earlier turns are then folded too.

    Raises StorageUnavailable. Can be cancelled at any time: only the last step writes.
    """
    falling, before, begins = _split_falling(world, channel, chat_id, budget, turned)
    if not falling:
        return await _tell_again(world, channel, chat_id)
    await exit_gate.flush(world)
    told = None if before is None else before.text
    try:
        text, owed = await _summarize(world, told, falling), False
    except NoMindAnswered as error:
        text, owed = by_rule(told, falling, *_whose(world)), error.away
    first = falling[0].id if before is None else before.first_turn
    summary = Summary(channel, chat_id, text, first, falling[-1].id, world.now)
    point("window.before_compacted")
    with world.database.write() as db:
        if _has_changed(db, before, summary, falling):
            return False  # something was forgotten meanwhile, which this text may contain
        summaries.put(db, summary)
        if owed and kv.get(db, make_owed_key(channel, chat_id)) is None:
            kv.put(db, make_owed_key(channel, chat_id), {"text": told, "first": falling[0].id}, world.now)
        if begins > int(kv.get(db, start_key(channel, chat_id), 0)):
            kv.put(db, start_key(channel, chat_id), begins, world.now)
        topics.rename(db, [one.id for one in falling], text)
    point("window.after_compacted")
    return True


async def _tell_again(world: World, channel: str, chat_id: str) -> bool:
    """Let a model rewrite a summary by rule; return False when there is none or no model."""
    with world.database.read() as db:
        owed = kv.get(db, make_owed_key(channel, chat_id))
        before = summaries.get(db, channel, chat_id)
        if owed is None or before is None:
            return False
        fallen = turns.before(db, channel, chat_id, before.last_turn + 1, LONGEST, since=owed["first"])
    text = owed["text"]
    try:
        for start in range(0, len(fallen), MOST_FALLING):
            text = await _summarize(world, text, fallen[start : start + MOST_FALLING])
    except NoMindAnswered:
        return False
    point("window.before_told_again")
    with world.database.write() as db:
        if kv.get(db, make_owed_key(channel, chat_id)) != owed or _has_changed(db, before, before, fallen):
            return False
        kv.drop(db, make_owed_key(channel, chat_id))
        if text:
            summaries.put(db, replace(before, text=text, at=world.now))
    return True


def _has_changed(db: sqlite3.Connection, before: Summary | None, where: Summary, told: Sequence[Turn]) -> bool:
    """Return whether the summary or its turns changed since the model was asked."""
    held = turns.many(db, [one.id for one in told])
    return summaries.get(db, where.channel, where.chat_id) != before or len(held) < len(told)


def _split_falling(
    world: World, channel: str, chat_id: str, budget: int, turned: int | None
) -> tuple[list[Turn], Summary | None, int]:
    """Return the leaving turns (oldest first), their summary, and the first remaining turn."""
    with world.database.read() as db:
        first = int(kv.get(db, start_key(channel, chat_id), 0))
        held = turns.recent(db, channel, chat_id, LONGEST, since=first)
        begins = choose_start(held, first, budget)
        if turned is not None:
            begins = max(begins, choose_topic_start(held, first, turned))
        before = summaries.get(db, channel, chat_id)
        since = 0 if before is None else before.last_turn + 1
        if begins <= since:
            return [], before, begins
        out = turns.before(db, channel, chat_id, begins, MOST_FALLING, since=since)
    return out, before, begins


async def _summarize(world: World, told: str | None, falling: Sequence[Turn]) -> str:
    """Summarise the previous summary and these turns. Raises NoMindAnswered."""
    companion = world.settings.furoshiki_companion_name
    zone, names = _whose(world)
    told_lines = []
    for turn in falling:
        at = turn.at.astimezone(zone).strftime("%A, %-d %B, %H:%M")
        shown = testimony.render_marked(turn.text, turn.foreign, FALLING_TOKENS // len(falling), flat=True)
        told_lines.append(f"[{at}] {names.get(turn.speaker, turn.speaker)}: {shown}")
    instructions = world.prompts.render("compaction/instructions", companion=companion, words=SUMMARY_WORDS)
    matter = world.prompts.render("compaction/falling", before=told, lines=told_lines)
    key = refs.name("window", f"{falling[-1].channel}:{falling[-1].chat_id}")
    question = Question.of("fast", "compaction", instructions, matter, max_tokens=2 * SUMMARY_TOKENS, turn_key=key)
    answer = await patiently(world, question, world.now)
    written = " ".join(answer.text.split())
    if not written:
        raise NoMindAnswered("the summary was empty")
    return cut(written, SUMMARY_TOKENS)


def _whose(world: World) -> tuple[tzinfo, dict[str, str]]:
    """Return the user's zone, and the speakers' names."""
    with world.database.read() as db:
        return user.zone(world, db), lines.names_of(world, user.name(db))


def by_rule(before: str | None, falling: Sequence[Turn], zone: tzinfo, names: dict[str, str]) -> str:
    """Summarise by rule: dated lines of the user's messages, the newest that fit.

    The previous text is kept as far as it fits.
    """
    sentences = [line for text in (before or "").splitlines() for line in _SENTENCE.split(text) if line.strip()]
    for turn in falling:
        if turn.speaker != USER or count_letters(turn.own) < SHORT or turn.kind == "reaction":
            continue
        sentences.append(f"- {name_day(turn.at, zone)}, {names[USER]}: {compress(turn.own)}")
    newest = take_fitting(reversed(sentences), SUMMARY_TOKENS, apart=1)
    return "\n".join(reversed(newest)) or "- small talk"


def _gate(text: str, relevance: float | None) -> float:
    if relevance is None:
        return 0.0 if count_letters(text.strip()) < SHORT else UNKNOWN
    return min(1.0, max(0.0, (relevance - GATE_LOW) / GATE_SPAN))


# -- the visible part: most of the prompt stays equal between turns --
#
# A window that moved with every turn would invalidate the provider's cache. Its start is fixed while
# the conversation grows, and jumps when the budget is nearly full; earlier turns go into a running
# summary. The budget depends on the conversation's intensity.


AFTER_JUMP = 0.5  # the share of the budget that remains filled after a jump
COMPACTED_AT = 0.85  # the share of the budget at which the oldest part is folded into the summary

# turns of the old topic that stay visible when a new one starts, in case of a false boundary
KEPT_OF_OLD = 6

# minimum turns folded at a new topic: fewer are not worth a summary and an uncached prompt
LEAST_FOLDED = 8

LIVELY, QUIET = 0.7, 0.3
# the conversation's share of the room above, between and below the two intensities
LIVELY_SHARE, USUAL_SHARE, QUIET_SHARE = 0.9, 0.65, 0.35

FRESH = 0.5  # the weight of this message in the intensity
UNKNOWN = 0.5  # the neutral value for unknown inputs
PER_MESSAGE_TOKENS = 4  # token overhead of a message
LONGEST_MESSAGE_TOKENS = 1500  # maximum tokens of an old message


@dataclass(frozen=True)
class IntensityInputs:
    """The inputs of a conversation's intensity, each in [0, 1].

    `gate`: relevance of recent messages by the exit gate; `effort`: share of answers with skills;
    `goals`: similarity to a goal; `emotion`: the strongest feeling.
    """

    gate: float = UNKNOWN
    effort: float = 0.0
    goals: float = UNKNOWN
    emotion: float = 0.0

    @property
    def intensity(self) -> float:
        """Return the weighted sum, in [0, 1]: plain talk has about a third, "ok" far less."""
        return 0.45 * self.gate + 0.1 * self.effort + 0.2 * self.goals + 0.25 * self.emotion


def compute_intensity(before: float | None, now: float) -> float:
    return now if before is None else (1.0 - FRESH) * before + FRESH * now


def share(intensity: float) -> float:
    """Return the conversation's share of the room for it and memories."""
    if intensity > LIVELY:
        return LIVELY_SHARE
    return QUIET_SHARE if intensity < QUIET else USUAL_SHARE


def choose_start(turns: Sequence[Turn], first_id: int, budget: int) -> int:
    """Return the window's next start: `first_id` below 85 % of the budget, else later."""
    shown = [turn for turn in turns if turn.id >= first_id] or list(turns)
    if not shown or sum(map(cost, shown)) <= budget * COMPACTED_AT:
        return shown[0].id if shown else 0
    return _after_jump(shown, budget)


def choose_topic_start(turns: Sequence[Turn], first_id: int, turn_id: int) -> int:
    """Return the window's start when a new topic begins with `turn_id`: a few turns before, or
    `first_id` if too little would be folded. 0 without turns."""
    shown = [turn for turn in turns if turn.id >= first_id] or list(turns)
    before = [turn for turn in shown if turn.id < turn_id]
    if len(before) < KEPT_OF_OLD + LEAST_FOLDED:
        return shown[0].id if shown else 0
    return before[-KEPT_OF_OLD].id


def start(turns: Sequence[Turn], first_id: int, budget: int) -> int:
    """Return the id of the first visible turn: `first_id` while all fits, else a later one.

    `turns` are oldest first; 0 without turns. The newest turn is always visible.
    """
    shown = [turn for turn in turns if turn.id >= first_id] or turns  # all later ones may be forgotten
    if not shown:
        return 0
    if sum(map(cost, shown)) <= budget:
        return shown[0].id
    return _after_jump(shown, budget)


def cost(turn: Turn) -> int:
    """Return the tokens of a turn in the window."""
    return min(estimate(turn.text), LONGEST_MESSAGE_TOKENS) + PER_MESSAGE_TOKENS


def _after_jump(shown: Sequence[Turn], budget: int) -> int:
    """Return the first of the newest turns that fill half of the budget; at least the newest."""
    totals = accumulate(map(cost, reversed(shown)))
    fitting = sum(total <= budget * AFTER_JUMP for total in totals)
    return shown[-max(1, fitting)].id
