"""Past stretches of time: "two years ago", "vor zwei Jahren", "el verano pasado", "上周".

Words are tokenized like future times (`tokens`), plus words for the past (`config/words`, "dates",
`past`); Chinese is put into English. A month or day without a year is the last one that has begun.
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal

from furoshiki.core.timestamps import FIRST
from furoshiki.language.dates.past import chinese_past
from furoshiki.language.dates.tokens import LONGEST, Token, tokens, words_of
from furoshiki.language.dates.values import MOST_COUNTED, count_in, has, months_on, number_of, value_of, values_of
from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN

Unit = Literal["day", "week", "month", "season", "year"]
Lead = Literal["since", "until", "in"]
How = Literal["dated", "counted", "last", "near"]

ENGLISH = "en"
LONGEST_TEXT = 2_000  # characters in which times are searched

# least letters of the one word that proves the language: "a", "do" and "mar" are in many
_OWN_LETTERS = 4

_VAGUE: Mapping[Unit, float] = {"day": 1, "week": 3, "month": 15, "season": 45, "year": 183}


_LEADS: Mapping[str, Lead] = {"k": "since", "v": "until"}
_BESIDE_LEAD = "@EB"  # since about, since the end of, since early


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days [start, end), their unit and relation to the fact. `how` they are named: by their date,
    as so many units ago (counted), as those before these (last), or otherwise from today (near)."""

    start: date
    end: date
    unit: Unit
    lead: Lead = "in"
    how: How = "near"

    @property
    def vague(self) -> timedelta:
        """Tolerance around a counted stretch: half of its unit."""
        return timedelta(days=_VAGUE[self.unit]) if self.how == "counted" else timedelta()


@dataclass(frozen=True, slots=True)
class Past:
    """The stretches of a text, and whether it says that something began then."""

    stretches: tuple[Stretch, ...] = ()
    became: bool = False


NOTHING = Past()
_TABLES = texts("dates", "past")
_PERFECT = {tongue: re.compile(ways, re.IGNORECASE) for tongue, ways in texts("dates", "perfect").items()}
_LASTING = texts("dates", "lasting")
_PART = re.compile(rf".{{1,{LONGEST}}}(?!\S)", re.DOTALL)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_YEAR_IN_FIGURES = re.compile(r"(?:19|20)\d\d")


def read_whole(words: Sequence[Token], today: date) -> Stretch | None:
    """Return the stretch that words of nothing else name; None for others and for days ahead."""
    kinds = "".join(token.kind for token in words)
    rules = [(rule, maker) for rule, maker in _EXACT_RULES if rule.fullmatch(kinds)]
    longest = _longest(kinds, 0, words, today, rules)
    return None if longest is None else longest[0]


def read(text: str, today: date, asked: bool = False) -> Past:
    """Return past times in the language that reads most of the text; nothing in the future. Only
    where they are `asked` for, "on Monday" is the last one: of a fact it may lie ahead."""
    chinese = chinese_past.put_into_english(text[:LONGEST_TEXT], today)
    text = text[:LONGEST_TEXT] if chinese is None else chinese.words
    best, most = NOTHING, 0
    words = {word.casefold() for word in RUN.findall(text)}
    in_figures = _YEAR_IN_FIGURES.search(text) is not None
    for tongue in _TABLES:
        neutral = in_figures and tongue == ENGLISH  # "in 2019" is the same in many languages
        if not neutral and words.isdisjoint(_list_telling_words(tongue)):
            continue  # most texts name no time, and reading takes 0.3 ms for each language
        past, taken = _in(text, tongue, today, asked)
        if taken > most or neutral:
            best, most = past, taken
    return best


@functools.cache
def _list_telling_words(tongue: str) -> frozenset[str]:
    """Return words of a language; a text without any names no past time in it."""
    return words_of(tongue, "rwMupW") | frozenset(words_of_past(tongue))


def _in(text: str, tongue: str, today: date, asked: bool) -> tuple[Past, int]:
    """Return the reading in one language and the letters read; 0 without a word of its own."""
    stretches: list[Stretch] = []
    taken, own, became = 0, False, False
    for part in _PART.findall(text):
        words = _list_tokens(part, tongue)
        kinds = "".join(token.kind for token in words)
        became = became or "C" in kinds
        for stretch, run in _find_stretches(kinds, words, tongue, today, asked):
            stretches.append(stretch)
            taken += sum(token.end - token.start for token in run)
            own = own or len(run) > 2 or any(_of_its_own(token, part) for token in run)
    return Past(tuple(stretches), became), taken if own else 0


def _find_stretches(
    kinds: str, words: Sequence[Token], tongue: str, today: date, asked: bool
) -> list[tuple[Stretch, Sequence[Token]]]:
    """Return each stretch with its tokens; of "from 2015 to 2019" one since when, one until when."""
    found: list[tuple[Stretch, Sequence[Token]]] = []
    rules = _ASKED_RULES if asked else RULES
    at, opened, first_end = 0, 0, 0
    while at < len(kinds):
        longest = _longest(kinds, at, words, today, rules)
        if longest is None:
            at += 1
            continue
        stretch, end = longest
        to = kinds[first_end:at]
        joined = bool(found) and (to in ("v", "x") or (to == "&" and kinds[opened] == "X"))
        if stretch is None or not (joined or _names_time(words[at:end], kinds[at - 1 : at], tongue, asked)):
            at = end
            continue
        lead, first, last = _lead(kinds, at, end, tongue)
        if joined and found[-1][0].start <= stretch.start:
            opening, run = found[-1]
            found[-1] = replace(opening, lead="since"), run
            lead, first = "until", opened
        found.append((replace(stretch, lead=lead), words[first:last]))
        opened, first_end, at = first - (kinds[first - 1 : first] == "X"), last, last
    return found


def _names_time(run: Sequence[Token], before: str, tongue: str, asked: bool) -> bool:
    """Return whether it is no bare month, season or weekday: "August" is a name, "yaz" is "write",
    "the march" is no month, and what is done "in the summer" is done in every one."""
    [first, *more] = run
    if more or first.kind not in "MSw":
        return True
    led = before != "" and before in "@ikvEBX"
    if tongue == ENGLISH:
        if first.kind != "S" and first.lead.rpartition(" ")[2] in ("of", "on"):
            return True
        return led and (asked or first.kind != "S" or not first.lead)
    if first.kind == "S":
        return first.end - first.start >= _OWN_LETTERS
    return tongue == "tr" or led or bool(first.lead)


def _of_its_own(token: Token, text: str) -> bool:
    word = text[token.start : token.end]
    return token.kind not in "nody." and (len(word) >= _OWN_LETTERS or not word.isascii() or token.kind == "M")


def _list_tokens(text: str, tongue: str) -> list[Token]:
    """Return the tokens of a text with their meaning in the past; "for ten years" is since then in
    the perfect tense."""
    words = []
    lasting = _LASTING[tongue] if tongue in _PERFECT and _PERFECT[tongue].search(text) else None
    for token in tokens(_POSSESSIVE.sub("  ", text), tongue):
        if lasting is not None and token.kind in "nAh@." and token.lead.endswith(lasting):
            words.append(Token("k", "", token.start, token.start))
        words.append(reread(token, text, words_of_past(tongue)))
    return words


def reread(token: Token, text: str, table: Mapping[str, tuple[str, Any]]) -> Token:
    """Return a token of a text with its meaning in a table of the past, if it has one there."""
    meaning = table.get(text[token.start : token.end].casefold())
    return token if meaning is None else replace(token, kind=meaning[0], value=meaning[1])


@functools.cache
def words_of_past(tongue: str) -> Mapping[str, tuple[str, Any]]:
    """Return kind and value of each word of the past in a language."""
    return read_table(_TABLES.get(tongue, ""))


def read_table(lines: str) -> Mapping[str, tuple[str, Any]]:
    """Return kind and value of each word in lines of `config/words`, "past"."""
    table: dict[str, tuple[str, Any]] = {}
    for line in lines.strip().splitlines():
        spec, _, forms = line.partition(" = ")
        kind, _, value = spec.partition(" ")
        meaning = (kind, int(value) if kind in "SrMn" and value else value)
        table.update(dict.fromkeys((form.replace("_", " ") for form in forms.split()), meaning))
    return table


def _lead(kinds: str, at: int, end: int, tongue: str) -> tuple[Lead, int, int]:
    """Return the relation word before a stretch (in Turkish after it), and the run including it."""
    if kinds[at : at + 1] == "k" or "z" in kinds[at:end]:
        return "since", at, end
    if tongue == "tr":
        beside = end + (kinds[end : end + 1] == ".")
        if kinds[beside : beside + 1] in _LEADS:
            return (_LEADS[kinds[beside]], at, beside + 1)
        return ("in", at, end)
    before = len(kinds[:at].rstrip(_BESIDE_LEAD)) - 1
    return (_LEADS[kinds[before]], before, end) if before >= 0 and kinds[before] in _LEADS else ("in", at, end)


Maker = Callable[[Sequence[Token], date], Stretch | None]


def _longest(
    kinds: str, at: int, words: Sequence[Token], today: date, rules: Sequence[tuple[re.Pattern[str], Maker]]
) -> tuple[Stretch | None, int] | None:
    """Return the longest stretch from here and its end; the end alone if it is not in the calendar or lies ahead."""
    matches = [(match.end(), order) for order, (rule, _) in enumerate(rules) if (match := rule.match(kinds, at))]
    for end, order in sorted(matches, key=lambda one: (-one[0], one[1])):
        try:
            stretch = rules[order][1](words[at:end], today)
        except (ValueError, OverflowError):
            return None, end
        if stretch is not None:
            return (stretch if FIRST.date() <= stretch.start <= today else None), end
    return None


# units that are counted back; a fortnight or an hour is not
_UNITS: Mapping[str, Unit] = {"day": "day", "week": "week", "month": "month", "year": "year"}
_HALF_A_MONTH = 15  # days
_MOST_DAYS = 31  # of a month


def _one_day(day: date, how: How = "near") -> Stretch:
    return Stretch(day, day + timedelta(days=1), "day", how=how)


def _count(run: Sequence[Token]) -> float:
    """Return how many units are counted: "half a year" is 0.5, "two and a half years" 2.5."""
    kinds = "".join(token.kind for token in run)
    if not has(run, "hb"):
        return count_in(run)
    if "n" not in kinds and "h" in kinds.partition("u")[0]:
        return 0.5
    return count_in(run) + 0.5


def _go_back(run: Sequence[Token], today: date) -> tuple[date, Unit] | None:
    """Return the day so many units ago and the unit; half a month is 15 days."""
    unit = _UNITS.get(str(value_of(run, "uz")))
    count = _count(run)
    if unit is None or count > MOST_COUNTED:
        return None
    if unit in ("day", "week"):
        return today - timedelta(days=int(count * (7 if unit == "week" else 1) + 0.5)), unit
    months = count * (12 if unit == "year" else 1)
    day = months_on(today.replace(day=1), -int(months)).replace(day=min(today.day, 28))
    return day - timedelta(days=int(months % 1 * 2 * _HALF_A_MONTH)), unit


def _ago(run: Sequence[Token], today: date) -> Stretch | None:
    """Return so many units back; "seit zwei Jahren" begins then, too."""
    back = _go_back(run, today)
    if back is None or (run[-1].value == "back" and not has(run, "nA")):  # "my first day back"
        return None
    return replace(_one_day(back[0], "counted"), unit=back[1])


def _recent(run: Sequence[Token], today: date) -> Stretch | None:
    """Return "the past two months", up to today."""
    back = _go_back(run, today)
    if back is None:
        return None
    return Stretch(back[0], today + timedelta(days=1), back[1])


def _begin(unit: str, today: date) -> date:
    """Return the first day of the week, month or year of a day."""
    if unit == "week":
        return today - timedelta(days=today.weekday())
    return today.replace(day=1) if unit == "month" else date(today.year, 1, 1)


_LONG: Mapping[str, Unit] = {"week": "week", "month": "month", "year": "year"}


def _last_unit(run: Sequence[Token], today: date) -> Stretch | None:
    """Return the week, month or year before this one; "before last", the one before that."""
    unit = _LONG.get(str(value_of(run, "u")))
    if unit is None:
        return None
    end = _begin(unit, today)
    if has(run, "Z"):
        end = _begin(unit, end - timedelta(days=1))
    return Stretch(_begin(unit, end - timedelta(days=1)), end, unit, how="near" if has(run, "Z") else "last")


def _this_unit(run: Sequence[Token], today: date) -> Stretch | None:
    """Return the week, month or year of today, until today."""
    unit = _LONG.get(str(value_of(run, "u")))
    if unit is None:
        return None
    return Stretch(_begin(unit, today), today + timedelta(days=1), unit)


def _weekday(run: Sequence[Token], today: date) -> Stretch:
    """Return the last such weekday before today."""
    return _one_day(today - timedelta(days=(today.weekday() - value_of(run, "wP")) % 7 or 7))


def _near_day(run: Sequence[Token], today: date) -> Stretch | None:
    """Return today, as in "this morning", or a day counted back from it."""
    ahead = value_of(run, "r") if has(run, "r") else 0
    return _one_day(today + timedelta(days=ahead)) if ahead <= 0 else None


def _part_gone_by(run: Sequence[Token], today: date) -> Stretch | None:
    """Return "yesterday evening" or "this morning"; "this evening" may lie ahead."""
    [day, part] = run
    if day.value in (0, "") and part.value != "morning":
        return None
    return _near_day(run, today)


def _day_before(run: Sequence[Token], today: date) -> Stretch:
    return _one_day(today + timedelta(days=value_of(run, "r") - 1))


def _last_part(_run: Sequence[Token], today: date) -> Stretch:
    return _one_day(today - timedelta(days=1))


def _weekend(run: Sequence[Token], today: date) -> Stretch:
    """Return the last weekend; of those that are not called the last also this one."""
    days_since = (today.weekday() - 5) % 7 or 7
    if has(run, "lL"):
        days_since = today.weekday() + 2
    saturday = today - timedelta(days=days_since)
    return replace(_one_day(saturday), end=saturday + timedelta(days=2))


def _iso(run: Sequence[Token], _today: date) -> Stretch:
    return _one_day(date.fromisoformat(run[0].value), "dated")


def _iso_month(run: Sequence[Token], _today: date) -> Stretch | None:
    year, month = run
    if month.lead != "-" or number_of(year) < FIRST.year:
        return None
    start = date(number_of(year), number_of(month), 1)
    return Stretch(start, months_on(start, 1), "month", how="dated")


def _month(run: Sequence[Token], today: date) -> Stretch | None:
    """Return a month or a day in it: the last that has begun if no year is named."""
    word = next(token for token in run if token.kind == "M")
    days = [number_of(token) for token in run if token.kind in "no"]
    if has(run[:1], "no") and (word.lead == "on" or days[0] > _MOST_DAYS):  # 500 on 3 May
        return None
    years = [int(year) for year in values_of(run, "y")]
    year = years[0] if years else today.year
    start = date(year, word.value, days[0] if days else 1)
    if not years and (start > today or (has(run, "lL") and start.month == today.month)):
        start = start.replace(year=today.year - 1)
    if days:
        return _one_day(start, "dated")
    return Stretch(start, months_on(start, 1), "month", how="dated")


def _season(run: Sequence[Token], today: date) -> Stretch:
    years = [int(year) for year in values_of(run, "y")]
    start = date(years[0] if years else today.year, value_of(run, "S"), 1)
    if not years and start > today:
        start = start.replace(year=today.year - 1)
    return Stretch(start, months_on(start, 3), "season", how="dated")


def _year(run: Sequence[Token], _today: date) -> Stretch:
    year = int(value_of(run, "y"))
    return Stretch(date(year, 1, 1), date(year + 1, 1, 1), "year", how="dated")


def _compile(*rules: tuple[str, Maker]) -> Sequence[tuple[re.Pattern[str], Maker]]:
    return tuple((re.compile(pattern), maker) for pattern, maker in rules)


_UNITS_COUNTED = "[nA]?(?:[&k]?[hb])?u(?:&?[hb])?"

RULES = _compile(
    (rf"k?g{_UNITS_COUNTED}|k[@.]?(?=[nAh]){_UNITS_COUNTED}|{_UNITS_COUNTED}a|[nA]z", _ago),
    (r"[lL]u|ul|uZ|Zu", _last_unit),
    (r"Tu", _this_unit),
    (r"[lL][wP]|wl", _weekday),
    (r"[lL]W|Wl", _weekend),
    (r"r(?!p)", _near_day),
    (r"[rT]p", _part_gone_by),
    (r"lp|pl", _last_part),
    (r"u~r", _day_before),
    (r"d", _iso),
    (r"nn", _iso_month),
    (r"[no]M(?:,?y)?|M[no](?:,?y)?|[lLT]M|Ml|M(?:,?y)?", _month),
    (r"[lLT]S|Sl|Sy?", _season),
    (r"yu?", _year),
)
_ASKED_RULES = (
    *RULES,
    *_compile((r"[rT]p", _near_day), (r"T?W", _weekend), (r"T?w[lL]?p?", _weekday), (r"[lL]nu", _recent)),
)
_EXACT_RULES = (*_ASKED_RULES, *_compile((r"~r", _day_before), (r"Lp", _last_part), (r"[lL]wp", _weekday)))
