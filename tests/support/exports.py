"""Files as Telegram Desktop, ChatGPT and Claude export them, in small."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

OWNER, ANIKA, BOB = 111, 222, 333


def message(number: int, at: str, who: int = ANIKA, text: Any = "hello", **more: Any) -> dict[str, Any]:
    """A Telegram message; `at` is the machine's clock, two hours east of Greenwich."""
    names = {OWNER: "Noor Haddad", ANIKA: "Anika", BOB: "Bob"}
    moment = datetime.fromisoformat(f"{at}+02:00")
    entities = [{"type": "plain", "text": text}] if isinstance(text, str) else text
    return {
        "id": number,
        "type": "message",
        "date": at,
        "date_unixtime": str(int(moment.timestamp())),
        "from": names[who],
        "from_id": f"user{who}",
        "text": text,
        "text_entities": entities,
        **more,
    }


def service(number: int, at: str) -> dict[str, Any]:
    """Somebody joined, a call, a pinned message."""
    return {
        "id": number,
        "type": "service",
        "date": at,
        "actor": "Anika",
        "actor_id": f"user{ANIKA}",
        "action": "phone_call",
        "text": "",
        "text_entities": [],
    }


def chat(
    *messages: Any, kind: str = "personal_chat", name: str | None = "Anika", number: int = ANIKA
) -> dict[str, Any]:
    """One chat: a file of its own, or an element of an account's list."""
    return {"name": name, "type": kind, "id": number, "messages": list(messages)}


def account(*chats: dict[str, Any], own: bool = True) -> dict[str, Any]:
    """The export of a whole account."""
    personal = {"user_id": OWNER, "first_name": "Noor", "last_name": "Haddad", "phone_number": "+31", "bio": ""}
    return {
        "about": "Here is the data you requested.",
        **({"personal_information": personal} if own else {}),
        "contacts": {"about": "…", "list": [{"first_name": "Anika", "last_name": "", "date": "2020-01-01T00:00:00"}]},
        "chats": {"about": "This page lists all chats from this export.", "list": list(chats)},
        "left_chats": {"about": "…", "list": []},
    }


def gpt_node(
    name: str, parent: str | None, role: str | None, parts: Any, at: float | None = None, **more: Any
) -> dict[str, Any]:
    """A node of ChatGPT's tree."""
    content = more.pop("content", None) or {"content_type": "text", "parts": parts}
    said = {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": content,
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
        **more,
    }
    return {"id": name, "message": None if role is None else said, "parent": parent, "children": []}


def gpt(*nodes: dict[str, Any], current: str | None, **more: Any) -> dict[str, Any]:
    """One conversation of ChatGPT's export."""
    mapping = {node["id"]: node for node in nodes}
    for node in nodes:
        if node["parent"] in mapping:
            mapping[node["parent"]]["children"].append(node["id"])
    return {
        "title": "Bread",
        "create_time": 1700000000.5,
        "update_time": 1700000900.0,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": current,
        "conversation_id": "c-1",
        "id": "c-1",
        **more,
    }


def claude(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """One conversation of Claude's export."""
    return {
        "uuid": "k-1",
        "name": "Bread",
        "created_at": "2025-02-01T10:00:00.000000Z",
        "updated_at": "2025-02-01T10:05:00.000000Z",
        "account": {"uuid": "a"},
        "chat_messages": list(messages),
        **more,
    }


def claude_message(number: int, sender: str, text: str, **more: Any) -> dict[str, Any]:
    """One message of Claude's export."""
    at = datetime(2025, 2, 1, 10, number, tzinfo=UTC).isoformat().replace("+00:00", "Z")
    return {
        "uuid": f"m-{number}",
        "text": text,
        "content": [{"start_timestamp": at, "stop_timestamp": at, "type": "text", "text": text, "citations": []}],
        "sender": sender,
        "created_at": at,
        "updated_at": at,
        "attachments": [],
        "files": [],
        **more,
    }
