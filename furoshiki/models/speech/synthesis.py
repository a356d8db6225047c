"""Speech synthesis in a separate process."""

import json
from dataclasses import asdict
from pathlib import Path

from furoshiki.models.speech import engine_process
from furoshiki.models.speech.engine_process import EngineFailed
from furoshiki.models.speech.values import Audio, Voice

BUDGET_SECONDS = 40.0  # no sentence is begun after this many seconds; the voice message ends there
MOST_SECONDS = 60.0  # the process is killed after this many seconds

PROGRAM = "furoshiki.models.speech.synthesizer"


class CannotSpeak(Exception):
    """There is no sound; the message gives cause and fix, without the text to speak."""


async def synthesize(voice: Voice, text: str, packages: Path | None = None) -> Audio:
    """Speak the text; `packages` is the folder of a downloaded engine. Raises CannotSpeak."""
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
