"""A finished conversation as model input, with the data it is compared with."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from furoshiki.core import refs
from furoshiki.core.timestamps import parse
from furoshiki.language import testimony
from furoshiki.language.testimony import Passage
from furoshiki.language.tokens import cut, estimate
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.mind.inner_life.store import commitments
from furoshiki.mind.inner_life.store.commitments import Commitment
from furoshiki.mind.post_conversation.rules import own_values
from furoshiki.owner.agenda.rules.mind_queue import COME_BACK, Waiting
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.store import anticipations
from furoshiki.owner.user_model.store.anticipations import Anticipation
from furoshiki.world import World

MATERIAL_TOKENS = 12_000  # maximum tokens of a session in one model call

# maximum tokens of a line; a longer message is split into several with the same id
LONGEST_LINE_TOKENS = 800

OVERLAP_TURNS = 6
OVERLAP_TOKENS = 1_000  # maximum overlap of two parts, so that an answer's context is visible

# maximum number of parts; the beginning of a longer session is not read, as its document says
MOST_PARTS = 12

_MONTH = re.compile(r"^(\d{4}-\d{2})$")

_FACTS_KNOWN = 30
_VALUES_LEARNED = 12


@dataclass(frozen=True)
class Part:
    """A part of a session as model input: message ids with their lines."""

    shown: tuple[tuple[int, str], ...]

    @property
    def lines(self) -> list[str]:
        return [line for _, line in self.shown]

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(number for number, _ in self.shown)


@dataclass(frozen=True)
class Session:
    """A conversation and the data to judge it. `values` are the companion's, `known` facts,
    `noted` is what it means to come back to."""

    id: str
    said: tuple[Turn, ...]
    zone: tzinfo
    name: str | None
    companion: str
    known: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    expected: tuple[Anticipation, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    noted: tuple[Waiting, ...] = ()

    @property
    def own(self) -> dict[int, Turn]:
        """Return the user's messages with words of their own, by id, without quoted text."""
        return {turn.id: turn for turn in self.said if turn.speaker == USER and turn.own}

    @property
    def replies(self) -> dict[int, Turn]:
        """Return the companion's messages by id, without reactions."""
        return {turn.id: turn for turn in self.said if turn.speaker == COMPANION and turn.kind != "reaction"}

    @property
    def started_at(self) -> datetime:
        """Return the time of the first message."""
        return self.said[0].at

    @property
    def ended_at(self) -> datetime:
        """Return the time of the last message."""
        return max(turn.at for turn in self.said)

    def moment(self, text: str | None) -> datetime | None:
        """Parse an ISO text, by default in the user's zone (a month: its first day), or None."""
        try:
            return parse(_MONTH.sub(r"\1-01", text.strip()), self.zone) if text else None
        except ValueError:
            return None

    def speaker(self, turn: Turn) -> str:
        """The speaker's name."""
        return {USER: self.name or "User", COMPANION: self.companion}.get(turn.speaker, turn.speaker)

    def parts(self) -> list[Part]:
        """Split the conversation into parts for the model, oldest first, with message ids.

        Each part begins with the end of the part before.
        """
        found: list[Part] = []
        lines: list[tuple[int, str]] = []
        left = MATERIAL_TOKENS
        fresh = False
        for turn in self.said:
            for line in self._lines(turn):
                if fresh and left < estimate(line):
                    found.append(Part(tuple(lines)))
                    lines = _overlap(lines)
                    left = MATERIAL_TOKENS - sum(estimate(text) for _, text in lines)
                lines.append((turn.id, line))
                left -= estimate(line)
                fresh = True
        return [*found, Part(tuple(lines))] if lines else found

    def _lines(self, turn: Turn) -> list[str]:
        clock = turn.at.astimezone(self.zone).strftime("%H:%M")
        return [f"[{turn.id} · {clock}] {self.speaker(turn)}: {piece}" for piece in _pieces(turn)]


def _pieces(turn: Turn) -> list[str]:
    """Split a message at spaces into pieces within the token limit; an empty one gives one piece.
    Foreign text is marked in each."""
    text, found, start = turn.text, list[str](), 0
    while start < len(text) or not found:
        end = _end(text, start)
        inside = [passage for passage in turn.foreign if passage.start < end and passage.end > start]
        foreign = [
            Passage(passage.kind, max(passage.start, start) - start, min(passage.end, end) - start, passage.name)
            for passage in inside
        ]
        found.append(testimony.render_marked(text[start:end], foreign, flat=True))
        start = max(end, start + 1)
    return found


def _end(text: str, start: int) -> int:
    rest = text[start : start + 4 * LONGEST_LINE_TOKENS + 1]  # a token is four bytes, and a character has at least one
    if estimate(rest) <= LONGEST_LINE_TOKENS:
        return start + len(rest)
    head = cut(rest, LONGEST_LINE_TOKENS).removesuffix("…")
    space = head.rfind(" ")
    return start + (space if space > len(head) // 2 else max(1, len(head)))


def _overlap(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the last messages of a part that fit into the overlap."""
    kept: list[tuple[int, str]] = []
    left = OVERLAP_TOKENS
    for number, line in reversed(lines):
        left -= estimate(line)
        if left < 0 or len({one for one, _ in kept} | {number}) > OVERLAP_TURNS:
            break
        kept.append((number, line))
    return kept[::-1]


def gather(world: World, session_id: str) -> Session:
    """Load a session with the companion's knowledge, expectations and commitments at its time."""
    with world.database.read() as db:
        said = tuple(turns.of_session(db, session_id))
        base = Session(session_id, said, user.zone(world, db), user.name(db), world.settings.furoshiki_companion_name)
        if not base.own:
            return base
        at_once = memories.of_ids(db, memories.list_by_turns(db, list(base.own)))
        facts = [memory for memory in at_once if memory.is_current and memory.type in ("semantic", "preference")]
        held = {memory.id: memory.content for memory in (*memories.read_known(db, _FACTS_KNOWN), *facts)}
        return replace(
            base,
            known=tuple(f"[{refs.name('memory', number)}] {content}" for number, content in held.items()),
            values=_values(world, db),
            expected=tuple(anticipations.list_pending(db, base.started_at)),
            commitments=tuple(commitments.active(db)),
            noted=tuple(one for one in mind_queue.list_pending(db) if one.kind in COME_BACK),
        )


def _values(world: World, db: sqlite3.Connection) -> tuple[str, ...]:
    """Return the companion's values: boundaries and soul (the owner's first), and learned ones."""
    written: list[str] = []
    for name in ("BOUNDARIES.md", "SOUL.md"):
        for folder in (world.settings.data / "config", world.config / "identity"):
            if (folder / name).is_file():
                written += own_values.list_values((folder / name).read_text(encoding="utf-8"))
                break
    learned = [
        memory for memory in memories.of_identity(db, _VALUES_LEARNED) if memory.category in {"value", "boundary"}
    ]
    own = [" ".join(memory.content.split()) for memory in learned]
    return tuple(text.replace("{{ name }}", world.settings.furoshiki_companion_name) for text in (*written, *own))
