"""Parse requests to forget: "forget my PIN", "please don't keep that", "delete all my data".

Only the sender's own words count. "Forget it" means never mind, "don't forget" and "forget to" are
the opposite, and a reminder or list is cancelled, not forgotten: none of these is a request. Other
languages are `config/words`, "forget".
"""

import re
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from furoshiki.language import word_tables
from furoshiki.language.testimony import Own
from furoshiki.language.word_tables import by_language, pattern
from furoshiki.language.words import MOST_ANSWERED, ends_asking

# -- requests to forget in other languages: patterns for a whole sentence in lower case --
#
# Group x is the object. "Don't forget" matches none of them.


# the object of a request; "told" in the patterns means all statements about something
Kind = Literal["everything", "before", "this", "conversation", "about"]

Said = Literal["everything", "before", "told", "about"]

# words for days in other languages, as the forgetting code names them
DAYS = {
    **dict.fromkeys(("gestern", "ayer", "вчера", "dün", "昨天"), "yesterday"),
    **dict.fromkeys(("heute", "hoy", "сегодня", "bugün", "今天"), "today"),
}

_PARTS = {"x": r"(?P<x>.{2,160}?)", "y": r"(?P<y>.{2,160}?)"}
# a language, a kind of request, and its pattern
SAYINGS: tuple[tuple[str, Said, re.Pattern[str]], ...] = tuple(
    (language, said, re.compile(f"{table['lead']}(?:{pattern(ways, _PARTS)}){table['trail']}"))
    for language, table in by_language("forget").items()
    for said in get_args(Said)
    for ways in table.get(said, ())
)

# patterns of a clause that regrets what was said before
REGRETS = tuple(
    re.compile(pattern(ways, {})) for table in by_language("forget").values() for ways in table.get("regret", ())
)


_ENGLISH = by_language("forget_english")["en"]

# a verb in the first person by its ending: "dónde vivo", "dove lavoro", not "dove andiamo"
_MY_PRESENT = r"(?:d[óo]nde|cuándo|dove|onde) (?:\w{1,3} )?\w{2,20}(?<!m)o(?!\w)"

_FIRST_PERSON = _ENGLISH["first_person"]

_OWNED = re.compile(rf"\b{_FIRST_PERSON}\b|{_MY_PRESENT}", re.IGNORECASE)

_WAYS = word_tables.by_language("forget_aside")["en"]
_NAMED = re.compile(_WAYS["named"])  # a name, or the affair with a person

# where a person lives or how old they are, with a name: "forget where we were" is talk
_OF_SOMEBODY = re.compile(_WAYS["of_somebody"], re.IGNORECASE)

_OF_A_NAME = re.compile(_WAYS["of_a_name"], re.IGNORECASE)
_FOR_NOW = re.compile(_ENGLISH["for_now"], re.IGNORECASE)

# signs that the sentence goes on beyond the object of the request
_MORE = re.compile(
    rf"[,;:\u2014\u2013](?!(?:{_FIRST_PERSON}|that|what|where|who|which|dass|was|wo|wie|wer|[A-Z]|что|где|как|que)\b)"
    rf"|\s(?:and|but|so|und|aber|sondern|y|pero|и|а|но|ve|ama|da|et|mais|e|ma)\s"
    rf"(?!(?:{_FIRST_PERSON}|that|what|where|who|about|everything|all|dass|was|que|что)\b|[A-Z\u00c0-\u00de\u0410-\u042f])",
)

_TOLD_BY_OTHERS = re.compile(r"^(?:what|that) (?:he|she|they|it|you)\b(?!.*\b(?:know|about me)\b)", re.IGNORECASE)

_SELF = re.compile(_WAYS["self"], re.IGNORECASE)


@dataclass(frozen=True)
class ForgetRequest:
    """The object of a request: everything, the last statement, this message, this conversation,
    or matters about `words`. `alone`: the message asks nothing else; `tongue` is its language."""

    kind: Kind
    words: str = ""
    alone: bool = True
    tongue: str = field(default="en", compare=False)


# personal data named without "my": "the locker code"
_PERSONAL_THING = re.compile(_WAYS["personal_thing"], re.IGNORECASE)


_NEVER_MIND = re.compile(_WAYS["never_mind"])
_NO_DATA = re.compile(_WAYS["no_data"])
_WAVED_OFF = re.compile(r"(?:\w+,? ){0,2}forget (?:about )?it")
_WAVES = re.compile(r"(?:forget|vergiss|olvid|oublie|dimentica|scorda|esque[cç]|забудь|vergeet|zapomnij|bunu unut|忘)")
_POLITE = re.compile(_ENGLISH["polite"])
_DELETES = re.compile(pattern(r"\b{delete}\b|\b{keep}\b|\b{kept}\b", _ENGLISH["parts"]))
_ABOUT_LEAD = re.compile(_WAYS["about_lead"])


def _whole(way: str) -> re.Pattern[str]:
    return re.compile(pattern(f"{{lead}}{way}{{trail}}", _ENGLISH["parts"]))


_KINDS: tuple[tuple[str, Kind], ...] = (
    ("all_of_a_day", "about"),
    ("everything", "everything"),
    ("conversation", "conversation"),
    ("before", "before"),
    ("about", "about"),
)
_SAYINGS = tuple((kind, tuple(map(_whole, _ENGLISH[ways]))) for ways, kind in _KINDS)
_REGRETS = (*map(re.compile, _ENGLISH["regret"]), *REGRETS)

_SENTENCE = re.compile(r"[^.!?\n;\u2026。！？；]+[.!?;\u2026。！？；]*")
_COMMA = re.compile(r"\s*[,，\u2014\u2013:(]\s*|\s+(?:and|but)\s+")
_MOST_PARTS = 8
_COURTESY = re.compile(_WAYS["courtesy"])


def read(text: Own) -> ForgetRequest | None:
    """Return the request in a message, or None; not `alone` if it says something else as well."""
    sentences = [found.group() for found in _SENTENCE.finditer(text[:MOST_ANSWERED]) if found.group().strip()]
    for place, sentence in enumerate(sentences):
        found, before = _in_sentence(sentence)
        if found is None:
            continue
        others = [before, *sentences[:place], *sentences[place + 1 :]]
        beside = [one for one in others if not _regrets(one)]
        alone = len(text) <= MOST_ANSWERED and all(_COURTESY.fullmatch(_plain(one)) for one in beside)
        if alone or (found.kind == "before" and len(beside) < len(others)):
            return replace(found, alone=alone)
        if found.kind == "before":
            # within other text a bare "forget that" only changes the subject
            meant = _POLITE.search(_plain(sentence)) or not _WAVES.match(_plain(sentence))
            return ForgetRequest("this", alone=False, tongue=found.tongue) if meant else None
        return ForgetRequest(found.kind, found.words, alone=False)
    return None


def _regrets(clause: str) -> bool:
    return any(way.fullmatch(_plain(clause)) for way in _REGRETS)


def _in_sentence(sentence: str) -> tuple[ForgetRequest | None, str]:
    """Return the request in a sentence, whole or on one side of a joint, and the other side."""
    if (found := _request(sentence)) is not None:
        return found, ""
    for joint in list(_COMMA.finditer(sentence))[:_MOST_PARTS]:
        for asks, rest in (
            (sentence[joint.end() :], sentence[: joint.start()]),
            (sentence[: joint.start()], sentence[joint.end() :]),
        ):
            found = _request(asks)
            if found is not None and found.kind == "before":
                return found, rest
    return None, ""


def _request(sentence: str) -> ForgetRequest | None:
    plain, shown = _plain(sentence), _straight(sentence)
    asks = ends_asking(sentence)
    for kind, patterns in _SAYINGS:
        for way in patterns:
            match = way.fullmatch(plain)
            if match is not None:
                return _build_request(kind, match, plain, shown, asks)
    for tongue, said, way in SAYINGS:
        match = way.fullmatch(plain)
        if match is not None and (found := _elsewhere(said, match, shown)) is not None:
            return replace(found, tongue=tongue)
    return None


def _elsewhere(kind: Said, match: re.Match[str], shown: str) -> ForgetRequest | None:
    """Return the request of a sentence in another language."""
    if kind != "about" and kind != "told":
        return ForgetRequest(kind)
    named = match.groupdict()
    if (day := named.get("day")) is not None:
        return ForgetRequest("about", DAYS[day])
    words = shown[slice(*match.span("y" if named.get("y") else "x"))].strip(" ,")
    if _NO_DATA.search(words.lower()):
        return None
    meant = kind == "told" and not goes_on(words) or is_forgettable(words, names=False) or _says_of_a_name(shown)
    return ForgetRequest("about", words) if meant else None


def _build_request(kind: Kind, match: re.Match[str], plain: str, shown: str, asks: bool) -> ForgetRequest | None:
    named = match.groupdict()
    if named.get("day"):
        return ForgetRequest("about", named["day"])
    polite = _POLITE.search(plain) is not None
    if kind == "before":
        return None if not polite and _WAVED_OFF.fullmatch(plain) else ForgetRequest("before")
    if kind != "about":
        return ForgetRequest(kind)
    words = shown[slice(*match.span("x"))]
    words = re.sub(f"{_ENGLISH['parts']['trail']}$", "", words, flags=re.IGNORECASE).strip(" ,")
    bare = words.lower()
    if bare in ("it", "about it") and polite:
        return ForgetRequest("before")
    if _NEVER_MIND.fullmatch(bare) or _NO_DATA.search(bare) or (asks and not polite):
        return None
    lead = _ABOUT_LEAD.match(bare)
    if lead is None or lead[0] == "about ":
        # "forget Anna" names stored data; "delete" makes that clear without a name
        meant = _DELETES.search(plain) or is_forgettable(words, names=True) or _says_of_a_name(shown)
        words = words.removeprefix("that ")
    else:
        meant = not goes_on(words[lead.end() :])
    if not meant:
        return None
    words = words[lead.end() :] if lead else words
    return ForgetRequest("about", words) if words.strip() else None


def _says_of_a_name(shown: str) -> bool:
    """Return whether what is to be forgotten is said of somebody by name: "forget that Finn hates mushrooms"."""
    return _OF_A_NAME.search(shown) is not None


def _straight(text: str) -> str:
    """Return the text with straight apostrophes, single spaces, no outer punctuation."""
    return re.sub(r"\s+", " ", text.replace("\u2019", "'")).strip(' .!?¿¡,;:\u2026"()。！？')


def _plain(text: str) -> str:
    straight = _straight(text)
    lowered = straight.lower()
    return lowered if len(lowered) == len(straight) else straight


def goes_on(words: str) -> bool:
    """Return whether the sentence goes on, or is meant for now only: then it is talk."""
    return _FOR_NOW.search(words) is not None or _MORE.search(words) is not None


def is_forgettable(words: str, *, names: bool) -> bool:
    """Return whether words name personal data; `names`: a name alone does."""
    if names and _PERSONAL_THING.fullmatch(words):
        return True
    if goes_on(words) or _TOLD_BY_OTHERS.search(words) or _SELF.search(words):
        return False
    if _OWNED.search(words) is not None or _OF_SOMEBODY.fullmatch(words) is not None:
        return True
    return names and _NAMED.fullmatch(words) is not None
