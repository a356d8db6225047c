"""A separate process for each job of a speech engine: it may be slow, crash or be killed without
harm, and its memory is freed at the end."""

import asyncio
import sys
from pathlib import Path

from furoshiki.core.paths import ROOT

LONGEST_REASON = 200


class EngineFailed(Exception):
    """There is no result; the message is the process's last error line, without private content."""


async def ask(program: str, order: bytes, seconds: float, packages: Path | None = None) -> bytes:
    """Run a program (a module) with this input and return its output. `packages` is a folder with
    its engine, if installed separately. Raises EngineFailed, and TimeoutError after `seconds`."""
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", program, *([] if packages is None else [str(packages)])),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )
    except OSError as error:
        raise EngineFailed(f"no process could be started for it ({error.strerror})") from None
    try:
        async with asyncio.timeout(seconds):
            output, complaint = await process.communicate(order)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        lines = complaint.decode("utf-8", "replace").strip().splitlines() or [f"it ended with {process.returncode}"]
        raise EngineFailed(lines[-1][:LONGEST_REASON])
    return output
