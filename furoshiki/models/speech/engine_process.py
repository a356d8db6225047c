"""A process for each work of an engine: it can take long, break or die there without harm, and what it took is given
back when it ends."""

import asyncio
import sys
from pathlib import Path

from furoshiki.core.paths import ROOT

LONGEST_REASON = 200


class EngineFailed(Exception):
    """Nothing came of it; the message is the last line of what the process said, without what was heard or said."""


async def ask(program: str, order: bytes, seconds: float, packages: Path | None = None) -> bytes:
    """What a program (a module) answers to an order on its input. `packages` is a folder that holds its engine, where
    that is not installed with everything else. Raises EngineFailed, and TimeoutError after so many seconds."""
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
