"""Anthropic's and OpenAI's APIs on loopback, with a scripted model behind them, and with faults on demand.

    with LLMEmulator([Say("hello"), Call("remind", {"when": "18:00"}), answers.too_many(retry_after=2)]) as llm:
        environment = {"ANTHROPIC_BASE_URL": llm.anthropic_url, "ANTHROPIC_API_KEY": "test"}
        llm.when(lambda request: request.schema is not None, {"facts": []})

`python -m tests.emulators.llm --port 8082` runs it alone with the default answers.
"""

from . import answers
from .answers import Answer, Call, Fault, Say, Structured
from .emulator import LLMEmulator
from .request import Request, Turn
from .tokens import count

__all__ = ["Answer", "Call", "Fault", "LLMEmulator", "Request", "Say", "Structured", "Turn", "answers", "count"]
