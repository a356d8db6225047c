"""What the doctor has sent with the same bot, straight to Telegram: the sender must not take it for its own."""

import json
from pathlib import Path


def messages(notebook: Path, chat_id: str) -> set[int]:
    """The ids of the doctor's newest messages in a chat, from its `run/doctor.json`; none when that cannot be read."""
    try:
        found = json.loads(notebook.read_text(encoding="utf-8"))["messages"][chat_id]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    return {one for one in found if type(one) is int} if isinstance(found, list) else set()
