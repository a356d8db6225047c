"""Rules for which errors recur often enough for a diagnosis."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.extensions.repair.rules import signatures
from furoshiki.extensions.repair.rules.signatures import Raised

WINDOW = timedelta(hours=24)  # time window for counting errors

# time window for errors of plugins, some of which run once a day
WINDOW_OF_PLUGINS = timedelta(days=14)

TIMES = 3  # errors with one signature in the window that make a job
QUIET = timedelta(days=7)  # an error that has not occurred for this long counts as over
LONGEST_EVIDENCE = 8_000  # characters kept from the end of an error's text

# exit codes of runs that were stopped, or whose end is unknown
NO_DEFECTS = frozenset({-1, -2, -15, 130, 143})


@dataclass(frozen=True)
class Failure:
    """An error of a script: time, exception, and full text; `began` is the start of its run (None:
    from a log); it counts for the time `within`."""

    script: str
    at: datetime
    raised: Raised
    text: str
    began: datetime | None = None
    within: timedelta = WINDOW

    @property
    def signature(self) -> str:
        """The signature that identifies the error."""
        return signatures.signature(self.script, self.raised.kind, self.raised.message)


@dataclass(frozen=True)
class Recurring:
    """A recurring error: count in the window, first and last time, and the newest occurrence."""

    signature: str
    script: str
    kind: str
    message: str
    times: int
    first_at: datetime
    last_at: datetime
    evidence: str


def find_recurring(failures: Iterable[Failure], settled: Mapping[str, datetime], now: datetime) -> list[Recurring]:
    """Return the errors that occurred often enough, newest last. `settled` has the time of the last
    decision by signature: earlier errors do not count.

    A failed run that logged its error counts once, by the log, which has the traceback.
    """
    found = [failure for failure in failures if now - failure.within <= failure.at <= now]
    logged = [failure for failure in found if failure.began is None]
    by_signature: dict[str, list[Failure]] = {}
    for failure in found:
        if not _is_in_log(logged, failure) and failure.at > settled.get(failure.signature, failure.at - failure.within):
            by_signature.setdefault(failure.signature, []).append(failure)
    errors = [_build_recurring(mark, sorted(all_, key=lambda one: one.at)) for mark, all_ in by_signature.items()]
    return sorted((error for error in errors if error.times >= TIMES), key=lambda error: error.last_at)


def _is_in_log(logged: Sequence[Failure], run: Failure) -> bool:
    began = run.began
    return began is not None and any(
        failure.script == run.script and began <= failure.at <= run.at for failure in logged
    )


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
