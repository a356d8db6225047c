"""Whether a reminder that was just set will ring: only where a process lives on that says it."""

from furoshiki.core.catalogue import later, say
from furoshiki.core.process.locks import LOCKS, lock_held
from furoshiki.messages.store import skill_runs
from furoshiki.world import World

NOTHING_RINGS = later(
    "Nothing rings once this chat is closed: no services run. `scripts/run.sh up` keeps them running "
    "(with TELEGRAM_BOT_TOKEN set, reminders come to Telegram); what was missed is said when I am next there."
)

_SAYING = ("listener", "brain")
_SETTING = ("reminder", "moved", "snoozed")


def find_warning(world: World, turn_key: str) -> str | None:
    """What to say beneath an answer that set a reminder; None where none was set, or something runs that says it."""
    with world.database.read() as db:
        ran = skill_runs.of_turn(db, turn_key, "schedule")
    if not any(name in (one.result.get("data") or {}) for one in ran for name in _SETTING):
        return None
    run_folder = world.settings.data / "run"
    running = any(lock_held(path) for name in _SAYING for path in run_folder.glob(LOCKS[name]))
    return None if running else say(NOTHING_RINGS)
