"""Restoring of our own export: turns, memories with weights and links, sessions, and style.

An export's ids are replaced by new ones, also in references. Existing data stays as it is. Lists,
reminders and the companion's own questions are not restored.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.archive.import_export.store import imports
from furoshiki.archive.import_export.store.exports import LEFT_OUT
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import parse_foreign, stamp
from furoshiki.language import testimony
from furoshiki.language.tables.wish_names import WISHES
from furoshiki.language.testimony import Passage
from furoshiki.memory.store import links, tombstones
from furoshiki.messages.store import sessions
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import USER, NewTurn
from furoshiki.owner.user_model.rules.style_traits import BESIDES, NAMES, Trait, within
from furoshiki.owner.user_model.rules.style_wishes import Wish
from furoshiki.owner.user_model.store import style

_TIMES = ("valid_from", "valid_to", "event_time", "created_at", "last_accessed_at", "cold_since")


class Restoring:
    """The restoring of one file: its ids with their new ids, and what must not come back.

    Anything derived from forgotten words (a memory based on them, their session's document) is not
    restored, as it may repeat them.
    """

    def __init__(self) -> None:
        self._turns: dict[int, int] = {}
        self._memories: dict[int, int] = {}
        self._forgotten: set[int] = set()
        self._thinned: set[str] = set()
        self._replaced: list[tuple[int, int]] = []

    def restore(self, db: sqlite3.Connection, record: Mapping[str, Any]) -> str:
        """Restore one record; returns "added", "known", "forgotten", "restored memories", "left out
        task" … Raises ValueError with the reason when it is unusable."""
        kinds = {
            "turn": self._turn,
            "memory": self._memory,
            "link": self._link,
            "co_access": self._pair,
            "session": self._session,
            "style_dimension": self._trait,
            "style_preference": self._wish,
        }
        kind = record.get("record")
        if kind in LEFT_OUT:
            return f"left out {kind}"
        if kind not in kinds:
            raise ValueError(f"a record of an unknown kind: {str(kind)[:40]!r}")
        try:
            return kinds[kind](db, record)
        except sqlite3.IntegrityError as error:
            raise ValueError(f"a value that cannot be kept ({error})") from error
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"a field is missing or of the wrong kind ({error})") from error

    def settle(self, db: sqlite3.Connection) -> None:
        """Link edited turns to their replacements, as far as these are restored."""
        waiting = []
        for turn_id, by in self._replaced:
            if by in self._turns:
                imports.mark_replaced(db, turn_id, self._turns[by])
            else:
                waiting.append((turn_id, by))
        self._replaced = waiting

    def _turn(self, db: sqlite3.Connection, record: Mapping[str, Any]) -> str:
        came_from = record.get("source", "live")
        source, import_id, reply_to = imports.RESTORED, str(record["id"]), None
        if came_from not in {"live", "owner"} and record.get("import_id") is not None:
            source, import_id = str(came_from), str(record["import_id"])
        if record.get("reply_to") is not None:
            reply_to = self._turns.get(int(record["reply_to"]))
        text = clean(str(record.get("text", "")))
        turn = NewTurn(
            session_id=_text(record, "session"),
            channel=str(record.get("channel", "import")),
            chat_id=str(record.get("chat_id", "")),
            speaker=_text(record, "speaker"),
            text=text,
            at=_moment(record["at"]),
            kind=str(record.get("kind", "text")),
            reply_to=reply_to,
            external_id=record.get("external_id"),
            attachments=record.get("attachments"),
            signals=record.get("signals"),
            source=source,
            import_id=import_id,
            foreign=_foreign(record, text),
        )
        number = int(record["id"])
        if imports.was_forgotten(db, turn):
            self._forgotten.add(number)
            self._thinned.add(turn.session_id)
            return "forgotten"
        turn_id, new = imports.put_back(db, turn)
        self._turns[number] = turn_id
        if record.get("replaced_by") is not None:
            self._replaced.append((turn_id, int(record["replaced_by"])))
        return "added" if new else "known"

    def _memory(self, db: sqlite3.Connection, record: Mapping[str, Any]) -> str:
        names = tombstones.fact(
            record.get("subject"), record.get("predicate"), record.get("object"), _text(record, "content")
        )
        rests_on_it = not self._forgotten.isdisjoint(record.get("turn_ids", ()))
        if rests_on_it or tombstones.is_buried(db, "memory", names, _moment(record["created_at"])):
            return "forgotten"
        for name in ("alpha", "beta"):
            if not float(record.get(name, 1)) > 0:
                raise ValueError(f"{name} must be above 0")
        times = {name: stamp(_moment(record[name])) for name in _TIMES if record.get(name) is not None}
        sources = [self._turns[number] for number in record.get("turn_ids", ()) if number in self._turns]
        accesses = [stamp(_moment(at)) for at in record.get("accesses", ())]
        memory_id, new = imports.put_back_memory(db, {**record, **times}, sources, accesses)
        self._memories[int(record["id"])] = memory_id
        return "restored memories" if new else "known"

    def _link(self, db: sqlite3.Connection, record: Mapping[str, Any]) -> str:
        relation = next((known for known in links.RELATIONS if known == record.get("relation")), None)
        if relation is None:
            raise ValueError(f"an unknown relation: {str(record.get('relation'))[:40]!r}")
        ends = self._both(record, "from", "to")
        if ends is None:
            return "forgotten"
        at = _moment(record["created_at"])
        new = links.link(db, *ends, relation, float(record.get("confidence", 1.0)), at)
        return "restored links" if new else "known"

    def _pair(self, db: sqlite3.Connection, record: Mapping[str, Any]) -> str:
        ends = self._both(record, "a", "b")
        if ends is None:
            return "forgotten"
        new = imports.put_back_pair(db, *ends, float(record.get("count", 1.0)), stamp(_moment(record["last_at"])))
        return "restored pairs" if new else "known"

    def _session(self, db: sqlite3.Connection, record: Mapping[str, Any]) -> str:
        if record.get("session") in self._thinned:
            return "forgotten"
        document = SessionDocument(
            session_id=_text(record, "session"),
            started_at=_moment(record["started_at"]),
            ended_at=_moment(record["ended_at"]),
            topics=tuple(map(str, record.get("topics", ()))),
            document=_text(record, "text"),
            connection_quality=record.get("connection_quality"),
            warmth=record.get("warmth"),
        )
        new = sessions.add(db, document, record.get("authentic"), record.get("grounded"))
        return "known" if new is None else "restored sessions"

    def _trait(self, db: sqlite3.Connection, record: Mapping[str, Any]) -> str:
        name = _among((*NAMES, *BESIDES), record)
        value, baseline = (within(float(record[part])) for part in ("value", "baseline"))
        trait = Trait(name, value, baseline, max(0, int(record["observations"])))
        return "restored measures of style" if style.put_back(db, trait, _moment(record["updated_at"])) else "known"

    def _wish(self, db: sqlite3.Connection, record: Mapping[str, Any]) -> str:
        strength = min(1.0, max(0.0, float(record["strength"])))
        wish = Wish(_among(WISHES, record), strength, _moment(record["updated_at"]))
        return "restored wishes" if style.put_back_wish(db, wish) else "known"

    def _both(self, record: Mapping[str, Any], a: str, b: str) -> tuple[int, int] | None:
        """Return a record's two memories; None if one of them was not restored."""
        found = self._memories.get(int(record[a])), self._memories.get(int(record[b]))
        return None if found[0] is None or found[1] is None else (found[0], found[1])


def _foreign(record: Mapping[str, Any], text: str) -> tuple[Passage, ...]:
    """Return the passages by other authors; for old records, derived from their kind."""
    if record.get("foreign_words") is not None:
        return testimony.read(record["foreign_words"], text)
    if record.get("speaker") != USER:
        return ()
    return testimony.find_undeclared(str(record.get("kind", "text")), text, record.get("attachments"))


def _text(record: Mapping[str, Any], name: str) -> str:
    found = record.get(name)
    if not isinstance(found, str) or not found.strip():
        raise ValueError(f"{name} missing or no text")
    return found


def _among(known: Sequence[str], record: Mapping[str, Any]) -> str:
    name = _text(record, "name")
    if name not in known:
        raise ValueError(f"an unknown name: {name[:40]!r}")
    return name


def _moment(text: Any) -> datetime:
    try:
        return parse_foreign(str(text))
    except ValueError:
        raise ValueError(f"not an ISO-8601 time: {json.dumps(text, default=str)[:40]}") from None
