"""The frame of every page: the companion, the time there, and the other pages."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from furoshiki.core.errors import StorageUnavailable
from furoshiki.faces.dashboard import navigation
from furoshiki.faces.dashboard.live import Hub
from furoshiki.faces.dashboard.navigation import Page
from furoshiki.owner.user_model import user
from furoshiki.world import World


@dataclass(frozen=True)
class Frame:
    """The frame's values. `newest_event` is where the event stream resumes (None: no stream)."""

    companion: str
    now: datetime
    zone: tzinfo
    newest_event: str | None
    pages: Sequence[Page] = navigation.PAGES


def of_companion(world: World, hub: Hub, signed_in: bool) -> Frame:
    """Build a page's frame. Without a sign-in it shows nothing from the database."""
    zone, newest = world.zone, ""
    if signed_in:
        with contextlib.suppress(StorageUnavailable):  # some pages need no database
            newest = hub.mark()
            zone = user.zone_of(world)
    return Frame(world.settings.furoshiki_companion_name, world.now, zone, newest)
