"""Values of tool servers: configuration, tools, approvals and results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# "allow": freely on the owner's own words, otherwise with their button; "ask": only with the
# button; "off": not at all
Permission = Literal["allow", "ask", "off"]

START_S = 20.0  # seconds for starting a server, in addition to the call's timeout


@dataclass(frozen=True)
class Server:
    """A table of `config/tool_servers.toml`: a program to start, or a URL.

    A value "setting:NAME" in `env` or `headers` stands for TOOL_<SERVER>_<NAME> in `.env`.
    `timeout_s` limits one call.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = 20.0


@dataclass(frozen=True)
class Tool:
    """A tool's description, shortened; `pin` is the hash of the whole original."""

    name: str
    description: str
    schema: Mapping[str, Any]
    pin: str


@dataclass(frozen=True)
class Allowed:
    """An approved tool as of its approval. `changed`: the server describes it differently now."""

    server: Server
    tool: Tool
    permission: Permission
    changed: bool = False


@dataclass(frozen=True)
class Outcome:
    """The result of a call: the tool's shortened text, or the cause of a failure."""

    ok: bool
    text: str
