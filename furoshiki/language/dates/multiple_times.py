"""Several times in one text: "at 9 and at 5 to take my pills", "call Tom at 9 and buy milk at 5".

The text is split at "and" and commas; each piece with a time is one reminder. A missing day or time
of day is taken from the neighbours; an unclear text stays whole, to be asked about. A time without
a task before words with their own hour is one reminder: "at 2, dentist is at 3".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from furoshiki.language import word_tables
from furoshiki.language.dates import parsing, recurrence
from furoshiki.language.dates.habits import ENGLISH, Habits
from furoshiki.language.dates.parsing import Unclear, When

MOST = 6  # most reminders in one message; more pieces are a text about something else

_WAYS = word_tables.by_language("several_times")["en"]
_BETWEEN = re.compile(_WAYS["between"], re.IGNORECASE)
_HOURS = re.compile(_WAYS["hours"], re.IGNORECASE)
_HOUR = re.compile(r"\d{1,2}(?::\d\d)?(?: ?[ap]m)?", re.IGNORECASE)
_MATTER = re.compile(r"\s{0,3},?\s{0,3}(?:to|about|that|zu|an|que|para|de|d'|di|pour|per|о|об)\b", re.IGNORECASE)
_IS_THEN = re.compile(_WAYS["is_then"], re.IGNORECASE)  # an event at a time named before it

_DUTY = re.compile(r"\s*(?:i|we) have to\b|\s*(?:tengo|tenemos|hay) que\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Piece:
    """Words with one time; `told`: they describe an event with an hour of its own."""

    text: str
    when: When
    told: bool = False

    @property
    def matter(self) -> str:
        """The words besides the time."""
        return parsing.without(self.text, self.when.spans).strip(" \t\n,;:.-\u2013\u2014()")


def several(text: str, now: datetime, habits: Habits = ENGLISH, deed: str = "") -> tuple[tuple[When, str], ...]:
    """Return each time with the other words of its piece (maybe ""), in order; empty unless two
    or more are clear, or one is before an event with its own hour. `now` is aware, in the user's
    zone; `deed` is the task if the text does not name it."""
    text = _HOURS.sub(_spelt, text)
    whole = parsing.parse_when(text, now, habits)
    if whole is None:
        return ()
    pieces = _pieces(text, now, habits, deed)
    if len(pieces) == 1 and pieces[0].told:
        return ((pieces[0].when, pieces[0].matter),)
    if isinstance(whole, When) and whole.rule and sum(piece.when.timed for piece in pieces) < 2:
        return ()  # "Tuesdays and Thursdays at six" is one rhythm
    if not 2 <= len(pieces) <= MOST or (isinstance(whole, When) and not _apart(pieces, whole)):
        return ()
    whens = _in_turn(_complete_times([piece.when for piece in pieces], pieces, now, habits))
    if not whens:
        return ()
    return tuple((when, piece.matter) for when, piece in zip(whens, pieces, strict=True))


def _in_turn(whens: Sequence[When]) -> list[When]:
    """Order the times: in "at 9 and at 5" five is in the afternoon. Empty if a half is unclear."""
    times: list[When] = []
    for when in whens:
        before = times[-1] if times else None
        if before is not None and when.either and before.at.date() == when.at.date() and when.at <= before.at:
            hour = (when.at.hour + 12) % 24
            when = replace(when, at=when.at.replace(hour=hour), other=None)
        if when.other is not None:
            return []
        times.append(when)
    return times


def _read(text: str, now: datetime, habits: Habits, deed: str = "") -> When | Unclear | None:
    """Read a piece; for an ambiguous hour return the earlier, with the other as `other`."""
    when = parsing.parse_when(text, now, habits, deed)
    if isinstance(when, Unclear) and when.halves:
        return replace(when.halves[0], other=when.halves[1].at, either=True)
    return when


def _spelt(match: re.Match[str]) -> str:
    """Rewrite "at 9 and 5" as "at 9 and at 5"."""
    lead = match["lead"]
    return f"{lead} {_HOUR.sub(lambda hour: f'{lead} {hour.group()}', match['hours']).removeprefix(f'{lead} ')}"


def _pieces(text: str, now: datetime, habits: Habits, deed: str) -> list[_Piece]:
    """Split the text into pieces with one time each; empty if one is unclear. A piece without a
    time joins the previous one, at the beginning the next."""
    pieces: list[_Piece] = []
    waiting, at, before = "", 0, ""
    cuts = [*_BETWEEN.finditer(text)][: 2 * MOST]
    ends = [*((*cut.span(), cut["told"] is not None) for cut in cuts), (len(text), len(text), False)]
    joins = False
    for start, end, only_told in ends:
        words, between = text[at:start], text[start:end]
        when = _read(waiting + words, now, habits, deed)
        is_narrated = bool(pieces) and _is_told(pieces[-1], before, words, when)
        if isinstance(when, Unclear) and not is_narrated:
            return []
        if pieces and (when is None or is_narrated):
            pieces[-1] = replace(pieces[-1], text=pieces[-1].text + before + words, told=pieces[-1].told or is_narrated)
        elif pieces and joins:
            joined = pieces[-1].text + before + words
            again = _read(joined, now, habits, deed)
            if not isinstance(again, When):
                return []
            pieces[-1] = _Piece(joined, again, pieces[-1].told)
        elif when is None or isinstance(when, Unclear):
            waiting += words + between
        else:
            pieces.append(_Piece(waiting + words, when))
            waiting = ""
        at, before, joins = end, between, only_told
    return pieces


def _is_told(piece: _Piece, between: str, words: str, when: When | Unclear | None) -> bool:
    """Return whether words after a time without task describe an event: "dentist is at 3"."""
    if when is None or piece.matter or not when.spans:
        return False
    (start, _), (_, end) = when.spans[0], when.spans[-1]
    if _MATTER.match(words, end) is not None:
        return False
    before = words[:start].split()
    if not before:
        return _IS_THEN.match(words, end) is not None and _DUTY.match(words, end) is None
    return len(before) > 1 or not any(sign.isalpha() for sign in between)


def _apart(pieces: Sequence[_Piece], whole: When) -> bool:
    """Return whether a later piece that could belong to the task begins with a time of its own."""
    return any(
        piece.when.start == 0
        and bool(piece.when.rule) == bool(whole.rule)
        and (piece.when.timed or _MATTER.match(piece.text, piece.when.end) is not None)
        for piece in pieces[1:]
    )


def _complete_times(whens: list[When], pieces: Sequence[_Piece], now: datetime, habits: Habits) -> list[When]:
    """Fill in missing days and hours."""
    if not any(when.dated for when in whens):
        if all(first.at < then.at for first, then in zip(whens, whens[1:], strict=False)):
            return whens
        return [_ahead(one, now) for one in _in_turn([_on(piece, now, now, habits) for piece in pieces])]
    complete = []
    for place, when in enumerate(whens):
        if not when.dated:
            day = next((one for one in (*reversed(whens[:place]), *whens[place:]) if one.dated), when)
            complete.append(_move_ahead(replace(_on(pieces[place], day.at, now, habits), rule=day.rule), now))
        elif not when.timed:
            hour = next((one for one in (*whens[place:], *whens[:place]) if one.timed), when)
            at = parsing.moment(when.at.date(), hour.at.timetz().replace(tzinfo=None), now)
            complete.append(replace(when, at=at, timed=hour.timed))
        else:
            complete.append(when)
    return complete


def _on(piece: _Piece, day: datetime, now: datetime, habits: Habits) -> When:
    """Put a time on a day, the morning first: in "at 9 and at 5" nine is before five."""
    begin = parsing.moment(day.date(), time(), now) - timedelta(seconds=1)
    when = _read(piece.text, begin, habits)
    at = when.at if isinstance(when, When) else piece.when.at
    return replace(piece.when, at=parsing.moment(day.date(), at.timetz().replace(tzinfo=None), now))


def _ahead(when: When, now: datetime) -> When:
    if when.at > now:
        return when
    return replace(
        when, at=parsing.moment(when.at.date() + timedelta(days=1), when.at.timetz().replace(tzinfo=None), now)
    )


def _move_ahead(when: When, now: datetime) -> When:
    """Return a repetition at its first future time."""
    if when.rule is None or when.at > now or now.tzinfo is None:
        return replace(when, past=when.at <= now)
    coming = recurrence.find_next(when.rule, when.at, now, now.tzinfo)
    return when if coming is None else replace(when, at=coming.astimezone(now.tzinfo))
