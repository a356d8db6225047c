"""Which half of the day an hour is meant in: "tomorrow at 6" is six in the morning or six in the evening.

An alarm twelve hours late is the worst that a reminder can do. So an hour with minutes, or on a clock of 24 hours, is
the hour as written; another is decided by what is to be done then ("wake up"), by when the person is about, and by when
people are awake; what is left is asked about. The reasons are in docs/adr/0052-hours-as-written.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.values import Hour

SOON = timedelta(hours=3)
"""An hour that is so near is the next one on the clock: the person who says it is awake."""

A_NAP, TONIGHT = timedelta(hours=2), timedelta(hours=5)
"""So near, an afternoon's hour may be meant even by "wake me", and an hour of the night by "at 1"."""

NIGHT_ENDS = 5
"""Hours before this one, said by themselves, are the afternoon's."""

MORNING_BEGINS = 7
"""From this hour on the morning is meant where nothing tells: it is never too late."""

LEAST_SEEN, SURELY_SEEN, TIMES_MORE = 4, 20, 3
"""Moments within an hour of one half that speak for it; those of all the day before a half without any is ruled out;
how many times more than of the other."""

Span = tuple[int, int]

_ANYWHERE: tuple[tuple[Span, str], ...] = (
    ((0, 12), r"(?:wak(?:e|ing)|(?:get|getting|got) (?:me )?up|sunrise|before (?:work|school)|weck\w*"
     r"|vor der (?:arbeit|schule)"
     r"|auf(?:zu)?(?:steh|wach)\w*|sonnenaufgang|desp(?:ert|iért|iert)\w*|levantar\w*|amanecer|antes del trabajo"
     r"|uyan\w*|kalk(?:ış|mak|may)\w*|işten önce|вста(?:ть|ва)\w*|подъ[её]м\w*|прос(?:н|ып)\w*|разбуд\w*|рассвет\w*"
     r"|перед работой|(?:me )?réveill\w*|(?:me )?lever|avant le travail|svegli\w*|alzar\w*|prima del lavoro|acord\w*"
     r"|antes do trabalho)"),
    ((NIGHT_ENDS, 12), r"(?:alarm)"),
    ((4, 12), r"(?:breakfast|petit[- ]déj\w*|colazione|café da manhã"
     r"|pequeno[- ]almoço|frühstück\w*|desayun\w*|kahvaltı\w*|(?:по)?завтрак\w*)"),
    ((16, 24), r"(?:after work|nach (?:der arbeit|feierabend)|después del trabajo|işten sonra|после работы"
     r"|après le travail|dopo il lavoro|depois do trabalho)"),
)  # fmt: skip
_FIRST: tuple[tuple[Span, str], ...] = (
    ((11, 16), r"(?:lunch|déjeuner|pranz\w*|almoç\w*|mittagessen|almuerzo|almorzar|öğle yemeğ\w*|обед\w*)"),
    ((16, 24), r"(?:dinner|supper|bed|sleep|cinema|movies?|concert|theat(?:re|er)|party|abend(?:essen|brot)|feierabend"
     r"|kino|konzert|theater|schlafen|bett|cena|cenar|cine|concierto|teatro|fiesta|acostarme|dormir|akşam yemeğ\w*"
     r"|sinema\w*|konser\w*|tiyatro\w*|uyu(?:mak|may|ma)\w*|ужин\w*|кино|концерт\w*|театр\w*|вечеринк\w*|спать"
     r"|dîner|dîne|coucher|dormir|cinéma|soirée|cenare|dormire|festa|cinema|teatro|jantar|janta|deitar)"),
)  # fmt: skip
"""What is done at one end of the day, and the hours (from, up to) in which it begins. What belongs to the morning tells
wherever it stands, because it makes nothing late; of the evening only what is to be done itself: "at 9 to plan the
dinner" is no evening."""

_PEOPLE_AWAKE = (7, 22)
_AMONG_PEOPLE = (
    r"(?:call|ring|phone|buy(?= )|meet(?:ing)?|visit|pick\w* up|collect|doctor\w*|dentist\w*|bank|shop(?:ping)?|school"
    r"|lesson|appointment|haircut|interview|office|(?:zahn)?arzt\w*|anruf\w*|anzurufen|telefonier\w*|treff\w*"
    r"|ab(?:zu)?hol\w*|(?:ein)?kauf\w*|termin|friseur|llamar|reunión|médico|dentista|banco|recoger|cita|comprar"
    r"|ara(?:mak|may)\w*|toplantı\w*|doktor\w*|dişçi\w*|banka\w*|randevu\w*|satın al\w*|позвон\w*|встре[чт]\w*|врач\w*"
    r"|зубн\w*|банк\w*|забрать|купить|appel\w*|téléphon\w*|médecin|dentiste|banque|acheter|réunion|coiffeur|chiam\w*"
    r"|telefon\w*|medico"
    r"|comprare|riunione|appuntamento|ligar|telefonar|reunião|consulta)"
)
"""What is done where others are awake, as the first word or (where verbs stand there) the last."""

_HELPING = (
    r"(?:(?:to|see|have|having|eat|go|going|be|get|make|cook|out|into|for|a|the|my|our|zu[mr]?|ins?|haben|essen|gehen|mit"
    r"|das|ein|ir|al?|tener|hacer|la|el|mi"
    r"|aller|prendre|le|au|avec|andare|fare|con|il|ir|fazer|o|com|пойти|идти|на|в|с|ложиться|лечь) ){0,4}"
)


@dataclass(frozen=True, slots=True)
class Meant:
    """The moment that is likelier, and the other one where it is in doubt."""

    at: datetime
    other: datetime | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Whose hour it is: how they write and when they are about, what they said, and the pieces of it that say what is
    to be done then, in small letters."""

    habits: Habits
    text: str = ""
    matters: tuple[str, ...] = ()


def halves(hour: Hour, part: str | None) -> tuple[time, ...]:
    """The times of day that an hour can be, the earlier first; one where nothing is in doubt."""
    at = hour.at
    if hour.sure or at.hour > 12 or at.hour == 0:
        return (at,)
    early, late = time(at.hour % 12, at.minute), time(at.hour % 12 + 12, at.minute)
    if part in ("morning", "early"):
        return (early,)
    if part in ("afternoon", "evening"):
        return (late,)
    if part == "night":
        return (late if 6 <= at.hour < 12 else early,)
    return (late,) if hour.form in ("custom", "written") and at.hour == 12 else (early, late)


def of_day(both: Sequence[datetime], hour: Hour, person: Person) -> Meant:
    """Which of two moments of one day, both ahead, is meant."""
    early, late = both
    return _choose_by_deed(early, late, hour, person) or _by_clock(early, late, hour, person.habits)


def next_one(both: Sequence[datetime], now: datetime, hour: Hour, person: Person) -> Meant:
    """Which is meant when no day was said: each is the next time the clock shows it."""
    early, late = both
    first, second = sorted((early, late))
    by_deed = _choose_by_deed(early, late, hour, person)
    if first == late:  # this morning's has gone by, this evening's has not
        if by_deed is not None and by_deed.at == early and hour.form != "written" and first - now <= A_NAP:
            return Meant(first, second)
        return by_deed if by_deed is not None and by_deed.at == early else Meant(first)
    if by_deed is not None:
        return by_deed
    if first.hour < NIGHT_ENDS and hour.form == "spoken" and first - now <= TONIGHT:
        return Meant(second, first)
    if first - now <= SOON:
        return Meant(first)
    return _by_clock(early, late, hour, person.habits)


def _choose_by_deed(early: datetime, late: datetime, hour: Hour, person: Person) -> Meant | None:
    """Choose the half of the day that suits what is to be done; None where that does not decide."""
    span = _hours_of(person, among_people=hour.form != "written" or early.hour < NIGHT_ENDS)
    fitting = [at for at in (early, late) if span is not None and span[0] <= at.hour < span[1]]
    return Meant(fitting[0]) if len(fitting) == 1 else None


def _hours_of(person: Person, among_people: bool) -> Span | None:
    """Between which hours what they want to do begins."""
    for span, words in _ANYWHERE:
        if re.search(rf"\b{words}\b", person.text):
            return span
    among: tuple[tuple[Span, str], ...] = ((_PEOPLE_AWAKE, _AMONG_PEOPLE),) if among_people else ()
    for span, words in (*_FIRST, *among):
        if any(re.match(rf"{_HELPING}{words}\b", matter) for matter in person.matters):
            return span
    at_the_end = rf"\b{_AMONG_PEOPLE}$"
    at_last = among_people and any(re.search(at_the_end, one) for one in person.matters)
    return _PEOPLE_AWAKE if at_last else None


def _by_clock(early: datetime, late: datetime, hour: Hour, habits: Habits) -> Meant:
    exact = hour.form == "exact" or early.minute > 0
    if hour.form == "custom" or hour.form == "written" and (exact or early.hour >= NIGHT_ENDS):
        return Meant(early)
    seen_early, seen_late = (_count_seen(habits, at.hour) for at in (early, late))
    if early.hour and seen_early >= max(LEAST_SEEN, TIMES_MORE * seen_late):
        return Meant(early)
    if early.hour < NIGHT_ENDS:  # "um 3 Uhr" may be the night's by the clock; twelve is noon
        return Meant(late, early) if hour.form == "written" and early.hour else Meant(late)
    if early.hour >= MORNING_BEGINS:
        return Meant(early)
    if not seen_early and seen_late >= LEAST_SEEN and sum(habits.hours) >= SURELY_SEEN:
        return Meant(late)
    return Meant(early) if exact else Meant(late, early)


def _count_seen(habits: Habits, hour: int) -> int:
    """How often they were about within an hour of one."""
    return sum(habits.hours[(hour + near) % 24] for near in (-1, 0, 1)) if habits.hours else 0
