"""Values of plugins: manifest, output and runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

# when a plugin is run
Hook = Literal["cron", "pre_conversation", "post_conversation", "pre_reflection", "post_reflection", "callable"]

# the reflection that a hook belongs to
Target = Literal["deep", "inner_monologue", "morning", "afternoon", "all"]

# when a callable's result is told: up to normal in the same answer, above it separately
Urgency = Literal["low", "normal", "high", "urgent"]

# a plugin's state: set by its owner, or disabled after failures or changed files
State = Literal["enabled", "disabled", "failing", "changed"]

Origin = Literal["shipped", "proposal", "folder"]

# Result of a run. `too_much`: more output, memory, CPU or disk than allowed.
Status = Literal["ok", "failed", "timeout", "too_much", "bad_output", "changed", "no_sandbox"]


@dataclass(frozen=True)
class Permissions:
    """A plugin's permissions beyond its own folder; none unless requested and approved.

    `network` are its hosts: a name, "*.name" for all subdomains, or "setting:NAME" for the host in
    a setting. `read_mail` and `send_mail` are for the mailbox in its settings.
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
    """A plugin's setting: PLUGIN_<PLUGIN>_<NAME> in `.env`. `required` ones must be set."""

    name: str
    about: str
    secret: bool = False
    required: bool = False
    default: str = ""


@dataclass(frozen=True)
class EntryPoint:
    """An entry point: the script (in its folder) that a hook runs.

    `when` is a cron hook's expression, `targets` are the reflections of reflection hooks. A
    callable has a `tool` name for the model, a purpose, when to use it, and its arguments' JSON
    Schema. `acts` marks external effects: the owner must confirm it when based on others' words;
    `by_tap` always. `priority` orders the plugins of a hook, smallest first; `timeout_s` limits one
    run.
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
    """A run's JSON: text for a prompt, data, topics for the queue, and a log line."""

    context: str = ""
    data: Any = None
    thoughts: Sequence[Mapping[str, Any]] = ()
    log: str = ""


@dataclass(frozen=True)
class Run:
    """One recorded run. `ms` is the elapsed, `cpu_ms` the CPU time, `cost_usd` the models' cost."""

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
        return self.status == "ok"

    @property
    def fault(self) -> str | None:
        """The reason why a successful run could not do its task: its data is {"failed": "…"}."""
        data = self.output.data
        return str(data["failed"]) if isinstance(data, dict) and data.get("failed") else None


@dataclass(frozen=True)
class Installed:
    """A plugin's folder in the data directory. `problems` say in words why it cannot run."""

    name: str
    folder: Path
    manifest: Manifest | None
    state: State
    origin: Origin
    problems: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether the plugin is enabled and has no problems."""
        return self.manifest is not None and self.state == "enabled" and not self.problems
