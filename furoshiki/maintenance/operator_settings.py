"""Changes of settings at runtime: memory/operator_settings.json, for unlocked settings of tier 1.

A source with higher precedence (environment, systemd credential, `.env`) locks a setting. Secrets
are never stored here, as this file is in backups. Settings on whom to obey and where keys are sent
are not stored here either: with the owner's confirmation they go into the data directory's `.env`.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files, env_file, settings
from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import host_of
from furoshiki.core.settings import Settings

FILE = Path(settings.PAGES)
_LOCK = ".operator_settings.lock"

TIER = later("{name} is tier {tier}: it can only be set in the environment or .env")
SECRET = later("{name} is a secret: put it in .env (mode 600) or a systemd credential")
SET_BEFORE = later("{name} is set by {source}, which overrides {file}: change it there")
OPERATOR_ONLY = later("{name} is up to the machine's operator: it can only be set in the host's .env")
ASK = later(
    "{name} decides who is obeyed or where keys go: change it with the owner's yes in Telegram, or on the machine"
)
_ABOVE = ("systemd credential", "environment")
OWN_ENV = ".env of the data directory"

CHANGED = later("{name} was changed in the meantime: it's now {value}")

# the result of `settings.effective`: values with their sources
Given = Mapping[str, tuple[Any, str]]


class Locked(FuroshikiError):
    """The setting cannot be changed here: the message says where it can."""


class OwnersWord(FuroshikiError):
    """The setting is changed with its owner's word alone."""


class Changed(FuroshikiError):
    """Somebody else changed the setting after it was looked at: the message says what it is now."""


def describe(name: str, held: Settings, given: Given) -> dict[str, Any]:
    """Return all facts on a setting by its field; for a secret only whether it is set.

    `locked` is why it cannot be changed here, or None; `enters`: a secret that can be entered here;
    `asks`: the owner must confirm.
    """
    row = settings.show(name, held, given)
    asks = settings.whose(name) != "page"
    told = {"locked": lock(name, given), "asks": asks, "enters": can_enter(name, given)}
    return {**row, **told, **settings.describe(name)}


def can_enter(name: str, given: Given) -> bool:
    """Return whether an owner's secret can be entered on a page: not if set elsewhere."""
    source = given[name][1] if name in given else ""
    return bool(settings.describe(name)["secret"]) and settings.whose(name) == "owner" and source not in _ABOVE


def mark(name: str, given: Given) -> str:
    """Return a fingerprint of a setting's current value and source."""
    value, source = given.get(name, (None, "default"))
    if settings.describe(name)["secret"]:
        value = None
    return hashlib.sha256(f"{name}\0{value}\0{source}".encode()).hexdigest()[:16]


def lock(name: str, given: Given) -> str | None:
    """Return why a setting cannot be changed here, or None. `given`: from `settings.effective`."""
    row, called = settings.describe(name), name.upper()
    if row["secret"]:
        return Sentence(SECRET, name=called)
    if row["whose"] == "operator" and host_of(Path(given["furoshiki_data"][0])) is not None:
        return Sentence(OPERATOR_ONLY, name=called)
    if row["tier"] != 1:
        return Sentence(TIER, name=called, tier=row["tier"])
    source = given[name][1] if name in given else str(FILE)
    free = source == str(FILE) if row["whose"] == "page" else source not in _ABOVE
    file = FILE if row["whose"] == "page" else OWN_ENV
    return None if free else Sentence(SET_BEFORE, name=called, source=source, file=file)


def change(data: Path, name: str, text: str | None, seen: str | None = None, *, agreed: bool = False) -> bool:
    """Set a setting by its field (None: default); False when it already has the value.
    `seen` is the `mark` at the time of editing; `agreed`: the owner does or confirmed it. Raises
    Locked, OwnersWord, Changed, BadSetting."""
    path = data / FILE
    with atomic_files.locked(path.with_name(_LOCK)):
        given = settings.effective(data=data)
        reason = lock(name, given)
        if reason is not None:
            raise Locked(reason)
        if seen is not None and seen != mark(name, given):
            now = settings.show(name, settings.build_settings(given), given)
            raise Changed(Sentence(CHANGED, name=name.upper(), value=now["value"]))
        value = None if text is None else settings.validate(name, text, str(FILE), given)
        owners = settings.whose(name) != "page"
        if owners and not agreed:
            raise OwnersWord(Sentence(ASK, name=name.upper()))
        held = json.loads(path.read_text(encoding="utf-8-sig")) if path.is_file() else {}
        kept = {key: one for key, one in held.items() if key.lower() != name}
        fresh = kept if text is None or owners else {**kept, name.upper(): value}
        if owners:
            env_file.save(data, {name.upper(): text})
        elif fresh == held:
            return False
        if fresh != held:
            atomic_files.write_text(path, json.dumps(fresh, indent=2, ensure_ascii=False) + "\n")
    return not owners or settings.effective(data=data).get(name) != given.get(name)
