"""Ten signals in a user's words, found with the lexicon: no model, under a millisecond.

A phrase gives a strength; its context changes it: negation inverts or cancels it, "so" and capitals
raise it, "a bit" lowers it, another person's feeling does not count, and praise of a mishap is
frustration.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from furoshiki.language.lexicon import ADMIRED, CATEGORIES, MASK, STRENGTHS, WRY, Lexicon, Sense, bare
from furoshiki.language.phrases import Hit, Said
from furoshiki.language.testimony import Own
from furoshiki.language.words import asks

PLEASANT = frozenset({"praise", "warmth", "excitement", "relief"})
UNPLEASANT = frozenset({"anger", "frustration", "worry", "sadness", "disengagement"})
HEAVY = frozenset({"sadness", "worry", "anger"})  # feelings that an answer has to respect at once

# Below this a category is not reported; above `_CLEAR` it can contradict another.
FAINTEST = 0.3
_CLEAR = 0.35

# Longer texts are judged by their beginning; more phrases are ignored.
LONGEST = 4096
_ENOUGH = 16
_LOOKED_AT = 20

_UP, _DOWN, _CAPS, _DRAWN_OUT, _EXCLAIMED = 1.3, 0.6, 1.2, 1.2, 1.1
_OPPOSITE = 0.75
_FADES = frozenset({"worry", "excitement"})  # "not worried" says little; "not worried any more" is relief
_ASKED = 0.5
_WIDE, _NARROW, _WITHIN = 4, 2, 6
_FEW = 5  # words
_MUSED = 160  # characters
_ASKINGS = 12
_NO_QUESTION = frozenset({"frustration", "anger", "warmth", "worry", "relief", "praise"})
_NO_ASKING = frozenset({("what", "if"), ("what", "a"), ("how", "are"), ("what", "about"), ("how", "about")})

_CLAUSE_END = frozenset(".,;:!?\n()\u2014")
_CLAUSE_BEGUN = frozenset({"but", "though", "however", "because"})
_SET_APART = re.compile(r"[\s.,!\u2026-](/?\w+)[\s.!?]*$")
_ENDS = ".!?\n"
_SENTENCE_END = frozenset(_ENDS)
_BREAKS = _ENDS + ",:;\u2014"
_QUOTED = re.compile(r"\"[^\"]{2,}\"|\u201c[^\u201c\u201d]{2,}\u201d|^>.*$", re.MULTILINE)
_SHOUTED = re.compile(r"!\s*!")
_QUOTE_MARKS = ('"', "\u201c", ">")


@dataclass(frozen=True, slots=True)
class Span:
    """The place of a signal: text[start:end] == words."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Signal:
    """A category with its strength in (0, 1] and the spans that support it."""

    category: str
    strength: float
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Signals:
    """All signals found in a message, strongest first."""

    found: tuple[Signal, ...] = ()

    @property
    def strengths(self) -> dict[str, float]:
        return {signal.category: signal.strength for signal in self.found}

    @property
    def mixed(self) -> bool:
        """Whether the message has clear pleasant and unpleasant signals at once."""
        clear = {signal.category for signal in self.found if signal.strength >= _CLEAR}
        return bool(clear & PLEASANT) and bool(clear & UNPLEASANT)


@dataclass(frozen=True, slots=True)
class _Reading:
    category: str
    strength: float
    start: int
    end: int
    faint: bool = False


def read(text: Own, lexicon: Lexicon) -> Signals:
    """Return the signals in a message; only its first 4,096 characters are read.

    If the owner writes in a second language, the message's language is read first, then the other
    if nothing was found.
    """
    first = lexicon.of(text[:LONGEST])
    signals = _read(text, first)
    if signals.found or lexicon.beside is None:
        return signals
    return _read(text, lexicon.beside if first is lexicon else lexicon)


def _read(text: Own, lexicon: Lexicon) -> Signals:
    message = Said(text[:LONGEST])
    faces = _faces(message.text, lexicon)
    readings = _without_quotes(message.text, [*_find_phrases(message, lexicon), *_find_emoji(faces, lexicon)])
    readings = _add_curiosity(message, readings, lexicon)
    if not all(r.faint for r in readings):
        readings = [r for r in readings if not r.faint]
    dry = not faces and _is_dry(message, readings, lexicon)
    if dry:
        readings = [_Reading("disengagement", STRENGTHS["whole"], *message.span(0, len(message)))]
    pleased = any(r.category in PLEASANT for r in readings)
    whole = None if pleased or dry else lexicon.whole.whole(message)
    if whole is not None:
        readings.append(_Reading(whole.meaning.category, whole.meaning.strength, *message.span(0, len(message))))
    wry = any(r.category == WRY for r in readings)
    mishap = _find_praised_mishap(message, lexicon)
    ironic = wry or mishap is not None or (pleased and _sounds_ironic(message, faces, lexicon))
    if mishap is not None:
        readings.append(_Reading("frustration", STRENGTHS["plain"], *message.span(mishap, mishap + 1)))
    if ironic:
        turned = PLEASANT | {WRY}
        readings = [replace(r, category="frustration") if r.category in turned else r for r in readings]
    return Signals(_gather_signals(message.text, readings or _between_the_words(message, lexicon)))


def of_reaction(emoji: str, lexicon: Lexicon) -> Signals:
    """Return the signals of an emoji reaction to a message of the companion."""
    senses = lexicon.reactions.get(bare(emoji)) or lexicon.emoji.get(bare(emoji), ())
    span = Span(0, len(emoji), emoji)
    return Signals(tuple(Signal(sense.category, sense.strength, (span,)) for sense in senses))


def _find_phrases(message: Said, lexicon: Lexicon) -> Iterator[_Reading]:
    for hit in _apart(islice(lexicon.senses.everywhere(message), _LOOKED_AT)):
        reading = _in_context(message, hit, lexicon) if hit.meaning.category != MASK else None
        if reading is not None:
            yield reading


def _apart(hits: Iterable[Hit[Sense]]) -> list[Hit[Sense]]:
    """Keep the longest of overlapping phrases: "nothing brings me joy" is not "joy"."""
    apart: list[Hit[Sense]] = []
    for hit in sorted(hits, key=lambda hit: hit.first - hit.last):
        if all(hit.last <= other.first or hit.first >= other.last or _same_place(hit, other) for other in apart):
            apart.append(hit)
    return sorted(apart, key=lambda hit: hit.first)[:_ENOUGH]


def _same_place(hit: Hit[Sense], other: Hit[Sense]) -> bool:
    return (hit.first, hit.last) == (other.first, other.last)


def _in_context(message: Said, hit: Hit[Sense], lexicon: Lexicon) -> _Reading | None:
    """Read a phrase in its context; None if it says nothing there."""
    ends = sum(_ends(message.gap(i), _SENTENCE_END) for i in range(hit.first, hit.last - 1))
    if 0 < ends < max(2, hit.last - hit.first - 1):  # "so good. That" says nothing; "Best. Day. Ever." does
        return None
    before = _clause_before(message, hit.first, _CLAUSE_END)
    if _is_not_now(message, hit, before, lexicon):
        return None
    category, strength = hit.meaning.category, hit.meaning.strength
    if category == ADMIRED:
        category = _admiration(message, hit, lexicon)
    if _is_negated(before, message.plain[hit.first : hit.last], lexicon):
        opposite = lexicon.negated.get(category)
        if category in _FADES and lexicon.words["no_longer"].isdisjoint(
            (*before, *message.plain[hit.last : hit.last + 3])
        ):
            return None
        if opposite is None:
            return None
        category, strength = opposite, strength * _OPPOSITE
    strength *= _emphasis(message, hit, before, lexicon)
    return _Reading(category, min(1.0, strength), *message.span(hit.first, hit.last), hit.meaning.faint)


def _admiration(message: Said, hit: Hit[Sense], lexicon: Lexicon) -> str:
    """Return "praise" for "that was amazing", "excitement" for one's "amazing weekend"."""
    before = _clause_before(message, hit.first, _SENTENCE_END)
    if not before or not lexicon.words["addressed"].isdisjoint(before):
        return "praise"
    return "excitement"


def _emphasis(message: Said, hit: Hit[Sense], before: list[str], lexicon: Lexicon) -> float:
    factor = 1.0
    close = before[-2:]
    near = {*close, *message.plain[hit.first : hit.last]}
    if not lexicon.words["down"].isdisjoint(near):
        factor *= _DOWN
    elif not lexicon.words["up"].isdisjoint(near) or (close and hit.first - 1 in message.drawn):
        factor *= _UP
    if not message.drawn.isdisjoint(range(hit.first, hit.last)):
        factor *= _DRAWN_OUT
    start, end = message.span(hit.first, hit.last)
    here = message.text[start:end]
    if len(here) >= 4 and here.isupper():
        factor *= _CAPS
    if message.text[end : end + 1] == "!":
        factor *= _EXCLAIMED
    return factor


def _is_negated(before: list[str], spoken: list[str], lexicon: Lexicon) -> bool:
    """Return whether a word shortly before negates the phrase `spoken`."""
    words = lexicon.words
    heard = [*before, spoken[0]]
    for distance in range(1, len(heard)):
        word, follower = heard[-1 - distance], heard[-distance]
        if follower in words["exempt"]:
            continue
        if word in words["near_negators"]:
            # "can't stop worrying" is worrying all the more
            doubled = distance + 1 < len(heard) and _denies(heard[-2 - distance], words["negators"])
            return distance <= _NARROW and follower not in words["first_person"] and not doubled
        if _denies(word, words["negators"]):
            asks = word.endswith("n't") and follower in words["asked"] and distance + 1 == len(heard)
            if not words["vowed"].isdisjoint(heard[-1 - distance :]):
                return False
            never_so = word == "never" and not words["never_so"].isdisjoint([*heard[-3:], *spoken])
            return distance <= _WIDE and not asks and not never_so
    return False


def _denies(word: str, negators: frozenset[str]) -> bool:
    return word in negators or word.endswith("n't")


def _is_not_now(message: Said, hit: Hit[Sense], before: list[str], lexicon: Lexicon) -> bool:
    """Return whether the feeling is another person's, past or hypothetical ("I would be")."""
    words, spoken = lexicon.words, message.plain[hit.first : hit.last]
    if words["felt"].isdisjoint(spoken) or any(word in words["first_person"] and word != "my" for word in spoken):
        return False
    after = message.plain[hit.last : hit.last + _WITHIN]
    if not words["unreal"].isdisjoint(before) or not words["bygone"].isdisjoint(after):
        return True
    if not words["objects"].isdisjoint(after[:3]):  # "how angry that made me"
        return False
    return _is_anothers(message, hit.first, before, lexicon)


def _is_anothers(message: Said, first: int, before: list[str], lexicon: Lexicon) -> bool:
    """Return whether the nearest person before word `first` is not the user."""
    words = lexicon.words
    for k in range(len(before) - 1, -1, -1):
        word = before[k]
        if word == "my":
            return k + 1 < len(before) and before[k + 1] not in words["own_parts"]
        if word in words["first_person"]:
            return False
        if word in words["other_person"] or word in words["people"]:
            return True
        if (
            k + 1 < len(before)
            and before[k + 1] in words["copulas"]
            and _is_name(message, first - len(before) + k, lexicon)
        ):
            return True
    return False


def _is_name(message: Said, i: int, lexicon: Lexicon) -> bool:
    """Return whether a word is written like a name ("Tom") and does not usually begin sentences."""
    start, end = message.span(i, i + 1)
    return message.text[start:end].istitle() and end - start > 1 and message.plain[i] not in lexicon.words["no_names"]


def _clause_before(message: Said, first: int, end: frozenset[str]) -> list[str]:
    """Return up to six words before word `first` in its clause (or sentence: `end`)."""
    from_ = first
    while from_ > max(0, first - _WITHIN):
        if _ends(message.gap(from_ - 1), end) or (end is _CLAUSE_END and message.plain[from_ - 1] in _CLAUSE_BEGUN):
            break
        from_ -= 1
    return message.plain[from_:first]


def _ends(gap: str, marks: frozenset[str]) -> bool:
    """Return whether one of the marks is in the gap between two words (usually a space)."""
    return gap != " " and not marks.isdisjoint(gap)


def _faces(text: str, lexicon: Lexicon) -> list[tuple[str, int]]:
    """Find emoji anywhere, and emoticons not touching a letter or digit ("8:30", "http:/")."""
    faces: list[tuple[str, int]] = []
    for letter in () if text.isascii() else lexicon.emoji_letters.intersection(text):
        start = text.find(letter)
        while start >= 0 and len(faces) < _ENOUGH:
            joined = text[start : start + 3]
            faces.append((joined if joined in lexicon.emoji else letter, start))
            start = text.find(letter, start + 1)
    likely = lexicon.emoticon_marks.search(text) is not None  # far quicker than the pattern
    for match in islice(lexicon.emoticon_pattern.finditer(text), _ENOUGH) if likely else ():
        around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
        if not any(c.isalnum() or c in "/:" for c in around):
            faces.append((match.group(), match.start()))
    return sorted(faces, key=lambda face: face[1])


def _find_emoji(faces: list[tuple[str, int]], lexicon: Lexicon) -> Iterator[_Reading]:
    for face, start in faces:
        for sense in lexicon.emoji.get(face, ()):
            yield _Reading(sense.category, sense.strength, start, start + len(face))


def _between_the_words(message: Said, lexicon: Lexicon) -> list[_Reading]:
    """Return excitement for a message without known words that shouts ("It's on!!!")."""
    if not asks(message.text) and _SHOUTED.search(message.text) and lexicon.words["negators"].isdisjoint(message.plain):
        return [_Reading("excitement", _ASKED, 0, len(message.text))]
    return []


def _add_curiosity(message: Said, readings: list[_Reading], lexicon: Lexicon) -> list[_Reading]:
    """Add curiosity for questions about the world; feelings mentioned in them do not count.

    "Why do people get bored?" is curiosity, not boredom; "why won't it start?" is neither.
    """
    all_readings = list(readings)
    for start, end in islice(_sentences(message.text), _ASKINGS):
        if any(r.end == end and r.category == "curiosity" and r.strength == _ASKED for r in all_readings):
            continue
        if not _asks_of_the_world(message.words_in(start, end), end < len(message.text), lexicon):
            continue
        within = [r for r in all_readings if start <= r.start < end]
        if any(r.category in _NO_QUESTION for r in within):
            continue
        all_readings = [r for r in all_readings if r not in within or r.category == "curiosity"]
        all_readings.append(_Reading("curiosity", _ASKED, start, end))
    return all_readings


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans that may ask: before a question mark, or the whole of a short message."""
    at = text.find("?")
    if at < 0 and len(text) <= _MUSED:
        yield 0, len(text)
    while at >= 0:
        for marks in (_ENDS, _BREAKS):
            start = max(text.rfind(mark, 0, at) for mark in marks) + 1
            yield start + len(text[start:at]) - len(text[start:at].lstrip()), at
        at = text.find("?", at + 1)


def _asks_of_the_world(words: list[str], marked: bool, lexicon: Lexicon) -> bool:
    """Return whether words, `marked` by a question mark or not, ask out of curiosity."""
    known = lexicon.words
    while len(words) > 2 and words[0] in known["fillers"]:
        words = words[1:]
    if (
        len(words) < 3
        or any(word[0].isdigit() for word in words)
        or not known["practical"].isdisjoint(words)
        or not known["own"].isdisjoint(words)
    ):
        return False
    opening, then = words[0], words[1]
    if opening.endswith("'s"):
        opening, then = opening[:-2], "is"
    if opening in known["wh_words"]:
        return (marked or then in known["auxiliaries"]) and (opening, then) not in _NO_ASKING
    return marked and opening in known["auxiliaries"] and then not in known["near"]


def _is_dry(message: Said, readings: list[_Reading], lexicon: Lexicon) -> bool:
    """Return whether a message is a few indifferent words: "ok", "k.", "yeah sure fine"."""
    words = lexicon.words
    if not 0 < len(message) <= _FEW or "!" in message.text or asks(message.text) or message.drawn:
        return False
    has_feeling = any(r.category not in ("disengagement", "praise", "excitement") for r in readings)
    return not has_feeling and words["dry"].issuperset(message.plain) and not words["driest"].isdisjoint(message.plain)


def _without_quotes(text: str, readings: list[_Reading]) -> list[_Reading]:
    """Drop readings inside quotations, unless the whole message is a quotation."""
    if not readings or not any(mark in text for mark in _QUOTE_MARKS):
        return readings
    quotes = [match.span() for match in _QUOTED.finditer(text)]
    if not quotes or sum(end - start for start, end in quotes) > 0.8 * len(text.strip()):
        return readings
    return [r for r in readings if not any(start <= r.start < end for start, end in quotes)]


def _sounds_ironic(message: Said, faces: list[tuple[str, int]], lexicon: Lexicon) -> bool:
    if any(face in lexicon.words["wry"] for face, _ in faces):
        return True
    ending = _SET_APART.search(message.text, max(0, len(message.text) - 20))
    return ending is not None and ending.group(1).lower() in lexicon.words["endings"]


def _find_praised_mishap(message: Said, lexicon: Lexicon) -> int | None:
    """Return the place of praise followed by an unmended mishap: "Great, it crashed again"."""
    words = lexicon.words
    if words["troubles"].isdisjoint(message.plain):
        return None
    for i in islice((i for i, word in enumerate(message.plain) if word in words["openers"]), _ENOUGH):
        after = message.plain[i + 1 : i + 14]
        if words["troubles"].isdisjoint(after) or not words["mended"].isdisjoint(after):
            continue
        head = i
        while head and message.plain[head - 1] in words["leads"]:
            head -= 1
        if not head or _ends(message.gap(head - 1), _SENTENCE_END):
            return i
    return None


def _gather_signals(text: str, readings: list[_Reading]) -> tuple[Signal, ...]:
    once: dict[tuple[str, int, int], _Reading] = {}
    for reading in sorted(readings, key=lambda r: r.strength):
        once[reading.category, reading.start, reading.end] = reading
    by_category: dict[str, list[_Reading]] = {}
    for reading in sorted(once.values(), key=lambda r: r.start):
        by_category.setdefault(reading.category, []).append(reading)
    all_signals = []
    for category in CATEGORIES:
        of_category = by_category.get(category, [])
        strength = together([r.strength for r in of_category])
        if strength >= FAINTEST:
            spans = tuple(Span(r.start, r.end, text[r.start : r.end]) for r in of_category)
            all_signals.append(Signal(category, round(strength, 3), spans))
    return tuple(sorted(all_signals, key=lambda signal: -signal.strength))


def together(strengths: list[float]) -> float:
    """Combine strengths of one category: more than the strongest, never more than 1."""
    missing = 1.0
    for strength in strengths:
        missing *= 1.0 - min(1.0, strength)
    return 1.0 - missing


def merge(earlier: Mapping[str, float], later: Mapping[str, float]) -> dict[str, float]:
    """Merge the strengths of messages answered together: the maximum of each category."""
    return {c: max(earlier.get(c, 0.0), later.get(c, 0.0)) for c in CATEGORIES if c in earlier or c in later}
