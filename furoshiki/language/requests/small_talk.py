"""The meaning of messages that are only small talk, in other languages ("hallo, wie geht's?")."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from furoshiki.language import intents
from furoshiki.language.chat_spelling import write_out
from furoshiki.language.detection import Language
from furoshiki.language.intents import is_meant
from furoshiki.language.requests.lines import read_lines
from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN, bare, count_words, ends_asking

LONGEST = 120  # longest such message in characters
LEAST = 3  # least letters that identify a language by themselves

_MEANINGS = read_lines("meanings")["order"]  # order of precedence if a message has several meanings

THANKS = 0.875  # least probability for thanks by meaning alone: other kind words are similar

# most words of a greeting or goodbye recognized by meaning: longer ones tell something
MOST_GREETING = 9

_DRAWN_OUT = re.compile(r"(.)\1+")
_ENDS = re.compile(r"[.!?…。！？]")

# least probability by meaning alone of a goodbye in a message that has a feeling: "baristik 😊"
# tells good news
PARTS_SURELY = 0.8

BY_VECTOR = intents.KINDS[intents.KINDS.index("greets") : intents.KINDS.index("tired") + 1]
KINDS = (*BY_VECTOR, "thanks")


def find_meaning(
    language: Language, text: str, companion: str, likely: Mapping[str, float], feels: bool = False
) -> str | None:
    """Return a message's meaning: by set phrases, else by the probability of each of
    `language.intents.KINDS`. None if none is likely enough: the message tells or asks something
    else. `feels`: it has a strong feeling."""
    if len(text) > LONGEST:
        return None
    if said := by_phrases(language, text, companion) or _ask_last(language, text):
        return said
    likeliest = max(BY_VECTOR, key=lambda one: likely.get(one, 0.0))
    tells = likeliest in ("greets", "parts") and count_words(text) > MOST_GREETING
    of_another = likeliest == "asks_name" and bool(language.related(text))
    if likeliest in ("asks_time", "asks_day") and not language.dense:  # "сколько соне" asks for an age
        of_another = not language.words.issuperset(RUN.findall(write_out(text, language.code).casefold()))
    lively = likeliest == "parts" and feels and likely["parts"] < PARTS_SURELY
    if is_meant(likely, likeliest) and not (tells or of_another or lively):
        return likeliest
    return "thanks" if likely.get("thanks", 0.0) >= THANKS else None


def asks_companion(language: Language, text: str) -> bool:
    """Return whether a question is about what the companion said before: "qué me recomendaste?"."""
    said = texts("likely_answers", "companion_said").get(language.code)
    return said is not None and language.is_asked(text) and re.search(said, text.lower()) is not None


def _ask_last(language: Language, text: str) -> str | None:
    """Return the meaning of a question behind other sentences: "I don't trust this. What do you know about me?"."""
    *before, last = filter(str.strip, _ENDS.split(text))
    asked = by_phrases(language, last) if before and ends_asking(text) else None
    return asked if asked and asked.startswith("asks_") else None


def by_phrases(language: Language, text: str, companion: str = "") -> str | None:
    """Return the meaning of a message of phrases in languages.toml, companion's name allowed."""
    if len(text) > LONGEST:
        return None
    for spelling in dict.fromkeys((text, write_out(text, language.code))):
        letters = _join_letters(spelling)
        if (whole := _whole_phrases(language).get(letters)) is not None:
            return whole
        if (said := _phrases(language, companion).fullmatch(letters)) is not None:
            there = {name for name, words in said.groupdict().items() if words}
            return next((one for one in _MEANINGS if one in there), None)
    return None


def find_hail(language: Language, text: str) -> str | None:
    """Return the greeting of a time of day in a message ("guten Morgen"), None without one."""
    said = _join_letters(text)
    return next((one for one in language.says.get("hails", "").split(", ") if one and _join_letters(one) in said), None)


def language_of(text: str, languages: Iterable[Language]) -> Language | None:
    """Return the only language in which a message consists of such phrases, or None."""
    if len(_join_letters(text)) < LEAST:
        return None
    found = [one for one in languages if one.says and by_phrases(one, text) not in (None, "nods")]
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=64)
def _whole_phrases(language: Language) -> dict[str, str]:
    """Return the meaning of each phrase alone: “na ja” is no “na”, which greets, before a “ja”."""
    rows = ((meaning, language.says.get(meaning)) for meaning in reversed(_MEANINGS))
    return {_join_letters(one): meaning for meaning, phrases in rows if phrases for one in phrases.split(", ")}


@lru_cache(maxsize=64)
def _phrases(language: Language, companion: str) -> re.Pattern[str]:
    """Build a pattern of one or more phrases in a row, with a group for each meaning."""
    groups = [f"(?:{re.escape(_join_letters(companion))})"] if companion else []
    for meaning, phrases in language.says.items():
        each = sorted({_join_letters(one) for one in phrases.split(", ")}, key=lambda one: (-len(one), one))
        groups.append(f"(?P<{meaning}>{'|'.join(map(re.escape, each))})")
    return re.compile(f"(?:{'|'.join(groups)}){{1,6}}")


def _join_letters(text: str) -> str:
    """Return a text's letters and digits as one bare word, repeated ones once ("heyyy")."""
    return _DRAWN_OUT.sub(r"\1", bare("".join(RUN.findall(text))))
