"""A tool server of strangers, named in a data directory, and its tools allowed."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from furoshiki.core.paths import ROOT
from furoshiki.extensions.tool_servers import bridge, configured, permissions
from furoshiki.extensions.tool_servers.values import Permission, Server, Tool
from furoshiki.world import World

SERVER = ROOT / "tests" / "emulators" / "tools" / "server.py"


def named(data: Path, *, note: str = "", url: str = "", timeout_s: float = 10) -> Server:
    """Write the file with one server "demo": the program, or a URL."""
    path = data / configured.FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    how = f"url = {json.dumps(url)}" if url else f"command = {json.dumps(sys.executable)}"
    args = "" if url else f"args = {json.dumps([str(SERVER), f'--note={note}'])}\nenv = {{A = 'b'}}"
    path.write_text(f"[demo]\n{how}\n{args}\ntimeout_s = {timeout_s}\n")
    [server] = configured.servers(data)
    return server


def allow(world: World, server: Server, tool: Tool, permission: Permission = "allow") -> None:
    with world.database.write() as db:
        permissions.allow(db, server, tool, permission, world.now)


def tool(name: str, **properties: str) -> Tool:
    """A tool as its server would tell of it, of which nothing is started."""
    schema = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()}}
    found = bridge.limit_tool(name, f"Does {name}.", schema)
    assert found is not None
    return found


def gone(pid: int) -> bool:
    """Whether a process is over, soon."""
    for _ in range(200):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False
