"""The sound of a text, made by a process of its own."""

import json
from dataclasses import asdict
from pathlib import Path

from furoshiki.models.speech import engine_process
from furoshiki.models.speech.engine_process import EngineFailed
from furoshiki.models.speech.values import Audio, Voice

BUDGET_SECONDS = 40.0
"""No further sentence is begun after this time: what is said by then is the voice message."""

MOST_SECONDS = 60.0
"""After this time the process is ended."""

PROGRAM = "furoshiki.models.speech.synthesizer"


class CannotSpeak(Exception):
    """No sound came of it; the message says why and what helps, and nothing of what was to be said."""


async def synthesize(voice: Voice, text: str, packages: Path | None = None) -> Audio:
    """The text, said; `packages` is where the engine lies when it was fetched. Raises CannotSpeak."""
    order = json.dumps({**asdict(voice), "text": text, "budget": BUDGET_SECONDS}).encode()
    try:
        output = await engine_process.ask(PROGRAM, order, MOST_SECONDS, packages)
    except TimeoutError:
        raise CannotSpeak(
            f"speaking took more than {MOST_SECONDS:g} s: name a smaller voice in FUROSHIKI_SPEECH_VOICE (those that "
            "end in -low or -medium), or say /voice off"
        ) from None
    except EngineFailed as error:
        raise CannotSpeak(f"speaking did not work: {error}") from None
    head, _, data = output.partition(b"\n")
    return Audio(data, float(head))
