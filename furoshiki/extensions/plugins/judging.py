"""The result of a run: status, reason and output."""

import signal
from collections.abc import Iterator, Sequence

from furoshiki.extensions.plugins.rules import output
from furoshiki.extensions.plugins.sandbox import boot
from furoshiki.extensions.plugins.sandbox.boot import EXIT, NOT_STARTED
from furoshiki.extensions.plugins.sandbox.values import Ended, Limits
from furoshiki.extensions.plugins.values import Output, Status

LONGEST_TRACEBACK = 4_000
"""Maximum characters of a failed script's last error output, kept for repairs."""

STOPPED = "nobody waited for it any more"

_BUBBLEWRAP = "bwrap: "
"""Prefix of bubblewrap's own errors; its exit code is then 1."""


def judge(ended: Ended, limits: Limits, full: str | None) -> tuple[Status, str, Output]:
    """Return status, reason and output. `no_sandbox` is a guess: a plugin can print the same."""
    nothing = Output()
    errors = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    last = errors[-1] if errors else ""
    match ended.excess:
        case "time":
            return "timeout", f"it took longer than {limits.timeout_s:g} s", nothing
        case "stopped":
            return "timeout", STOPPED, nothing
        case "output":
            return "too_much", f"it printed more than {limits.output_kb} KB", nothing
        case "threads":
            return "too_much", f"it had more than {limits.threads} threads", nothing
    if ended.excess == "disk" or full is not None:
        return "too_much", f"{full or 'its data/ took too much'}: delete some of it in the script", nothing
    if (ended.code == EXIT and last.startswith(NOT_STARTED)) or (ended.code == 1 and last.startswith(_BUBBLEWRAP)):
        return "no_sandbox", last, nothing
    if ended.code == -signal.SIGKILL:
        return "too_much", f"the system ended it: {limits.cpu_s} s of processor were used, or memory ran short", nothing
    if ended.code and last.startswith("MemoryError"):
        return "too_much", f"it wanted more than {limits.memory_mb} MB of memory", nothing
    if ended.code and "[Errno 27]" in last:
        return "too_much", f"it wrote a file larger than {limits.data_mb} MB", nothing
    if ended.code:
        how = f"with signal {-ended.code}" if ended.code < 0 else f"with {ended.code}"
        trace = "\n".join(_of_its_own(errors))[-LONGEST_TRACEBACK:]
        return "failed", f"it ended {how}{f': {last}' if last else ''}", Output(log=trace)
    said = output.read(ended.stdout)
    return ("bad_output", said, nothing) if isinstance(said, str) else ("ok", "", said)


def _of_its_own(errors: Sequence[str]) -> Iterator[str]:
    """Yield a traceback without the frames of the boot script, which are in every traceback."""
    ours = False
    for line in errors:
        if line.startswith("  File ") or not line.startswith("    "):
            ours = line.startswith(f'  File "{boot.__file__}"')
        if not ours:
            yield line
