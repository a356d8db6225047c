"""Rules for a time of day: "at 9", "half past six", "um 9 Uhr 30", "in the morning"."""

import re
from collections.abc import Sequence
from datetime import time

from furoshiki.language.dates.half_of_day import NIGHT_ENDS
from furoshiki.language.dates.tokens import ROMANCE, Token
from furoshiki.language.dates.values import Doubt, Form, Hour, Made, ParseContext, Part, Rules, value_of, values_of
from furoshiki.language.word_tables import by_language

rule = Rules()


@rule(r"@?U?@?tp?c?|@?t@p")
def _clock(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    digits = str(value_of(tokens, "t"))
    at = time.fromisoformat(digits.removesuffix("?"))
    return Hour(at, not digits.endswith("?"), value_of(tokens, "p") if "p" in kinds else None, "written")


# languages whose articles also count, and whose words before an hour may stand before any thing
_BARE_ARTICLES = frozenset({"en", "de", "fr"})


@rule(
    r"(?:@|U@?)[nAo][cU]?(?:n(?![uUM]))?[pj]?|@?nc[n]?[pj]?|@[nA]U?&?(?:[hqb]|n(?![uUM]))[pj]?|U?@?n&?[hb][pj]?|@np|@nj"
    r"|(?<=[wrP])np|(?<=[wrP])nU(?:n(?![uUM]))?[pj]?"
)
def _bare(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "at 9", "um 9 Uhr 30", "в 9 часов утра", "a las siete y media"."""
    numbers = values_of(tokens, "nAo")
    if kinds[0] == "U" and scene.tongue != "tr" or ("o" in kinds and scene.tongue not in ("de", "tr", "en")):
        return None
    if kinds.startswith("nU") and scene.tongue not in ROMANCE:
        return None  # "mardi 9h", and no "dienstag 9 stunden"
    if kinds == "np" and not (scene.tongue in ROMANCE and scene.text[tokens[1].start] in "dD"):
        return None  # "sábado 10 da manhã"
    if "o" in kinds and (scene.tongue == "en" or tokens[-1].lead):
        return None
    if scene.tongue in _BARE_ARTICLES and re.search("A(?![cU])", kinds):
        return None  # "at a party", "um ein Haus", "à une fête"
    if ("h" in kinds or "q" in kinds) and scene.tongue in ("en", "de", "ru"):
        return None
    if kinds.endswith("n") and len(numbers) == 1 and kinds not in ("@n",) and not kinds.startswith(("@", "U")):
        return None
    if len(numbers) > 1 and [token for token in tokens if token.kind in "nAo"][1].lead:
        return None  # "at 9 on 24 December"
    hour, minute = int(numbers[0]), 0
    if re.search("[hb]", kinds):
        minute = 30
    elif "q" in kinds:
        minute = 15
    elif len(numbers) > 1:
        minute = int(numbers[1])
    if hour != numbers[0] or not 0 <= hour <= 24 or not 0 <= minute < 60:
        return Doubt("what time is that")
    part = None
    if "j" in kinds:
        part = "afternoon"
    elif "p" in kinds:
        part = value_of(tokens, "p")
    return Hour(time(hour % 24, minute), hour in (0, 24) or hour > 12, part, _form(scene, kinds, tokens, minute))


def _form(scene: ParseContext, kinds: str, tokens: Sequence[Token], minute: int) -> Form:
    """Return the form of an hour; digits are on the 24-hour clock where usual, or before "h"."""
    figures = scene.text[next(token for token in tokens if token.kind in "nAo").start].isdigit()
    if figures and scene.clock24 and scene.tongue == "en" and value_of(tokens, "nAo") >= NIGHT_ENDS:
        return "custom"
    if figures and scene.tongue != "en" and (scene.clock24 or (scene.tongue in ROMANCE and re.search("[cU]", kinds))):
        return "written"
    return "exact" if minute else "spoken"


@rule(
    r"@?[hHQ][no]c?p?|@?q[no]p?|@?<[nq][no]p?|@?(?:[hq]|n)[><][nA]c?p?|@?A?q[><][nA]p?|@?[nA]U?<(?:A?q|n)p?"
    r"|(?:@|U@?)n[qn][<>]"
)
def _parse_spoken(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "half past six", "quarter to eight", "halb acht", "las ocho menos cuarto"."""
    numbers = [int(value) for value in values_of(tokens, "nAo")]
    if re.match(r"@?(?:[Qq][no]|<)", kinds):
        if scene.tongue not in ("de", "ru") or (kinds.lstrip("@")[0] == "<") != (scene.tongue == "ru" and "<" in kinds):
            return None
        # "viertel sieben" and "четверть седьмого" are a quarter after six, "без десяти семь" ten before seven
        hour, minutes = numbers[-1], -45
        if "Q" in kinds or "<q" in kinds:
            minutes = -15
        elif "<" in kinds:
            minutes = -numbers[0]
    elif re.match(r"(?:@|U@?)n[qn][<>]", kinds):  # "yediye çeyrek kala"
        amount, hour = numbers[1] if len(numbers) > 1 else 15, numbers[0]
        minutes = -amount if kinds.endswith("<") else amount
    elif scene.tongue in ROMANCE:
        minutes, hour = -(numbers[1] if len(numbers) > 1 and "q" not in kinds else 15), numbers[0]
    elif re.match(r"@?H|@?h[no]", kinds):
        # English "half six" is 6:30, a German or Russian half six is 5:30
        minutes, hour = (30 if scene.tongue == "en" else -30), numbers[-1]
    else:
        amount = numbers[0]
        if "h" in kinds:
            amount = 30
        elif "q" in kinds:
            amount = 15
        minutes, hour = (-amount if "<" in kinds else amount), numbers[-1]
        if "q" not in kinds and "h" not in kinds and amount not in (5, 10, 20, 25):
            return None
    if not 1 <= hour <= 12:
        return None if hour > 24 else Doubt("what time is that")
    total = (hour * 60 + minutes) % (12 * 60)
    at = time((total // 60) or 12, total % 60)
    return Hour(at, False, value_of(tokens, "p") if "p" in kinds else None, "exact")


@rule(r"@?p")
def _part(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    part = next(token for token in tokens if token.kind == "p")
    alone = len(scene.text[: part.start].strip(" \t,.!?") + scene.text[part.end :].strip(" \t,.!?")) == 0
    by_itself = " " in scene.text[part.start : part.end].strip() or scene.tongue != "en"
    return Part(part.value) if "@" in kinds or by_itself or alone or part.lead else None


@rule(r"[~X]@?n[&<]@?[nt]")
def _range(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    return Doubt("at which time of these")


EARLY, MORNING, AFTERNOON, EVENING, NIGHT = time(5), time(9), time(15), time(19), time(21)
PARTS = {"morning": MORNING, "early": EARLY, "afternoon": AFTERNOON, "evening": EVENING, "night": NIGHT}
NO_TIME_SAID = time(9)


def unit_of(word: str) -> str:
    """Normalize a unit: "hrs" is "hour"."""
    word = word.lower()
    return _SHORT_UNITS.get(word, word.rstrip("s"))


_SHORT_UNITS: dict[str, str] = by_language("short_units")["en"]
