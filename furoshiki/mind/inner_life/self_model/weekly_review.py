"""The material of a deep reflection: journal, observations, commitments, moods, known facts.

Every citable line has a name, its text and the turns it rests on.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from statistics import fmean

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, speaking
from furoshiki.feelings.store import emotional_weights, history
from furoshiki.feelings.store.emotional_weights import EmotionalWeight
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.humanize import plural
from furoshiki.language.session_feeling import describe_connection
from furoshiki.language.tokens import cut, take_fitting
from furoshiki.memory.store import memories, tombstones
from furoshiki.memory.values import Memory
from furoshiki.messages.store import skill_runs
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.rules import self_description
from furoshiki.mind.inner_life.rules.self_claims import Shown
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import commitments, drift, monologue
from furoshiki.mind.inner_life.store.commitments import Commitment
from furoshiki.mind.inner_life.store.drift import Drift
from furoshiki.mind.inner_life.store.monologue import Entry
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.rules.profile import PAST, Statement
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World

A_WEEK = timedelta(days=7)
# how far back unseen entries are read, at the first reflection or after missed weeks
LONGEST = timedelta(days=28)

ENTRIES_TOKENS = 5_000
KNOWN_TOKENS = 1_200
LINE_TOKENS = 220
MOST_OBSERVED = 20
MOST_RESULTS = 6
RESULT_TOKENS = 50
EARLIER = 4  # maximum number of earlier changes shown
LOOKS = 500  # how many reflections (about ten years) are searched for the origin of a sentence

# mean warmth in [0, 1] from which a day counts as warm, and up to which as cool
WARM, COOL = 0.6, 0.3


@dataclass(frozen=True)
class Seen:
    """The state of a week at one moment.

    `base` is the description `before` without sentences that are no longer true (`stale`); `turns`
    are the turns behind each named line; `forgotten` counts the deletions so far.
    """

    before: str
    base: str
    stale: tuple[str, ...]
    by_hand: bool
    last: Drift | None
    forgotten: int
    newest_entry: int
    shown: Shown
    turns: Mapping[str, tuple[int, ...]]
    sections: tuple[tuple[str, Sequence[str]], ...]
    name: str | None
    zone: tzinfo


@speaking(ENGLISH)
def gather(world: World) -> Seen:
    """Collect the material of a deep reflection. Read-only."""
    now, before = world.now, description.text(world)
    by_hand = description.was_edited(world)
    with world.database.read() as db:
        zone, name = user.zone(world, db), user.name(db)
        last = drift.last(db)
        since = now - LONGEST if last is None else max(min(last.at, now - A_WEEK), now - LONGEST)
        entries = monologue.since(db, ("journal", "contemplation", "morning", "afternoon"), since)
        newest = monologue.newest(db, 1)
        observed = drift.self_observations(db, since)
        promises = [*commitments.read_retired(db), *commitments.active(db)]
        kept = [(commitment, _find_evidence(db, commitment)) for commitment in promises]
        profile, facts = profiles.current(db, now), profiles.facts(db)
        once = memories.once_known(db)
        looks = drift.newest(db, LOOKS)
        moods = history.course(db, now - A_WEEK)
        weights = emotional_weights.since(db, now - A_WEEK)
        forgotten = tombstones.count(db)
        runs = skill_runs.statistics(db, now - A_WEEK)
        results = skill_runs.results(db, now - A_WEEK, MOST_RESULTS)
    statements = [statement for statement in profile.reference if statement.section != PAST]
    fitting, lines = _entries(entries, zone)
    sources: dict[str, str] = {}
    turns: dict[str, tuple[int, ...]] = {}
    for entry in fitting:
        source = refs.name("entry", entry.id)
        sources[source] = entry.text
        turns[source] = tuple(turn for part in entry.passages for turn in part.cites)
    for memory in (*observed, *facts):
        source = refs.name("memory", memory.id)
        sources[source], turns[source] = memory.content, memory.turn_ids
    for commitment, evidence in kept:
        source = _name(commitment)
        sources[source], turns[source] = f"{commitment.text}. {commitment.sign}", evidence
    known = {memory.id: memory.content for memory in facts}
    for number, statement in enumerate(statements, 1):
        known[-number] = statement.text
    shown = Shown(sources, known, tuple(filter(None, (name, world.settings.furoshiki_companion_name))))
    stale = _stale(before, looks, shown, once)
    base = self_description.without(before, stale)
    return Seen(
        before=before,
        base=base,
        stale=stale,
        by_hand=by_hand,
        last=last,
        forgotten=forgotten,
        newest_entry=max((entry.id for entry in newest), default=0),
        shown=shown,
        turns=turns,
        sections=(
            ("Your journal of the week", lines),
            (
                "What you noticed about yourself",
                [f"[{refs.name('memory', one.id)}] {_flat(one.content)}" for one in observed[-MOST_OBSERVED:]],
            ),
            ("What you promised yourself", list(map(_promise, promises))),
            ("How the days felt", describe_days(moods, weights, zone)),
            ("Skills you used", [_describe_use(skill, numbers) for skill, numbers in runs.items()]),
            ("What the last of them brought", [_result(at, skill, text, zone) for at, skill, text in results if text]),
            ("How you changed before", [_describe_change(one, zone) for one in looks if one.changed][:EARLIER]),
            ("What you know of them", _list_known(statements, facts)),
        ),
        name=name,
        zone=zone,
    )


def describe_days(moods: Sequence[tuple[datetime, str]], weights: Sequence[EmotionalWeight], zone: tzinfo) -> list[str]:
    """Return one line per day: its moods in order, its warmth and its closeness."""
    moments = sorted([*(at for at, _ in moods), *(weight.at for weight in weights)])
    days: dict[str, list[str]] = {_day(at, zone): [] for at in moments}
    for at, mood in moods:
        held = days[_day(at, zone)]
        if mood not in held[-1:]:
            held.append(mood)
    talks: dict[str, list[EmotionalWeight]] = {}
    for weight in weights:
        talks.setdefault(_day(weight.at, zone), []).append(weight)
    lines = []
    for day, words in days.items():
        told = [", then ".join(words[-6:])] if words else []
        if of_day := talks.get(day):
            mean = fmean(weight.warmth for weight in of_day)
            told.append(
                "what was said was " + ("warm" if mean >= WARM else "cool" if mean <= COOL else "neither warm nor cool")
            )
            told += filter(None, [describe_connection(fmean(weight.connection_quality for weight in of_day))])
        lines.append(f"{day}: {'; '.join(told)}")
    return lines


def _entries(entries: Sequence[Entry], zone: tzinfo) -> tuple[list[Entry], list[str]]:
    """Return the newest entries that fit into one prompt, oldest first, with their lines."""
    lines = take_fitting((_describe_entry(entry, zone) for entry in reversed(entries)), ENTRIES_TOKENS)
    return list(entries[len(entries) - len(lines) :]), lines[::-1]


def _describe_entry(entry: Entry, zone: tzinfo) -> str:
    head = f"{refs.name('entry', entry.id)} \u00b7 {_day(entry.at, zone)}, {pages.title(entry)}"
    return f"[{head}] {cut(_flat(entry.text), LINE_TOKENS)}"


def _stale(before: str, looks: Sequence[Drift], shown: Shown, once: Sequence[Memory]) -> tuple[str, ...]:
    """Return own sentences that state a former fact about the user which no current fact states."""
    ours = {self_description.key(ground.text) for look in looks for ground in look.reasons if ground.kind == "sentence"}
    told = stems_of(" ".join(shown.facts.values()))
    over = [gone for memory in once if memory.object and (gone := content_of(memory.object)) and not gone <= told]
    own = [sentence for sentence in self_description.sentences(before) if self_description.key(sentence) in ours]
    return tuple(sentence for sentence in own if any(gone <= stems_of(sentence) for gone in over))


def _name(commitment: Commitment) -> str:
    return refs.name("commitment", commitment.id)


def _find_evidence(db: sqlite3.Connection, commitment: Commitment) -> tuple[int, ...]:
    return tuple(turn for judgement in commitments.judgements(db, commitment.id) for turn in judgement.turn_ids)


def _promise(commitment: Commitment) -> str:
    kept = f"kept on {commitment.honoured} occasions" if commitment.honoured != 1 else "kept once"
    if commitment.state == "retired":
        return f"[{_name(commitment)}] {commitment.text}. ({kept}, and needed no more)"
    return f"[{_name(commitment)}] {commitment.text}. ({kept}, broken on {commitment.broken})"


def _describe_use(skill: str, numbers: Mapping[str, float]) -> str:
    failed = f", {numbers['failed']:.0%} of it in vain" if numbers["failed"] else ""
    return f"{skill}: {plural(round(numbers['runs']), 'time')}{failed}"


def _result(at: datetime, skill: str, text: str, zone: tzinfo) -> str:
    return f"{skill}, {_day(at, zone)}: {cut(_flat(text), RESULT_TOKENS)}"


def _describe_change(one: Drift, zone: tzinfo) -> str:
    """Describe an earlier change and its outcome."""
    fate = {"declined": ", which was declined", "proposed": ", which is proposed"}.get(one.state, "")
    why = " ".join(reason.text for reason in one.reasons if reason.kind != "note")
    return cut(f"{_day(one.at, zone)}: {one.changed_share:.0%} of the text{fate}. {why}", LINE_TOKENS)


def _list_known(statements: Sequence[Statement], facts: Sequence[Memory]) -> list[str]:
    """Return lines about the user: the profile, or the facts when there is no profile."""
    known = [(statement.facts, statement.text) for statement in statements]
    known = known or [((fact.id,), _flat(fact.content)) for fact in facts]
    return take_fitting((f"[{', '.join(refs.names('memory', ids))}] {text}" for ids, text in known), KNOWN_TOKENS)


def _day(at: datetime, zone: tzinfo) -> str:
    return at.astimezone(zone).strftime("%A, %-d %B")


def _flat(text: str) -> str:
    return " ".join(text.split())
