"""The jobs in the shipped schedules.json and the owner's, with unknown parts reported."""

import difflib
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import ROOT

SHIPPED = ROOT / "schedules.json"
SCRIPTS = ROOT / "scripts"

KEYS = ("name", "script", "when", "zone", "jitter", "timeout", "catch_up", "enabled", "title", "about", "args")


@dataclass(frozen=True)
class Said:
    """The jobs by name, each with its last place and merged values; and a sentence for each skipped
    job or field (of another release, or misspelled)."""

    jobs: dict[str, tuple[str, dict[str, Any]]]
    strange: list[str]


def load_jobs(own: Path, shipped: Path = SHIPPED, scripts: Path = SCRIPTS) -> Said:
    """Load both files, the owner's (optional) over the shipped one, key by key.
    BadSetting names file and line."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    strange: list[str] = []
    for path in (shipped, own):
        if path is own and not path.exists():
            continue
        for where, values in objects(path, strange if path is own else []):  # the shipped file has more fields
            name = values.get("name")
            if path is shipped and "when" not in values:  # started by other code, such as plugin jobs
                continue
            if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]{0,60}", name):
                raise BadSetting(f"{where}: every job has a name of small letters, digits and underscores")
            if f"{path} " in found.get(name, ("", {}))[0]:
                raise BadSetting(f"{where}: a second job called {name}")
            found[name] = (where, {**found.get(name, ("", {}))[1], **values})
    reasons = {name: _cannot_run(values, scripts) for name, (_, values) in found.items()}
    known = {name: one for name, one in found.items() if reasons[name] is None}
    strange += [
        f"{where} (job {name}): {reasons[name]}, so it is left out{_near(name, known)}"
        for name, (where, _) in found.items()
        if reasons[name] is not None
    ]
    return Said(known, strange)


def _cannot_run(values: dict[str, Any], scripts: Path) -> str | None:
    """Return why a job cannot run: missing fields or script."""
    for key in ("script", "when"):
        if key not in values:
            return f"this release has no job of that name, and {key} is missing"
    script = scripts / str(values["script"])
    if script.name != values["script"] or not script.is_file():
        return f"there is no script {values['script']!r} in {scripts}"
    return None


def _near(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def objects(path: Path, strange: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the jobs of one file with their places in words; unknown fields are reported in
    `strange`. Raises BadSetting with file and line."""
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
        for key in [key for key in values if key not in KEYS]:
            line = text.count("\n", 0, max(at, text.find(json.dumps(key, ensure_ascii=False), at))) + 1
            strange.append(f"{path} line {line}: {key!r} is not a field of a job, and does nothing{_near(key, KEYS)}")
            del values[key]
        yield where, values
        at = end


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, _ in pairs if sum(1 for other, _ in pairs if other == name) > 1)
        raise ValueError(f"{twice!r} is there twice in one job")
    return found
