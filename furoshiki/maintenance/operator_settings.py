"""Settings that are changed while it runs: memory/operator_settings.json, for what is of tier 1 and nobody has locked.

Whatever comes before that file (environment, systemd credential, `.env`) locks a setting: a value written here would
not hold. Secrets are never written here: this file goes into backups.
"""

from __future__ import annotations

import json
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


class Locked(FuroshikiError):
    """The setting cannot be changed here: the message says where it can."""


def lock(name: str, given: dict[str, tuple[Any, str]]) -> str | None:
    """Why a setting cannot be changed here; None when it can. `given` is what `settings.effective` found."""
    extra = Settings.model_fields[name].json_schema_extra
    assert isinstance(extra, dict)
    if extra["secret"]:
        return SECRET.format(name=name.upper())
    if extra["tier"] != 1:
        return TIER.format(name=name.upper(), tier=extra["tier"])
    source = given[name][1] if name in given else str(FILE)
    return None if source == str(FILE) else SET_BEFORE.format(name=name.upper(), source=source, file=FILE)


def change(data: Path, name: str, text: str | None) -> bool:
    """Give a setting, by the name of its field, a value (None: its default again); False when it was so.

    Raises Locked, BadSetting.
    """
    given = settings.effective()
    reason = lock(name, given)
    if reason is not None:
        raise Locked(reason)
    value = None if text is None else settings.validated(name, text, str(FILE), given)
    path = data / FILE
    with atomic_files.locked(path.with_name(_LOCK)):
        held = json.loads(path.read_text(encoding="utf-8-sig")) if path.is_file() else {}
        kept = {key: one for key, one in held.items() if key.lower() != name}
        fresh = kept if text is None else {**kept, name.upper(): value}
        if fresh == held:
            return False
        atomic_files.write_text(path, json.dumps(fresh, indent=2, ensure_ascii=False) + "\n")
    return True
