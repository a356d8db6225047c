"""Find the name that the user goes by: "call me Noor", "my name is Noor", "I go by Noor".

Only statements count: no question, quotation, "don't call me", or "I'm tired".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from furoshiki.core.catalogue import capital, get_language, later, say
from furoshiki.language import word_tables
from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.intents import NAME, is_meant
from furoshiki.language.self_corrections import blank_retractions
from furoshiki.language.tables import calendar_names, proper_nouns
from furoshiki.language.tables.function_words import FILLER
from furoshiki.language.testimony import Own, as_told
from furoshiki.language.words import asks, bare, with_apostrophes


@dataclass(frozen=True, slots=True)
class NameStatement:
    """A name the user gave; text[start:end] is the statement. `refused`: a name not to use."""

    name: str
    start: int
    end: int
    refused: bool = False


_LETTERS = r"[^\W\d_]"
# begins what somebody else is to the user: "it's Anna, my sister"
_MINE = r"(?:my|our|meine?|unsere?|ma|mon|mi|mia|mio|la|il|minha|meu|мо[йя]|benim)\s"
_PART = rf"{_LETTERS}(?:{_LETTERS}|['\u2019-](?={_LETTERS}))*"
_PARTICLES = ("van", "von", "de", "da", "del", "der", "den", "al", "el", "bin", "ibn", "di", "la", "le")
_NAME = (
    rf"(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?{_PART}(?:\s+(?:(?:{'|'.join(_PARTICLES)})\s+){{0,3}}{_PART}){{0,2}})"
)
_LEAD = r"(?:^|[\s,:;\u2014-])"

# filler words before a name in lower case, in any order
_PASSED = rf"(?:,?\s{{0,8}}(?<!\w){FILLER}(?!\w)[,\s]{{0,8}}){{0,3}}"

_BESIDE = word_tables.by_language("names_beside")["en"]
_NO_LEAD = _BESIDE["no_lead"]  # excludes words that introduce a thing, and negations

# up to four lower-case words before a capital
_ASIDE = rf"(?:,?\s+{_NO_LEAD}[a-zß-ÿа-яё-]{{1,12}},?){{0,4}}\s+"

# Where only a name can follow, any word may be one, also in lower case.
_GIVEN = tuple(
    word_tables.by_language("introduced")["en"]["given"].strip("\n").replace("{passed}", _PASSED).split("\n")
)
_CAPITAL = r"(?-i:(?=[^\W\d_a-zß-ÿа-яё]))"
_CAPITALS = (
    rf"(?P<name>{_CAPITAL}(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?{_PART}"
    rf"(?:\s+(?:(?:{'|'.join(_PARTICLES)})\s+){{0,3}}{_CAPITAL}{_PART}){{0,2}})"
)
_GIVEN_RE = tuple(
    re.compile(f"{_LEAD}{opening.removesuffix(chr(92) + 's+')}{shape}", re.IGNORECASE)
    for opening in _GIVEN
    for shape in (
        rf"(?-i:{_ASIDE}){_CAPITALS}",
        rf"\s+{_PASSED}(?:{_NO_LEAD}|(?=la |der |van |de |di ))(?!nicht|not\b){_NAME}",
    )
)
_ASIDE_OF_NAME = re.compile(rf"(?<=\bname),?\s+{FILLER},?(?=\s+(?:is|ist)\b)", re.IGNORECASE)
_GOES_ON = word_tables.texts("introduced", "goes_on")
# words after a name that do not belong to it: "lena por cierto", "anna e vivo qui"
_BEHIND_NAME = re.compile(
    rf"(?<=\w)\s+(?:{FILLER}|{'|'.join(_GOES_ON.values())}|und|y|et|e|и|ve|bu)(?!\w).*", re.DOTALL
)
_OWN_CAPITALS = rf"(?P<name>{_CAPITAL}(?:(?:Dr|Prof)\.\s)?{_PART}(?:\s+{_CAPITAL}{_PART}){{0,2}})"
_ICH_BIN = re.compile(rf"{_LEAD}ich bin{_PASSED}\s*(?:die|der)\s+{_OWN_CAPITALS}\W*$", re.IGNORECASE)
_GREETING = word_tables.texts("introduced", "greeting")["en"]
_HELLO = re.compile(f"(?:{_GREETING})?", re.IGNORECASE)
# Polish "I am" and a name: what somebody is has another ending ("Jestem Polką")
_JESTEM = r"jestem(?!\s+\w{1,30}(?:ą|[eiy]m)(?!\w))"
# a name alone after "soy", "sono"; after a greeting, also "ich bin", "ben", and more; a lower-case name that is a whole
# message or clause: "au fait moi c'est yannick, …"
_PARTS = {"greeting": _GREETING, "jestem": _JESTEM, "capital": _CAPITAL, "part": _PART, "letters": _LETTERS}
_PARTS |= {"capitals": _OWN_CAPITALS, "others": _OWN_CAPITALS.replace("<name>", "<other>")}
_PARTS["no_small_name"] = word_tables.texts("introduced", "no_small_name")["en"]
_ABROAD = word_tables.by_language("introduced")["en"]
_BEING_ABROAD = re.compile(word_tables.pattern(_ABROAD["being_abroad"], _PARTS), re.IGNORECASE)
_SMALL_ABROAD = re.compile(word_tables.pattern(_ABROAD["small_abroad"], _PARTS), re.IGNORECASE)
_SMALL_BEING_ABROAD = re.compile(word_tables.pattern(_ABROAD["small_being_abroad"], _PARTS), re.IGNORECASE)
# requires a capital: "on m'appelle demain" is about the telephone
_CALLED_ABROAD = tuple(
    re.compile(f"{_LEAD}(?:{word_tables.pattern(way, {'name': _CAPITALS})})", re.IGNORECASE)
    for ways in word_tables.texts("introduced", "called").values()
    for way in ways.strip().split("\n")
)

# what before "call me" refuses the name
_DENIED = re.compile(r"(?<!\w)(?:не|n[ãa]o|no|non|ne|nunca|mai|jamais|nie)$", re.IGNORECASE)

_IN_SIGNS = re.compile(_BESIDE["in_signs"])
# a lower-case name followed by parts of an introduction: an age, or pronouns
_SMALL_BEING = re.compile(_BESIDE["small_being"], re.IGNORECASE)
# "I'm Noor" counts only with a capital, or as the answer to the question.
_HELLOS = word_tables.texts("introduced", "hellos")["en"].split()
_GREETED = "|".join(rf"(?<=\b{hi} )(?:im|its)|(?<=\b{hi}, )(?:im|its)" for hi in _HELLOS)
# "im" without apostrophe is German unless a greeting precedes it ("im Garten", "hi im Noor")
_BEING_RE = re.compile(rf"{_LEAD}(?:i['\u2019]m|{_GREETED}|i\s+am|it['\u2019]s|this\s+is)\s+{_NAME}", re.IGNORECASE)
_REFUSED_RE = re.compile(
    rf"{_LEAD}(?:please\s+)?(?:don['\u2019]?t|do\s+not|never|stop|quit)\s+(?:ever\s+)?(?:call|calling)\s+me\s+{_NAME}"
    rf"|{_LEAD}my\s+name\s+(?:is\s+not|isn['\u2019]?t|is\s+no\s+longer)\s+(?P<other>{_PART})",
    re.IGNORECASE,
)

# Words that end a name, and words that are no names: most words after "I'm" are not.
_STOP = frozenset(word_tables.texts("introduced", "ends")["en"].split())
_NO_NAME = frozenset(word_tables.texts("introduced", "no_names")["en"].split()) | (calendar_names.NAMES - {"may"})

_PUT_RIGHT = re.compile(word_tables.texts("introduced", "put_right")["en"], re.IGNORECASE)

MOST_SIGNS = 4  # most characters of a name in a script without capitals, such as Chinese

ASK = later("What should I call you?")
OFFER = later("Shall I call you {given}?")
_ASKS_NAME = {
    language: re.compile(ways, re.IGNORECASE) for language, ways in word_tables.texts("introduced", "asks_name").items()
}
_ANSWER = re.compile(
    rf"^\W*(?:(?:oh|hi|hey|hello|well|sure|yes|ok|okay|it['\u2019]?s|i['\u2019]?m|just)\W+)*{_NAME}\W*$", re.IGNORECASE
)
_WITH_ARTICLE = re.compile(rf"\W*(?:{_LETTERS}+[,.!]\s*)?(?:ich )?bin (?:die|der) {_LETTERS}+\W*$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:la|il|die|der|o|a|el)\s+(?=[^\W\d_a-zß-ÿ])")
# a question back after a name: "ich bin Jonas, und du?"
_AT_HELLO = {
    language: re.compile(
        rf"^(?:{_GREETING}){ways}\s(?:(?P<title>{titles})\s)?{_OWN_CAPITALS}"
        rf"(?=\W*$|[,;.!]|\s(?:und|y|et?|и|ve|and|aus|de|da|du|do|from|из)\s)(?!\W{{1,3}}{_MINE})",
        re.IGNORECASE,
    )
    for (language, ways), titles in zip(
        word_tables.texts("introduced", "at_hello").items(),
        word_tables.texts("introduced", "title").values(),
        strict=True,
    )
}
_AND_YOU = re.compile(word_tables.texts("introduced", "and_you")["en"], re.IGNORECASE)
# words around a name alone that answers the question for it: "Ken here", "ici Ken"
_HERE = re.compile(word_tables.texts("introduced", "here")["en"], re.IGNORECASE)
_LAUGH = re.compile(rf"(?<=\w),?\s(?:{'|'.join(word_tables.texts('chat', 'behind').values())})\W*$", re.IGNORECASE)
# Openings of an answer to the question for the name, with or without a greeting. Without the
# question `_BEING_ABROAD` applies: "ich bin Lehrer" is capitalized as well.
_I_AM = {
    language: re.compile(rf"^\W*(?:{_LETTERS}+[,.!，！]\s*)?(?:{ways})(?P<rest>\s.*|(?<=是).*)$", re.IGNORECASE)
    for language, ways in word_tables.texts("introduced", "i_am").items()
}


_HAN_AND_KANA = re.compile("[\u4e00-\u9fff][\u3041-\u30ff]")
# the least probability of a name in the answer to the question for it: "疲れた" is none, nor "c fini"
_PERHAPS_A_NAME = 0.3
# the same behind a greeting and "this is", and for German nouns: "hallo, hier ist die Rechnung" has
# 0.32, "die Steffi" 0.62
_LEAST_GREETED, _LEAST_IN_GERMAN = 0.1, 0.5
# the same of a place: "salut, c'est Paris" has 0.34, "hi, this is Sofia" 0.92
_LEAST_OF_A_PLACE = 0.78

# What says a name in small letters, and as well what somebody is, feels or does: the vector tells
# which. What is `_INTRODUCED` goes on to tell an age or a place: "sono marco ho 34 anni".
_HI = word_tables.texts("introduced", "hi")["en"]
_SMALL_NAME: dict[str, re.Pattern[str]] = {}
_INTRODUCED: dict[str, re.Pattern[str]] = {}
for _language, _ways in word_tables.texts("introduced", "opens").items():
    _names = rf"^\W{{0,3}}(?P<hi>{_HI}){_ways}(?P<name>{_LETTERS}{{2,20}}"
    _SMALL_NAME[_language] = re.compile(rf"{_names})\W{{0,5}}$", re.IGNORECASE)
    _apart, _ended = (r"[\s,，。]{0,3}", "") if _language == "zh" else (r"[\s,.]{1,3}", r"(?!\w)")
    _INTRODUCED[_language] = re.compile(
        rf"{_names}?(?:\s{_LETTERS}{{2,20}})??)(?={_apart}(?:(?:and|und|y|et?|и|ve)\s)?"
        rf"(?:(?:{_GOES_ON[_language]}){_ended}|\d{{1,2}}(?![\d:]|[.,]\d))|[,，]\s?(?!{_MINE})\w)",
        re.IGNORECASE,
    )

# a word that names somebody by what they work with: "dişçi", "oyuncu"
_TURKISH_TRADE = re.compile(rf"{_LETTERS}{{2,}}[cç][ıiuü](?:y[ıiuü]m)?")


def find_small_name(text: Own, greeted: bool = False) -> str | None:
    """Return the small word a message gives as a name: "soy ana"; `greeted`: after a greeting."""
    opening = _SMALL_NAME.get(get_language())
    if opening is None or asks(text):
        return None
    match = opening.fullmatch(" ".join(text.split()))
    if match is None or match["name"] != match["name"].lower() or (greeted and not match["hi"]):
        return None
    if get_language() == "tr" and _TURKISH_TRADE.fullmatch(match["name"]):
        return None
    return trim_name(match["name"])


def introduction(text: str) -> re.Match[str] | None:
    """Return the beginning of a message that may give a name and goes on to tell more ("sono marco" of "sono marco ho
    34 anni"), or None. Whether it is a name is told by the vector of these words."""
    opening = _INTRODUCED.get(get_language())
    if opening is None or asks(text):
        return None
    return opening.match(text)


def guess_name(text: Own, meant: Mapping[str, float]) -> str | None:
    """A name in small letters that is likely meant, and asked about before it is believed. Without a vector only a
    greeting before it tells."""
    if meant and not is_meant(meant, NAME):
        return None
    return find_small_name(text, greeted=not meant)


def statements(text: Own, is_something: bool = False, likely: float = 0.0) -> tuple[NameStatement, ...]:
    """Return every name statement, in order, with refused ones marked. If the message means what
    the user is (`is_something`), "Soy Enfermera" is none. `likely`: the probability that it gives a name."""
    all_statements: list[NameStatement] = []
    text = as_told(_ASIDE_OF_NAME.sub(lambda match: " " * len(match.group()), blank_retractions(text)))
    for clause in list_asserted(text):
        after = 0
        begins = 0 if _HELLO.fullmatch(text, 0, clause.start) else clause.start
        line = text[begins : clause.start] + clause.text
        refusal = _REFUSED_RE.search(line)
        if refusal is not None and (name := trim_name(refusal.group("name") or refusal.group("other"))):
            all_statements.append(_statement(name, begins, refusal, refused=True))
            after = refusal.end()
        for match in _list_matches(line, after):
            pattern = match.re
            if is_something and pattern in (_ICH_BIN, _BEING_ABROAD):
                continue
            given = next(filter(None, match.groupdict().values()), None)
            name = _find_being_name(match, text, likely) if pattern is _BEING_RE else trim_name(given)
            if name and pattern is _BEING_ABROAD and _is_of_calendar_or_map(name, match.group(), likely):
                name = None
            if name and not (len(name) == 1 and line[match.end() :][:1].isdigit()):  # "call me l8r"
                all_statements.append(_statement(name, begins, match))
                break
    return tuple(all_statements)


def _list_matches(text: str, after: int) -> list[re.Match[str]]:
    """Return possible names in a clause, last first ("Rosalind but everyone calls me Roz")."""
    every: list[re.Match[str]] = []
    for pattern in (*_GIVEN_RE, *_CALLED_ABROAD):
        every += pattern.finditer(text, after)
    matches = [match for match in every if not _DENIED.search(text, 0, match.start())]
    matches.sort(key=lambda match: -match.start(_group_of(match)))
    others = (_ICH_BIN, _BEING_ABROAD, _SMALL_ABROAD, _SMALL_BEING_ABROAD, _IN_SIGNS, _SMALL_BEING, _BEING_RE)
    return matches + [match for pattern in others for match in reversed([*pattern.finditer(text, after)])]


def find_name(
    text: Own, asked: bool = False, meant: Mapping[str, float] = MappingProxyType({})
) -> NameStatement | None:
    """Return the name the user wants from now on, if any: the last that is not refused. `asked`:
    the companion had just asked for the name, so "Noor" alone is an answer. `meant` is the
    probability of each of `language.intents.KINDS`: form cannot tell "ich bin Lehrer" from "ich
    bin Jonas"."""
    text = as_told(_AND_YOU.sub("", text))
    if asked:
        text = as_told(_HERE.sub("", _LAUGH.sub("", text)))
    is_something = get_language() in _I_AM and is_meant(meant, "is_something")
    asked = asked and not is_something
    likely = meant.get(NAME, 0.0)
    accepted = [statement for statement in statements(text, is_something, likely) if not statement.refused]
    if accepted:
        return accepted[-1]
    begun = introduction(text)
    if begun is not None and (name := trim_name(begun["name"])):
        capital = not meant and begun["name"].istitle() and get_language() != "de"
        if capital or is_meant(meant, NAME):
            return NameStatement(name, *begun.span())
    if greeting := _find_at_hello(text, meant):
        return greeting
    if not asked:
        return None
    if meant and (small := guess_name(text, meant)):
        return NameStatement(small, 0, len(text))
    return _bare_answer(text) if meant.get(NAME, 1.0) >= _PERHAPS_A_NAME else None


def _find_at_hello(text: Own, meant: Mapping[str, float]) -> NameStatement | None:
    """Return the name by which somebody says who is there: "hallo, hier ist die Steffi". German nouns have capitals,
    too: without a title the meaning decides."""
    opening = _AT_HELLO.get(get_language())
    match = None if opening is None else opening.match(text)
    if match is None or (name := trim_name(match["name"])) is None:
        return None
    least, unknown = _LEAST_GREETED, 1.0
    if get_language() == "de":
        least, unknown = _LEAST_IN_GERMAN, 0.0
    likely = meant.get(NAME, 0.0)
    elsewhere = _is_of_calendar_or_map(name, match.group(), likely)
    if match["title"] is None and (elsewhere or meant.get(NAME, unknown) < least):
        return None
    return NameStatement(name, 0, match.end())


def _is_of_calendar_or_map(name: str, said: str, likely: float) -> bool:
    """Return whether "it is" a holiday, or a place where a name is not `likely`: "c'est Paris".
    Who says "I am Regina" is no place."""
    if _OF_ONESELF.search(said) is not None:
        return False
    is_place = name.casefold() in proper_nouns.zones()
    return (is_place and likely < _LEAST_OF_A_PLACE) or bare(name) in proper_nouns.holidays()


_OF_ONESELF = re.compile(r"\b(?:soy|sono|sn|sou|bins?|ben|я|je\s+suis|moi)\b|\bhere\W*$", re.IGNORECASE)


def asks_name(text: str) -> bool:
    """Return whether a companion's message asks for the user's name (English, current language)."""
    text = text.replace("\u2019", "'")
    spoken = {"en", get_language()} & _ASKS_NAME.keys()
    return any(_ASKS_NAME[language].search(text) for language in spoken) or say(ASK) in text


def as_written(name: str, sentence: str) -> str:
    """Return a name without the article that some languages put before it ("la Michi", "der Tom"),
    with the capitals that a sentence gives it: "soy chuy" is told of Chuy."""
    bare = _ARTICLE.sub("", name)
    if bare != bare.lower():
        return bare
    capital = re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", sentence, re.IGNORECASE)
    if capital is None:
        return bare
    return capital[0]


def _bare_answer(text: str) -> NameStatement | None:
    opening = _I_AM.get(get_language())
    begun = None if opening is None else opening.match(text)
    rest = "" if begun is None else begun["rest"].lstrip()
    if begun is not None and rest[:1].islower() and not _WITH_ARTICLE.match(text):
        return None  # "soy enfermera" is a profession, not a name
    match = _ANSWER.match(rest.rjust(len(text)) if begun else text)
    if match is None or asks(text):
        return None
    given = match.group("name")
    name = trim_name(given)
    if not name or len(name) < len(given) - 1 or len(name.split()) > 3:
        return None
    if given.isascii() or given != given.lower():
        return NameStatement(name, match.start("name"), match.start("name") + len(name))
    if " " in given or (given == given.upper() and (len(given) > MOST_SIGNS or set("我你") & set(given))):
        return None  # a sentence: names do not contain "I" or "you"
    if _HAN_AND_KANA.search(given):
        return None  # "葵です"
    return NameStatement(name, match.start("name"), match.start("name") + len(name))


def _find_being_name(match: re.Match[str], text: str, likely: float) -> str | None:
    """Return the name in "I'm Noor": capitalized unless it is the whole message."""
    raw = match.group("name")
    opening = re.sub(r"\s+", " ", match.group().strip(" ,:;")).lower()
    name = trim_name(raw)
    if not name:
        return None
    capital = raw[0].isupper() and not text.isupper()
    if opening.startswith(("it's", "it\u2019s", "its", "this is")):
        if _PUT_RIGHT.search(text[: match.start("name")]):
            return None  # "sorry, it's Anna" corrects another person's name
        if _is_of_calendar_or_map(name, opening, likely):
            return None
        behind = text[match.start("name") + len(name) :]
        alone = len(behind.split()) < 2 and len(text) < 40  # "it's Anna with two n" is about someone else
        greeted = opening.startswith("its") and behind.startswith(",")
        capitals = capital and all(part[0].isupper() for part in name.split())
        return name if capitals and (alone or greeted) else None
    if capital:
        capitals = " ".join(part for part in name.split() if part[0].isupper() or part.lower() in _PARTICLES)
        return capitals or None
    return None


def _group_of(match: re.Match[str]) -> str:
    """Return the group in which a match has the name."""
    return next(key for key, said in match.groupdict().items() if said)


def _statement(name: str, offset: int, match: re.Match[str], refused: bool = False) -> NameStatement:
    group = _group_of(match)
    end = match.start(group) + _length_in(match.group(group), name)
    begin = match.start() + len(match.group()) - len(match.group().lstrip(" \t\n,:;\u2014-"))
    return NameStatement(name, offset + begin, offset + end, refused)


def _length_in(raw: str, name: str) -> int:
    """Return the length of the trimmed name in the raw match, whose spaces may be wider."""
    parts = list(re.finditer(r"\S+", raw))
    return parts[len(name.split()) - 1].end()


def _is_small_letter(word: str) -> bool:
    """Return whether a letter is a word of its own: "a", "u" (you), "y"; any other may be a name ("call me z")."""
    return len(word) == 1 and word in "aeiouyàéèóıавеикояус"


def trim_name(raw: str | None) -> str | None:
    """Return the name, capitalized, without later words ("Noor and I" → "Noor"); None if none."""
    parts: list[str] = []
    ended = ""
    for word in _BEHIND_NAME.sub("", raw or "").replace("\u2019", "'").split():
        if word.lower() in _STOP:
            ended = word.lower()
            break
        if parts and parts[-1][0].isupper() and word[0].islower() and word not in _PARTICLES:
            break
        parts.append(word)
    while parts and parts[-1] in _PARTICLES:
        parts.pop()
    if not parts or parts[0].lower() in _NO_NAME or parts[-1].endswith("'s") or not 1 <= len(parts[0]) <= 30:
        return None
    if all(part.islower() for part in parts):
        if len(parts) > 2 or _is_small_letter(parts[0]) or ended in ("with", "on", "as", "of"):
            return None
        if with_apostrophes(parts[0]) != parts[0]:
            return None  # "whats up"
        parts = [*map(capital, parts)]
    return " ".join(parts)
