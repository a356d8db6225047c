"""Forgetting: show what would go, then remove it everywhere, so that it cannot come back by itself.

First it is decided, from what was asked for, which turns and memories go: those that say it, what was answered to
them, what was concluded from them, and whatever repeats a name or number that only they had brought up. Then the same
words are looked for in every table and file. No model is asked at any point.

The database forgets in one transaction, together with a plan of what remains to be done outside of it (files, the
full-text index, the free space of the file, the vector index). The plan knows ids and keyed digests, no words; the
next process finishes it when this one dies. So either nothing has happened, or all of it will have.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from furoshiki.archive.forgetting import files as forgotten_files
from furoshiki.archive.forgetting import record, seeds
from furoshiki.archive.forgetting.due import FORGETTING
from furoshiki.archive.forgetting.record import Forgetting
from furoshiki.archive.forgetting.store import forgotten_rows, rows
from furoshiki.archive.forgetting.store.rows import Chosen
from furoshiki.archive.forgetting.store.sealed_words import SealedWords, seal
from furoshiki.core import refs
from furoshiki.core.atomic_files import locked
from furoshiki.core.database import kv
from furoshiki.core.database.erasure import Erasure
from furoshiki.core.database.stems import Stemmed, Stems, Words, find_tainted
from furoshiki.core.errors import FuroshikiError, StorageUnavailable
from furoshiki.core.paths import host_of
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.language import redaction
from furoshiki.language.redaction import Everything, Wanted
from furoshiki.maintenance import backup, rules
from furoshiki.memory.store import forgetting as in_memory
from furoshiki.memory.store import tombstones
from furoshiki.memory.store.forgetting import Held
from furoshiki.memory.store.withheld import ASKED
from furoshiki.messages import picture_files, typed_lines
from furoshiki.messages.store import forgetting as in_messages
from furoshiki.messages.store.forgetting import Said
from furoshiki.messages.values import COMPANION
from furoshiki.mind.inner_life import session_context
from furoshiki.mind.inner_life.journal import pages
from furoshiki.owner.agenda.store import forgetting as in_agenda
from furoshiki.owner.user_model import profile_files, user
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.memoryd import tenants
from furoshiki.world import Report, World

PLAN = FORGETTING

STEPS = ("record", "files", "words", "space", "index")

MOST_ROUNDS = 6
"""How often what repeats the forgotten words is followed further; in practice twice."""

SHORTEST_STEM = 3
OBJECT_LETTERS = 4
"""Letters that one word of a fact's object must have to be looked for elsewhere."""

ENOUGH_LEFT = 0.5
"""The share of what a conclusion rests on that must be left for it to stay."""

WITNESSES = 20
"""Rows by which a backup is known as one of what was forgotten wholly."""

PATIENCE_SECONDS = 20.0
"""How long the index and readers of the database may take to let go."""

INDEX_LOCK = "chroma.lock"
"""The lock of memoryd in run/: its holder may touch the index's files."""

log = logging.getLogger(__name__)


class NothingAsked(FuroshikiError):
    """What is to be forgotten? Words, an id (turn:12, memory:3, session:…), a day, or first..last day."""

    exit_code = 2


@dataclass(frozen=True)
class Preview:
    """What would go. `traces` counts rows by table, `files` lines by file; `token` names exactly this.

    Backups are left alone: `backups_until` is when the last of them will have aged out, `plugin_data` are
    folders with what plugins had written that were replaced, `replaced` those that a restore put aside, which never do.
    """

    asked: str
    turns: tuple[Said, ...]
    memories: tuple[Held, ...]
    rewritten: Mapping[int, str]
    tasks: tuple[str, ...]
    traces: Mapping[str, int]
    files: Mapping[str, int]
    backups_until: datetime | None
    replaced: tuple[str, ...]
    plugin_data: tuple[str, ...]
    token: str
    everything: bool = False

    @property
    def nothing(self) -> bool:
        """Whether nothing is held of it."""
        return not (self.turns or self.memories or self.traces or self.files)


@dataclass(frozen=True)
class Forgotten:
    """What went: turns, memories, everything else by table, files. `left` are steps that are finished later."""

    turns: int
    memories: int
    traces: Mapping[str, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def look(world: World, what: str) -> Preview:
    """What would go. Changes nothing. Raises NothingAsked."""
    wanted, zone = _parse_wanted(world, what)
    with world.database.read() as db:
        chosen = _choose(world, db, wanted, zone)
        found = rows.traces(db, chosen)
        return _outlook(world, db, what, chosen, found)


def forget(world: World, what: str, token: str) -> Forgotten | None:
    """Remove what `look` showed; None when it would not be the same any more: look, and ask, again.

    Raises NothingAsked and StorageUnavailable.
    """
    wanted, zone = _parse_wanted(world, what)
    with locked(world.settings.data / backup.FORGETTING_LOCK):
        with world.database.read() as db:  # this may take seconds, and nobody should wait for it
            chosen = _choose(world, db, wanted, zone)
            seen = in_messages.last_turn(db)
        with world.database.write() as db:
            if _has_new_matches(db, chosen, seen):
                return None
            found = rows.traces(db, chosen)
            if _token(db, chosen, found) != token:
                return None
            _remove(world, db, chosen, found)
        point("forgetting.removed")
        changed, left = _finish(world, PATIENCE_SECONDS)
    return Forgotten(len(chosen.turns), len(chosen.memories), _counts(found), tuple(changed), tuple(left))


def forget_rows(
    world: World, turns: Collection[int], memories: Collection[int], phrases: Collection[Stemmed], everything: bool
) -> Forgotten:
    """Remove these turns and memories, what says these phrases, and all that belongs to it, without asking: it was
    forgotten before, and came back with a backup. `everything` when nothing that was made of talk is to stay.

    Raises StorageUnavailable.
    """
    with locked(world.settings.data / backup.FORGETTING_LOCK):
        with world.database.write() as db:
            stems = Stems()
            if everything:
                chosen = _choose(world, db, Everything(), world.zone)
            else:
                chosen = _expand_chosen(db, stems, set(turns), set(memories), set(phrases), _common(world, db))
            found = rows.traces(db, chosen)
            _remove(world, db, chosen, found)
        point("forgetting.removed")
        changed, left = _finish(world, PATIENCE_SECONDS)
    return Forgotten(len(chosen.turns), len(chosen.memories), _counts(found), tuple(changed), tuple(left))


def _remove(world: World, db: sqlite3.Connection, chosen: Chosen, found: Erasure) -> None:
    """Take it out of the database, and note what remains to be done elsewhere."""
    typed, on_record = _collect_typed_lines(db, chosen), _on_record(world, db, chosen)
    rows.remove(db, chosen, found, world.now)
    in_messages.drop_questions(db)
    kv.drop(db, ASKED)
    _write_plan(db, chosen, typed, on_record, world.now)
    point("forgetting.before_commit")


def together(done: Sequence[Forgotten]) -> Forgotten:
    """What went in several places, as one."""
    whole = Forgotten(0, 0)
    for one in done:
        tables = {**whole.traces, **one.traces}
        whole = replace(
            whole,
            turns=whole.turns + one.turns,
            memories=whole.memories + one.memories,
            traces={name: whole.traces.get(name, 0) + one.traces.get(name, 0) for name in tables},
            files=(*whole.files, *one.files),
            left=tuple(dict.fromkeys((*whole.left, *one.left))),
        )
    return whole


def finish(world: World, patience: float = PATIENCE_SECONDS) -> tuple[str, ...]:
    """Do what remains of a forgetting that was cut off; returns the steps that still could not be taken.

    Cheap when there is none. `patience` is how many seconds others may take to let go of what they have open.
    """
    with world.database.read() as db:
        if kv.get(db, PLAN) is None:
            return ()
    with locked(world.settings.data / backup.FORGETTING_LOCK):
        return tuple(_finish(world, patience)[1])


def go_on(world: World) -> Report:
    """The same, as a step of a script."""
    left = finish(world)
    return Report(True, f"what was forgotten is still in: {', '.join(left)}" if left else "forgotten wholly")


# -- what goes --


def _parse_wanted(world: World, what: str) -> tuple[Wanted, tzinfo]:
    zone = user.zone_of(world)
    wanted = redaction.parse_request(what, world.now.astimezone(zone).date())
    if wanted is None:
        raise NothingAsked(str(NothingAsked.__doc__))
    return wanted, zone


def _choose(world: World, db: sqlite3.Connection, wanted: Wanted, zone: tzinfo) -> Chosen:
    stems = Stems()
    turns, memories, phrases = seeds.of(db, stems, wanted, zone)
    chosen = _expand_chosen(db, stems, turns, memories, phrases, _common(world, db))
    return replace(chosen, everything=isinstance(wanted, Everything))


def _common(world: World, db: sqlite3.Connection) -> list[str]:
    """Names that nobody means when they say them."""
    return [name for name in (world.settings.furoshiki_companion_name, user.name(db)) if name]


def _expand_chosen(
    db: sqlite3.Connection,
    stems: Stems,
    turns: set[int],
    memories: set[int],
    phrases: set[Stemmed],
    common: Sequence[str],
) -> Chosen:
    """What goes with it, and with that, until nothing more does."""
    held = {one.id: one for one in in_memory.memories_of(db)}
    links = in_memory.links(db)
    known: dict[str, bool] = {}
    rewritten: dict[int, str] = {}
    searched: set[Stemmed] = set()
    for _ in range(MOST_ROUNDS):
        before = (len(turns), len(memories), len(phrases))
        turns = in_messages.turns_besides(db, turns)
        memories |= {one.id for one in held.values() if one.turns and one.turns <= turns}
        gone = [one for one in in_messages.turns_of(db, turns) if one.speaker != COMPANION and one.kind != "command"]
        phrases = phrases | _find_unique_phrases(
            db, stems, gone, [held[one] for one in memories if one in held], turns, common, known
        )
        words = Words(stems, phrases)
        turns |= in_messages.find_turns(db, Words(stems, phrases - searched))
        searched = phrases
        holding = in_memory.find_memories(db, words)
        memories |= {one for one in holding if not held[one].own}
        dropped, rewritten = _conclusions(db, stems, held, links, turns, memories, words, holding)
        memories |= dropped
        if before == (len(turns), len(memories), len(phrases)):
            break
    return Chosen(frozenset(turns), frozenset(memories), Words(stems, phrases), stems, rewritten)


def _find_unique_phrases(
    db: sqlite3.Connection,
    stems: Stems,
    gone: Sequence[Said],
    memories: Sequence[Held],
    turns: Collection[int],
    common: Sequence[str],
    known: dict[str, bool],
) -> set[Stemmed]:
    """Names and numbers that only what goes had brought up: whatever else says them repeats it."""
    found = redaction.find_revealing((one.text for one in gone), common)
    objects = {one.object for one in memories if one.object and not one.own and one.object not in common}
    phrases: set[Stemmed] = set()
    for word in [*found.certain, *found.perhaps, *objects]:
        phrase = stems.of(word)
        if not _tells(phrase, word in objects):
            continue
        if word not in known or known[word]:
            known[word] = in_messages.has_other_speaker(db, word, turns)
        if known[word]:
            continue
        saying = rows.find_texts(db, word) if word in found.perhaps else ()
        if word in found.perhaps and not any(redaction.is_name_within(word, text) for text in saying):
            continue
        phrases.add(phrase)
    return phrases


def _tells(phrase: Stemmed, is_object: bool) -> bool:
    longest = max(map(len, phrase), default=0)
    return longest >= (OBJECT_LETTERS if is_object else SHORTEST_STEM)


def _conclusions(
    db: sqlite3.Connection,
    stems: Stems,
    held: Mapping[int, Held],
    links: Sequence[tuple[int, int, str]],
    turns: Collection[int],
    memories: Collection[int],
    words: Words,
    holding: Collection[int],
) -> tuple[set[int], dict[int, str]]:
    """What a consolidation made of it: gone when too little is left to rest on, else what it says without it."""
    basis: dict[int, set[int]] = {}
    for from_id, to_id, relation in links:
        if relation in ("informed_by", "because", "supersedes"):
            basis.setdefault(from_id, set()).add(to_id)
        elif relation == "resulted_in":
            basis.setdefault(to_id, set()).add(from_id)
    dropped: set[int] = set()
    rewritten: dict[int, str] = {}
    moving = True
    while moving:
        moving = False
        gone = {*memories, *dropped}
        for one in held.values():
            if not one.own or one.id in gone:
                continue
            rests = basis.get(one.id, set())
            lost = len(rests & gone) + len(one.turns & set(turns))
            if not lost and one.id not in holding:
                continue
            left = len(rests - gone) + len(one.turns - set(turns))
            text = ""
            if left and left >= ENOUGH_LEFT * (left + lost):
                forgotten = [held[other].content for other in rests & gone if other in held]
                forgotten += [said.text for said in in_messages.turns_of(db, one.turns & set(turns))]
                staying = [held[other].content for other in rests - gone if other in held]
                staying += [said.text for said in in_messages.turns_of(db, one.turns - set(turns))]
                judge = redaction.either(words, find_tainted(stems, forgotten, staying))
                text = redaction.without(one.content, judge)
            if not text:
                dropped.add(one.id)
                rewritten.pop(one.id, None)
                moving = True
            elif text != one.content:
                rewritten[one.id] = text
    return dropped, rewritten


def _has_new_matches(db: sqlite3.Connection, chosen: Chosen, seen: int) -> bool:
    """Whether something that should go, too, was said or concluded after it had been decided what goes."""
    said = in_messages.turns_of(db, in_messages.find_turns(db, chosen.words, seen))
    held = in_memory.find_memories(db, chosen.words) - chosen.memories - chosen.rewritten.keys()
    return bool(held) or any(one.kind != "command" for one in said)


def _outlook(world: World, db: sqlite3.Connection, what: str, chosen: Chosen, found: Erasure) -> Preview:
    backups = world.home / "backups"
    return Preview(
        asked=what,
        turns=tuple(in_messages.turns_of(db, chosen.turns)),
        memories=tuple(in_memory.memories_of(db, chosen.memories)),
        rewritten=chosen.rewritten,
        tasks=tuple(in_agenda.task_title(db, one) for one in sorted(found.rows.get("tasks", ()))),
        traces=_counts(found),
        files=_files_with(world, db, chosen),
        backups_until=_backups_until(world),
        replaced=tuple(path.name for path in sorted(backups.glob("replaced-*"))),
        plugin_data=tuple(path.relative_to(backups).as_posix() for path in backup.plugin_data(backups)),
        token=_token(db, chosen, found),
        everything=chosen.everything,
    )


def _files_with(world: World, db: sqlite3.Connection, chosen: Chosen) -> dict[str, int]:
    data, said = world.settings.data, _collect_typed_lines(db, chosen)
    typed = typed_lines.survey(
        data, lambda line: chosen.everything or typed_lines.same(line) in said or chosen.words(line)
    )
    return forgotten_files.survey(data, chosen.words) | ({typed_lines.FILE: typed} if typed else {})


def _collect_typed_lines(db: sqlite3.Connection, chosen: Chosen) -> frozenset[str]:
    """The lines of what goes, as they were typed."""
    return typed_lines.collect_lines(
        one.text for one in in_messages.turns_of(db, chosen.turns) if one.speaker != COMPANION
    )


def _counts(found: Erasure) -> dict[str, int]:
    counts = {table: count for table in {*found.rows, *found.cells} if (count := found.count(table))}
    return counts | ({"kv": len(found.keys)} if found.keys else {})


def _token(db: sqlite3.Connection, chosen: Chosen, found: Erasure) -> str:
    """A name for exactly this: the messages, memories and tasks that go."""
    turns = in_messages.turns_of(db, chosen.turns)
    spoken = [one.id for one in turns if one.kind != "command"]  # asking is a turn, too
    going = sorted(found.rows.get("tasks", ()))
    named = [spoken, sorted(chosen.memories), sorted(chosen.rewritten), going]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()[:16]


def _backups_until(world: World) -> datetime | None:
    """When the last of today's backups will have aged out, as long as one is made each day; None without any."""
    made = [moment for moment, _ in backup.list_dated(world.home / "backups")]
    return rules.compute_expiry(made, world.now) if made else None


# -- what remains to be done --


def _on_record(world: World, db: sqlite3.Connection, chosen: Chosen) -> Forgetting:
    """This forgetting as it goes on record beside the backups; of everything, a few rows by which it is known again."""
    key = tombstones.key(db, world.now)
    held = forgotten_rows.on_record(db, chosen.turns, chosen.memories, key)
    return Forgetting(
        at=stamp(world.now),
        place=world.who.place,
        key=key.hex(),
        rows=tuple(held[:WITNESSES] if chosen.everything else held),
        words=() if chosen.everything else tuple(seal(chosen.words, key)),
        everything=chosen.everything,
    )


def _write_plan(
    db: sqlite3.Connection,
    chosen: Chosen,
    typed: Collection[str],
    on_record: Forgetting,
    now: datetime,
) -> None:
    """Note what remains, without a word of it; added to what an earlier forgetting could not finish."""
    before = kv.get(db, PLAN) or {}
    names = {*refs.names("turn", chosen.turns), *refs.names("memory", chosen.memories)}
    sealed = {tuple(one) for one in before.get("words", ())} | set(seal(chosen.words, tombstones.key(db, now)))
    key = tombstones.key(db, now)
    plan = {
        "names": sorted({*before.get("names", ()), *names}),
        "typed": sorted({*before.get("typed", ()), *(tombstones.seal(key, (line,)) for line in typed)}),
        "everything": chosen.everything or bool(before.get("everything")),
        "words": sorted(sealed),
        "records": [*before.get("records", ()), asdict(on_record)],
        "left": list(STEPS),
        "since": before.get("since", stamp(now)),
    }
    kv.put(db, PLAN, plan, now)


def _finish(world: World, patience: float) -> tuple[list[str], list[str]]:
    """Take every step that is left; returns which files changed and which steps could not be taken now."""
    with world.database.read() as db:
        plan = kv.get(db, PLAN)
        key = kv.get(db, tombstones.KEY)
    if plan is None:
        return [], []
    sealing = bytes.fromhex(key or "")
    holds = SealedWords(Stems(), plan["words"], sealing)
    typed = frozenset(plan["typed"])

    def was_typed(line: str) -> bool:
        return (
            bool(plan.get("everything")) or tombstones.seal(sealing, (typed_lines.same(line),)) in typed or holds(line)
        )

    names = frozenset(plan["names"])
    changed: list[str] = []
    steps: dict[str, Callable[[], bool]] = {
        "record": lambda: _record(world, plan.get("records", ())),
        "files": lambda: _files(world, holds, was_typed, names, changed),
        "words": lambda: _words(world),
        "space": lambda: _space(world, patience),
        "index": lambda: _index(world, patience),
    }
    left = list(plan["left"])
    for name in STEPS:
        if name not in left:
            continue
        try:
            done = steps[name]()
        except (StorageUnavailable, OSError) as error:
            log.warning("forgetting: %s is not finished yet: %s", name, error)
            done = False
        if done:
            left.remove(name)
            with world.database.write() as db:
                kv.put(db, PLAN, {**plan, "left": left}, world.now)
        point(f"forgetting.{name}")
    if not left:
        with world.database.write() as db:
            kv.drop(db, PLAN)
        world.database.checkpoint()
    return changed, left


def _files(
    world: World,
    holds: Callable[[str], bool],
    was_typed: Callable[[str], bool],
    names: frozenset[str],
    changed: list[str],
) -> bool:
    changed += forgotten_files.rewrite(world, holds, names)
    changed += picture_files.sweep(world.settings.data, world.database)
    changed += [typed_lines.FILE] if typed_lines.rewrite(world.settings.data, was_typed) else []
    profile_files.settle(world)
    pages.file(world)
    if world.state.context_path.exists():
        session_context.refresh(world)
    return True


def _record(world: World, records: Sequence[dict[str, Any]]) -> bool:
    record.add(world.home, map(record.of, records))
    return True


def _words(world: World) -> bool:
    rows.compact_words(world.database)
    return True


def _space(world: World, patience: float) -> bool:
    """Rewrite the database and empty its log, which may have to wait for somebody who reads."""
    if world.database.compact():
        return True
    give_up = time.monotonic() + patience
    while time.monotonic() < give_up:
        time.sleep(0.1)
        if world.database.checkpoint():
            return True
    return False


def _index(world: World, patience: float) -> bool:
    """Throw the vector index away, copies set aside included: deleting from it would leave the vectors in its files.

    The process that held it ends first. Chroma writes its files with whatever lies in that process's memory behind
    the vectors, so that an index filled by a process that knew the words could have them in it again (measured: one in
    fifteen did). The next one to ask starts memoryd again; it is filled from the database, and recall goes by the
    database meanwhile.

    On a Chroma server a new index is begun, whose vectors are turned otherwise; how those of the old one were turned is
    known to nobody then, and memoryd has the server delete it as soon as it answers.
    """
    memory = world.settings.data / "memory"
    if host_of(world.settings.data) is not None or not (memory / "chroma").exists():  # all of it is in memory
        with contextlib.suppress(VectorsAway):
            world.vectors.stop()
    for aside in memory.glob("chroma.corrupt-*"):
        trees.remove(aside, ignore_errors=True)
    folder = memory / "chroma"
    give_up = time.monotonic() + patience
    while folder.exists():
        with contextlib.suppress(VectorsAway):
            world.vectors.stop()
        with locked(world.settings.data / "run" / INDEX_LOCK, wait=False) as alone:
            if alone:
                trees.remove(folder, ignore_errors=True)
        if folder.exists():
            if time.monotonic() > give_up:
                return False
            time.sleep(0.1)
    if not _begin_new_index(world, give_up):
        return False
    with contextlib.suppress(VectorsAway):
        world.vectors.nudge()
    return True


def _begin_new_index(world: World, give_up: float) -> bool:
    """Begin a new index on the Chroma server, if anything of ours was ever put on one; False when memoryd holds on."""
    data = world.settings.data
    while (place := tenants.find_place(data)) is not None:
        with contextlib.suppress(VectorsAway):
            world.vectors.stop()
        with locked(data / "run" / INDEX_LOCK, wait=False) as alone:
            if alone:
                tenants.renew(data, place.made_with)
                return True
        if time.monotonic() > give_up:
            return False
        time.sleep(0.1)
    return True


def as_data(outlook: Preview) -> dict[str, Any]:
    """An outlook as plain values, for machines."""
    return {
        "asked": outlook.asked,
        "turns": [
            {"id": refs.name("turn", one.id), "at": stamp(one.at), "speaker": one.speaker, "text": one.text}
            for one in outlook.turns
        ],
        "memories": [
            {"id": refs.name("memory", one.id), "type": one.type, "text": one.content} for one in outlook.memories
        ],
        "rewritten": refs.names("memory", sorted(outlook.rewritten)),
        "tasks": list(outlook.tasks),
        "traces": dict(sorted(outlook.traces.items())),
        "files": dict(outlook.files),
        "backups_until": None if outlook.backups_until is None else stamp(outlook.backups_until.astimezone(UTC)),
        "replaced": list(outlook.replaced),
        "plugin_data": list(outlook.plugin_data),
        "token": outlook.token,
    }
