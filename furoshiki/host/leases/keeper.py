"""Takes and renews the leases of a node, in a thread of its own, as long as its listener runs.

One SQL statement every few seconds requests everything. A home that is new here first gets its
fence written into its data, then PostgreSQL records that, and only then is it held: a node with an
older copy gets no lease after that.

While PostgreSQL is away, leases stay held until they end by this machine's clock. Their time counts
from before the statement was sent, so they end here first.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from furoshiki.core.errors import FuroshikiError, StorageUnavailable
from furoshiki.core.paths import DATABASE, stamp_of
from furoshiki.host.leases import fence
from furoshiki.host.leases.fence import Mark
from furoshiki.host.leases.seen import Board, State
from furoshiki.host.leases.seen import boot_seconds as _now
from furoshiki.host.leases.store import Leases
from furoshiki.host.leases.values import BOT, HOME, Claim, Holding, LeaseLost, LeasesAway, Node, Row, Wish

log = logging.getLogger(__name__)

RENEWED_IN = 6
"""How often a lease is renewed during its time."""

HARD_SHARE, SOFT_SHARE = 0.9, 0.7
"""Shares of a lease's time: after the first nothing is sent or written, after the second nothing
new begins and open homes are closed."""

BOT_ELSEWHERE = "its bot is not this node's"

FAREWELL_SECONDS = 0.6


class Keeper:
    """The leases of one node. Call `start`, then `want` with the wishes, and `stop` at the end."""

    def __init__(
        self,
        root: Path,
        own: Node,
        leases: Leases,
        seconds: float,
        now: Callable[[], datetime],
    ) -> None:
        """A lease runs for `seconds`."""
        self.node = own
        self._leases = leases
        self._seconds = seconds
        self._now = now
        self._changed: Callable[[], object] = lambda: None
        self._board = Board(root, own)
        self._wish = Wish()
        self._marks: dict[str, tuple[object, Mark]] = {}
        self._holding = Holding()
        self._state = State(away="no lease has been asked for yet")
        self._got: dict[str, int] = {}
        self._changing = threading.Lock()
        self._kick, self._ending = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="leases", daemon=True)

    def start(self, changed: Callable[[], object]) -> None:
        """Start the thread; it calls `changed` whenever the set of held leases changes."""
        self._changed = changed
        self._thread.start()

    def want(self, wish: Wish) -> None:
        """Try to hold these. Other leases are given back at once: close their homes before."""
        if wish != self._wish:
            self._wish = wish
            self._kick.set()

    def stop(self) -> None:
        """Release all leases, so that another node can take them at once."""
        with self._changing:
            self._ending.set()
            self._holding = Holding()
        self._kick.set()
        if self._thread.is_alive():
            self._thread.join(FAREWELL_SECONDS)

    # -- for callers in any thread --

    def holds(self, home: str, fence_: int | None = None) -> bool:
        """Return whether work may begin for a home, or go on that began under this fence."""
        holding = self._holding
        held = holding.homes.get(home)
        return held is not None and fence_ in (None, held) and _now() < holding.soft

    def still_holds(self, home: str, fence_: int) -> bool:
        """Return whether work that began for a home under this fence may still be written."""
        holding = self._holding
        return holding.homes.get(home) == fence_ and _now() < holding.hard

    def fence_of(self, home: str) -> int:
        """Return the fence of a held home. Raises LeaseLost."""
        try:
            return self._holding.homes[home]
        except KeyError:
            raise LeaseLost(f"this node has no lease for {home}") from None

    def guard(self, home: str, fence_: int) -> Callable[[sqlite3.Connection], None]:
        """Return the check for every write into a home's database, run after it is opened."""
        return fence.guard(fence_, lambda: self.still_holds(home, fence_))

    def holds_bot(self, bot: int) -> bool:
        """Return whether this node may start to use a bot."""
        holding = self._holding
        return bot in holding.bots and _now() < holding.soft

    def seconds_of(self, bot: int) -> float:
        """Return how many seconds a call to Telegram for a bot may take; 0 when none is allowed."""
        holding = self._holding
        return max(0.0, holding.hard - _now()) if bot in holding.bots else 0.0

    def refuses(self, home: str) -> bool:
        """Return whether another node is known to have a home; False if it was never requested."""
        return home in self._state.refused

    def trouble(self) -> str | None:
        """Return why this node should get no work, without home names; None when it can work."""
        state, holding = self._state, self._holding
        if state.away is not None:
            return state.away
        if self._wish.homes and not holding.homes:
            return f"no lease for any of {len(self._wish.homes)} homes: another node has them, or had them last"
        return None if _now() < holding.soft else "the leases have ended"

    # -- the thread --

    def _run(self) -> None:
        while not self._ending.is_set():
            self._kick.clear()
            try:
                self._round()
            except LeasesAway as error:
                self._is_away(str(error))
            except Exception:  # otherwise the thread would end, and every lease with it, without a message
                log.exception("the leases could not be renewed")
                self._is_away("the leases cannot be renewed: the host's log says why")
            self._board.show(self._holding, self._state)
            self._kick.wait(self._seconds / RENEWED_IN)
        try:
            if self._got:
                self._leases.release(self.node, list(self._got))
            self._leases.close()
        except LeasesAway as error:
            log.warning("the leases end by themselves: %s", error)
        self._board.show(Holding(), State(away="the host was stopped"))

    def _round(self) -> None:
        wish, before = self._wish, self._holding
        refused: dict[str, str] = {}
        claims = self._claims(wish, before, refused)
        unwanted = [subject for subject in self._got if subject not in claims and not self._is_wished(subject, wish)]
        if unwanted:
            self._hold(self._only(before, wish))
            self._leases.release(self.node, unwanted)
            self._got = {subject: known for subject, known in self._got.items() if subject not in unwanted}
            before = self._holding
        began = _now()
        got = self._leases.take(self.node, list(claims.values()), self._seconds)
        self._got = got
        soft, hard = began + SOFT_SHARE * self._seconds, began + HARD_SHARE * self._seconds
        bots = frozenset(int(subject.removeprefix(BOT)) for subject in got if subject.startswith(BOT))
        homes = {
            claim.name: subject for subject, claim in claims.items() if subject.startswith(HOME) and subject in got
        }
        kept = {
            name: got[subject]
            for name, subject in homes.items()
            if before.homes.get(name) == self._marks[name][1].fence == got[subject]
        }
        self._hold(Holding(kept, bots, soft, hard))
        new = {name: subject for name, subject in homes.items() if name not in kept}
        if bots != before.bots:
            self._kick.set()  # for the homes that use these bots
        self._take_in(wish, new, got, began)
        others = [subject for subject in claims if subject not in got]
        rows = self._leases.about(others) if others else {}
        for subject in others:
            claim, row = claims[subject], rows.get(subject)
            who = claim.name if subject.startswith(HOME) else f"the bot of {claim.name}"
            if row is not None and row.seconds <= 0 and claim.known < row.opened and self._has_moved(claim, wish):
                self._kick.set()
                continue
            refused[who] = _why(claim, row)
        for name in [name for name, why in refused.items() if why == BOT_ELSEWHERE]:
            if wish.homes[name][1] in bots:
                del refused[name]
        self._is_there(refused)

    def _has_moved(self, claim: Claim, wish: Wish) -> bool:
        """Return whether another node used the same volume: the data has a higher fence."""
        del self._marks[claim.name]
        try:
            return self._mark(claim.name, wish.homes[claim.name][0]).fence > claim.known
        except (StorageUnavailable, OSError):
            return False

    def _claims(self, wish: Wish, before: Holding, refused: dict[str, str]) -> dict[str, Claim]:
        """Return the leases to request: every bot, and the homes whose bot is held here."""
        claims = {f"{BOT}{bot}": Claim(f"{BOT}{bot}", whose) for bot, whose in wish.bots.items()}
        for name in sorted(wish.homes, key=lambda home: (home not in before.homes, home)):
            data, bot = wish.homes[name]
            if bot is not None and bot not in before.bots:
                refused.setdefault(name, BOT_ELSEWHERE)
                continue
            try:
                own = self._mark(name, data)
            except (StorageUnavailable, OSError) as error:
                refused[name] = str(error)
                continue
            subject = f"{HOME}{own.id}"
            if subject in claims:
                refused[name] = (
                    f"it is a copy of {claims[subject].name}, and two copies of one companion never both answer"
                )
                continue
            claims[subject] = Claim(subject, name, own.fence)
        return claims

    def _mark(self, name: str, data: Path) -> Mark:
        """Return the mark of a home, read again when its database file was replaced."""
        found = stamp_of(data / DATABASE)
        seen = None if found is None else found[2]
        if name not in self._marks or self._marks[name][0] != seen:
            self._marks[name] = (seen, fence.of(data, self._now()))
        return self._marks[name][1]

    def _is_wished(self, subject: str, wish: Wish) -> bool:
        """Return whether a subject is still wanted, only not requested now: its lease just ends."""
        return any(f"{HOME}{known.id}" == subject for name, (_, known) in self._marks.items() if name in wish.homes)

    def _only(self, holding: Holding, wish: Wish) -> Holding:
        homes = {name: known for name, known in holding.homes.items() if name in wish.homes}
        return replace(holding, homes=homes, bots=holding.bots & wish.bots.keys())

    def _take_in(self, wish: Wish, new: Mapping[str, str], got: Mapping[str, int], began: float) -> None:
        """Write the fences into newly taken homes while time allows; the rest comes next round."""
        marked: dict[str, int] = {}
        names: dict[str, str] = {}
        for name, subject in new.items():
            if self._ending.is_set() or _now() - began > self._seconds / RENEWED_IN:
                self._kick.set()
                break
            try:
                fence.mark(wish.homes[name][0], got[subject], self._now())
            except (FuroshikiError, OSError) as error:
                log.warning("%s cannot be opened here: %s", name, error)
                self._marks.pop(name, None)
                continue
            marked[subject], names[subject] = got[subject], name
        if marked:
            good = self._leases.opened(self.node, marked)
            taken = {names[subject]: marked[subject] for subject in good}
            for name in taken:
                seen, mark = self._marks[name]
                self._marks[name] = (seen, replace(mark, fence=taken[name]))
            self._hold(replace(self._holding, homes={**self._holding.homes, **taken}))

    def _hold(self, holding: Holding) -> None:
        with self._changing:
            if self._ending.is_set():
                return
            before, self._holding = self._holding, holding
        if before.homes != holding.homes or before.bots != holding.bots:
            self._changed()

    def _is_away(self, why: str) -> None:
        if self._state.away != why:
            log.warning("%s; what is held stays until its lease ends, nothing new is opened", why)
        if _now() > self._holding.hard and self._holding.homes:
            log.error("the leases have ended: %d homes stay closed until PostgreSQL answers", len(self._holding.homes))
            self._hold(Holding())
        self._state = replace(self._state, away=why)

    def _is_there(self, refused: Mapping[str, str]) -> None:
        if self._state.away is not None:
            log.info("PostgreSQL answers; %d homes are held", len(self._holding.homes))
        for name, why in refused.items():
            if self._state.refused.get(name) != why:
                log.warning("%s: %s", name, why)
        self._state = State(self._holding.homes, dict(refused), None)


def _why(claim: Claim, row: Row | None) -> str:
    if row is not None and row.seconds <= 0 and claim.known < row.opened:
        return (
            f"this copy is older than the one that {row.place} had last: carry that one here, or, if it is gone, "
            f"`furoshiki host claim {claim.name}`"
        )
    return "another node has it" if row is None else f"{row.place} has it"
