"""The operator's limits for the homes of a machine: `.host/limits.json` (`furoshiki host limit`).

{"*": {"money": 0.5}, "anna": {"money": 2.0, "disk": null}}: for every home, and for one; null: no
limit. Limits of another release are preserved without effect (`strange` reports them).
"""

import functools
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files
from furoshiki.core.atomic_files import locked
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import stamp_of
from furoshiki.models.limits.rules import amounts
from furoshiki.models.limits.values import Limits

NAME = "limits.json"
EVERY = "*"

Given = Mapping[str, float | int | None]
Held = dict[str, Any]  # the content of the file


def of_home(host: Path, home: str) -> Limits:
    """Return the limits of a home; costs one `stat` while the file is unchanged. A damaged file is
    replaced by its last readable version. Raises BadSetting when there is none."""
    path, before = host / NAME, host / "run" / NAME
    try:
        return _laid_over(path, stamp_of(path), home)
    except BadSetting:
        if not before.is_file():
            raise
        return _laid_over(before, stamp_of(before), home)


def change(host: Path, home: str | None, given: Given) -> None:
    """Set limits of a home, or (None) the defaults for all homes. Raises BadSetting."""
    path = host / NAME
    with locked(host / ".limits.lock"):
        held = _read(path)
        mine = {**held.get(home or EVERY, {}), **given}
        if home is None:  # a default needs no explicit "no limit"
            mine = {name: amount for name, amount in mine.items() if amount is not None}
        held[home or EVERY] = mine
        atomic_files.write_text(path, json.dumps({name: held[name] for name in sorted(held) if held[name]}, indent=2))


def forget(host: Path, home: str) -> None:
    """Remove the limits of a home, so that a later home of this name has none."""
    path = host / NAME
    with locked(host / ".limits.lock"):
        held = _read(path)
        if home in held:
            left = {name: known for name, known in held.items() if name != home}
            atomic_files.write_text(path, json.dumps(left, indent=2))


def strange(host: Path) -> list[str]:
    """Return a sentence for each unknown limit in the file. Raises BadSetting."""
    known_here = ", ".join(amounts.names())
    unknown = []
    for home, known in _read(host / NAME).items():
        names = set(known) if isinstance(known, dict) else {home}
        unknown += [(home, name) for name in sorted(names - set(amounts.names()))]
    nothing = f"is no limit here, and does nothing; there are {known_here}"
    return [f"{host / NAME}: {name!r} of {home!r} {nothing}" for home, name in unknown]


@functools.lru_cache(maxsize=2048)
def _laid_over(path: Path, _stamp: object, home: str) -> Limits:
    held = _load(path, _stamp)
    every, own = (_ours(held.get(name, {})) for name in (EVERY, home))
    return amounts.laid_over(amounts.laid_over(Limits(), every), own)


@functools.lru_cache(maxsize=4)
def _load(path: Path, _stamp: object) -> Held:
    found = _read(path)
    if path.parent.name != "run":
        _remember(path)
    return found


def _remember(path: Path) -> None:
    """Save a readable version of the file, for use when the file gets damaged."""
    kept = path.parent / "run" / NAME
    with suppress(OSError):
        if not path.is_file():
            kept.unlink(missing_ok=True)
        elif not kept.is_file() or kept.read_bytes() != path.read_bytes():
            kept.parent.mkdir(exist_ok=True, mode=0o700)
            atomic_files.write_text(kept, path.read_text(encoding="utf-8"))


def _read(path: Path) -> Held:
    if not path.is_file():
        return {}
    root = path.parent.parent if path.parent.name != "run" else path.parent.parent.parent
    try:
        found: Held = json.loads(path.read_text(encoding="utf-8"))
        for home, known in found.items():
            if isinstance(known, dict) or home == EVERY or (root / home).is_dir():
                _ours(known)
        return found
    except (ValueError, TypeError, AttributeError, RecursionError, OSError) as error:
        raise BadSetting(
            f"{path} cannot be used ({error}): repair it, or remove it and set limits again with `furoshiki host limit`"
        ) from error


def _ours(known: Mapping[str, Any]) -> Given:
    checked: dict[str, float | int | None] = {}
    for name in known.keys() & set(amounts.names()):
        amount = known[name]
        if amount is not None and not (
            isinstance(amount, int | float) and amounts.LEAST[name] <= amount <= amounts.MOST[name]
        ):
            raise ValueError(f"{name} is {amount!r}; write {amounts.how(name)}")
        checked[name] = amount
    return checked
