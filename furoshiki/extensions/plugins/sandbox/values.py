"""Values of the sandbox: backend, limits, visible files, and result."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

# the isolation: bubblewrap uses namespaces, Landlock file rules; seccomp is always added
Backend = Literal["bubblewrap", "landlock"]

# the exceeded limit that ended a run, or ""; "stopped": the run was cancelled
Excess = Literal["", "time", "output", "disk", "threads", "stopped"]


@dataclass(frozen=True)
class Limits:
    """Limits of one run. `cpu_s` is the sum of all threads."""

    timeout_s: float = 20.0
    cpu_s: int = 20
    memory_mb: int = 256
    data_mb: int = 50
    data_files: int = 2_000
    output_kb: int = 256
    open_files: int = 64
    threads: int = 32


@dataclass(frozen=True)
class Layout:
    """The visible files of a run.
    `code` is read-only: manifest, scripts, packages, SDK; `data` is its own storage and working
    folder; `script` is run with `imports` first in the module search path."""

    script: Path
    data: Path
    code: tuple[Path, ...]
    imports: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Ended:
    """A run's result: exit code (negative: signal), output (of errors the end), usage."""

    code: int
    stdout: bytes
    stderr: bytes
    excess: Excess = ""
    ms: float = 0.0
    cpu_ms: float = 0.0
