"""config/SELF.md, the companion's self-description; only this module writes the file.

Every version is first stored in the drift log, with the text before it; the file is written after
the commit, or by the next call. The log is the history, except for forgotten text. The owner's
manual edits win: the next reflection starts from them, and a pending change is set aside.
"""

import contextlib
import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.process.crash_points import point
from furoshiki.language import redaction
from furoshiki.mind.inner_life.rules import self_description
from furoshiki.mind.inner_life.store import drift
from furoshiki.mind.inner_life.store.drift import Drift
from furoshiki.owner.user_model import user
from furoshiki.world import World

NAME = "SELF.md"

# the folder in the data directory for proposals to the owner, as text files
PROPOSALS = "proposals"

BY_HAND = "SELF.md had been changed by hand, and that is what I went on from."
OVERTAKEN = "SELF.md was changed by hand before this could be written, so what stood there stays."


NOTHING = later("No changes proposed: `furoshiki self --history` shows earlier ones.")
CHANGED = later(
    "SELF.md has changed since this was proposed, and accepting it would undo that: decline it, or edit the file."
)


class NothingProposed(FuroshikiError):
    """No changes proposed: `furoshiki self --history` shows earlier ones."""


class Unreadable(FuroshikiError):
    """SELF.md is not UTF-8 text: save it as UTF-8, or remove it to begin with the shipped one."""


def path(data: Path) -> Path:
    """Return the path of the companion's own description. The shipped one is used until it
    exists."""
    return data / "config" / NAME


def text(world: World) -> str:
    """Return the current self-description. Raises Unreadable."""
    for one in (path(world.settings.data), world.config / "identity" / NAME):
        if one.is_file():
            try:
                return one.read_text(encoding="utf-8").strip()
            except UnicodeDecodeError as error:
                raise Unreadable(f"{one} is not UTF-8 text: save it as UTF-8, or remove it") from error
    return ""


def was_edited(world: World) -> bool:
    """Return whether the file was edited by hand. A file that the owner supplied from the start
    does not count."""
    with world.database.read() as db:
        seen = drift.find_last_seen(db)
    return seen is not None and seen[1] != digest(text(world))


def settle(world: World) -> bool:
    """Bring the file up to date with the log; return whether anything was done. Raises OSError.

    A change that does not start from the file's present text is set aside.
    """
    with world.database.read() as db:
        done = not drift.unwritten(db) and not _find_leftovers(world, drift.proposal(db))
    if done:
        return False
    with _lock(world):
        with world.database.read() as db:
            waiting, proposed = drift.read_unfiled(db), drift.proposal(db)
        for one in waiting:
            _file(world, one)
        for old in _find_leftovers(world, proposed):
            _put(old, "")
        if proposed is not None and proposed.filed_at is None:
            _propose(world, proposed)
    return True


def accept(world: World) -> Drift:
    """Put a proposal into force. Raises NothingProposed, FuroshikiError and FuroshikiError."""
    settle(world)
    with _lock(world), world.database.write() as db:
        found = drift.proposal(db)
        if found is None:
            raise NothingProposed(NOTHING)
        if not self_description.same(found.before, text(world)):
            raise FuroshikiError(CHANGED)
        drift.decide(db, found.id, "accepted", world.now)
    point("self.decided")
    try:
        settle(world)
    except OSError as error:
        raise FuroshikiError(
            say("accepted, but SELF.md can't be written right now ({error}); the next run will try again", error=error)
        ) from error
    return found


def decline(world: World) -> Drift:
    """Decline a proposal; it stays in the log. Raises NothingProposed."""
    with world.database.write() as db:
        found = drift.proposal(db)
        if found is None:
            raise NothingProposed(NOTHING)
        drift.decide(db, found.id, "declined", world.now)
    with contextlib.suppress(OSError):  # the next call deletes its file
        settle(world)
    return found


def forget(world: World, holds: Callable[[str], bool]) -> bool:
    """Remove forgotten text from the file; return whether it changed.

    The log is already cleaned: own text is rebuilt from it, the owner's text loses sentences.
    """
    changed = settle(world)
    with _lock(world):
        ours = path(world.settings.data)
        if not ours.is_file() or not holds(before := ours.read_text(encoding="utf-8", errors="replace")):
            return changed
        _put(ours, redaction.without(before, holds))
    return True


def digest(words: str) -> str:
    """Return a digest of a text that ignores line breaks."""
    return hashlib.sha256(" ".join(words.split()).encode()).hexdigest()


def _file(world: World, one: Drift) -> None:
    """Write one version to the file, unless the file was edited since."""
    try:
        found = text(world)
    except Unreadable:
        found = None
    with world.database.read() as db:
        seen = drift.find_last_seen(db)
    ours = found is not None and (
        seen == (one.id, digest(found))  # already written, then cut by a deletion
        or self_description.same(found, one.before)
        or self_description.same(found, one.text)
    )
    if found is not None and ours and not self_description.same(found, one.text):
        _put(path(world.settings.data), one.text)
        point("self.file_written")
    with world.database.write() as db:
        if ours:
            drift.mark_filed(db, one.id, digest(one.text), world.now)
        else:
            drift.overtaken(db, one.id, world.now, OVERTAKEN)


def _propose(world: World, one: Drift) -> None:
    zone = user.zone_of(world)
    words = world.prompts.render(
        "deep_reflection/proposal",
        companion=world.settings.furoshiki_companion_name,
        day=one.at.astimezone(zone).strftime("%A, %-d %B %Y"),
        share=f"{one.changed_share:.0%}",
        why=[reason.text for reason in one.reasons if reason.kind != "sentence"],
        diff=one.diff,
        text=one.text,
    )
    _put(_proposal_path(world, one), words)
    point("self.proposal_written")
    with world.database.write() as db:
        drift.mark_shown(db, one.id, world.now)


def _proposal_path(world: World, one: Drift) -> Path:
    return world.settings.data / PROPOSALS / f"self-{one.at:%Y-%m-%d}-{one.id}.md"


def _find_leftovers(world: World, proposed: Drift | None) -> list[Path]:
    found = (world.settings.data / PROPOSALS).glob("self-*.md")
    return [one for one in found if proposed is None or one != _proposal_path(world, proposed)]


def _put(file: Path, words: str) -> None:
    """Write SELF.md or a proposal; only this function does."""
    atomic_files.write_or_remove(file, f"{words.strip()}\n")


def _lock(world: World) -> AbstractContextManager[bool]:
    return atomic_files.locked(world.settings.data / "run" / "self.lock")
