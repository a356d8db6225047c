"""One outreach pass: check all gates for each item, word the first that passes, store verdicts.

A pass sends at most one message. A killed pass repeats nothing: drafts are stored, and sending is
one transaction.
"""

import re
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.words import ends_asking
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.mind.outreach import addressee, due, gate_inputs, outcomes, owner_news, reply_queue, undelivered, voice
from furoshiki.mind.outreach import laws as all_laws
from furoshiki.mind.outreach.addressee import Address
from furoshiki.mind.outreach.owner_news import Matter
from furoshiki.mind.outreach.rules import buttons, gates
from furoshiki.mind.outreach.rules.gates import Candidate, Look, Moment
from furoshiki.mind.outreach.rules.laws import OutreachLaws
from furoshiki.mind.outreach.rules.prepared_words import OWED
from furoshiki.mind.outreach.sending import as_rows, send
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.mind.outreach.store.decisions import NewDecision, Verdict
from furoshiki.mind.outreach.voice import NoWords, Worded
from furoshiki.owner.agenda import skill_results
from furoshiki.owner.agenda.rules.mind_queue import ASKING, OWN, Waiting, about, enough
from furoshiki.owner.agenda.store import mind_queue, quiet
from furoshiki.world import Report, World

TRIED_AT_ONCE = 2  # how many items a pass tries to word when the first fails: models cost money

# how often a thought waits for another day when the model says that it is too early, and how long
PUT_OFF_AT_MOST, ANOTHER_DAY = 2, timedelta(days=1)

# everything is checked again after this time, because moods and needs change by themselves
LOOKED_AGAIN = timedelta(hours=1)

STALE = "you had asked for silence, and after it this would have been stale"

INTERRUPTED = "the owner wrote, or it was closed, while words were looked for"


@dataclass(frozen=True)
class Judged:
    """A waiting item and the gates' findings."""

    item: Waiting
    one: Candidate
    seen: tuple[Look, ...]

    @property
    def holding(self) -> Look | None:
        """Return the gate that holds the item; None when it may be said."""
        return gates.find_hold(self.seen)


async def run(world: World) -> Report:
    laws = all_laws.current(world)
    gathered = gather(world)
    judged = outcomes.judge(world, laws)
    beat = world.state.heartbeat()
    with world.database.read() as db:
        to = addressee.of_owner(world, db)
        here = None if to is None else gate_inputs.moment(world, db, beat, to, laws)
        heard = gate_inputs.find_last_sign(db)
        waiting = [] if here is None or heard is None else judge_waiting(db, here, laws)
        newest = max((item.id for item in mind_queue.candidates(db, world.now)), default=0)
    if to is None or here is None:
        _rest(world, (), laws, newest)
        return Report(bool(judged or gathered), "there is nobody to write to", {"outcomes": judged})
    if undelivered.take_back(world, to, laws):
        return Report(True, "what was said last has not been delivered", {"outcomes": judged})
    a_pass = Pass(world, here, to, heard, laws)
    said = await a_pass.say_one([judgement for judgement in waiting if judgement.holding is None])
    held = a_pass.hold([judgement for judgement in waiting if judgement.holding is not None])
    _rest(world, waiting, laws, newest)
    data = {"sent": said, "held": held, "outcomes": judged}
    summary = f"{'nothing to say now' if said is None else 'said one thing'}, {held} wait"
    return Report(bool(judged) or said is not None, summary, data)


def judge_waiting(db: sqlite3.Connection, here: Moment, laws: OutreachLaws) -> list[Judged]:
    """Return all waiting items, judged, in the order in which they would be said."""
    ripe = mind_queue.candidates(db, here.now)
    items = {item.id: item for item in ripe if not gates.may_lie_ahead(item.kind, item.not_before, here)}
    known, told = kinds.every(db), find_mentioned(db, items.values())
    found = []
    for candidate in gates.in_order([_candidate(db, item, known) for item in items.values()], here, laws):
        item = items[candidate.id]
        still = gates.still_true(closed=not mind_queue.is_open(db, candidate.id), told_since=candidate.id in told)
        found.append(Judged(item, candidate, (*gates.looks(candidate, here, laws), still)))
    return found


def find_mentioned(db: sqlite3.Connection, items: Collection[Waiting]) -> frozenset[int]:
    """Return the ids of the items about which the owner has told since they were queued."""
    first = min(map(counted_since, items), default=None)
    said = [] if first is None else turns.read_since(db, USER, first)
    heard = [(turn.at, extract_stems(turn.own)) for turn in said]
    return frozenset(
        item.id for item in items if was_mentioned(item, [stems for at, stems in heard if at > counted_since(item)])
    )


def _candidate(db: sqlite3.Connection, item: Waiting, known: Mapping[str, kinds.Kind]) -> Candidate:
    weight = known[item.kind].weight if item.kind in known else 1.0
    wanted = bool(decisions.turns_of(db, item.id))
    return Candidate(item.id, item.kind, item.priority, weight, reply_queue.nudges(db, item), wanted, item.salience)


@dataclass(frozen=True)
class Pass:
    """One pass in one world: the state at the gates, and when the owner last wrote."""

    world: World
    here: Moment
    to: Address
    heard: datetime | None
    laws: OutreachLaws

    async def say_one(self, free: Sequence[Judged]) -> int | None:
        """Send the first item that gets words; return its decision id, or None."""
        with self.world.database.read() as db:
            refused_at = decisions.find_refusal(db, OWN, self.world.now - ANOTHER_DAY)
        if refused_at is not None:
            self._keep_wishes(free, refused_at + ANOTHER_DAY)
            free = [judged for judged in free if judged.item.kind not in OWN]
        for judged in free[:TRIED_AT_ONCE]:
            try:
                found = await self._words(judged.item)
            except NoWords as none:
                self._no_words(judged, none)
                if none.vetoed and judged.item.kind in OWN:
                    self._keep_wishes(free, self.world.now + ANOTHER_DAY)
                    return None
                continue
            words = replace(found, text=buttons.with_matter(judged.item, found.text))
            since = self.here.now - self.laws.same_within
            like = gate_inputs.likeness(self.world, words.text, since, judged.item.id)
            look = gates.novel(like, judged.item.kind, self.laws)
            judgement = replace(judged, seen=(*judged.seen, look))
            if not look.passed:
                self._put_off(judgement, "held", look.gate, _why(look))
                continue
            number = send(self.world, judged.item, self._priority(judged), judgement.seen, words, self.to, self.heard)
            if number is None:
                with self.world.database.write() as db:
                    self._record(db, judgement, "held", "recent", INTERRUPTED)
            return number
        return None

    def hold(self, held: Sequence[Judged]) -> int:
        """Store why each item waits, and drop outdated ones. Returns how many wait."""
        over = [judgement for judgement in held if not judgement.seen[-1].passed]
        stale = [
            judgement for judgement in held if judgement.seen[-1].passed and gates.stale_after(judgement.one, self.here)
        ]
        waits = [judgement for judgement in held if judgement not in over and judgement not in stale]
        with self.world.database.write() as db:
            for judgement in over:
                mind_queue.let_go(db, judgement.item.id, "expired")
                self._record(db, judgement, "dropped", judgement.seen[-1].gate, _why(judgement.seen[-1]))
            for judgement in stale:
                mind_queue.let_go(db, judgement.item.id, "dropped")
                self._record(db, judgement, "dropped", "quiet", STALE)
            if self.here.quiet_until is not None:
                mind_queue.outlast(db, [judgement.item.id for judgement in waits], self.here.quiet_until)
            for judgement in waits:
                if (look := judgement.holding) is not None:
                    self._record(db, judgement, "held", look.gate, _why(look))
        return len(waits)

    async def _words(self, item: Waiting) -> Worded:
        """Return the item's words; the draft is stored at once, as another call would cost."""
        if item.draft is not None:
            words, finished = voice.unpack_words(item.draft)
            return words if finished else await voice.polish(self.world, item, words)
        drafted = await voice.draft(self.world, item)
        with self.world.database.write() as db:
            mind_queue.keep_draft(db, item.id, voice.pack_words(drafted))
        point("outreach.drafted")
        return await voice.polish(self.world, item, drafted)

    def _no_words(self, judged: Judged, none: NoWords) -> None:
        if not none.vetoed:
            self._put_off(judged, "failed", "words", none.reason)
            return
        waits = none.another_day and judged.item.attempts < PUT_OFF_AT_MOST
        with self.world.database.write() as db:
            if waits:
                mind_queue.put_off(db, judged.item.id, self.world.now + ANOTHER_DAY)
            else:
                mind_queue.let_go(db, judged.item.id, "dropped")
            self._record(db, judged, "held" if waits else "dropped", "polish", none.reason)

    def _keep_wishes(self, free: Sequence[Judged], until: datetime) -> None:
        """Let all wishes of its own wait for another day: where one is out of place, so are the others."""
        with self.world.database.write() as db:
            for judged in free:
                if judged.item.kind in OWN and mind_queue.is_open(db, judged.item.id):
                    mind_queue.wait(db, judged.item.id, until)

    def _put_off(self, judged: Judged, verdict: Verdict, gate: str, reason: str) -> None:
        """Retry later with a doubled delay; drop an item after the last try, unless it is owed."""
        later = self.world.now + self.laws.retry * 2**judged.item.attempts
        with self.world.database.write() as db:
            tried = mind_queue.put_off(db, judged.item.id, later)
            if tried >= self.laws.tries and judged.item.kind not in OWED:
                mind_queue.let_go(db, judged.item.id, "dropped")
                verdict, reason = "dropped", f"{reason}; tried {tried} times"
            self._record(db, judged, verdict, gate, reason)

    def _record(self, db: sqlite3.Connection, judged: Judged, verdict: Verdict, gate: str, reason: str) -> None:
        item = judged.item
        decision = NewDecision(
            kind=item.kind,
            priority=self._priority(judged),
            verdict=verdict,
            reason=reason,
            item_id=item.id,
            source=item.source or None,
            gate=gate,
            gates=as_rows(judged.seen),
        )
        decisions.record(db, decision, self.here.now)

    def _priority(self, judged: Judged) -> int:
        return gates.compute_priority(judged.one.priority, self.here.loneliness, self.laws)


def _why(look: Look) -> str:
    return f"{look.value} beside {look.limit}"


def _rest(world: World, waiting: Sequence[Judged], laws: OutreachLaws, newest: int) -> None:
    """Store until when only events can change anything; `due.py` watches for events. What came in while
    words were looked for, after the `newest` judged, is looked at with the next pass."""
    now = world.now
    with world.database.write() as db:
        times = [
            look.until for judgement in waiting if (look := judgement.holding) is not None and look.until is not None
        ]
        times += [decision.at + laws.answered_within for decision in decisions.list_unjudged(db)]
        times += [at for at in (mind_queue.next_at(db, now),) if at is not None]
        fresh = any(item.id > newest for item in mind_queue.candidates(db, now))
        until = now if fresh else min([at for at in times if at > now] + [now + LOOKED_AGAIN])
        due.rest(db, until, now)
        quiet.tidy(db, now)


def gather(world: World) -> int:
    """Queue new thoughts and return their number. Only the owner's world has any."""
    now = world.now
    if world.who.place is not None:
        return 0
    with world.database.read() as db:
        if due.producers(db, now) is None:
            return 0
    laws = all_laws.current(world)
    with world.database.write() as db:
        made = sum(_put(world, db, matter) for matter in list(owner_news.new(db, now)))
        for operation in owner_news.results(db, now):
            if _room(world, db, skill_results.KIND):
                source = refs.Ref("operations", str(operation.id))
                made += (
                    skill_results.queue_result(
                        db, operation.title, operation.result or "", source, now, world.laws.queue
                    )
                    is not None
                )
        made += reply_queue.gather(db, now, laws, world.laws.queue.priority["reply_nudge"])
        point("producers.before_commit")
    return made


def _put(world: World, db: sqlite3.Connection, matter: Matter) -> bool:
    """Queue a thought if there is room for its kind; otherwise a later pass does."""
    thought = matter.thought
    if not _room(world, db, thought.kind):
        return False
    priority = world.laws.queue.priority[thought.kind]
    return mind_queue.add_thought(db, thought, priority, world.now, matter.exactly, matter.until)


def _room(world: World, db: sqlite3.Connection, kind: str) -> bool:
    return mind_queue.count_by_kind(db).get(kind, 0) < world.laws.queue.most[kind]


# -- matters that the owner has mentioned since they were queued --
#
# Only words are compared: one message, or two in a row, must state enough of the thought. Questions,
# wishes and plans do not count.


# Kinds about facts only the owner can tell. News and requests of the companion stay open.
THEIRS = frozenset({"question", "curiosity", "follow_up", "anticipation", "thought", "need", "reminder"})

# minimum number of distinct words of a question: speaking of any cat does not answer a question
# about the owner's cat
LEAST_ASKED = 2

# words for what the companion offers; they say nothing about the topic
_OFFERED = stems_of("kind word encouragement encouraging support company cheer comfort patience")

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
# marks of the future: a sentence with one of them states no fact
_NOT_YET = re.compile(
    r"\b(?:will|'ll|going to|gonna|want(?:s)? to|hope to|have to|need to|must|should|might|could|would|if|when|before|"
    r"until|tomorrow|next (?:week|month|year)|remind me)\b",
    re.IGNORECASE,
)

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def extract_stems(message: str) -> frozenset[str]:
    """Return the stems of a message's statements, computed once for all thoughts."""
    return frozenset(stems_of(" ".join(_list_statements(message))))


def was_mentioned(thought: Waiting, said: Sequence[frozenset[str]]) -> bool:
    """Return whether the owner's messages cover the thought: `said` holds the stems of each message
    since, from `extract_stems`, oldest first."""
    if thought.kind not in THEIRS or refs.is_of(thought.source, "needs"):
        return False
    its = about(replace(thought, summary=thought.summary.rpartition(": ")[2])) - _OFFERED
    if thought.kind in ASKING and len(its) < LEAST_ASKED:
        return False
    return any(enough(its, one) for one in said) or any(
        enough(its, first | second) and its & first and its & second for first, second in pairwise(said)
    )


def counted_since(thought: Waiting) -> datetime:
    """Return from when on messages count: when the thought was queued, or may be said."""
    return max(thought.created_at or _LONG_AGO, thought.not_before or _LONG_AGO)


def _list_statements(message: str) -> list[str]:
    found = (one.strip() for one in _SENTENCE.findall(message))
    return [one for one in found if not ends_asking(one) and not _NOT_YET.search(one)]
