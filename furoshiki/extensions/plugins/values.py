"""What a plugin says it is and asks for: its manifest in values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Hook = Literal["cron", "pre_conversation", "post_conversation", "pre_reflection", "post_reflection", "callable"]
"""When a plugin may run."""

Target = Literal["deep", "inner_monologue", "morning", "afternoon", "all"]
"""The reflection a plugin has to do with."""

Urgency = Literal["low", "normal", "high", "urgent"]
"""How soon what a callable found is to be said: up to normal in the same answer, above it as a thought of its own."""

State = Literal["enabled", "disabled", "failing", "changed"]
"""Whether a plugin runs: as its owner said, or switched off after failures, or because its files are not the pinned."""

Origin = Literal["shipped", "proposal", "folder"]

Status = Literal["ok", "failed", "timeout", "too_much", "bad_output", "changed", "no_sandbox"]
"""What became of one run. `too_much` is more output, memory, processor or disk than it may take."""


@dataclass(frozen=True)
class Permissions:
    """What a plugin may do beyond its own folder; nothing unless its manifest asks and its owner agreed.

    `network` are the hosts it may speak to: a name, "*.name" for all below it, or "setting:NAME" for the host in the
    value of one of its own settings. `read_mail` and `send_mail` are about the mailbox that its settings name.
    """

    read_db: bool = False
    write_mind_queue: bool = False
    write_db: bool = False
    llm: bool = False
    network: tuple[str, ...] = ()
    read_mail: bool = False
    send_mail: bool = False


@dataclass(frozen=True)
class PluginSetting:
    """A setting of a plugin's own: PLUGIN_<PLUGIN>_<NAME> in `.env`. Without one that is `required` it does not run."""

    name: str
    about: str
    secret: bool = False
    required: bool = False
    default: str = ""


@dataclass(frozen=True)
class EntryPoint:
    """One thing a plugin does: the script (below its folder) that a hook starts.

    `when` is the cron expression of a cron hook, `targets` the reflections of the reflection hooks; of a callable
    `tool` is its name for the model, with what it is for, when to use it and the JSON Schema of its arguments. `acts`
    marks a callable with effects outside: it needs the owner's button when it rests on words of others; one that is
    `by_tap` needs it always. `priority`
    orders the plugins of a hook, the smallest first; `timeout_s` is how long one run may take.
    """

    hook: Hook
    script: str
    when: str = ""
    targets: tuple[Target, ...] = ()
    priority: int = 50
    timeout_s: float = 20.0
    tool: str = ""
    description: str = ""
    when_to_use: str = ""
    args_schema: Mapping[str, Any] = field(default_factory=dict)
    urgency: Urgency = "normal"
    acts: bool = False
    by_tap: bool = False


@dataclass(frozen=True)
class Manifest:
    """The front matter of PLUGIN.md. `requirements` are pinned packages ("icalendar==6.3.1")."""

    name: str
    version: str
    description: str
    author: str
    licence: str
    min_furoshiki: str
    entry_points: tuple[EntryPoint, ...]
    permissions: Permissions
    settings: tuple[PluginSetting, ...] = ()
    requirements: tuple[str, ...] = ()


@dataclass(frozen=True)
class Output:
    """The one JSON object a run printed, as far as it fits: words for a prompt, data, thoughts for the queue, a line
    for the log."""

    context: str = ""
    data: Any = None
    thoughts: Sequence[Mapping[str, Any]] = ()
    log: str = ""


@dataclass(frozen=True)
class Run:
    """One run of one entry point, on record. `ms` passed, `cpu_ms` were worked, `cost_usd` were spent on a model."""

    plugin: str
    hook: Hook
    status: Status
    output: Output = Output()
    error: str = ""
    ms: float = 0.0
    cpu_ms: float = 0.0
    cost_usd: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether it did what it is for."""
        return self.status == "ok"

    @property
    def fault(self) -> str | None:
        """Why a run that is well could not do what was asked of it, in its own words: its data is {"failed": "…"}."""
        data = self.output.data
        return str(data["failed"]) if isinstance(data, dict) and data.get("failed") else None


@dataclass(frozen=True)
class Installed:
    """A plugin's folder in the data directory. `problems` are words for people about what keeps it from running."""

    name: str
    folder: Path
    manifest: Manifest | None
    state: State
    origin: Origin
    problems: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether its owner enabled it and nothing is in its way."""
        return self.manifest is not None and self.state == "enabled" and not self.problems
