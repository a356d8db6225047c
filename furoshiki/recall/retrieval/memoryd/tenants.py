"""Where a data directory's vectors lie on a Chroma server, and how they are turned before they go there.

The name of its tenant is drawn by lot and lies in `run/`, which no backup holds: a home that is called the same, or was
made from a backup, has another. Each index there is a database of its own, whose vectors are all turned by one rotation
that only `run/` knows. They are as near to each other as before, and say nothing by themselves: a Chroma server leaves
in its files what it was told to delete. Forgetting begins a new index, and nobody knows the rotation of the old one.

That is no encryption: who holds the server's files sees how many vectors there are and which are alike, and could find
out the rotation with the words of as many of them as they have numbers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core import stored
from furoshiki.core.atomic_files import locked, write_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FILE = "chroma-tenant.json"

LEFT = "chroma-left.json"
"""In the folder of a host: tenants of homes that were removed, whose vectors the server has still to delete."""

_BYTES = 16
_DRAWN = re.compile(r"[0-9a-f]{32}")
_TENANT = re.compile(r"furoshiki-[0-9a-f]{32}")
_DATABASE = re.compile(r"index-[0-9a-f]{32}")


@dataclass(frozen=True)
class Place:
    """A tenant, the database in it that holds the index, the secret its vectors are turned by, and what they were made
    with (`Reduction.id`)."""

    tenant: str
    database: str
    secret: str
    made_with: str
    settled: bool = False
    """Whether nothing but this database is left in the tenant, as far as the server says."""

    def turned(self, width: int) -> npt.NDArray[np.float32]:
        """What vectors of so many numbers are multiplied with: a rotation, the same one every time."""
        import numpy as np

        drawn = np.random.default_rng(int(self.secret, 16)).standard_normal((width, width))
        directions, lengths = np.linalg.qr(drawn)
        return (directions * np.sign(np.diag(lengths))).astype(np.float32)  # of the many factorings the one and only


def find_place(data: Path) -> Place | None:
    """The place of a data directory; None when it has none, or its `run/` is the copy of another's."""
    try:
        found = json.loads((data / "run" / FILE).read_text(encoding="utf-8"))
        if found.pop("of") != _folder(data):
            return None
        place = stored.build(Place, found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    whole = _TENANT.fullmatch(place.tenant) and is_database(place.database) and _DRAWN.fullmatch(place.secret)
    return place if whole else None


def of(data: Path, made_with: str) -> Place:
    """The place for vectors that were made so. For memoryd, which holds the lock of the data directory."""
    found = find_place(data)
    return found if found is not None and found.made_with == made_with else renew(data, made_with)


def renew(data: Path, made_with: str) -> Place:
    """A new database in the same tenant, turned otherwise; how the former was turned is known to nobody from now on."""
    found = find_place(data)
    tenant = f"furoshiki-{_draw_secret()}" if found is None else found.tenant
    place = Place(tenant, f"index-{_draw_secret()}", _draw_secret(), made_with)
    _keep(data, place)
    return place


def mark_settled(data: Path) -> None:
    """The server has nothing of this tenant's but the database in use."""
    found = find_place(data)
    if found is not None and not found.settled:
        _keep(data, replace(found, settled=True))


def leave(host: Path, data: Path) -> None:
    """A home is about to be removed: have the server delete its vectors, now or when it answers."""
    found = find_place(data)
    if found is not None:
        with _lock_leftovers(host) as tenants:
            tenants.add(found.tenant)


def list_leftovers(host: Path) -> list[str]:
    """Tenants whose vectors the server has still to delete."""
    return sorted(_read_leftovers(host))


def mark_deleted(host: Path, tenant: str) -> None:
    """The server has deleted them."""
    with _lock_leftovers(host) as tenants:
        tenants.discard(tenant)


def is_database(name: str) -> bool:
    """Whether a database is called as ours are."""
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
        found = json.loads((host / LEFT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return (
        {one for one in found if isinstance(one, str) and _TENANT.fullmatch(one)} if isinstance(found, list) else set()
    )


def _keep(data: Path, place: Place) -> None:
    write_text(data / "run" / FILE, json.dumps({**asdict(place), "of": _folder(data)}) + "\n")


def _folder(data: Path) -> int:
    """What a folder keeps when it is moved, and its copy has not."""
    return (data / "run").stat().st_ino
