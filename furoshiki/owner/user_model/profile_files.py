"""The profile as files that a person can read: memory/user_profile_mini.txt, …_reference.md and …_gaps.json.

They are written from the profile in the database, each whole or not at all. A process that dies in between leaves a
mark, and the next one writes them.
"""

import json
from pathlib import Path

from furoshiki.core import atomic_files, refs
from furoshiki.core.process.crash_points import point
from furoshiki.owner.user_model.rules import profile as profile_rules
from furoshiki.owner.user_model.rules.profile import Profile
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World

MINI, REFERENCE, GAPS = "user_profile_mini.txt", "user_profile_reference.md", "user_profile_gaps.json"

_LOCK = ".user_profile.lock"


def settle(world: World) -> bool:
    """Bring the files up to what the database holds; returns whether there was anything to write.

    Raises OSError when they cannot be written; the mark then stays.
    """
    folder = world.settings.data / "memory"
    with world.database.read() as db:
        found = profiles.find_profile(db)
    if found is None or not found.unwritten:
        return False
    with atomic_files.locked(folder / _LOCK):
        with world.database.read() as db:
            found = profiles.find_profile(db)
        if found is None:
            return False
        for name, text in texts(found.profile).items():
            _put(folder / name, text)
            point("profile.file_written")
        with world.database.write() as db:
            profiles.mark_written(db, found.number, world.now)
    return True


def texts(profile: Profile) -> dict[str, str]:
    """What the files say, by their names; an empty text is no file."""
    reference = profile_rules.reference_text(profile.reference)
    gaps = [
        {
            "field": one.field,
            "question": one.question,
            "confidence": one.confidence,
            "facts": refs.names("memory", one.facts),
        }
        for one in profile.gaps
    ]
    return {
        MINI: profile_rules.mini_text(profile.mini),
        REFERENCE: reference,
        GAPS: json.dumps({"gaps": gaps}, indent=2, ensure_ascii=False) if gaps else "",
    }


def _put(path: Path, text: str) -> None:
    if text.strip():
        atomic_files.write_text(path, f"{text}\n")
    elif path.exists():
        path.unlink(missing_ok=True)
        atomic_files.sync_folder(path.parent)
