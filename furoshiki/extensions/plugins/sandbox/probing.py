"""Selection of the sandbox backend: each is started once and tested with forbidden actions.

Also a program, for the doctor: `python -m furoshiki.extensions.plugins.sandbox.probing
[auto|bubblewrap|landlock]` prints the result as JSON. It imports only the standard library and
modules of this folder.
"""

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

from furoshiki.extensions.plugins.sandbox.command import CannotHold, command
from furoshiki.extensions.plugins.sandbox.supervising import supervise
from furoshiki.extensions.plugins.sandbox.values import Backend, Layout, Limits

Wanted = Literal["auto", "bubblewrap", "landlock"]

_LIMITS = Limits(timeout_s=10, cpu_s=5, data_mb=1)

_TRIES = """
import os, socket, sys
def refused(what):
    try:
        what()
    except OSError:
        return True
    return False
open("mine", "w").close()
outside = sys.stdin.read()
held = {
    "it could read a file outside": refused(lambda: open(outside)),
    "it could write outside": refused(lambda: open(outside + ".new", "w")),
    "it could make a socket": refused(socket.socket),
    "it could start a process": refused(os.fork),
}
print(next((what for what, was_refused in held.items() if not was_refused), "held"))
"""


@dataclass(frozen=True)
class Found:
    """The working backend, or None; and why each other one that was tried does not work."""

    backend: Backend | None
    reasons: dict[Backend, str]

    @property
    def words(self) -> str:
        """Why no backend works, in words."""
        return "; ".join(f"{name}: {why}" for name, why in self.reasons.items())


# Working backends of this process. Failures are not cached: one may be installed later.
_working: dict[Wanted, Found] = {}


def choose_backend(wanted: Wanted) -> Found:
    """Return the backend to use, tested once in a process. Plugins never run without one."""
    if wanted not in _working:
        here = _try_backends(wanted)
        if here.backend is None:
            return here
        _working[wanted] = here
    return _working[wanted]


def fault_now(wanted: Wanted, backend: Backend) -> str | None:
    """Return why a backend stopped working (the next run then searches again), or None."""
    why = fault(backend)
    if why is not None:
        _working.pop(wanted, None)
    return why


def _try_backends(wanted: Wanted) -> Found:
    reasons: dict[Backend, str] = {}
    for backend in get_args(Backend) if wanted == "auto" else (wanted,):
        why = fault(backend)
        if why is None:
            return Found(backend, reasons)
        reasons[backend] = why
    return Found(None, reasons)


def fault(backend: Backend) -> str | None:
    """Return why a backend does not work here, in words; None if it does."""
    with tempfile.TemporaryDirectory(prefix="furoshiki-probe-") as folder:
        secret, script, data = (Path(folder) / name for name in ("secret", "script.py", "data"))
        secret.write_text("secret")
        script.write_text(_TRIES)
        data.mkdir()
        try:
            started = command(backend, Layout(script, data, code=(script,)), _LIMITS)
            ended = supervise(backend, started, str(secret).encode(), _LIMITS, data)
        except (CannotHold, OSError) as error:
            return str(error)
    printed = ended.stdout.decode("utf-8", "replace").strip()
    if ended.code == 0 and printed == "held":
        return None
    said = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    return printed or _explain_fault(
        said[-1] if said else f"it ended with {ended.code}{' (too slow)' * bool(ended.excess)}"
    )


def _explain_fault(said: str) -> str:
    if "uid map" in said or "Creating new namespace" in said or "No permissions to create" in said:
        return (
            f"{said}: this system does not let a user have namespaces (Ubuntu since 23.10: give bwrap a profile in "
            "/etc/apparmor.d, or `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`)"
        )
    return said


def main() -> int:
    """Print the result as JSON; returns 1 when no backend works."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else "auto"
    here = choose_backend(cast(Wanted, wanted) if wanted in get_args(Wanted) else "auto")
    sys.stdout.write(json.dumps({"backend": here.backend, "why": here.words}) + "\n")
    return 0 if here.backend else 1


if __name__ == "__main__":
    sys.exit(main())
