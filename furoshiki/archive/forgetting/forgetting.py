"""Forgetting: preview what would be deleted, then delete it everywhere, permanently.

First the turns and memories to delete are chosen: those that match, the answers to them,
conclusions from them, and repetitions of names or numbers that only they introduced. Then all
tables and files are searched for these words. No model is used.

The database is changed in one transaction, together with a plan of the steps outside of it (files,
full-text index, free space, vector index). The plan has ids and keyed digests, no words; after a
crash the next process completes it. So either nothing happens, or everything will.
"""

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
from furoshiki.memory.store.tombstones import ASKED
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

STEPS = ("record", "files", "words", "space", "index")

MOST_ROUNDS = 6  # maximum rounds of following repetitions of forgotten words; usually two suffice

SHORTEST_STEM = 3
OBJECT_LETTERS = 4  # minimum letters of a word in a fact's object that is searched elsewhere
ENOUGH_LEFT = 0.5  # share of its evidence that a conclusion needs to stay
WITNESSES = 20  # rows recorded to recognize backups of a complete forgetting
PATIENCE_SECONDS = 20.0  # seconds to wait for the index and for readers of the database
INDEX_LOCK = "chroma.lock"  # memoryd's lock in run/; its holder may change the index's files

log = logging.getLogger(__name__)


class NothingAsked(FuroshikiError):
    """What is to be forgotten? Words, an id (turn:12, memory:3, session:…), a day, or first..last day."""

    exit_code = 2


@dataclass(frozen=True)
class Preview:
    """What would be deleted. `traces` counts rows by table, `files` lines by file; `token`
    identifies it.

    Backups are not changed: `backups_until` is when the last one expires; `plugin_data` are
    replaced plugins' data folders and `replaced` are databases put aside by a restore, which do not
    expire.
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
        return not (self.turns or self.memories or self.traces or self.files)


@dataclass(frozen=True)
class Forgotten:
    """Deleted turns, memories, rows by table, changed files; `left`: steps to finish later."""

    turns: int
    memories: int
    traces: Mapping[str, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def look(world: World, what: str) -> Preview:
    """Return what would be deleted. Changes nothing. Raises NothingAsked."""
    wanted, zone = _parse_wanted(world, what)
    with world.database.read() as db:
        chosen = _choose(world, db, wanted, zone)
        erasure = rows.traces(db, chosen)
        return _outlook(world, db, what, chosen, erasure)


def forget(world: World, what: str, token: str) -> Forgotten | None:
    """Delete what `look` showed; None when that has changed: look and ask again.

    Raises NothingAsked and StorageUnavailable.
    """
    wanted, zone = _parse_wanted(world, what)
    with locked(world.settings.data / backup.FORGETTING_LOCK):
        with world.database.read() as db:  # a read transaction first: this may take seconds
            chosen = _choose(world, db, wanted, zone)
            seen = in_messages.last_turn(db)
        with world.database.write() as db:
            if _has_new_matches(db, chosen, seen):
                return None
            erasure = rows.traces(db, chosen)
            if _token(db, chosen, erasure) != token:
                return None
            _remove(world, db, chosen, erasure)
        point("forgetting.removed")
        changed, left = _finish(world, PATIENCE_SECONDS)
    return Forgotten(len(chosen.turns), len(chosen.memories), _counts(erasure), tuple(changed), tuple(left))


def forget_rows(
    world: World, turns: Collection[int], memories: Collection[int], phrases: Collection[Stemmed], everything: bool
) -> Forgotten:
    """Delete these turns and memories, matches of these phrases, and all that depends on them,
    without asking: they were forgotten before and came back with a backup. `everything`: delete all
    conversations. Raises StorageUnavailable."""
    with locked(world.settings.data / backup.FORGETTING_LOCK):
        with world.database.write() as db:
            stems = Stems()
            if everything:
                chosen = _choose(world, db, Everything(), world.zone)
            else:
                chosen = _expand_chosen(db, stems, set(turns), set(memories), set(phrases), _common(world, db))
            erasure = rows.traces(db, chosen)
            _remove(world, db, chosen, erasure)
        point("forgetting.removed")
        changed, left = _finish(world, PATIENCE_SECONDS)
    return Forgotten(len(chosen.turns), len(chosen.memories), _counts(erasure), tuple(changed), tuple(left))


def _remove(world: World, db: sqlite3.Connection, chosen: Chosen, erasure: Erasure) -> None:
    """Delete from the database, and store the plan for the remaining steps."""
    typed, on_record = _collect_typed_lines(db, chosen), _on_record(world, db, chosen)
    rows.remove(db, chosen, erasure, world.now)
    in_messages.drop_questions(db)
    kv.drop(db, ASKED)
    _write_plan(db, chosen, typed, on_record, world.now)
    point("forgetting.before_commit")


def together(done: Sequence[Forgotten]) -> Forgotten:
    """Return the sum of several places' results."""
    whole = Forgotten(0, 0)
    for forgotten in done:
        tables = {**whole.traces, **forgotten.traces}
        whole = replace(
            whole,
            turns=whole.turns + forgotten.turns,
            memories=whole.memories + forgotten.memories,
            traces={name: whole.traces.get(name, 0) + forgotten.traces.get(name, 0) for name in tables},
            files=(*whole.files, *forgotten.files),
            left=tuple(dict.fromkeys((*whole.left, *forgotten.left))),
        )
    return whole


def finish(world: World, patience: float = PATIENCE_SECONDS) -> tuple[str, ...]:
    """Finish an interrupted forgetting; returns the steps that are still not possible.

    Cheap when there is none. `patience` is how many seconds to wait for locks and readers.
    """
    with world.database.read() as db:
        if kv.get(db, FORGETTING) is None:
            return ()
    with locked(world.settings.data / backup.FORGETTING_LOCK):
        return tuple(_finish(world, patience)[1])


def go_on(world: World) -> Report:
    """Finish an interrupted forgetting, as a step of a script."""
    left = finish(world)
    return Report(True, f"what was forgotten is still in: {', '.join(left)}" if left else "forgotten wholly")


# -- the choice --


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
    """Return names without significance: the companion's and the user's."""
    return [name for name in (world.settings.furoshiki_companion_name, user.name(db)) if name]


def _expand_chosen(
    db: sqlite3.Connection,
    stems: Stems,
    turns: set[int],
    memories: set[int],
    phrases: set[Stemmed],
    common: Sequence[str],
) -> Chosen:
    """Extend the choice by all that depends on it, until nothing more is found."""
    held = {memory.id: memory for memory in in_memory.memories_of(db)}
    links = in_memory.links(db)
    known: dict[str, bool] = {}
    rewritten: dict[int, str] = {}
    searched: set[Stemmed] = set()
    for _ in range(MOST_ROUNDS):
        before = (len(turns), len(memories), len(phrases))
        turns = in_messages.turns_besides(db, turns)
        memories |= {memory.id for memory in held.values() if memory.turns and memory.turns <= turns}
        gone = [one for one in in_messages.turns_of(db, turns) if one.speaker != COMPANION and one.kind != "command"]
        phrases = phrases | _find_unique_phrases(
            db, stems, gone, [held[memory] for memory in memories if memory in held], turns, common, known
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
    """Return names and numbers that only the deleted texts introduced."""
    words = redaction.find_revealing((one.text for one in gone), common)
    objects = {memory.object for memory in memories if memory.object and not memory.own and memory.object not in common}
    phrases: set[Stemmed] = set()
    for word in [*words.certain, *words.perhaps, *objects]:
        phrase = stems.of(word)
        if not _tells(phrase, word in objects):
            continue
        if word not in known or known[word]:
            known[word] = in_messages.has_other_speaker(db, word, turns)
        if known[word]:
            continue
        if word in words.perhaps:
            texts = in_messages.find_texts(db, word) + in_memory.find_texts(db, word)
            if not any(redaction.is_name_within(word, text) for text in texts):
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
    """Return derived memories to delete, as too little evidence is left, and rewritten ones."""
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
        for memory in held.values():
            if not memory.own or memory.id in gone:
                continue
            rests = basis.get(memory.id, set())
            lost = len(rests & gone) + len(memory.turns & set(turns))
            if not lost and memory.id not in holding:
                continue
            left = len(rests - gone) + len(memory.turns - set(turns))
            text = ""
            if left and left >= ENOUGH_LEFT * (left + lost):
                forgotten = [held[other].content for other in rests & gone if other in held]
                forgotten += [said.text for said in in_messages.turns_of(db, memory.turns & set(turns))]
                staying = [held[other].content for other in rests - gone if other in held]
                staying += [said.text for said in in_messages.turns_of(db, memory.turns - set(turns))]
                judge = redaction.either(words, find_tainted(stems, forgotten, staying))
                text = redaction.without(memory.content, judge)
            if not text:
                dropped.add(memory.id)
                rewritten.pop(memory.id, None)
                moving = True
            elif text != memory.content:
                rewritten[memory.id] = text
    return dropped, rewritten


def _has_new_matches(db: sqlite3.Connection, chosen: Chosen, seen: int) -> bool:
    """Return whether matching turns or memories were added since the choice."""
    said = in_messages.turns_of(db, in_messages.find_turns(db, chosen.words, seen))
    held = in_memory.find_memories(db, chosen.words) - chosen.memories - chosen.rewritten.keys()
    return bool(held) or any(one.kind != "command" for one in said)


def _outlook(world: World, db: sqlite3.Connection, what: str, chosen: Chosen, erasure: Erasure) -> Preview:
    backups = world.home / "backups"
    return Preview(
        asked=what,
        turns=tuple(in_messages.turns_of(db, chosen.turns)),
        memories=tuple(in_memory.memories_of(db, chosen.memories)),
        rewritten=chosen.rewritten,
        tasks=tuple(in_agenda.task_title(db, one) for one in sorted(erasure.rows.get("tasks", ()))),
        traces=_counts(erasure),
        files=_files_with(world, db, chosen),
        backups_until=_backups_until(world),
        replaced=tuple(path.name for path in sorted(backups.glob("replaced-*"))),
        plugin_data=tuple(path.relative_to(backups).as_posix() for path in backup.plugin_data(backups)),
        token=_token(db, chosen, erasure),
        everything=chosen.everything,
    )


def _files_with(world: World, db: sqlite3.Connection, chosen: Chosen) -> dict[str, int]:
    data, said = world.settings.data, _collect_typed_lines(db, chosen)
    typed = typed_lines.survey(
        data, lambda line: chosen.everything or typed_lines.same(line) in said or chosen.words(line)
    )
    return forgotten_files.survey(data, chosen.words) | ({typed_lines.FILE: typed} if typed else {})


def _collect_typed_lines(db: sqlite3.Connection, chosen: Chosen) -> frozenset[str]:
    """Return the lines of the deleted turns as the user typed them."""
    return typed_lines.collect_lines(
        one.text for one in in_messages.turns_of(db, chosen.turns) if one.speaker != COMPANION
    )


def _counts(erasure: Erasure) -> dict[str, int]:
    counts = {table: count for table in {*erasure.rows, *erasure.cells} if (count := erasure.count(table))}
    return counts | ({"kv": len(erasure.keys)} if erasure.keys else {})


def _token(db: sqlite3.Connection, chosen: Chosen, erasure: Erasure) -> str:
    """Return a token for exactly these messages, memories and tasks."""
    turns = in_messages.turns_of(db, chosen.turns)
    spoken = [turn.id for turn in turns if turn.kind != "command"]  # the request itself is a turn
    going = sorted(erasure.rows.get("tasks", ()))
    named = [spoken, sorted(chosen.memories), sorted(chosen.rewritten), going]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()[:16]


def _backups_until(world: World) -> datetime | None:
    """Return when the last of today's backups expires, given daily backups; None without any."""
    made = [moment for moment, _ in backup.list_dated(world.home / "backups")]
    return rules.compute_expiry(made, world.now) if made else None


# -- the remaining steps --


def _on_record(world: World, db: sqlite3.Connection, chosen: Chosen) -> Forgetting:
    """Return the record for the backups; of a complete forgetting, only a few rows."""
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
    """Store the remaining steps, without words, merged with those of an earlier forgetting."""
    before = kv.get(db, FORGETTING) or {}
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
    kv.put(db, FORGETTING, plan, now)


def _finish(world: World, patience: float) -> tuple[list[str], list[str]]:
    """Execute the remaining steps; returns the changed files and the steps not possible now."""
    with world.database.read() as db:
        plan = kv.get(db, FORGETTING)
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
    steps: dict[str, Callable[[], bool | None]] = {
        "record": lambda: record.add(world.home, map(record.of, plan.get("records", ()))),
        "files": lambda: _files(world, holds, was_typed, names, changed),
        "words": lambda: rows.compact_words(world.database),
        "space": lambda: _space(world, patience),
        "index": lambda: _index(world, patience),
    }
    left = list(plan["left"])
    for name in STEPS:
        if name not in left:
            continue
        try:
            done = steps[name]() is not False
        except (StorageUnavailable, OSError) as error:
            log.warning("forgetting: %s is not finished yet: %s", name, error)
            done = False
        if done:
            left.remove(name)
            with world.database.write() as db:
                kv.put(db, FORGETTING, {**plan, "left": left}, world.now)
        point(f"forgetting.{name}")
    if not left:
        with world.database.write() as db:
            kv.drop(db, FORGETTING)
        world.database.checkpoint()
    return changed, left


def _files(
    world: World,
    holds: Callable[[str], bool],
    was_typed: Callable[[str], bool],
    names: frozenset[str],
    changed: list[str],
) -> None:
    changed += forgotten_files.rewrite(world, holds, names)
    changed += picture_files.sweep(world.settings.data, world.database)
    changed += [typed_lines.FILE] if typed_lines.rewrite(world.settings.data, was_typed) else []
    profile_files.settle(world)
    pages.file(world)
    if world.state.context_path.exists():
        session_context.refresh(world)


def _space(world: World, patience: float) -> bool:
    """Rewrite the database and empty its log; may have to wait for readers."""
    if world.database.compact():
        return True
    give_up = time.monotonic() + patience
    while time.monotonic() < give_up:
        time.sleep(0.1)
        if world.database.checkpoint():
            return True
    return False


def _index(world: World, patience: float) -> bool:
    """Delete the vector index with all copies: deleting entries would leave the vectors in its
    files. The process that holds it is ended first: Chroma writes uninitialized memory into its
    files, so a new index written by a process that knew the words could contain them (measured: one
    in fifteen did). The next caller starts memoryd again, which fills the index from the database;
    recall uses the database meanwhile. On a Chroma server a new index is begun with a new secret
    rotation of vectors; the old secret is overwritten, and memoryd has the server delete the old
    index as soon as it answers."""
    memory = world.settings.data / "memory"
    if host_of(world.settings.data) is not None or not (memory / "chroma").exists():  # else only in memory
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
    """Begin a new index on the Chroma server, if one was used; False if memoryd keeps its lock."""
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
    """Return a preview as plain values, for JSON."""
    return {
        "asked": outlook.asked,
        "turns": [
            {"id": refs.name("turn", turn.id), "at": stamp(turn.at), "speaker": turn.speaker, "text": turn.text}
            for turn in outlook.turns
        ],
        "memories": [
            {"id": refs.name("memory", memory.id), "type": memory.type, "text": memory.content}
            for memory in outlook.memories
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
