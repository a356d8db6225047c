"""Files of settings: one that cannot be read stops the program, or leaves it with the last good one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from doctor_checks.findings import Finding, well, wrong
from doctor_checks.look import Look
from doctor_checks.road import programs, road


def check(look: Look) -> Iterator[Finding]:
    """Whether every file of settings can be read as what it is."""
    memory, config = look.place.data / "memory", look.place.data / "config"
    faults = list(look.place.mistakes)
    for path in (memory / "operator_settings.json", memory / "schedules.json"):
        faults += [f"{path} {fault}" for fault in _json_fault(path)]
    for path in sorted(config.rglob("*.toml")) if config.is_dir() else ():
        faults += [f"{path} {fault}" for fault in _toml_fault(path)]
    settings, unfit = look.place.settings, programs("credentials").unfit
    faults += [
        words
        for name, value in settings.items()
        if name.endswith(("_API_KEY", "_TOKEN")) and (words := unfit(name, value)) is not None
    ]
    try:
        for address in ("https://api.telegram.org", "http://example.org"):
            road(look.place).proxy(address)
    except OSError as error:
        faults.append(str(error))
    for fault in faults:
        yield wrong(f"settings.{fault.partition(' ')[0]}", fault, "correct the line, or take the file away")
    if not faults:
        yield well("settings", "the files of settings can be read")


def _json_fault(path: Path) -> Iterator[str]:
    try:
        if not isinstance(json.loads(path.read_text(encoding="utf-8-sig")), dict):
            yield "holds no JSON object"
    except FileNotFoundError:
        return
    except OSError as error:
        yield f"cannot be read ({error.strerror})"
    except json.JSONDecodeError as error:
        yield f"line {error.lineno} is not valid JSON"
    except (ValueError, RecursionError):
        yield "is not valid JSON"


def _toml_fault(path: Path) -> Iterator[str]:
    try:
        tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        yield f"cannot be read ({error.strerror})"
    except (ValueError, RecursionError) as error:
        yield f"is not valid TOML ({error})"
