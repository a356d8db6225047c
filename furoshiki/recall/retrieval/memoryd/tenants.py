"""The place of a data directory's vectors on a Chroma server, and their secret rotation.

The tenant's name is random and stored in `run/`, which is in no backup: a home with the same name,
or restored from a backup, has another. Each index is a separate database there, whose vectors are
all rotated by a matrix known only from `run/`. Cosines stay the same, and the vectors alone reveal
no text: a Chroma server leaves deleted data in its files. Forgetting begins a new index, and the
secret of the old rotation is deleted.

This is no encryption: the server's files show how many vectors there are and which are alike, and
the rotation can be computed from the texts of as many of them as they have dimensions.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from furoshiki.core import json_values
from furoshiki.core.arrays import Floats
from furoshiki.core.atomic_files import locked, write_text

FILE = "chroma-tenant.json"

# in the folder of a host: tenants of removed homes, whose vectors must still be deleted
LEFT = "chroma-left.json"

_BYTES = 16
_DRAWN = re.compile(r"[0-9a-f]{32}")
_TENANT = re.compile(r"furoshiki-[0-9a-f]{32}")
_DATABASE = re.compile(r"index-[0-9a-f]{32}")


@dataclass(frozen=True)
class Place:
    """A tenant, its database, the rotation's secret, and the reduction (`Reduction.id`)."""

    tenant: str
    database: str
    secret: str
    made_with: str
    settled: bool = False  # whether the tenant has no other database, as far as the server says

    def turned(self, width: int) -> Floats:
        """Return the rotation matrix for vectors of this width; always the same for a place."""
        import numpy as np

        drawn = np.random.default_rng(int(self.secret, 16)).standard_normal((width, width))
        directions, lengths = np.linalg.qr(drawn)
        return (directions * np.sign(np.diag(lengths))).astype(np.float32)  # makes the factorisation unique


def find_place(data: Path) -> Place | None:
    """Return the place of a data directory; None if it has none, or a copied `run/`."""
    try:
        parsed = json.loads((data / "run" / FILE).read_text(encoding="utf-8"))
        if parsed.pop("of") != _folder(data):
            return None
        place = json_values.build(Place, parsed)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    whole = _TENANT.fullmatch(place.tenant) and is_database(place.database) and _DRAWN.fullmatch(place.secret)
    return place if whole else None


def of(data: Path, made_with: str) -> Place:
    """Return the place for this reduction. For memoryd, which holds the data directory's lock."""
    place = find_place(data)
    return place if place is not None and place.made_with == made_with else renew(data, made_with)


def renew(data: Path, made_with: str) -> Place:
    """Create a database in the same tenant with a new rotation; the old secret is lost."""
    leftover = find_place(data)
    tenant = f"furoshiki-{_draw_secret()}" if leftover is None else leftover.tenant
    place = Place(tenant, f"index-{_draw_secret()}", _draw_secret(), made_with)
    _keep(data, place)
    return place


def mark_settled(data: Path) -> None:
    """Record that the tenant has no other database."""
    place = find_place(data)
    if place is not None and not place.settled:
        _keep(data, replace(place, settled=True))


def leave(host: Path, data: Path) -> None:
    """Before a home is removed, queue its vectors for deletion on the server."""
    place = find_place(data)
    if place is not None:
        with _lock_leftovers(host) as tenants:
            tenants.add(place.tenant)


def list_leftovers(host: Path) -> list[str]:
    """Return the tenants whose vectors must still be deleted."""
    return sorted(_read_leftovers(host))


def mark_deleted(host: Path, tenant: str) -> None:
    """Record that a tenant's vectors were deleted."""
    with _lock_leftovers(host) as tenants:
        tenants.discard(tenant)


def is_database(name: str) -> bool:
    """Whether a database's name has this module's form."""
    return _DATABASE.fullmatch(name) is not None


def _draw_secret() -> str:
    return os.urandom(_BYTES).hex()


@contextmanager
def _lock_leftovers(host: Path) -> Iterator[set[str]]:
    host.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(host / f".{LEFT}.lock"):
        before = _read_leftovers(host)
        after = set(before)
        yield after
        if after != before:
            write_text(host / LEFT, json.dumps(sorted(after)) + "\n")


def _read_leftovers(host: Path) -> set[str]:
    try:
        parsed = json.loads((host / LEFT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return (
        {one for one in parsed if isinstance(one, str) and _TENANT.fullmatch(one)}
        if isinstance(parsed, list)
        else set()
    )


def _keep(data: Path, place: Place) -> None:
    write_text(data / "run" / FILE, json.dumps({**asdict(place), "of": _folder(data)}) + "\n")


def _folder(data: Path) -> int:
    """Return the folder's inode, which a move preserves and a copy does not."""
    return (data / "run").stat().st_ino
