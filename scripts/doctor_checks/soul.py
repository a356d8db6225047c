"""The soul engine's tick, which moves the feelings. The brain starts it every 15 minutes."""

from collections.abc import Iterator
from datetime import timedelta

from doctor_checks import files, services
from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look

LATE = timedelta(minutes=20)
STOPPED = timedelta(minutes=60)


def check(look: Look) -> Iterator[Finding]:
    """Check its last tick, once the brain has run long enough."""
    brain = services.running(look, "brain")
    last = files.moment(files.object_of(look.place.data / "memory" / "heartbeat-state.json").get("last_tick_at"))
    if brain is None:
        return
    up = timedelta(seconds=max(0.0, look.awake - brain.started))
    age = up if last is None else min(up, look.now - last)
    if age <= LATE or not look.steady:
        yield well("soul", "the soul engine ticks")
    elif age <= STOPPED:
        yield note("soul", f"the soul engine last ticked {age.total_seconds() / 60:.0f} minutes ago")
    else:
        words = f"the soul engine has not ticked for {age.total_seconds() / 60:.0f} minutes"
        yield wrong("soul", words, "`furoshiki run soul_engine` says why; see `furoshiki logs brain`")
