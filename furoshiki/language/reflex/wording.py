"""Choose among several phrasings: not the last one again, and sometimes with the name."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from furoshiki.core import timestamps
from furoshiki.core.catalogue import ENGLISH, get_language, say
from furoshiki.language.dates.recurrence_words import often
from furoshiki.language.humanize import date, weekday
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import any_of, ends_asking, fold

COMPANION = "companion"
NO_BLANKS = frozenset({"zh"})  # languages without a space between sentences

_QUOTE_CHARACTERS = 160
_SAME_START = 18

_FLIPPED: dict[str, str] = by_language("flipped")["en"]
_FLIP = re.compile(rf"\b(?:{any_of(_FLIPPED)})\b", re.IGNORECASE)


@dataclass(frozen=True)
class Wording:
    """The phrasing of one reply, with the recent replies and the dice."""

    situation: Situation
    rng: random.Random

    def one(self, options: Sequence[str], **values: str) -> str:
        """Return one option, filled in; none used by recent replies while another is left.

        "{name}" becomes ", Noor" or nothing, so that the name appears occasionally.
        """
        filled = [say(option, name=self._name(), **values) for option in options]
        return self._unused(filled) or self.rng.choice(self._filter_suiting(filled))

    def unused(self, options: Sequence[str], **values: str) -> str | None:
        """Return an unused option, or None: a question is not asked twice."""
        return self._unused([say(option, name=self._name(), **values) for option in options])

    def _unused(self, filled: list[str]) -> str | None:
        fresh = [text for text in filled if not self.said_lately(text)]
        return self.rng.choice(self._filter_suiting(fresh)) if fresh else None

    def said_lately(self, text: str) -> bool:
        """Return whether a recent reply contains a text, judged by its beginning."""
        plain = _plain(text)
        start = plain[: max(_SAME_START, len(plain) // 2)]
        return any(start in _plain(reply) for reply in self.replies)

    @property
    def replies(self) -> tuple[str, ...]:
        """The companion's recent replies, oldest first."""
        return tuple(said.text for said in self.situation.recent if said.speaker == COMPANION)

    @property
    def away(self) -> bool:
        """Whether the model exists but is down: only certain things are said then."""
        return self.situation.why != "no-model"

    @property
    def may_ask(self) -> bool:
        """Whether another question is welcome: not after two in a row.

        Half as often for users who like it short; never if they asked for no questions, after
        recent distress, or while the model is away.
        """
        if self.away or "no_questions" in self.situation.wishes or self.situation.weighs is not None:
            return False
        if not self.replies and self.situation.last_seen is None:
            return False  # the introduction asks for the name, and one question is enough
        many = 1 if self.situation.concise else 2
        last = self.replies[-many:]
        return len(last) < many or not all(ends_asking(reply) for reply in last)

    def _filter_suiting(self, options: list[str]) -> list[str]:
        """Keep the options that suit the user: short ones, or no questions."""
        if "no_questions" in self.situation.wishes:
            options = [text for text in options if not ends_asking(text)] or options
        if self.situation.concise:
            options = sorted(options, key=len)[: (len(options) + 1) // 2]
        return options

    def _name(self) -> str:
        name = self.situation.user_name
        if not name or any(name in reply for reply in self.replies[-2:]):
            return ""
        return say(", {name}", name=name)


def join_sentences(*parts: str | None) -> str:
    """Join sentences; empty ones are left out."""
    return ("" if get_language() in NO_BLANKS else " ").join(part.strip() for part in parts if part and part.strip())


def flip_person(text: str) -> str:
    """Rephrase the user's words to address them: "call my mum" → "call your mum". English only."""
    if get_language() != ENGLISH:
        return text
    return _FLIP.sub(lambda match: _FLIPPED[fold(match.group())], text)


def quote(text: str, about: frozenset[str] = frozenset()) -> str:
    """Put the user's words in quotation marks; from a long message only the sentence about it."""
    plain = " ".join(text.split())
    if len(plain) > _QUOTE_CHARACTERS:
        sentences = re.split(r"(?<=[.!?])\s+", plain)
        plain = max(sentences, key=lambda sentence: sum(word in sentence.lower() for word in about))
    if len(plain) > _QUOTE_CHARACTERS:
        plain = plain[:_QUOTE_CHARACTERS].rsplit(" ", 1)[0] + " …"
    return f"\u201c{plain}\u201d"


def add_full_stop(text: str) -> str:
    """Add a full stop unless the text ends with punctuation, also within a final quotation."""
    if re.search(r"[.!?…。！？]\s?[”“»]?$", text):
        return text
    return f"{text}。" if get_language() in NO_BLANKS else f"{text}."


def day(at: datetime, now: datetime) -> str:
    """Format when something was said: "today", "yesterday", "on 3 March", "on 3 March 2025"."""
    local = timestamps.local(at, now.tzinfo)
    days = (now.date() - local.date()).days
    if days <= 0:
        return say("today")
    if days == 1:
        return say("yesterday")
    return say("on {date}", date=date(local, with_year=local.year != now.year))


def moment(at: datetime, now: datetime) -> str:
    """Format a future moment: "today at 18:00", "on Sunday, 8 March at 18:00"."""
    local = timestamps.local(at, now.tzinfo)
    days = (local.date() - now.date()).days
    time = local.strftime("%H:%M")
    if days == 0:
        return say("today at {time}", time=time)
    if days == 1:
        return say("tomorrow, {weekday}, at {time}", weekday=weekday(local), time=time)
    named = date(local, with_year=local.year != now.year)
    return say("on {weekday}, {date}, at {time}", weekday=weekday(local), date=named, time=time)


def describe_moment(at: datetime, now: datetime, zone: str = "") -> str:
    """Format a moment for a confirmation, with weekday and date: "today, Tuesday, 24 March, at
    18:00"; with the time in another zone, if it was given in that zone."""
    local = timestamps.local(at, now.tzinfo)
    named = {
        "weekday": weekday(local),
        "date": date(local, with_year=local.year != now.year),
        "time": local.strftime("%H:%M"),
    }
    match (local.date() - now.date()).days:
        case 0:
            said = say("today, {weekday}, {date}, at {time}", **named)
        case 1:
            said = say("tomorrow, {weekday}, {date}, at {time}", **named)
        case _:
            said = say("on {weekday}, {date}, at {time}", **named)
    if not zone:
        return said
    there = say("{time} {place} time", time=at.astimezone(ZoneInfo(zone)).strftime("%H:%M"), place=place(zone))
    return f"{said} ({there})"


def rhythm(rule: str, at: datetime, zone: str = "") -> str:
    """Format a repetition in the zone it was given in: "every Monday at 09:00 New York time"."""
    if not zone:
        return often(rule, at)
    return say("{often} {place} time", often=often(rule, at.astimezone(ZoneInfo(zone))), place=place(zone))


def place(zone: str) -> str:
    """Return the common name of a time zone: "America/New_York" is "New York"."""
    return zone.rpartition("/")[2].replace("_", " ")


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()
