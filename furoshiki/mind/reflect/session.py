"""A finished conversation as it is put before a mind: who said what, and what is held against it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from furoshiki.domain import testimony, values
from furoshiki.domain.conversation import COMPANION, USER, Turn
from furoshiki.domain.when import parse
from furoshiki.mind import user
from furoshiki.storage import anticipations, commitments, memories, turns
from furoshiki.storage.anticipations import Anticipation
from furoshiki.storage.commitments import Commitment
from furoshiki.world import World

MATERIAL_TOKENS = 12_000
LONGEST_TURN_TOKENS = 800
_FACTS_KNOWN = 30
_VALUES_LEARNED = 12


@dataclass(frozen=True)
class Session:
    """One conversation with all that is judged by it. `values` are the companion's, `known` facts, both as shown."""

    id: str
    said: tuple[Turn, ...]
    zone: tzinfo
    name: str | None
    companion: str
    known: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    expected: tuple[Anticipation, ...] = ()
    commitments: tuple[Commitment, ...] = ()

    @property
    def own(self) -> dict[int, Turn]:
        """The user's messages by id that hold words of their own; what they only passed on is not among them."""
        return {turn.id: turn for turn in self.said if turn.speaker == USER and turn.own}

    @property
    def replies(self) -> dict[int, Turn]:
        """What the companion said, by id; a reaction alone is no reply."""
        return {turn.id: turn for turn in self.said if turn.speaker == COMPANION and turn.kind != "reaction"}

    @property
    def told(self) -> list[str]:
        """The companion's words: no evidence about the user."""
        return [turn.text for turn in self.replies.values()]

    @property
    def passed_on(self) -> list[str]:
        """What stands in documents, forwards and quotations of the user's messages: no evidence about them, either."""
        found = (testimony.others(turn.text, turn.foreign) for turn in self.said if turn.speaker == USER)
        return [words for words in found if words]

    @property
    def started_at(self) -> datetime:
        """When its first message came."""
        return self.said[0].at

    @property
    def ended_at(self) -> datetime:
        """When its last one did."""
        return max(turn.at for turn in self.said)

    def moment(self, text: str | None) -> datetime | None:
        """The moment behind an ISO text, in the user's zone where it names none; None when there is none."""
        try:
            return parse(text.strip(), self.zone) if text else None
        except ValueError:
            return None

    def speaker(self, turn: Turn) -> str:
        """How whoever spoke is called."""
        return {USER: self.name or "User", COMPANION: self.companion}.get(turn.speaker, turn.speaker)

    def lines(self) -> list[str]:
        """The conversation with message ids, cut from its beginning when it is longer than a mind should be shown."""
        found: list[str] = []
        left = MATERIAL_TOKENS
        for turn in reversed(self.said):
            text = testimony.marked(turn.text, turn.foreign, LONGEST_TURN_TOKENS, flat=True)
            left -= len(text) // 4 + 8
            if left < 0:
                break
            clock = turn.at.astimezone(self.zone).strftime("%H:%M")
            found.append(f"[{turn.id} · {clock}] {self.speaker(turn)}: {text}")
        return found[::-1]


def gather(world: World, session_id: str) -> Session:
    """A session as it stands in the database, with what the companion knew, expected and promised by then."""
    with world.store.read() as db:
        said = tuple(turns.of_session(db, session_id))
        base = Session(session_id, said, user.zone(world, db), user.name(db), world.settings.furoshiki_companion_name)
        if not base.own:
            return base
        return replace(
            base,
            known=tuple(f"[memory:{one.id}] {one.content}" for one in memories.known(db, _FACTS_KNOWN)),
            values=_values(world, db),
            expected=tuple(anticipations.pending(db, base.started_at)),
            commitments=tuple(commitments.active(db)),
        )


def _values(world: World, db: sqlite3.Connection) -> tuple[str, ...]:
    """What it holds to: its boundaries and its soul, the owner's wording first, and what it has come to hold."""
    written: list[str] = []
    for name in ("BOUNDARIES.md", "SOUL.md"):
        for folder in (world.settings.data / "config", world.config / "identity"):
            if (folder / name).is_file():
                written += values.listed((folder / name).read_text(encoding="utf-8"))
                break
    learned = [one for one in memories.of_identity(db, _VALUES_LEARNED) if one.category in {"value", "boundary"}]
    own = [" ".join(one.content.split()) for one in learned]
    return tuple(text.replace("{{ name }}", world.settings.furoshiki_companion_name) for text in (*written, *own))
