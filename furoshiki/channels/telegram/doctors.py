"""Messages that the doctor sent with the same bot: the sender must not take them for its own."""

import json
from pathlib import Path


def messages(notebook: Path, chat_id: str) -> set[int]:
    """Return the ids of the doctor's newest messages in a chat; empty if the file is unreadable."""
    try:
        found = json.loads(notebook.read_text(encoding="utf-8"))["messages"][chat_id]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    return {one for one in found if type(one) is int} if isinstance(found, list) else set()
