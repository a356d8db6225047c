"""Settings that are changed while it runs: memory/operator_settings.json, for what is of tier 1 and nobody has locked.

Whatever comes before that file (environment, systemd credential, `.env`) locks a setting: a value written here would
not hold. Secrets are never written here: this file goes into backups.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files, settings
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.settings import Settings

FILE = Path("memory") / "operator_settings.json"
_LOCK = ".operator_settings.lock"

TIER = "{name} is of tier {tier}: it can be set by environment or .env only"
SECRET = "{name} is a secret: it belongs into .env (mode 600) or a systemd credential"
SET_BEFORE = "{name} is set by {source}, which comes before {file}: change it there"


CHANGED = "{name} was changed meanwhile: it is now {value}"

Given = Mapping[str, tuple[Any, str]]
"""What `settings.effective` found: values with the place each comes from."""


class Locked(FuroshikiError):
    """The setting cannot be changed here: the message says where it can."""


class Changed(FuroshikiError):
    """Somebody else changed the setting after it was looked at: the message says what it is now."""


def told(name: str, held: Settings, given: Given) -> dict[str, Any]:
    """Everything there is to say of one setting, by the name of its field; of a secret only whether there is one.

    `locked` is why it cannot be changed here, or None.
    """
    row = settings.shown_one(name, held, given)
    return {**row, "locked": lock(name, given), **settings.described(name)}


def mark(name: str, given: Given) -> str:
    """What stands for a setting as it is now: another one once it has another value or comes from elsewhere."""
    value, source = given.get(name, (None, "default"))
    if settings.described(name)["secret"]:
        value = None
    return hashlib.sha256(f"{name}\0{value}\0{source}".encode()).hexdigest()[:16]


def lock(name: str, given: Given) -> str | None:
    """Why a setting cannot be changed here; None when it can. `given` is what `settings.effective` found."""
    extra = Settings.model_fields[name].json_schema_extra
    assert isinstance(extra, dict)
    if extra["secret"]:
        return SECRET.format(name=name.upper())
    if extra["tier"] != 1:
        return TIER.format(name=name.upper(), tier=extra["tier"])
    source = given[name][1] if name in given else str(FILE)
    return None if source == str(FILE) else SET_BEFORE.format(name=name.upper(), source=source, file=FILE)


def change(data: Path, name: str, text: str | None, seen: str | None = None) -> bool:
    """Give a setting, by the name of its field, a value (None: its default again); False when it was so.

    `seen` is the `mark` of what whoever changes it looked at. Raises Locked, Changed, BadSetting.
    """
    path = data / FILE
    with atomic_files.locked(path.with_name(_LOCK)):
        given = settings.effective(data=data)
        reason = lock(name, given)
        if reason is not None:
            raise Locked(reason)
        if seen is not None and seen != mark(name, given):
            now = settings.shown_one(name, settings.made(given), given)
            raise Changed(CHANGED.format(name=name.upper(), value=now["value"]))
        value = None if text is None else settings.validated(name, text, str(FILE), given)
        held = json.loads(path.read_text(encoding="utf-8-sig")) if path.is_file() else {}
        kept = {key: one for key, one in held.items() if key.lower() != name}
        fresh = kept if text is None else {**kept, name.upper(): value}
        if fresh == held:
            return False
        atomic_files.write_text(path, json.dumps(fresh, indent=2, ensure_ascii=False) + "\n")
    return True
