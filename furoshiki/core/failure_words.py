"""Plain words for failures of background work, one line for each kind."""

from collections.abc import Iterable, Mapping

from furoshiki.core.catalogue import later, say, say_sentence, unpack, words

WORDS = words("failures")  # what failed, by kind of event

UNKNOWN = later("something went wrong")

ALERT = "alert"  # the kind of an event whose payload holds its own message

KINDS = (*WORDS, ALERT)

LONGEST_REASON = 160


def lines(found: Iterable[tuple[str, Mapping[str, object]]]) -> list[str]:
    """Return one line for each kind (alerts: each message), with its count and newest reason.

    `found` holds kind and payload, oldest first.
    """
    times: dict[str, int] = {}
    reasons: dict[str, str] = {}
    for kind, payload in found:
        what = say_sentence(WORDS.get(kind) or unpack(payload.get("words") or UNKNOWN))
        times[what] = times.get(what, 0) + 1
        reasons[what] = " ".join(str(payload.get("reason") or "").split())[:LONGEST_REASON] if kind in WORDS else ""
    return [_line(what, count, reasons[what]) for what, count in times.items()]


def _line(what: str, count: int, reason: str) -> str:
    if not reason:
        return what if count == 1 else say("{what} ({count} times)", what=what, count=count)
    once, often = later("{what} did not work: {reason}"), later("{what} did not work ({count} times): {reason}")
    return say(once if count == 1 else often, what=what, count=count, reason=reason)
