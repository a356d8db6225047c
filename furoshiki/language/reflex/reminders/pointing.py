"""What "it" and "that day" point to in a request for a reminder: "no, remind me of it at 9"."""

import re
from dataclasses import replace

from furoshiki.language.dates import parsing
from furoshiki.language.dates.parsing import When
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.reflex.wording import NO_BLANKS
from furoshiki.language.requests import correction_words, short_notes
from furoshiki.language.requests.values import MoveReminder, Remind
from furoshiki.language.word_tables import texts

_IT = {code: re.compile(ways, re.IGNORECASE) for code, ways in texts("lead", "that").items()}
_DAY = {code: re.compile(ways, re.IGNORECASE) for code, ways in texts("lead", "day").items()}
_OPENING = re.compile(correction_words.LEAD, re.IGNORECASE)


def find_of_it(heard: Heard) -> Remind | MoveReminder | None:
    """Return a reminder of what the last one is of, at a time of its own; the last one is moved where
    something is taken back ("no, wait")."""
    way, situation = _IT.get(heard.code), heard.situation
    when = parsing.parse_when(heard.text, situation.now, situation.habits)
    newest = max(situation.reminders, key=lambda one: one.id, default=None)
    if way is None or newest is None or when is None:
        return None
    bare = " ".join(parsing.without(heard.text, when.spans).split()).strip(" ,.!?，。！")
    plain = bare
    while (opening := _OPENING.match(plain)) is not None:
        plain = plain[opening.end() :]
    if way.fullmatch(plain.replace(",", "").strip()) is None:
        return None
    if plain != bare:
        start, end = when.spans[0][0], when.spans[-1][1]
        return MoveReminder(f"#{newest.id}", heard.text[start:end], named=True)
    if isinstance(when, When):
        return Remind(newest.title, when, tongue=heard.code)
    return Remind(newest.title, None, when.asks, heard.code, halves=when.halves)


def find_on_that_day(heard: Heard) -> Remind | None:
    """Return a reminder on "that day", the one told last; its time is asked for if there is none."""
    way, situation = _DAY.get(heard.code), heard.situation
    if way is None or heard.asks or way.search(heard.text) is None:
        return None
    day = _find_day_told(heard)
    wanted = requests.request(way.sub(day, heard.text, count=1), situation.now, situation.habits)
    if not isinstance(wanted, Remind):
        return None
    return wanted if day else replace(wanted, when=None, asks=None, halves=())


def _find_day_told(heard: Heard) -> str:
    """Return the day to come that was told last, as it can be read in a message; "" for none."""
    now, habits = heard.situation.now, heard.situation.habits
    for message in reversed(heard.situation.recent):
        if message.speaker != "user" or not message.own:
            continue
        when = parsing.read(short_notes.spell_out(message.own, heard.code), now, habits)
        if when is not None and when.dated and not (when.past or when.rule):
            if heard.code in NO_BLANKS:
                return f"{when.at.month}月{when.at.day}日"
            return f"{when.at:%Y-%m-%d}"
    return ""
