"""A tool server its owner named, what it offers, and what of that they allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Permission = Literal["allow", "ask", "off"]
"""Whether a tool may be used: on the owner's own words at once and else with their button, only with the button, or
not at all."""

START_S = 20.0
"""How long a server may take to be there, on top of the time its call has."""


@dataclass(frozen=True)
class Server:
    """One table of `config/tool_servers.toml`: a program that is started here, or a URL.

    A value "setting:NAME" of `env` or `headers` stands for TOOL_<SERVER>_<NAME> in `.env`. `timeout_s` is how long one
    call may take.
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
    """What a server says of one of its tools, cut to size; `pin` is the hash of all it said, uncut."""

    name: str
    description: str
    schema: Mapping[str, Any]
    pin: str


@dataclass(frozen=True)
class Allowed:
    """A tool its owner allowed, as it was then. `changed` says that its server tells something else of it by now."""

    server: Server
    tool: Tool
    permission: Permission
    changed: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of a call: the tool's words, cut to size; of one that failed the cause, in words of ours."""

    ok: bool
    text: str
    changed: bool = False
