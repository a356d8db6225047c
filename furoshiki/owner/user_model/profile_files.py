"""The profile as readable files: memory/user_profile_mini.txt, …_reference.md and …_gaps.json.

They are written from the database, each atomically. If the process dies in between, a mark remains
and the next run writes them.
"""

import json

from furoshiki.core import atomic_files, refs
from furoshiki.core.process.crash_points import point
from furoshiki.owner.user_model.rules import profile as profile_rules
from furoshiki.owner.user_model.rules.profile import Profile
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World

MINI, REFERENCE, GAPS = "user_profile_mini.txt", "user_profile_reference.md", "user_profile_gaps.json"

_LOCK = ".user_profile.lock"


def settle(world: World) -> bool:
    """Write the files if the profile has changed; return whether it had.

    Raises OSError if they cannot be written; the mark then stays.
    """
    folder = world.settings.data / "memory"
    with world.database.read() as db:
        profile = profiles.find_profile(db)
    if profile is None or not profile.unwritten:
        return False
    with atomic_files.locked(folder / _LOCK):
        with world.database.read() as db:
            profile = profiles.find_profile(db)
        if profile is None:
            return False
        for name, text in texts(profile.profile).items():
            atomic_files.write_or_remove(folder / name, f"{text}\n")
            point("profile.file_written")
        with world.database.write() as db:
            profiles.mark_written(db, profile.number, world.now)
    return True


def texts(profile: Profile) -> dict[str, str]:
    """Return the files' texts by name; an empty text means no file."""
    reference = profile_rules.reference_text(profile.reference)
    gaps = [
        {
            "field": gap.field,
            "question": gap.question,
            "confidence": gap.confidence,
            "facts": refs.names("memory", gap.facts),
        }
        for gap in profile.gaps
    ]
    return {
        MINI: profile_rules.mini_text(profile.mini),
        REFERENCE: reference,
        GAPS: json.dumps({"gaps": gaps}, indent=2, ensure_ascii=False) if gaps else "",
    }
