"""Memory and CPU of our processes. One over its limit for half an hour is restarted."""

from collections.abc import Callable, Iterator
from typing import Any

from doctor_checks import files, processes, services
from doctor_checks.findings import Finding, mended, well
from doctor_checks.look import Look

MIB = 1024 * 1024
# three times the usual need; more means a leak
RESIDENT = {"listener": 400 * MIB, "brain": 150 * MIB, "memoryd": 700 * MIB}

# shares of one core. memoryd may work for hours on an import
CPU_SHARE = {"listener": 0.8, "brain": 0.5}

LONG_SECONDS = 30 * 60.0
MODELS = ("FUROSHIKI_MODEL_", "FUROSHIKI_VOICE_MODEL")


def check(look: Look, find: Callable[[int], processes.Process | None] = processes.process) -> Iterator[Finding]:
    """Check that each is within its limits."""
    over = False
    for name, process in _ours(look, find):
        why = _too_much(look, name, process)
        if why is not None:
            over = True
            yield _restarted(look, name, process, why)
    if not over:
        yield well("usage", "memory and CPU are within their limits")


def _ours(look: Look, find: Callable[[int], processes.Process | None]) -> Iterator[tuple[str, processes.Process]]:
    seen: set[int] = set()
    for name in services.LOCKS:
        sign = services.sign_of(look, name)
        process = None if sign is None else find(sign.pid)
        if process is not None and process.ours and process.pid not in seen:  # both may be one process
            seen.add(process.pid)
            yield name, process
    pid = None if look.place.in_host else processes.holder(look.place.run / "chroma.lock")  # shared there
    process = find(pid) if pid else None
    if process is not None and process.ours:
        yield "memoryd", process


def _too_much(look: Look, name: str, process: processes.Process) -> str | None:
    """Return why it has been over a limit for too long; None if not."""
    page = look.notebook.part("usage")
    before: dict[str, Any] = page[name] if isinstance(page.get(name), dict) else {}
    if (before.get("pid"), before.get("started"), before.get("boot")) != (process.pid, process.started, look.boot):
        before = {}
    limit = _resident_limit(look, name)
    passed = look.awake - _seconds(before.get("awake"), look.awake)
    share = (process.cpu_s - _seconds(before.get("cpu"), process.cpu_s)) / passed if passed > 1 else 0.0
    why = None
    if process.resident > limit:
        why = f"the {name} has {files.megabytes(process.resident)} of memory, over its {files.megabytes(limit)}"
    elif share > CPU_SHARE.get(name, float("inf")):
        why = f"the {name} uses {share:.0%} of a core"
    since = None if why is None else _seconds(before.get("since"), look.awake)
    page[name] = {
        "pid": process.pid,
        "started": process.started,
        "boot": look.boot,
        "awake": look.awake,
        "cpu": process.cpu_s,
        "since": since,
    }
    return why if since is not None and look.awake - since >= LONG_SECONDS else None


def _restarted(look: Look, name: str, process: processes.Process, why: str) -> Finding:
    long = f"{why} for half an hour"
    if name == "memoryd":
        if not look.dry:
            services.end(process)
        words = f"{long}: {look.did('ended it', 'end it')}; it comes back when it is needed"
        return mended(f"usage.{name}", words, comes_back=True)
    found = services.restart(look, name, long, process)
    return found if found.state == "wrong" else mended(f"usage.{name}", found.words, comes_back=True)


def _resident_limit(look: Look, name: str) -> int:
    """Return the memory limit; a model inside the listener may use half of the machine's memory."""
    inside = any(
        setting.startswith(MODELS) and (value.startswith("local:") or setting.endswith("VOICE_MODEL"))
        for setting, value in look.place.settings.items()
        if value != "local:reflex"
    )
    limit = RESIDENT[name]
    if name != "listener" or not inside:
        return limit
    words = (files.text_of(processes.PROC / "meminfo") or "").split()
    whole = int(words[1]) * 1024 if len(words) > 1 and words[1].isdigit() else 0
    return max(limit, whole // 2)


def _seconds(value: object, else_: float) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else else_
