"""Corrections by kind: "en fait c'est vendredi" after "ma visite est jeudi". Recognized by form:
the message denies, or names the wrong part, and otherwise contains only a day, hour, number or
name; the last message has one of the same kind. With more content ("no, on Friday I work") it is
news."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from operator import itemgetter

from furoshiki.core.catalogue import capital
from furoshiki.language.dates.chinese import put_into_english
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import without
from furoshiki.language.dates.said_times import Reading
from furoshiki.language.dates.tokens import MONTH
from furoshiki.language.dates.values import Day, Hour
from furoshiki.language.detection import Language
from furoshiki.language.requests.correction_words import alike, kind, place, read_contrasts, says_little
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.testimony import Own
from furoshiki.language.words import CODED, SPELLED, bare, trunk, word_set

_MOST_SMALL = 3  # most function words next to the right value: "it is on"
_LONGEST_COPULA = 5  # most letters of a copula: "is", "c'est", "heißt"
_SHORT = 2  # most letters of a word that counts as a function word in any language
_MOST_ALIKE = 3  # most words of a name that is corrected by one like it: "mrs van dam"

_EDGES = ' ,.;:!?\u201c\u201d"()。，！'

_SMALL_ENGLISH = frozenset(map(bare, COMMON))

# a first-person subject makes it a new statement: "no, on Friday I can"
_OURS = word_set("i we ich wir je nous yo io eu ben biz я мы")

# function words before a time, which stay in place
_LEADS_UP = word_set("on at in the am um an el la las los le à a il alle le lo às na no em в во saat")

_NUMBER = re.compile(r"(?<![a-zA-Z\d])\d{1,6}(?![a-zA-Z\d])")
_ARTICLE = re.compile(r"^l['\u2019](?=\d)", re.IGNORECASE)
# a day without its month, or an hour without its half: "12th" of "the 12th of december"
_DAY_ALONE = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.|º)?")
_SIGN_NAME = re.compile(r"(?:是|叫|在|住在|他|她){0,3}(?P<name>[\u4e00-\u9fff]{1,6})")


def find_contrast(text: Own, said: Own, at: datetime, language: Language | None) -> tuple[str, str] | None:
    """Return (wrong, right) for a message that names both: "meine Schwester", "meine Cousine". `at` is
    when the other words were `said`. A day stands for a day: "ich arbeite nicht am Montag" denies none."""
    small = COMMON if language is None else language.small
    for wrong_said, right_said, who in read_contrasts(text):
        if who and not _are_named(who, said, small):
            continue
        wrong, right = _strip_common(wrong_said.split(), right_said.split())
        denied = len(wrong)
        while len(wrong) > 1 and (len(wrong) > len(right) or place(" ".join(wrong), said) is None):
            wrong = wrong[1:]
        if small.issuperset(map(str.casefold, right)) or (len(wrong) < denied and right[0].casefold() in small):
            continue  # "I have no time on friday" denies nothing of "on friday"
        there = place(" ".join(wrong), said)
        if there is None or says_little(there[0]):
            continue
        before = CODED.findall(said[: there.start()].casefold())
        while len(right) > 1 and (
            right[0].casefold() in before[-1:] or (len(right) > len(wrong) and right[0].casefold() in before)
        ):
            right = right[1:]
        behind = CODED.findall(said[there.end() :].casefold())
        for count in range(len(right) - 1, 0, -1):
            if [*map(str.casefold, right[-count:])] == behind[:count]:
                right = right[:-count]
                break
        right[0] = _ARTICLE.sub("", right[0])
        most = len(wrong) + 1
        if right[0].casefold() in COMMON or "'" in right[0]:
            most = len(wrong)
        instead = " ".join(right)
        times = bool(_name_times(instead, at, language)), bool(_name_times(there[0], at, language))
        if len(right) <= most and instead.casefold() != there[0].casefold() and times[0] == times[1]:
            return there[0], instead
    return None


def _are_named(who: str, said: Own, small: frozenset[str]) -> bool:
    """Return whether one of the words that name a count is of was in what was said, in any case: "Маше", "Маша"."""
    words = [word for word in CODED.findall(who.casefold()) if word not in small]
    before = bare(said)
    return not words or any(bare(word)[: max(2, len(word) - 1)] in before for word in words)


def _strip_common(wrong: list[str], right: list[str]) -> tuple[list[str], list[str]]:
    while min(len(wrong), len(right)) > 1 and wrong[0].casefold() == right[0].casefold():
        wrong, right = wrong[1:], right[1:]
    while min(len(wrong), len(right)) > 1 and wrong[-1].casefold() == right[-1].casefold():
        wrong, right = wrong[:-1], right[:-1]
    return wrong, right


def find_value(rest: str, said: Own, at: datetime, language: Language | None) -> tuple[str, str] | None:
    """Return (wrong, right) if the `rest` of a denial is a day, hour, number or name and `said`
    (at `at`, aware) has one of the same kind."""
    if "我" in rest or not _OURS.isdisjoint(SPELLED.findall(rest.casefold())):
        return None
    return _find_time(rest, said, at, language) or _find_number(rest, said, language) or _find_place(rest, said)


def _find_time(rest: str, said: Own, at: datetime, language: Language | None) -> tuple[str, str] | None:
    new, old = (_name_times(text, at, language) for text in (rest, said))
    if not new:
        new, old = (_name_month(text, at, language) for text in (rest, said))
    if not new or not new.keys() <= old.keys():
        return None
    spans, there = tuple(new.values()), tuple(map(old.__getitem__, new))
    if rest[max(spans)[1] :].strip(" .!。") or not _is_bare(without(rest, spans), said, language):
        return None
    right, wrong = _strip_leads(_span(rest, spans), _span(said, there))
    if bare(wrong) == bare(right):
        return None
    days = list(filter(_DAY_ALONE.fullmatch, wrong.split()))
    return (days[0], right) if len(days) == 1 and _DAY_ALONE.fullmatch(right) else (wrong, right)


def _name_times(text: str, at: datetime, language: Language | None) -> dict[type, tuple[int, int]]:
    """Return the spans of a day and an hour in a text, each only if unique."""
    found: list[tuple[type, tuple[int, int]]] = []
    if language is not None and language.dense:
        whole = put_into_english(text)
        for start, end in (whole and whole.spans) or ():
            piece = put_into_english(text[start:end])
            for what in _name_times((piece and piece.words) or "", at, None):
                found.append((what, (start, end)))
        return _only(found)
    code = (language and language.code) or "en"
    reading = Reading(text, at, code, Habits((code,), "DMY"))
    for one in reading.components:
        if isinstance(one.said, Day | Hour):
            span = reading.tokens[one.first].start, reading.tokens[one.end - 1].end
            found.append((type(one.said), span))
    return _only(found)


def _name_month(text: str, at: datetime, language: Language | None) -> dict[type, tuple[int, int]]:
    """Return the span of the only month that a text names, of a date too: "in january"."""
    code = (language and language.code) or "en"
    if language is not None and language.dense:
        return {}
    reading = Reading(text, at, code, Habits((code,), "DMY"))
    return _only([(date, (one.start, one.end)) for one in reading.tokens if one.kind == MONTH])


def _only(found: list[tuple[type, tuple[int, int]]]) -> dict[type, tuple[int, int]]:
    counts = Counter(map(itemgetter(0), found))
    return {what: span for what, span in found if counts[what] == 1}


def _span(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    return text[min(spans)[0] : max(spans)[1]].split()


def _strip_leads(*times: list[str]) -> tuple[str, ...]:
    """Return times without words that lead up to them, if the same in each."""
    first, second = (words[0].casefold() for words in times)
    if first != second and _LEADS_UP.issuperset((first, second)) and (first in second or second in first):
        return tuple(map(" ".join, times))
    bare_times = []
    for parts in times:
        begins = 0
        while begins < len(parts) - 1 and parts[begins].casefold() in _LEADS_UP:
            begins += 1
        bare_times.append(" ".join(parts[begins:]))
    return tuple(bare_times)


def _find_number(rest: str, said: Own, language: Language | None) -> tuple[str, str] | None:
    """Resolve "no, 8" after "my son is 7"."""
    new, old = _NUMBER.findall(rest), _NUMBER.findall(said)
    if len(new) != 1 or len(old) != 1 or new == old or not _is_bare(_NUMBER.sub(" ", rest), said, language):
        return None
    return old[0], new[0]


def _find_place(rest: str, said: Own) -> tuple[str, str] | None:
    """Resolve "quatsch, in Kiel": the name after the same preposition or with a case."""
    words = rest.split()
    if not words or kind(words[-1]) != "name" or len(words) > 2 or (len(words) == 1 and trunk(rest) == rest):
        return None
    pattern = r"\w+['\u2019]\w+"
    if len(words) == 2:
        pattern = rf"(?<!\w){re.escape(words[0])} (\w[\w'\u2019-]*)"
    names = [one for one in re.findall(pattern, said) if kind(one) == "name" and one != words[-1]]
    if len(names) != 1:
        return None
    return names[0], words[-1]


def find_alike(rest: str, said: Own, language: Language | None) -> tuple[str, str] | None:
    """Return (wrong, right) if the `rest` of a denial, without its first small words, is like as
    many words of `said` in a row: "it's mrs hartley" after "my teacher is mr hartley"."""
    if language is not None and language.dense:
        return _find_alike_signs(rest, said)
    words, there = _split(rest), _split(said)
    begins = 0
    while begins < len(words) - 1 and _leads(words[begins], language):
        begins += 1
    for begin in range(begins, -1, -1):
        right, found = words[begin:], set[str]()
        for at in range(len(there) - len(right) + 1):
            wrong = there[at : at + len(right)]
            if _are_alike(wrong, right, language):
                found.add(" ".join(wrong))
        if len(found) == 1 and len(right) <= _MOST_ALIKE:
            return found.pop(), " ".join(right)
    return None


def _split(text: str) -> list[str]:
    return [word.strip(_EDGES) for word in text.split()]


def _are_alike(wrong: Sequence[str], right: Sequence[str], language: Language | None) -> bool:
    """Return whether the words are alike, one title aside: "señor López", "señora López"."""
    same, near, strange, telling = 0, 0, 0, 0
    for one, other in zip(wrong, right, strict=True):
        leads = _leads(one, language)
        if bare(one) == bare(other):
            same += not leads
        elif leads and _leads(other, language):
            return False
        elif alike(bare(one), bare(other)):
            near += 1
            telling += min(len(one), len(other)) > _SHORT  # "on" is like "long"
        else:
            strange += 1
    return near + strange > 0 and strange <= (telling + same > 0)


def _find_alike_signs(rest: str, said: Own) -> tuple[str, str] | None:
    named = _SIGN_NAME.fullmatch(rest)
    if named is None or len(right := named["name"]) < 2:
        return None
    found = ""
    for at in range(len(said) - len(right) + 1):
        window = said[at : at + len(right)]
        same = sum(one == other for one, other in zip(window, right, strict=True))
        if len(right) > same >= len(right) / 2:
            found = window
    return (found, right) if found else None


def _leads(word: str, language: Language | None) -> bool:
    """Return whether a word is a function word or a copula ("it's")."""
    small = _SMALL_ENGLISH if language is None else frozenset(map(bare, language.small))
    return all(len(part) <= _SHORT or part in small for part in bare(word).split("'"))


def find_name(rest: str, language: Language | None, *, named: bool = False) -> str | None:
    """Return the name in a denial's rest, without a copula; in small letters if it is `named`."""
    if (signs := _SIGN_NAME.fullmatch(rest)) is not None:
        return signs["name"]
    words = rest.split()
    if len(words) == 2 and words[0].islower() and len(words[0]) <= _LONGEST_COPULA:
        words = words[1:]
    if len(words) != 1:
        return None
    if named and words[0].isalpha() and words[0].islower() and not _leads(words[0], language):
        return capital(words[0])
    return words[0] if kind(words[0]) == "name" else None


def _is_bare(rest: str, said: Own, language: Language | None) -> bool:
    """Return whether the words next to a value are function words, or were said before."""
    if language is not None and language.dense:
        return not set(language.part_signs(rest)) - set(said) - set(" 是在的了吧，。,.!")
    small = COMMON if language is None else language.small
    known = set(map(bare, [*small, *SPELLED.findall(said)]))
    words = SPELLED.findall(rest.casefold().replace("it's", "it"))
    return len(words) <= _MOST_SMALL and all(len(word) <= _SHORT or bare(word) in known for word in words)
