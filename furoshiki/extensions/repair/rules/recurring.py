"""Which errors come back often enough to be looked into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.extensions.repair.rules import signatures
from furoshiki.extensions.repair.rules.signatures import Raised

WINDOW = timedelta(hours=24)
"""How far back errors are counted."""

WINDOW_OF_PLUGINS = timedelta(days=14)
"""The same for what plugins do, some of them once a day."""

TIMES = 3
"""So many of one signature within that time make a job."""

QUIET = timedelta(days=7)
"""An error that has not been met for so long is over."""

LONGEST_EVIDENCE = 8_000
"""Characters of an error's text that are kept, its end rather than its beginning."""

NO_DEFECTS = frozenset({-1, -2, -15, 130, 143})
"""Exit codes of runs that were stopped, or whose end nobody saw."""


@dataclass(frozen=True)
class Failure:
    """One error of a script: when, what was raised, its whole text; `began` is when its run did, None in a log; it
    counts for the time `within`."""

    script: str
    at: datetime
    raised: Raised
    text: str
    began: datetime | None = None
    within: timedelta = WINDOW

    @property
    def signature(self) -> str:
        """Return the signature by which the error is recognised."""
        return signatures.signature(self.script, self.raised.kind, self.raised.message)


@dataclass(frozen=True)
class Recurring:
    """An error that came back: how often within the window, its first and last time, and the newest in full."""

    signature: str
    script: str
    kind: str
    message: str
    times: int
    first_at: datetime
    last_at: datetime
    evidence: str


def find_recurring(failures: Iterable[Failure], settled: Mapping[str, datetime], now: datetime) -> list[Recurring]:
    """The errors that came often enough, the newest last. `settled` says for a signature when the last job about it
    was decided: what happened until then counts no more.

    A run that failed and logged why is one failure: the log's is taken, which knows the way to it.
    """
    found = [one for one in failures if now - one.within <= one.at <= now]
    logged = [one for one in found if one.began is None]
    by_signature: dict[str, list[Failure]] = {}
    for one in found:
        if not _is_in_log(logged, one) and one.at > settled.get(one.signature, one.at - one.within):
            by_signature.setdefault(one.signature, []).append(one)
    made = [_build_recurring(mark, sorted(all_, key=lambda one: one.at)) for mark, all_ in by_signature.items()]
    return sorted((one for one in made if one.times >= TIMES), key=lambda one: one.last_at)


def _is_in_log(logged: Sequence[Failure], run: Failure) -> bool:
    began = run.began
    return began is not None and any(one.script == run.script and began <= one.at <= run.at for one in logged)


def _build_recurring(signature: str, all_: Sequence[Failure]) -> Recurring:
    newest = all_[-1]
    return Recurring(
        signature,
        newest.script,
        newest.raised.kind,
        newest.raised.message[: signatures.LONGEST_MESSAGE],
        len(all_),
        all_[0].at,
        newest.at,
        newest.text[-LONGEST_EVIDENCE:],
    )
