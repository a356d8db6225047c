"""schedules.json: the shipped jobs, the owner's changes, and errors with their line."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any, Literal

from furoshiki.app.scheduler.rules import Cron, DailyAt, Interval, Timing, parse_when
from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.errors import BadSetting
from furoshiki.maintenance import job_file
from furoshiki.maintenance.job_file import SCRIPTS, SHIPPED

DEFAULTS: Mapping[str, Any] = {
    "zone": "UTC",
    "jitter": 0,
    "timeout": "10 min",
    "catch_up": "none",
    "enabled": True,
    "title": "",
    "about": "",
    "args": [],
}

_UNITS = {"s": 1, "min": 60, "h": 3600}
_LONGEST_TIMEOUT_S = 6 * 3600


@dataclass(frozen=True)
class Entry:
    """One job: script and arguments, timing, zone of its times, time limit in seconds. `title` names it
    to a person."""

    timing: Timing
    script: Path
    zone: Literal["UTC", "user"]
    timeout_s: float
    enabled: bool
    when: str
    title: str
    about: str
    args: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The job's name, by which the owner's file overrides it."""
        return self.timing.name

    @property
    def recorded_as(self) -> str:
        """The name of its script's lock and runs: two jobs may share a script."""
        return self.name if self.args else self.script.stem

    @property
    def rare(self) -> bool:
        """Whether it runs at a time of day: its starts are recorded, for restarts."""
        return isinstance(self.timing.when, DailyAt | Cron)

    def zone_of(self, user: tzinfo) -> tzinfo:
        """Return the zone of its times, given the user's."""
        return user if self.zone == "user" else UTC


def read(own: Path, shipped: Path = SHIPPED, scripts: Path = SCRIPTS) -> dict[str, Entry]:
    """Return every job by name. `own` overrides shipped jobs key by key and may be missing; entries
    for unknown jobs are ignored (`job_file.Said.strange`). Raises BadSetting with file and line."""
    said = job_file.load_jobs(own, shipped, scripts)
    return {name: _entry(where, {**DEFAULTS, **values}, scripts) for name, (where, values) in said.jobs.items()}


def load_given_keys(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the keys given for each job in a file, which may be missing. Raises BadSetting."""
    if not path.exists():
        return {}
    found = (values for _, values in job_file.objects(path, []))
    return {str(values.get("name")): tuple(key for key in values if key != "name") for values in found}


def switch(own: Path, name: str, enabled: bool) -> None:
    """Enable or disable a job in the owner's file, from the brain's next check on; the rest is
    unchanged.

    Raises BadSetting for an invalid file, which is then not changed.
    """
    with locked(own.with_name(f".{own.name}.lock")):
        load_given_keys(own)  # reports errors with their lines
        whole = json.loads(own.read_text(encoding="utf-8")) if own.exists() else {"jobs": []}
        job = next((one for one in whole["jobs"] if one.get("name") == name), None)
        if job is None:
            job = {"name": name}
            whole["jobs"].append(job)
        job["enabled"] = enabled
        write_text(own, json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


def seconds(value: object) -> float:
    """Parse a number of seconds, or text like "30 s", "5 min", "2 h". Raises ValueError."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(s|min|h)", str(value))
    if not match:
        raise ValueError(f'{value!r} is not a length of time; write a number of seconds, "30 s", "5 min" or "2 h"')
    return float(match[1]) * _UNITS[match[2]]


def _entry(where: str, values: Mapping[str, Any], scripts: Path) -> Entry:
    job = f"{where} (job {values['name']})"
    script = scripts / str(values["script"])
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
    shown = (str(values["when"]), str(values["title"]) or timing.name.replace("_", " "), str(values["about"]))
    return Entry(timing, script, values["zone"], timeout, values["enabled"], *shown, tuple(args))


def _jitter(value: object, interval: float | None) -> float:
    if isinstance(value, str) and (match := re.fullmatch(r"(\d+(?:\.\d+)?) ?%", value)):
        if interval is None:
            raise ValueError("jitter in per cent is for intervals; give a time of day seconds")
        return float(match[1]) / 100 * interval
    return seconds(value)
