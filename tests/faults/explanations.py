"""What the doctor's log says of each fault that the long run strikes with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

_MODEL = r"model: a call failed: "
_SENDING = r"listener: nobody knows whether message <number> arrived: "

EXPLAINED: Mapping[str, str] = {
    "listener killed": r"listener: the listener before this one ended without being stopped",
    "memoryd killed": r"memoryd: the memoryd before this one ended without being stopped",
    "brain killed": r"the brain ended .* without being stopped",
    "job killed": r"job: \w+ was ended: interrupted",
    "state spoiled": r"(?:heartbeat-state|session-context)\.json\b.* damaged",
    "index spoiled": r"memoryd: the index was set aside|asked memoryd to rebuild it",
    "clock ahead and back": r"the clock was set forward",
    "disk full": r"of the disk of .* free",
    "model: 429": _MODEL + r"limited",
    "model: 500": _MODEL + r"overloaded",
    "model: 502": _MODEL + r"overloaded",
    "model: 529": _MODEL + r"overloaded",
    "model: reset": _MODEL + r"network",
    "model: garbage": _MODEL + r"garbage",
    "model: empty": _MODEL + r"empty",
    "Telegram: 409": r"listener: telegram\.conflict: ",
    "Telegram: 429": r"listener: Telegram wants nothing more to be sent",
    "Telegram: 500": _SENDING + r"<number>: Internal Server Error",
    "Telegram: 502": _SENDING + r"HTTP <number>",
    "Telegram: answer cut": _SENDING + r"\w*Disconnected",
    "Telegram: refused": _SENDING + r"\w*Disconnected",
    "Telegram: twice": r"listener: <number> updates came again",
    "Telegram: any order": r"listener: <number> updates came in another order",
    "Telegram away": r"listener: Telegram does not answer",
}
"""By the name of the fault: a pattern of the line that explains it."""


def explanation(fault: str, log: Iterable[str]) -> str | None:
    """The first message of a log that explains a fault; None when none does."""
    wanted = re.compile(EXPLAINED[fault])
    messages = (str(json.loads(line)["message"]) for line in log if line.startswith("{"))
    return next((message for message in messages if wanted.search(message)), None)
