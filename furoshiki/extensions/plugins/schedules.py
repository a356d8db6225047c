"""Cron hooks of enabled plugins as jobs in memory/schedules.json; the owner's jobs stay."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.errors import BadSetting
from furoshiki.extensions.plugins.rules import names
from furoshiki.extensions.plugins.values import Installed

FILE = Path("memory") / "schedules.json"
SCRIPT = "run_plugin.py"

_SPARE_S = 60  # seconds that a job may take in addition to the run itself

# fields of such a job that the owner may change, and which are kept
_THEIRS = ("zone", "jitter", "catch_up", "enabled")


def merge(home: Path, plugins: Iterable[Installed]) -> int:
    """Replace the plugins' jobs by those of the enabled ones; returns their number.

    Raises BadSetting when the file cannot be read; it then stays as it is.
    """
    wanted = {job["name"]: job for plugin in plugins if plugin.state == "enabled" for job in _jobs(plugin)}
    path = home / FILE
    with locked(path.with_name(".schedules.lock")):
        whole = _read(path)
        before = {str(job.get("name")): job for job in whole["jobs"] if _ours(job)}
        kept = [job for job in whole["jobs"] if not _ours(job)]
        made = [
            {**job, **{key: value for key, value in before.get(name, {}).items() if key in _THEIRS}}
            for name, job in wanted.items()
        ]
        after = {**whole, "jobs": kept + made}
        if after != whole:
            write_text(path, json.dumps(after, indent=2, ensure_ascii=False) + "\n")
    return len(made)


def _jobs(plugin: Installed) -> list[dict[str, Any]]:
    if plugin.manifest is None:
        return []
    return [
        {
            "name": names.job_name(plugin.name, str(number)),
            "script": SCRIPT,
            "args": [plugin.name, str(number)],
            "when": f"cron: {entry.when}",
            "zone": "user",
            "timeout": f"{entry.timeout_s + _SPARE_S:g} s",
            "title": plugin.name,
            "about": f"The plugin {plugin.name}: {plugin.manifest.description}",
        }
        for number, entry in enumerate(plugin.manifest.entry_points, 1)
        if entry.hook == "cron"
    ]


def _ours(job: Any) -> bool:
    return isinstance(job, Mapping) and job.get("script") == SCRIPT


def _read(path: Path) -> dict[str, Any]:
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {"jobs": []}
    except (OSError, ValueError, RecursionError) as error:
        raise BadSetting(f"{path} cannot be read ({error}): correct it, then `furoshiki plugins reload`") from error
    if not isinstance(whole, dict) or not isinstance(whole.get("jobs"), list):
        raise BadSetting(f'{path}: expected {{"jobs": [ … ]}}; correct it, then `furoshiki plugins reload`')
    return whole
