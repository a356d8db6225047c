"""Leases for `furoshiki host`: which of several machines has a home, and which copy goes on."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from furoshiki.core.errors import FuroshikiError, NotConfigured
from furoshiki.core.settings import Settings
from furoshiki.host.homes import Home
from furoshiki.host.leases import fence, node, store
from furoshiki.host.leases.keeper import Keeper
from furoshiki.host.leases.store import Leases
from furoshiki.host.leases.values import HOME


def keeper(root: Path, url: str, held: Settings, now: Callable[[], datetime]) -> Keeper:
    """Build the keeper of this node's leases. Raises NotConfigured, BadSetting."""
    store.check(url)
    return Keeper(root, node.here(root), Leases(url), held.furoshiki_host_lease_seconds, now)


def holders(root: Path, url: str, homes: Sequence[Home], now: datetime) -> Mapping[str, str]:
    """Return the node of each home, by name: its place, "here", or "nobody". Raises NotConfigured,
    BadSetting, LeasesAway."""
    store.check(url)
    own, leases = node.here(root), Leases(url)
    try:
        subjects = {home.name: f"{HOME}{fence.of(home.data, now).id}" for home in homes}
        rows = leases.about(list(subjects.values()))
    finally:
        leases.close()
    said = {}
    for name, subject in subjects.items():
        row = rows.get(subject)
        if row is None or row.seconds <= 0:
            said[name] = "nobody"
        elif row.node == own.id:
            said[name] = "here" if row.name == name else f"here, as {row.name}"
        else:
            said[name] = row.place
    return said


def claim(held: Settings, home: Home, now: datetime) -> str:
    """Let this copy of a home be the one that goes on, and return a message. Raises NotConfigured,
    and FuroshikiError while a node has the home."""
    if held.furoshiki_host_database is None:
        raise NotConfigured(
            "FUROSHIKI_HOST_DATABASE is not set: one machine has all homes, and nothing is to be claimed"
        )
    url = held.furoshiki_host_database.get_secret_value()
    store.check(url)
    leases, own = Leases(url), fence.of(home.data, now)
    try:
        subject = f"{HOME}{own.id}"
        row = leases.about([subject]).get(subject)
        if row is None or leases.claim(subject, own.fence):
            return f"This copy of {home.name} goes on; what another copy had besides is not in it."
        raise FuroshikiError(f"{row.place} has {home.name} now: stop `furoshiki host` there first")
    finally:
        leases.close()
