"""Corrections in words: "it's not Anna, it's Hannah", "I meant Sunday", "no, that's wrong", and what each puts right.

Words of this kind are said of a thousand other things ("it's not you, it's me"). They are a correction only where what
they call wrong stands in a fact that is held or in what the user said lately; else nothing is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from furoshiki.domain.facts import USER, facts_in
from furoshiki.domain.reflex.situation import KnownFact, Said
from furoshiki.domain.testimony import Own
from furoshiki.domain.time_words import MONTHS, WEEKDAYS

LONGEST = 160
"""Characters; whoever writes more tells something new."""

_LATELY = 4
"""So many of the user's messages a correction may reach back."""

_MOST_WORDS = 4
"""Of what is wrong and of what is right."""

_LEAD = (
    r"^\W{0,3}(?:(?:no|nope|nah|oh|oops|ups|sorry|wait|ah|hm+|well|actually|hang on|hold on|my mistake|my bad|typo"
    r"|correction|i mean|i meant|i meant to say|i should have said|to be precise)[\s,.:;!-]{1,4}){0,4}"
)
_IS = (
    r"(?:(?:it|that|this|she|he|they|the name|(?:her|his|its|their) (?:name|age|birthday))"
    r"(?:'s| is|'re| are| was| were)? )?"
)
_ISNT = (
    r"(?:(?:it|that|this|she|he|they|the name|(?:her|his|its|their) (?:name|age|birthday))"
    r"(?:'s not|'re not| is not| isn't| are not| aren't| was not| wasn't|n't) |not )"
)
_BEFORE = r"(?:called |named |spelled |spelt |in |on |at |from |an? |the )?"
_AFTER = r"(?:,? (?:actually|sorry|instead|rather|please|of course|though))?\W{0,3}$"


def _thing(name: str) -> str:
    return rf"(?P<{name}>\w[\w' :-]{{0,40}}?)"


_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # it's not Anna, it's Hannah; not Tuesday, Wednesday; not Anna but Hannah
        rf"{_LEAD}{_ISNT}{_BEFORE}{_thing('wrong')}(?:, (?:but )?|,? but |[.;!] ?| - )(?:rather )?{_IS}{_BEFORE}"
        rf"{_thing('right')}{_AFTER}",
        # sorry, 5 not 6; he's 8, not 7; Hannah instead of Anna
        rf"{_LEAD}{_IS}{_BEFORE}{_thing('right')},? (?:and |- )?(?:not|instead of|rather than) {_BEFORE}"
        rf"{_thing('wrong')}{_AFTER}",
    )
)
_MEANT = re.compile(
    r"^\W{0,3}(?:(?:no|oh|oops|ah|wait|sorry|actually|well)[\s,.:;!-]{1,4}){0,3}"
    r"(?:correction|i meant(?: to say)?|i mean|i should have said|typo|to correct myself|make that)[\s,.:;!-]{1,4}"
    rf"{_IS}{_BEFORE}{_thing('right')}{_AFTER}",
    re.IGNORECASE,
)
_NO_IT_IS = re.compile(
    rf"^\W{{0,3}}(?:no|nope|sorry|oops)(?:[\s,.:;!-]{{1,4}}(?:it's|it is|she's|he's|that's|her name is|his name is))?"
    rf"[\s,.:;!-]{{1,4}}{_BEFORE}{_thing('right')}{_AFTER}",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"^\W{0,3}(?:(?:no|nope|sorry|oh|wait|hm+|actually|but|well|hey)[\s,.:;!-]{1,4}){0,3}"
    r"(?:(?:that|this|it)(?:'s| is| was|'s all| is all)? (?:wrong|incorrect|false|untrue|a mistake|mistaken"
    r"|not (?:right|true|correct|so|what i said)|nonsense)|(?:that|this|it) (?:isn't|wasn't) (?:right|true|correct|so)"
    r"|wrong|incorrect|not (?:true|right|correct)"
    r"|you(?:'ve| have)? (?:got|have|had) (?:that|it|this) wrong|you(?:'re| are) (?:wrong|mistaken)"
    r"|i never said (?:that|so|this))\W{0,3}$",
    re.IGNORECASE,
)
_CHANGED = re.compile(r"\b(?:any ?more|now|no longer|these days|used to)\b", re.IGNORECASE)
_REMINDING = re.compile(r"\u23f0|\bremind|\bon the \w{1,30} list\b|\bmoved to\b", re.IGNORECASE)
_GIVEN = re.compile(rf"^\W{{0,3}}{_IS}{_BEFORE}{_thing('right')}{_AFTER}", re.IGNORECASE)
_WORD = re.compile(r"[\w'-]+")
_NUMBER = re.compile(
    r"\d{1,4}(?::\d\d)?(?:st|nd|rd|th)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
)
_SMALL_WORDS = """
i me my you your we us he him she her they them it this that bad good well much really only just even sure true
right wrong yes no yet now then here there so too very all always never nothing everything funny fair fine okay
ok great nice easy hard important possible enough worth long thing person way one
"""
_SMALL = frozenset(_SMALL_WORDS.split())
"""What nobody puts right by a name: "it's not you, it's me", "not bad, good actually"."""
_SAYING = frozenset({"i", "i'm", "my", "our", "is", "are", "am", "was", "were", "has", "have", "do", "did", "name"})
"""Words of a sentence of its own: "my name is Hannah, not Anna" is told, and read, as what it says."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a message calls wrong, and what is right instead; either may be left to be understood."""

    wrong: str | None = None
    right: str | None = None
    surely: bool = True


@dataclass(frozen=True, slots=True)
class Righted:
    """What is put right: a fact that was held, or only words that were said. `object` is what the fact holds instead,
    None where nobody has said yet what is right. `unsure` are facts of which one is meant, and it is not said which."""

    wrong: str
    right: str | None
    fact: KnownFact | None = None
    object: str | None = None
    message: Said | None = None
    unsure: tuple[KnownFact, ...] = ()


def read(text: Own) -> Correction | None:
    """What the words of a message would put right, whatever it is about; None for words that put nothing right."""
    plain = " ".join(text.replace("\u2019", "'").split())
    if not plain or len(plain) > LONGEST or "?" in plain or _CHANGED.search(plain):
        return None
    if _WRONG.match(plain):
        return Correction()
    for pattern in _PATTERNS:
        match = pattern.match(plain)
        if match is not None:
            return _telling(match["wrong"], match["right"])
    match = _MEANT.match(plain)
    if match is not None:
        return Correction(None, match["right"]) if len(match["right"].split()) <= _MOST_WORDS else None
    match = _NO_IT_IS.match(plain)
    if match is not None and _kind(match["right"]) is not None:
        return Correction(None, match["right"], surely=False)
    return None


def put_right(
    text: Own, facts: Sequence[KnownFact], recent: Sequence[Said], denied: KnownFact | None = None
) -> Righted | None:
    """What a message puts right of the facts that are held and of what was said in the conversation so far.

    `denied` is a fact that was taken back in the message before, when nobody knew yet what is right. None for what is
    about a reminder (that is moved elsewhere), is said of something else, or states the whole fact anew.
    """
    reply = next((one.text for one in reversed(recent) if one.speaker != USER), "")
    own = [one for one in reversed(recent) if one.speaker == USER and one.own][:_LATELY]
    facts = [fact for fact in facts if not fact.fixed and fact.predicate != "said"]
    found = read(text)
    if denied is not None and (found is None or found.wrong is None) and (given := _given(text, found, denied)):
        return Righted(denied.object, given, denied, given)
    if found is None or _REMINDING.search(reply) or any(fact.predicate != "name" for fact in facts_in(text)):
        return None
    if found.wrong is None and found.right is None:
        return _taken_back(facts, own, reply)
    assert found.right is not None
    if found.wrong is not None:
        return _named(found.wrong, found.right, facts, own, reply)
    return _understood(found, facts, own, reply)


def denies(text: Own) -> bool:
    """Whether a message says no more than that something is wrong."""
    found = read(text)
    return found is not None and found.wrong is None and found.right is None


def instead(text: str, wrong: str, right: str) -> str:
    """A text with what is right in the place of what is wrong in it."""
    place = _place(wrong, text)
    return text if place is None else text[: place.start()] + right + text[place.end() :]


def _named(wrong: str, right: str, facts: Sequence[KnownFact], own: Sequence[Said], reply: str) -> Righted | None:
    holding = [fact for fact in facts if _place(wrong, fact.object)]
    lately = [fact for fact in holding if _place(wrong, reply) or any(fact.said_text == one.own for one in own)]
    for fact in sorted(lately or holding, key=lambda one: one.id, reverse=True):
        return Righted(wrong, right, fact, instead(fact.object, wrong, right))
    for number, message in enumerate(own):
        if _place(wrong, message.own) and (_kind(wrong) is not None or not number):
            return Righted(wrong, right, message=message)
    return None


def _understood(found: Correction, facts: Sequence[KnownFact], own: Sequence[Said], reply: str) -> Righted | None:
    """ "I meant Sunday": in place of the only word of its kind in what was said last."""
    assert found.right is not None
    kind = _kind(found.right)
    if kind is None:
        return None
    asked = bool(own) and "?" in own[0].own
    places = [reply] if asked or not found.surely else [*(one.own for one in own[:1]), reply]
    for text in places:
        there = {word.casefold(): word for word in _WORD.findall(text) if _kind(word) == kind}
        if kind == "name":
            held = {word for fact in facts for word in _WORD.findall(fact.object.casefold())}
            there = {word: shown for word, shown in there.items() if word in held}
        there.pop(found.right.casefold(), None)
        if len(there) == 1:
            return _named(next(iter(there.values())), found.right, facts, own, reply)
    return None


def _taken_back(facts: Sequence[KnownFact], own: Sequence[Said], reply: str) -> Righted | None:
    """ "No, that's wrong": of the one fact that was just read out, or else was just told."""
    spoken = [fact for fact in facts if fact.said_text and any(fact.said_text == one.own for one in own[:1])]
    spoken = spoken or [fact for fact in facts if _place(fact.object, reply)]
    if len(spoken) > 1:
        exact = [fact for fact in spoken if fact.said_text and fact.said_text in reply]
        spoken = exact or spoken
    if len(spoken) == 1:
        return Righted(spoken[0].object, None, spoken[0])
    return Righted("", None, unsure=tuple(spoken)) if spoken else None


def _given(text: Own, found: Correction | None, denied: KnownFact) -> str | None:
    """What is right, said after it was asked for: of the same kind as what was wrong."""
    if found is not None and found.right is not None:
        return found.right
    match = _GIVEN.match(" ".join(text.replace("\u2019", "'").split())) if "?" not in text else None
    if match is None or len(match["right"].split()) > _MOST_WORDS:
        return None
    kind = _kind(denied.object)
    return match["right"] if kind is not None and _kind(match["right"]) == kind else None


def _telling(wrong: str, right: str) -> Correction | None:
    """Both sides as they can be looked for; None for what nobody puts right by its name."""
    for one in (wrong, right):
        words = one.casefold().split()
        if len(words) > _MOST_WORDS or _SAYING & set(words) or all(word in _SMALL for word in words):
            return None
    return None if wrong.casefold() == right.casefold() else Correction(wrong, right)


def _kind(words: str) -> str | None:
    """What sort of thing it is: a day, a month, a number, a name; None for any other words."""
    plain = words.casefold().strip()
    if plain in WEEKDAYS:
        return "day"
    if plain in MONTHS and words[:1].isupper():
        return "month"
    if _NUMBER.fullmatch(plain):
        return "number"
    named = all(word[:1].isupper() for word in words.split()) and plain not in _SMALL
    return "name" if named and words[:1].isupper() else None


def _place(words: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text.replace("\u2019", "'"), re.IGNORECASE)
