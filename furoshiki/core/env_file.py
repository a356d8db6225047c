"""Writing one setting into a file of settings, leaving every other line as it stands."""

from __future__ import annotations

from pathlib import Path

from furoshiki.core import atomic_files


def put(path: Path, name: str, value: str | None) -> None:
    """Set `name` in the file, or with None take it out. Only its owner may read the file; it is made where there is
    none. Raises OSError."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    kept = [line for line in lines if line.partition("=")[0].strip().removeprefix("export ").strip() != name]
    fresh = [] if value is None else [f"{name}={value}"]
    atomic_files.write_text(path, "".join(f"{line}\n" for line in [*kept, *fresh]))
