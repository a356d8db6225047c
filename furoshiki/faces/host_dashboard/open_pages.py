"""The pages of homes in use: opened on demand, closed after a while without requests.

Routes and templates are shared; an open home costs its database connections.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import State

from furoshiki.app.wiring import build_world
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.paths import DATABASE, HOST
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.access.limits import Limits
from furoshiki.faces.dashboard.access.rules import init_data
from furoshiki.faces.dashboard.app import furnish
from furoshiki.host import homes
from furoshiki.host.homes import Home
from furoshiki.host.members import MemberFile
from furoshiki.host.open_home import settings_of
from furoshiki.world import Clock, World

log = logging.getLogger(__name__)

IDLE_S = 300.0
MOST_OPEN = 32  # homes open at once; beyond, the least recently used one without visitors is closed
CACHE_KB = 250  # kilobytes of a home's database that each thread caches

# settings of the shared process that override those of a home
SERVED = ("furoshiki_dashboard_host", "furoshiki_dashboard_port", "furoshiki_dashboard_url")

ITS_BOT = ("telegram_bot_token", "telegram_api_url")


@dataclass
class OpenPages:
    """The open pages of one home. `inode` is that of its database; `inside` counts running requests
    and streams; `state` is the application state that its pages see."""

    home: Home
    world: World
    inode: int
    used_at: float
    state: State = field(default_factory=State)
    inside: int = 0

    def close(self) -> None:
        """Release the home."""
        self.state.closing()
        self.world.database.close()


class HomesPages:
    """The open pages of all homes, for one event loop; `limits` hold for the whole process."""

    def __init__(self, root: Path, settings: Settings, clock: Clock, limits: Limits) -> None:
        self._root = root
        self._settings = settings
        self._clock = clock
        self._limits = limits
        self._members = MemberFile(root)
        self._ledgers: dict[str, Ledger] = {}
        self._opening = asyncio.Lock()
        self.open: dict[str, OpenPages] = {}

    async def known(self, name: str, key: str) -> OpenPages | None:
        """Return the pages of a home that knows this secret; None otherwise, whether such a home
        exists or not."""
        if not name or not await asyncio.to_thread(self._knows, name, key):
            return None
        return await self.of(name)

    async def vouched_for(self, name: str, form: bytes) -> OpenPages | None:
        """Return the pages of a home whose bot signed the form; None otherwise, without opening
        anything."""
        given = parse_qs(form.decode("latin-1")).get("init_data", [""])[0]
        return await self.of(name) if await asyncio.to_thread(self._is_signed, name, given) else None

    def _is_signed(self, name: str, given: str) -> bool:
        try:
            own = settings_of(homes.get_home(self._root, name)).telegram_bot_token
        except FuroshikiError:
            own = None
        token = own or self._settings.telegram_bot_token
        return token is not None and isinstance(
            init_data.user_of(given, token.get_secret_value(), self._clock.now()), int
        )

    async def of(self, name: str) -> OpenPages | None:
        """Return the pages of a home; None if it cannot be opened."""
        inode = _inode(self._root / name)
        there = self.open.get(name)
        if there is None or there.inode != inode:
            async with self._opening:
                there = self.open.get(name)
                if there is not None and there.inode != inode:  # it was replaced by another of its name
                    self.open.pop(name).close()
                    there = None
                if there is None and inode is not None:
                    there = await self._open_home(name, inode)
        if there is not None:
            there.used_at = asyncio.get_running_loop().time()
        return there

    def close_idle(self, but: str = "") -> None:
        """Close idle homes, and the oldest of too many; never `but`, which is about to be used."""
        now = asyncio.get_running_loop().time()
        empty = [pages for pages in self.open.values() if not pages.inside and pages.home.name != but]
        empty.sort(key=lambda pages: pages.used_at)
        too_many = len(self.open) - MOST_OPEN
        for number, pages in enumerate(empty):
            if number < too_many or now - pages.used_at > IDLE_S:
                self.open.pop(pages.home.name).close()

    def close(self) -> None:
        """Close all of them."""
        while self.open:
            self.open.popitem()[1].close()

    async def _open_home(self, name: str, inode: int) -> OpenPages | None:
        try:
            home = homes.get_home(self._root, name)
            world, gate = await asyncio.to_thread(self._build_world, home)
        except (FuroshikiError, OSError) as error:
            log.warning("the pages of %s cannot be opened: %s", name, error)
            return None
        pages = self.open[name] = OpenPages(home, world, inode, asyncio.get_running_loop().time())
        furnish(pages.state, world, gate)
        self.close_idle(but=name)
        return pages

    def _build_world(self, home: Home) -> tuple[World, Gate]:
        held = settings_of(home)
        same = {one: getattr(self._settings, one) for one in SERVED}
        if held.telegram_bot_token is None:
            same |= {one: getattr(self._settings, one) for one in ITS_BOT}
            same["telegram_owner_id"] = self._members.read().person_of(home.name)
        held = held.model_copy(update=same)
        world = build_world(held, self._clock, minds_when_asked=True, cache_kb=CACHE_KB)
        return world, Gate(Ledger(home.data), held, self._clock.now, self._limits)

    def _knows(self, name: str, key: str) -> bool:
        if name == HOST or _inode(self._root / name) is None:
            return False
        ledger = self._ledgers.get(name)
        if ledger is None:
            ledger = self._ledgers[name] = Ledger(self._root / name)
        return ledger.knows(key)


def _inode(data: Path) -> int | None:
    with suppress(OSError):
        return (data / DATABASE).stat().st_ino
    return None
