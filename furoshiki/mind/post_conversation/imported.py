"""Read the owner's facts from imported conversations, including their name and profile.

The owner names the speaker who is them. Once they accept the price, a model reads the import part
by part; otherwise rules read it at once. Progress is one number per import, stored with the facts.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.language.humanize import plural
from furoshiki.language.tokens import estimate
from furoshiki.memory import facts
from furoshiki.memory.values import Note
from furoshiki.messages.channels import CONSOLE, TELEGRAM
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import USER, Turn
from furoshiki.mind.inner_life import session_context
from furoshiki.mind.post_conversation import fact_reading
from furoshiki.mind.post_conversation.due import IMPORTS, READING_OWED
from furoshiki.mind.post_conversation.fact_reading import Heard, Stretch
from furoshiki.mind.post_conversation.rules.telling import may_tell
from furoshiki.owner.agenda.store import operations
from furoshiki.owner.user_model import profile, user
from furoshiki.world import Report, World

STRETCH_TOKENS = 4_000
MOST_TURNS = 120  # maximum tokens and turns of an import in one model call
MOST_AT_ONCE = 20  # maximum parts read in one run

# estimated tokens sent besides a part's lines; sent twice, for reading and for checking
FRAME_TOKENS = 1_100

ANSWER_SHARE = 0.25  # estimated length of the answers relative to the lines


@dataclass(frozen=True)
class Size:
    """The remaining work of an import: messages, parts, estimated tokens sent and received."""

    turns: int
    stretches: int
    sent: int
    answered: int


def keep_name(db: sqlite3.Connection, source: str, name: str, now: datetime) -> bool:
    """Store the owner's name from an import if none is known; return False if it is not a name."""
    first = turns.of_source(db, source, 0, 1, speaker=USER)
    if not first or user.name(db) is not None or not name.strip() or any(sign.isdigit() for sign in name):
        return False
    subject, predicate = user.NAME
    note = Note(f"They are called {name}.", "semantic", subject, predicate, name, "addressing")
    return facts.learn(db, note, [first[0].id], now, source_tag="import") == "new"


def size(db: sqlite3.Connection, source: str) -> Size:
    """Estimate the remaining work of an import."""
    after, count, parts, sent = _mark(db, source)["to"], 0, 0, 0
    while said := _next(db, source, after):
        after = said[-1].id
        count += len(said)
        if any(turn.speaker == USER for turn in said):
            parts += 1
            sent += 2 * (sum(estimate(turn.text) + 12 for turn in said) + FRAME_TOKENS)
    return Size(count, parts, sent, round((sent - 2 * parts * FRAME_TOKENS) / 2 * ANSWER_SHARE))


def agree(db: sqlite3.Connection, source: str, now: datetime) -> None:
    """Allow a model to read all imported messages; its end is reported to the companion."""
    _put(db, source, now, until=turns.newest_of_source(db, source))
    if operations.in_progress(db, operations.IMPORT, _title(source)) is None:
        owner = accounts.owner(db, TELEGRAM)
        channel, chat_id = (CONSOLE, CONSOLE) if owner is None else (TELEGRAM, owner.chat_id)
        operations.begin(db, operations.IMPORT, _title(source), channel, chat_id, now)


async def read_by_rule(world: World, source: str, *, at_once: bool) -> int:
    """Read an import by rule; return the number of facts stored. The profile follows `at_once`, or
    with the next reading if a model has to write it."""
    kept = 0
    with world.database.read() as db:
        after = _mark(db, source)["ruled"]
    while True:
        with world.database.write() as db:
            said = _next(db, source, after)
            if not said:
                break
            stretch = fact_reading.gather(world, db, said, _own(said), asked=False)
            kept += fact_reading.keep(db, world, stretch, fact_reading.by_rule(stretch))
            after = said[-1].id
            _put(db, source, world.now, ruled=after)
        point("import.read_by_rule")
    if at_once:
        await _follow(world)
    elif kept:
        with world.database.write() as db:
            kv.put(db, READING_OWED, True, world.now)
    return kept


async def read_imports(world: World) -> Report:
    """Continue reading imports, up to the limit of one run."""
    kept = done = 0
    while done < MOST_AT_ONCE:
        found = _find_stretch(world)
        if found is None:
            break
        source, said, stretch = found
        heard = Heard()
        if stretch.new:
            try:
                heard = await fact_reading.read(world, stretch, refs.name("turn", said[-1].id), patient=True)
            except NoMindAnswered as error:
                return Report(bool(done), f"an import is to be read when there is a model: {error}", _data(world, kept))
        point("import.answered")
        kept += _keep(world, source, said, stretch, heard)
        done += 1
    if done:
        await _follow(world)
    data = _data(world, kept)
    left = f", {plural(data['left'], 'message')} to go" if data["left"] else ""
    return Report(bool(done), f"{plural(done, 'stretch', 'stretches')} of imports read, {kept} facts kept{left}", data)


def _data(world: World, kept: int) -> dict[str, int]:
    with world.database.read() as db:
        marks = {one: _mark(db, one) for one in kv.get(db, IMPORTS, {})}
        left = sum(turns.count_of_source(db, one, held["to"], held["until"]) for one, held in marks.items())
    return {"facts": kept, "left": left}


def _find_stretch(world: World) -> tuple[str, Sequence[Turn], Stretch] | None:
    """Return the next part of the first unfinished import, or None."""
    with world.database.read() as db:
        for source in kv.get(db, IMPORTS, {}):
            mark = _mark(db, source)
            said = [turn for turn in _next(db, source, mark["to"]) if turn.id <= mark["until"]]
            if said:
                return source, said, fact_reading.gather(world, db, said, _own(said), asked=True)
    with world.database.write() as db:  # messages removed since are not waited for
        for source in kv.get(db, IMPORTS, {}):
            _end_reading(db, source, world.now)
            _put(db, source, world.now, until=_mark(db, source)["to"])
    return None


def _keep(world: World, source: str, said: Sequence[Turn], stretch: Stretch, heard: Heard) -> int:
    with world.database.write() as db:
        if _mark(db, source)["to"] >= said[-1].id:
            return 0  # another run was quicker
        if len(turns.many(db, [turn.id for turn in said])) < len(said):
            return 0  # some were removed in the meantime: the rest is read again
        kept = fact_reading.keep(db, world, stretch, heard)
        mark = _mark(db, source)
        _put(db, source, world.now, to=said[-1].id, kept=mark["kept"] + kept)
        if not turns.count_of_source(db, source, said[-1].id, mark["until"]):
            _end_reading(db, source, world.now)
        point("import.before_read")
    return kept


def _end_reading(db: sqlite3.Connection, source: str, now: datetime) -> None:
    """End the reading of an import, so that the owner hears of it in the next conversation."""
    reading = operations.in_progress(db, operations.IMPORT, _title(source))
    if reading is not None:
        mark = _mark(db, source)
        learned = plural(mark["kept"], "thing about you was new", "things about you were new")
        how_far = "to its end" if mark["to"] >= mark["until"] else "as far as it was not taken back"
        operations.end(db, reading, True, f"read {how_far}; {learned}", now)


def _title(source: str) -> str:
    return f"reading your import ({source.partition(':')[2] or source})"


async def _follow(world: World) -> None:
    """Update the user's profile and the session context."""
    await profile.refine(world, at_once=True)
    session_context.refresh(world)


def _mark(db: sqlite3.Connection, source: str) -> dict[str, int]:
    """Return an import's progress: read by a model (`to`) and by rule (`ruled`), the model's limit
    (`until`), and facts stored by the model (`kept`)."""
    return {"to": 0, "ruled": 0, "until": 0, "kept": 0, **kv.get(db, IMPORTS, {}).get(source, {})}


def _put(db: sqlite3.Connection, source: str, now: datetime, **moved: int) -> None:
    kv.put(db, IMPORTS, {**kv.get(db, IMPORTS, {}), source: {**_mark(db, source), **moved}}, now)


def _own(said: Sequence[Turn]) -> list[int]:
    return [turn.id for turn in said if turn.speaker == USER and may_tell(turn.own)]


def _next(db: sqlite3.Connection, source: str, after: int) -> list[Turn]:
    """Return the next part of an import, within the limits of one model call."""
    found, left = list[Turn](), STRETCH_TOKENS
    for turn in turns.of_source(db, source, after, MOST_TURNS):
        left -= estimate(turn.text) + 12
        if found and left < 0:
            break
        found.append(turn)
    return found
