"""Approved tools, with their descriptions at the time of approval."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from furoshiki.core.database import kv
from furoshiki.extensions.tool_servers.rules.configuration import identity
from furoshiki.extensions.tool_servers.values import Allowed, Permission, Server, Tool

KEY = "tool_servers.allowed"


def read_allowed(db: sqlite3.Connection, servers: Sequence[Server]) -> tuple[Allowed, ...]:
    """Return the approved tools of these servers, by server and tool, including changed ones."""
    held = kv.get(db, KEY, {})
    return tuple(
        Allowed(
            server,
            Tool(name, one["description"], one["schema"], one["pin"]),
            one["permission"],
            changed=bool(one.get("changed")) or one["identity"] != identity(server),
        )
        for server in servers
        for name, one in sorted(held.get(server.name, {}).items())
    )


def allow(db: sqlite3.Connection, server: Server, tool: Tool, permission: Permission, now: datetime) -> None:
    """Approve a tool in its current form; "off" removes the approval."""
    held = kv.get(db, KEY, {})
    of_server: dict[str, Any] = held.setdefault(server.name, {})
    of_server.pop(tool.name, None)
    if permission != "off":
        of_server[tool.name] = {
            "permission": permission,
            "identity": identity(server),
            "pin": tool.pin,
            "description": tool.description,
            "schema": tool.schema,
        }
    kv.put(db, KEY, held, now)


def forbid(db: sqlite3.Connection, server: str, tool: str, now: datetime) -> bool:
    """Remove a tool's approval; False when there was none."""
    held = kv.get(db, KEY, {})
    if held.get(server, {}).pop(tool, None) is None:
        return False
    kv.put(db, KEY, held, now)
    return True


def mark_changed(db: sqlite3.Connection, server: str, tool: str, now: datetime) -> None:
    """Disable a tool that no longer matches its approval, until its owner decides."""
    held: dict[str, dict[str, dict[str, Any]]] = kv.get(db, KEY, {})
    if tool in held.get(server, {}):
        held[server][tool]["changed"] = True
        kv.put(db, KEY, held, now)
