"""What is put around a plugin, in values: by which means, what it may see, and how much it may use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Backend = Literal["bubblewrap", "landlock"]
"""Who keeps files and processes apart: bubblewrap by namespaces, Landlock by rules; the seccomp filter is the same."""

Excess = Literal["", "time", "output", "disk", "threads", "stopped"]
"""What of a run was over its limit, so that it was ended; "" when nothing was. `stopped` when nobody waits for it any
more."""


@dataclass(frozen=True)
class Limits:
    """How much one run may use. A processor's seconds count over all its threads."""

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
    """What one run can see. `code` is read-only: its manifest, scripts, packages, the module for authors; `data` is its
    own storage and where it stands; `script` is started, with `imports` before the standard library."""

    script: Path
    data: Path
    code: tuple[Path, ...]
    imports: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Ended:
    """How a run ended: the exit code (negative: the signal), what it printed (of the errors the end), what it used."""

    code: int
    stdout: bytes
    stderr: bytes
    excess: Excess = ""
    ms: float = 0.0
    cpu_ms: float = 0.0
