"""Parse the wording of corrections: the wrong and the right words, and the kind of a word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from furoshiki.core.catalogue import capital
from furoshiki.language import word_tables
from furoshiki.language.facts.relation_words import NOT_OF
from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.tables.numbers import up_to
from furoshiki.language.testimony import Own
from furoshiki.language.word_tables import by_language, texts
from furoshiki.language.words import asks, word_set

LONGEST = 160  # longest correction in characters; longer messages state something new
_MOST_WORDS = 4  # most words of the wrong and of the right phrase

_WAYS = word_tables.by_language("corrections_beside")["en"]
_PARTS: dict[str, str] = _WAYS["parts"]
NOT, JOINT = _PARTS["no"], _PARTS["joint"]
_OPENINGS = "|".join((*texts("corrections", "lead").values(), _PARTS["not_so"]))
_ONLY_OPENING = re.compile(rf"(?:(?:{_OPENINGS})[\s,.:!，。！-]{{1,5}})+", re.IGNORECASE)
# openings of a correction, in nine languages; they may be repeated
LEAD = (
    rf"^\W{{0,5}}(?:(?:(?:{_OPENINGS})[\s,.:!，。！-]{{1,5}}"
    r"|(?:其实|应该是|我是说|我的意思是|准确地说|不对|哦不|说错了)[，,。 ]{0,3}))"
)
_FILLED = {**_PARTS, "lead": LEAD, **{name: rf"(?P<{name}>\w[\w' :-]{{0,40}}?)" for name in ("right", "wrong")}}


def is_opening(text: str) -> bool:
    """Whether a text only begins a correction ("no wait", "nein warte", "no anzi")."""
    return _ONLY_OPENING.fullmatch(f"{text},") is not None


def _compile(way: str) -> re.Pattern[str]:
    return re.compile(word_tables.pattern(way, _FILLED), re.IGNORECASE)


# “It's not Anna, it's Hannah”, “not Anna but Hannah”; “he's 8, not 7”, “Hannah instead of Anna”
_PATTERNS = tuple(map(_compile, _WAYS["patterns"]))
# a contrast within a sentence, of one kind: "I start on the 8th, not the 7th"
_WITHIN = _compile(_WAYS["within"])
_MEANT = _compile(_WAYS["meant"])
_OF_KIND = re.compile(_WAYS["of_kind"], re.IGNORECASE)
_OTHER = _compile(_WAYS["other"])
# one thing in place of another: "not milk, butter", "çay demek istedim, kahve değil"
_CONTRASTS = tuple(map(_compile, _WAYS["contrasts"]))
# a new value for the subject just mentioned: "no, 14", "sorry, her name's Anika", "das stimmt
# nicht, sie heißt Anika"
_NO_IT_IS = _compile(_WAYS["no_it_is"])
# openings that alone deny nothing: "oh, Tom"
_HESITATING = re.compile(r"(?:\W|oh|ah|hm+|wait|actually|ach|halt|moment|enfin|ой|rather|better|lieber|besser)*", re.I)
# a full sentence after a denial: "that's wrong, Pixel is a dog"
_DENIED = _compile(_WAYS["denied"])
# one name for another in other languages: "sie heißt Anika, nicht Anita", "Ayşe değil, Ayla"
_NOT_ABROAD = tuple(map(_compile, _WAYS["not_abroad"]))
_NAMING = word_set("""
heißt heisst llama s'appelle chiama chama chama-se зовут called named name nombre nom nome имя adı
ismi
""")
_NOTS = frozenset(("not", "nicht", "no", "pas", "non", "não", "не"))
_ONE, _ANOTHER = (rf"(?P<{name}>\w[\w'-]{{0,24}})" for name in ("wrong", "right"))
_INSTEAD = re.compile(
    rf"^(?:(?:se llama|si chiama|se chama|called|named) )?{_ONE}{JOINT}{_ANOTHER}\W{{0,3}}$", re.IGNORECASE
)
_INSTEAD_IN_SIGNS = re.compile(_WAYS["instead_in_signs"])
_INSTEAD_TURKISH = re.compile(rf"^{_ONE} değil,? {_ANOTHER}\W{{0,3}}$", re.IGNORECASE)
_HE_OR_SHE = re.compile(_WAYS["he_or_she"], re.IGNORECASE)
_WRONG = _compile(_WAYS["is_wrong"])
_CHANGED = re.compile(r"\b(?:any ?more|now|no longer|these days|used to)\b", re.IGNORECASE)
_GIVEN, _SPELLED = _compile(_WAYS["given"]), _compile(_WAYS["spelled"])
# least difflib ratio of two spellings of one name; the second for Chinese characters
ALIKE, ALIKE_SIGNS = 0.65, 0.5
_NUMBER = re.compile(rf"\d{{1,4}}(?::\d\d)?(?:st|nd|rd|th)?|{up_to(12, first=1)}")
_MONTH = "|".join(MONTHS)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# a day of a month, even an impossible one: "the 31st of november"
DATE = re.compile(rf"\b(?:{_DAY} (?:of )?(?:{_MONTH})|(?:{_MONTH}) (?:the )?{_DAY})\b", re.IGNORECASE)
# words that do not correct a name: "it's not you, it's me", "not bad, good actually"
_SMALL = frozenset(by_language("small")["en"]["corrected"].split())
# words of a full sentence: "my name is Hannah, not Anna" is read as a statement
_SAYING = frozenset({"i", "i'm", "my", "our", "is", "are", "am", "was", "were", "has", "have", "do", "did", "name"})


@dataclass(frozen=True, slots=True)
class Correction:
    """The wrong and the right words of a correction; either may be implied."""

    wrong: str | None = None
    right: str | None = None
    surely: bool = True


def read(text: Own) -> Correction | None:
    """Parse a correction from a message, whatever it is about; None if it is none."""
    plain = " ".join(text.replace("\u2019", "'").split())
    if not plain or len(plain) > LONGEST or asks(plain) or _CHANGED.search(plain):
        return None
    if _WRONG.match(plain):
        return Correction()
    for pattern in _PATTERNS:
        match = pattern.match(plain)
        if match is not None:
            found = _build_correction(match["wrong"], match["right"])
            if found is not None:
                return found
    match = _WITHIN.match(plain)
    if match is not None and kind(match["right"]) == kind(match["wrong"]) is not None:
        return _build_correction(match["wrong"], match["right"])
    match = _MEANT.match(plain)
    if match is not None:
        return Correction(None, match["right"]) if len(match["right"].split()) <= _MOST_WORDS else None
    for pattern in _NOT_ABROAD:
        match = pattern.match(plain)
        if match is not None and kind(match["right"]) == kind(match["wrong"]) == "name":
            return Correction(match["wrong"], match["right"])
    if (renamed := _read_renamed(plain.split())) is not None:
        return renamed
    match = _NO_IT_IS.match(plain)
    if match is not None and kind(match["right"]) is not None:
        called = match["called"] is not None
        if called or _HESITATING.fullmatch(match["lead"]) is None:
            return Correction(None, match["right"], surely=called)
    return None


def _read_renamed(words: list[str]) -> Correction | None:
    """Parse another name in a full sentence: "my sister isn't called Elif but Elvan"."""
    small = list(map(str.lower, words))
    if (instead := _INSTEAD_IN_SIGNS.search(" ".join(words))) is not None:
        return Correction(instead["wrong"], instead["right"])
    if _NAMING.isdisjoint(small):
        return None
    for at, word in enumerate(small, 1):
        turkish = word in ("adı", "ismi")
        if turkish or word in _NOTS or word.endswith("n't"):
            match = (_INSTEAD_TURKISH if turkish else _INSTEAD).match(" ".join(words[at:]))
            if match is not None:
                return Correction(match["wrong"], capital(match["right"]))
    return None


_ORDINAL = re.compile(r"(?<=\d)\.(?=[\s,]|$)")  # the point of "am 8., nicht am 7."
# a marker after the right words: "Thursday I mean"
_SAYS_BEHIND = re.compile(_WAYS["says_behind"], re.IGNORECASE)


def hesitates(text: Own, rest: str) -> bool:
    """Return whether the text before `rest` denies nothing by itself: "oh, Tom"."""
    return _HESITATING.fullmatch(" ".join(text.split()).partition(rest)[0]) is not None


def says_little(words: str) -> bool:
    """Return whether words contain nothing that could be corrected: "not bad, good"."""
    return _SMALL.issuperset(words.casefold().split())


def read_denial(text: Own) -> str | None:
    """Return the sentence after a denial: "that's wrong, Pixel is a dog"; or None."""
    plain = " ".join(text.replace("\u2019", "'").split())
    denied = _DENIED.match(plain)
    rest = denied and denied["rest"]
    behind = _SAYS_BEHIND.fullmatch(rest or plain)
    if asks(text):
        return None
    return behind["rest"] if behind is not None else rest


def read_contrasts(text: Own) -> Iterator[tuple[str, str, str]]:
    """Yield possible replacements: "not milk, butter" is ("milk", "butter", ""), "Ada is not 8 but 9" ("8", "9",
    "Ada is "). The context decides whether they are meant."""
    plain = _ORDINAL.sub("", " ".join(text.replace("\u2019", "'").split()))
    if len(plain) > LONGEST or asks(plain):
        return
    for pattern in _CONTRASTS:
        match = pattern.match(plain)
        if match is not None:
            yield match["wrong"], match["right"], match.groupdict().get("who") or ""


def read_kind(text: Own) -> tuple[str, str] | None:
    """Parse a corrected kind, lower case: "no, he's a dog", "Ana is my cousin, not my sister"."""
    rest = read_denial(text)
    said = _OF_KIND.fullmatch(" ".join(text.replace("\u2019", "'").split()) if rest is None else rest)
    if said is None or (rest is None and said["wrong"] is None):
        return None
    return said["who"].lower(), said["kind"].lower()


def names_other(text: Own) -> bool:
    """Return whether a message only says that another one was meant: "no, the other one"."""
    return _OTHER.match(" ".join(text.split())) is not None


def may_correct(text: Own) -> bool:
    """Return whether any kind of correction can be read from a message."""
    readings = read, find_respelling, read_denial, read_kind
    return any(read_contrasts(text)) or any(one(text) is not None for one in readings)


def fits_pronoun(text: Own, relation: str) -> bool:
    """Return whether "he" or "she" in a text fits a relation ("sister")."""
    said = _HE_OR_SHE.search(text)
    return said is None or relation not in NOT_OF[str(said.lastgroup)]


def find_respelling(text: Own) -> str | None:
    """Return a name that may be only respelled: "it's Anna with two n"; else None."""
    match = _SPELLED.match(" ".join(text.replace("\u2019", "'").split()))
    if match is None or kind(match["right"]) != "name":
        return None
    return match["right"] if match["is"] or match["with"] else None


def alike(one: str, other: str) -> bool:
    """Return whether two names are spellings of one, and not equal."""
    small = one.casefold(), other.casefold()
    share = SequenceMatcher(None, *small).ratio()
    return small[0] != small[1] and (share >= ALIKE or (share >= ALIKE_SIGNS and is_signs(one) and is_signs(other)))


def denies(text: Own) -> bool:
    """Return whether a message says only that something is wrong."""
    found = read(text)
    return found is not None and found.wrong is None and found.right is None


def find_bare_answer(text: Own) -> str | None:
    """Return the words of a bare answer: "it's Hannah", "on Sunday"; else None."""
    match = _GIVEN.match(" ".join(text.replace("\u2019", "'").split())) if not asks(text) else None
    return None if match is None or len(match["right"].split()) > _MOST_WORDS else match["right"]


def kind(words: str) -> str | None:
    """Return the kind of a word: day, date, month, number, code ("tulip42") or name; else None."""
    plain = words.casefold().strip()
    if plain in WEEKDAYS:
        return "day"
    if DATE.fullmatch(plain):
        return "date"
    if plain in MONTHS and words[:1].isupper():
        return "month"
    if _NUMBER.fullmatch(plain):
        return "number"
    if any(character.isdigit() for character in plain) and " " not in plain:
        return "code"
    named = all(word[:1].isupper() for word in words.split()) and plain not in _SMALL
    in_signs = is_signs(words) and len(words) <= _MOST_WORDS
    return "name" if in_signs or (named and words[:1].isupper()) else None


def is_signs(words: str) -> bool:
    """Return whether words end with a character of a script without spaces."""
    return words[-1:] >= "\u4e00"


def place(words: str, text: str) -> re.Match[str] | None:
    """Return the match of words in a text, as whole words; Chinese characters anywhere."""
    if is_signs(words):
        return re.search(re.escape(words), text)
    edge = r"[^\W\u4e00-\u9fff]"
    return re.search(rf"(?<!{edge}){re.escape(words)}(?!{edge})", text.replace("\u2019", "'"), re.IGNORECASE)


def instead(text: str, wrong: str, right: str) -> str:
    """Replace the wrong words in a text by the right ones."""
    found = place(wrong, text)
    return text if found is None else text[: found.start()] + right + text[found.end() :]


def _build_correction(wrong: str, right: str) -> Correction | None:
    """Return both sides in searchable form; None for what is not a correction of a name."""
    for one in (wrong, right):
        words = one.casefold().split()
        if len(words) > _MOST_WORDS or _SAYING & set(words) or _SMALL.issuperset(words):
            return None
    return None if wrong.casefold() == right.casefold() else Correction(wrong, right)


# what says first that somebody has changed their mind: "no, better not"
_SECOND_THOUGHT = re.compile(
    rf"^(?:(?:{_OPENINGS}|{'|'.join(texts('corrections', 'no').values())})"
    r"(?:(?!\w)|(?<=[\u4e00-\u9fff]))[\s,.!，]*)",
    re.IGNORECASE,
)
MOST_CHANGED = 3  # such words in front of an order: "no, wait, rather"


def list_bare(plain: str) -> Iterator[str]:
    """Yield an order, and the same without each word that only says that somebody has changed their mind."""
    yield plain
    for _ in range(MOST_CHANGED):
        changed = _SECOND_THOUGHT.match(plain)
        if changed is None:
            return
        plain = plain[changed.end() :]
        yield plain
