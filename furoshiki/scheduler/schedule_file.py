"""schedules.json: the shipped jobs, what the owner's file changes of them, and which line is wrong when one is."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import ROOT
from furoshiki.scheduler.rules import Interval, Timing, parse_when

SHIPPED = ROOT / "schedules.json"
SCRIPTS = ROOT / "scripts"

DEFAULTS: Mapping[str, Any] = {
    "zone": "UTC",
    "jitter": 0,
    "timeout": "10 min",
    "catch_up": "none",
    "enabled": True,
    "about": "",
    "args": [],
}
KEYS = ("name", "script", "when", *DEFAULTS)

_UNITS = {"s": 1, "min": 60, "h": 3600}
_LONGEST_TIMEOUT_S = 6 * 3600


@dataclass(frozen=True)
class Entry:
    """One job: what to run (with which arguments), when, in whose local time, how long it may take (seconds)."""

    timing: Timing
    script: Path
    zone: Literal["UTC", "user"]
    timeout_s: float
    enabled: bool
    when: str
    about: str
    args: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The job's name, by which the owner's file overrides it."""
        return self.timing.name

    @property
    def recorded_as(self) -> str:
        """The name under which its script keeps its lock and its runs: two jobs may share a script."""
        return self.name if self.args else self.script.stem


def read(own: Path, shipped: Path = SHIPPED, scripts: Path = SCRIPTS) -> dict[str, Entry]:
    """Every job by name. `own` overrides shipped jobs key by key and may be missing. BadSetting names file and line."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for path in (shipped, own):
        if path is own and not path.exists():
            continue
        for where, values in _objects(path):
            name = values.get("name")
            if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]{0,60}", name):
                raise BadSetting(f"{where}: every job has a name of small letters, digits and underscores")
            if f"{path} " in found.get(name, ("", {}))[0]:
                raise BadSetting(f"{where}: a second job called {name}")
            found[name] = (where, {**found.get(name, ("", {}))[1], **values})
    return {name: _entry(where, {**DEFAULTS, **values}, scripts) for name, (where, values) in found.items()}


def said_in(path: Path) -> dict[str, tuple[str, ...]]:
    """The keys that a file, which may be missing, gives of each job it names. BadSetting names file and line."""
    if not path.exists():
        return {}
    found = (values for _, values in _objects(path))
    return {str(values.get("name")): tuple(key for key in values if key != "name") for values in found}


def switch(own: Path, name: str, enabled: bool) -> None:
    """Have a job run, or not, from the brain's next look on: the owner's file says so, and is otherwise what it was.

    Raises BadSetting for a file that cannot be read as it stands; it is not changed then.
    """
    with locked(own.with_name(f".{own.name}.lock")):
        said_in(own)  # its faults, with their lines
        whole = json.loads(own.read_text(encoding="utf-8")) if own.exists() else {"jobs": []}
        job = next((one for one in whole["jobs"] if one["name"] == name), None)
        if job is None:
            job = {"name": name}
            whole["jobs"].append(job)
        job["enabled"] = enabled
        write_text(own, json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


def seconds(value: object) -> float:
    """A number of seconds, or text like "30 s", "5 min", "2 h". ValueError otherwise."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?(s|min|h)", str(value))
    if not found:
        raise ValueError(f'{value!r} is not a length of time; write a number of seconds, "30 s", "5 min" or "2 h"')
    return float(found[1]) * _UNITS[found[2]]


def _entry(where: str, values: Mapping[str, Any], scripts: Path) -> Entry:
    job = f"{where} (job {values['name']})"
    for key in ("script", "when"):
        if key not in values:
            raise BadSetting(f"{job}: {key} is missing")
    script = scripts / str(values["script"])
    if script.name != values["script"] or not script.is_file():
        raise BadSetting(f"{job}: there is no script {values['script']!r} in {scripts}")
    if values["zone"] not in ("UTC", "user"):
        raise BadSetting(f'{job}: zone is "UTC" or "user", not {values["zone"]!r}')
    if values["catch_up"] not in ("none", "once"):
        raise BadSetting(f'{job}: catch_up is "none" or "once", not {values["catch_up"]!r}')
    if not isinstance(values["enabled"], bool):
        raise BadSetting(f"{job}: enabled is true or false, not {values['enabled']!r}")
    args = values["args"]
    if not isinstance(args, list) or not all(isinstance(one, str) for one in args):
        raise BadSetting(f'{job}: args is a list of texts, as ["weather", "1"]')
    try:
        when = parse_when(str(values["when"]))
        jitter = _jitter(values["jitter"], when.seconds if isinstance(when, Interval) else None)
        timing = Timing(values["name"], when, jitter, values["catch_up"])
        timeout = seconds(values["timeout"])
    except ValueError as error:
        raise BadSetting(f"{job}: {error}") from error
    if not 1 <= timeout <= _LONGEST_TIMEOUT_S:
        raise BadSetting(f"{job}: timeout is between 1 s and {_LONGEST_TIMEOUT_S // 3600} h")
    when_, about = str(values["when"]), str(values["about"])
    return Entry(timing, script, values["zone"], timeout, values["enabled"], when_, about, tuple(args))


def _jitter(value: object, interval: float | None) -> float:
    if isinstance(value, str) and (found := re.fullmatch(r"(\d+(?:\.\d+)?) ?%", value)):
        if interval is None:
            raise ValueError("jitter in per cent is for intervals; give a time of day seconds")
        return float(found[1]) / 100 * interval
    return seconds(value)


def _objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The jobs of one file, each with the place it begins at, as words."""
    try:
        text = path.read_text(encoding="utf-8")
        whole = json.loads(text, object_pairs_hook=_no_twins)
    except json.JSONDecodeError as error:
        raise BadSetting(
            f"{path} line {error.lineno}: this is not valid JSON; correct it, or remove the file"
        ) from error
    except RecursionError as error:
        raise BadSetting(f"{path} line 1: nested too deeply") from error
    except (OSError, ValueError) as error:
        raise BadSetting(f"{path}: {error}") from error
    begin = re.search(r'"jobs"\s*:\s*\[', text)
    if not isinstance(whole, dict) or not isinstance(whole.get("jobs"), list) or begin is None:
        raise BadSetting(f'{path} line 1: expected {{"jobs": [ … ]}}')
    decoder, at = json.JSONDecoder(), begin.end()
    for _ in whole["jobs"]:
        while text[at] in " \t\r\n,":
            at += 1
        where = f"{path} line {text.count(chr(10), 0, at) + 1}"
        values, end = decoder.raw_decode(text, at)
        if not isinstance(values, dict):
            raise BadSetting(f"{where}: a job is an object, {{…}}")
        for key in values:
            if key not in KEYS:
                line = text.count("\n", 0, text.index(f'"{key}"', at)) + 1
                near = difflib.get_close_matches(key, KEYS, 1, 0.5)
                hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(KEYS)}"
                raise BadSetting(f"{path} line {line}: {key!r} is not a field of a job{hint}")
        yield where, values
        at = end


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, _ in pairs if sum(1 for other, _ in pairs if other == name) > 1)
        raise ValueError(f"{twice!r} is there twice in one job")
    return found
