"""The sound of a text, made by a process of its own: it can take long, break or die there without harm, and what it
took is given back when it ends."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict

from furoshiki.core.paths import ROOT
from furoshiki.models.speech.values import Audio, Voice

BUDGET_SECONDS = 40.0
"""No further sentence is begun after this time: what is said by then is the voice message."""

MOST_SECONDS = 60.0
"""After this time the process is ended."""

PROGRAM = "furoshiki.models.speech.synthesizer"

LONGEST_REASON = 200


class CannotSpeak(Exception):
    """No sound came of it; the message says why and what helps, and nothing of what was to be said."""


async def synthesized(voice: Voice, text: str) -> Audio:
    """The text, said. Raises CannotSpeak."""
    order = json.dumps({**asdict(voice), "text": text, "budget": BUDGET_SECONDS}).encode()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", PROGRAM),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )
    except OSError as error:
        raise CannotSpeak(f"speaking: no process could be started for it ({error.strerror})") from None
    try:
        async with asyncio.timeout(MOST_SECONDS):
            output, complaint = await process.communicate(order)
    except TimeoutError:
        raise CannotSpeak(
            f"speaking took more than {MOST_SECONDS:g} s: name a smaller voice in FUROSHIKI_SPEECH_VOICE (those that "
            "end in -low or -medium), or say /voice off"
        ) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        lines = complaint.decode("utf-8", "replace").strip().splitlines() or [f"it ended with {process.returncode}"]
        raise CannotSpeak(f"speaking did not work: {lines[-1][:LONGEST_REASON]}")
    head, _, data = output.partition(b"\n")
    return Audio(data, float(head))
