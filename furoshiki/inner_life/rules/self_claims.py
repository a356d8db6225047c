"""May a sentence stand in the companion's description of itself? A reader's word decides; where
nobody reads, words and facts do.

What it says of itself is its own, if something it was shown has to do with it. What it says of anybody else must be
carried by a fact of the profile. A sentence that does neither is left out; words that try to command, carry a secret or
break out of the text make the whole of it worthless.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from furoshiki.inner_life.rules import self_description
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.grounding import insights, thoughts
from furoshiki.language.grounding.words import LEAST_SIMILARITY, content_of, stems_of
from furoshiki.language.tables import calendar_names
from furoshiki.language.tables.denials import DENIES
from furoshiki.language.words import NAME_OR_NUMBER, WORD
from furoshiki.user_model.rules import profiling

LEAST_LEFT = 1 / 3
"""A new text with a smaller share of the old one's words has not changed it but emptied it."""

LEAST_SHARED = 0.5
"""The share of a sentence's words, those of conduct aside, that must stand in what it rests on."""

Near = Callable[[str, Sequence[str]], float | None]
"""The best cosine of a sentence to any of some texts; None when nobody embeds."""

Readings = Mapping[str, str]
"""What a reader says of sentences, by their words: the objection, or "" where it finds them carried."""

_CONDUCT_WORDS = """
act acts adapt advice advise allow answer answering attention become becoming begin behave belief believe boundary
brief careful change changed changing choose choosing close closer come companion company conversation conversations
curiosity curious demand detail details difference different early easy easier end enough explain faster fewer fill
filling find finish follow forget forgot gentle gently give given giving glad go grow growing grown guess guesses habit
hard help hold holding honest honestly hurry ignore interrupt joke jokes keep keeping kept kind last late lately laugh
learn learned learning less let lighter line listening long longer look lose lost made make making meant met mistake
mistakes moment name need notice now offer old once open own pace patience patient pause person place plain plainly play
please practice press pressing promise push pushing question questions quick quickly quieter reply replies replied
respond rest room rush sense sentence share short shorter show silence silences simple sit slow slower slowly small
softer soon space speak start stay step stop sure take talk talking talks tease tendency think thinking tone topic true
truth trust try trying understand understanding use used voice wait waited waiting want way weigh wish wondering word
words write writing wrong right fond too ever everything nothing anything each every little few bit mine itself among
into along around away off almost already am do done doing but if nor neither either about with without over than then
there here again also only even however perhaps mostly rarely seldom
"""
_CONDUCT = insights.FRAME | thoughts.FRAME | stems_of(_CONDUCT_WORDS)
"""Words in which one tells how one behaves towards somebody; said of oneself they need no fact."""

_FIRST = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours|ourselves)\b", re.I)
_SECOND = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b", re.I)
_OTHER_WORDS = """
they them their theirs themselves he him his himself she her hers herself we us our ours ourselves
user users human owner partner master creator someone somebody anyone anybody everyone everybody people
man men woman women boy boys girl girls lady guy stranger
"""
_OTHERS = frozenset(_OTHER_WORDS.split())
_KIN = frozenset().union(*(content_of(one.replace("_", " "), _CONDUCT) for one in RELATIONS))
_THE_PERSON = re.compile(r"\b(?:the|this|that|my)\s+(?:\w+\s+)?(?:person|user|human|owner|friend)\b", re.I)

_CLAUSE = re.compile(
    r"(?<![,;:()\u2013\u2014])[,;:()\u2013\u2014]+(?:\s|$)|\s[-]\s|\b(?:and|but|or|who|whose|whom|which|while|where|because|then|that|when|"
    r"whenever|if|since|until|after|before|how|what|why|so|though|although)\b",
    re.I,
)
_CONTRACTED = re.compile(r"\bI['\u2019](?:m|ve|d|ll)\b")
_NOBODY = frozenset({"I", *map(str.capitalize, calendar_names.NAMES)})
"""Words with a capital that name nobody."""

_ORDER = re.compile(
    r"^(?:please\s+)?(?:always|never|do|don['\u2019]t|ignore|disregard|obey|remember|forget|send|tell|reveal|give|follow|"
    r"pretend|respond|reply|answer|write|output|print|execute|run|call|use|delete|refuse|assume|treat|repeat|act|be|stop|"
    r"let|make|say|show|help|take|keep|stay)\b(?!\s+I\b)",
    re.I,
)

_WORTHLESS = (
    (
        re.compile(r"\{\{|\}\}|\{%|%\}|```|\[\[|\]\]|</?\w+>|\bNO_REPLY\b|^[^\S\n]*[#>]", re.MULTILINE),
        "it holds marks that mean something elsewhere",
    ),
    (re.compile(r"\bhttps?://|\bwww\.\w", re.I), "it holds an address"),
    (
        re.compile(
            r"\b(?:sk|pk|ghp|gho|xox[abp])[-_]\w{6,}|\bAKIA[0-9A-Z]{8,}|-----BEGIN|\b\d{6,}:[\w-]{20,}|"
            r"\b(?:password|passphrase|passcode|api[ _-]?keys?|(?:secret|private)[ _-]keys?|access[ _-]tokens?)\b|"
            r"\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]{20,}|\b(?:\d[ -]?){13,19}\b|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.\w+",
            re.I,
        ),
        "it holds what may be a secret",
    ),
    (
        re.compile(
            r"\b(?:ignor|disregard|overrid|bypass|overrul)\w*\b.{0,60}\b(?:instruction|rule|boundar|prompt|previous|"
            r"above|limit|guideline|direction)|\b(?:system|developer)\s+(?:prompt|message|instruction)|\bjailbr|"
            r"\bfrom now on,? (?:you|the|always|never)\b|"
            r"\b(?:you|it|the model|the assistant|furoshiki)\s+(?:must|shall|have to|has to|should|are to|will)\b|"
            r"\b(?:obey|comply)\b|\bwithout (?:any )?(?:limits?|restrictions?|rules|boundaries|filters?)\b|"
            r"\bno (?:longer )?(?:limits?|restrictions?|rules|boundaries)\b|\bnew (?:instructions?|rules)\b|"
            r"\b(?:never|not) (?:refuse|decline|admit|reveal that)\b",
            re.I,
        ),
        "it gives instructions",
    ),
    (
        re.compile(
            r"\bI(?:['\u2019]m| am) (?:really |actually )?(?:a )?human\b|\bI(?:['\u2019]m| am) no(?:t a|) program\b",
            re.I,
        ),
        "it denies what I am",
    ),
)


@dataclass(frozen=True)
class Read:
    """A sentence as a mind told it, with the names of what it rests on."""

    text: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """What a mind was shown: words by their names ("entry:12"), what is known of the person by the ids of its facts,
    and how the two are called."""

    sources: Mapping[str, str]
    facts: Mapping[int, str]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """A sentence that was left out, and why."""

    read: Read
    reason: str


@dataclass(frozen=True)
class Judged:
    """A text as it may stand: its sentences that are new, those left out, and why nothing of it may (then it is as it
    was before)."""

    text: str
    new: tuple[Read, ...]
    refused: tuple[Refused, ...]
    worthless: str | None = None


def judged(
    told: Sequence[Sequence[Read]],
    before: str,
    shown: Shown,
    near: Near | None = None,
    readings: Readings = MappingProxyType({}),
) -> Judged:
    """Judge a new text, given as paragraphs of sentences, against the one before it. What stood there may stay."""
    held = {self_description.key(one) for one in self_description.sentences(before)}
    kept: list[list[str]] = []
    said: set[str] = set()
    new: list[Read] = []
    refused: list[Refused] = []
    for paragraph in told:
        kept.append([])
        for read in paragraph:
            words = " ".join(read.text.split())
            parts = [one for one in self_description.sentences(words) if self_description.key(one) not in said]
            said.update(map(self_description.key, parts))
            fresh = [one for one in parts if self_description.key(one) not in held]
            for one in fresh:
                if (reason := worthless(one)) is not None:
                    return Judged(before, (), (Refused(Read(one, read.cites), reason),), reason)
            reason = _any_objection(fresh, read.cites, shown, near, readings.get(read.text))
            if reason is not None:
                refused.append(Refused(read, reason))
                parts = [one for one in parts if one not in fresh]
            elif fresh:
                new.append(Read(words, read.cites))
            kept[-1] += parts
    text = self_description.assembled(before, kept)
    count, least = len(text.split()), len(before.split()) * LEAST_LEFT
    if count < least or not count:
        return Judged(before, (), tuple(refused), "it empties the text")
    if count > max(self_description.MOST_WORDS, len(before.split())):
        return Judged(before, (), tuple(refused), f"it has {count} words, more than {self_description.MOST_WORDS}")
    return Judged(text, tuple(new), tuple(refused))


def objection(
    read: Read, shown: Shown, near: Near | None = None, readings: Readings = MappingProxyType({})
) -> str | None:
    """Why a sentence may not be said of oneself; None when it may."""
    parts = self_description.sentences(read.text)
    bad = next((reason for one in parts if (reason := worthless(one)) is not None), None)
    return bad or _any_objection(parts, read.cites, shown, near, readings.get(read.text))


def worthless(sentence: str) -> str | None:
    """What makes a text with this sentence worthless: a command, a secret, a mark; None when nothing does."""
    return next((reason for pattern, reason in _WORTHLESS if pattern.search(sentence)), None)


def theme_objection(
    read: Read, shown: Shown, near: Near | None = None, readings: Readings = MappingProxyType({})
) -> str | None:
    """Why something is no theme of what was shown; None when it is one. It may be about anybody: it stays in a log."""
    if bad := worthless(read.text) or _uncited(read.cites, shown):
        return bad
    if (said := readings.get(read.text)) is not None:
        return said or None
    return _unsupported(_plain(read.text, shown.names), read.cites, shown, near)


def of_others(sentence: str, shown: Shown) -> str | None:
    """What a sentence says of somebody else that no fact says (any more); None when there is nothing of that kind."""
    return _of_others(_plain(sentence, shown.names), shown)


def _any_objection(
    parts: Sequence[str], cites: Sequence[str], shown: Shown, near: Near | None, said: str | None
) -> str | None:
    """The first objection of form; then a reader's word, if there is one; else what words and facts alone tell.

    Where nobody reads, a sentence must say "I" in English; a reader knows the first person of any language.
    """
    for one in parts:
        plain = _plain(one, shown.names)
        if _SECOND.search(plain):
            return "it speaks to somebody instead of of itself"
        if _ORDER.match(plain):
            return "it is an order"
        if said is None and not _FIRST.search(plain):
            return "it is not told in the first person"
    if parts and (reason := _uncited(cites, shown)) is not None:
        return reason
    if said is not None:
        return said or None
    for one in parts:
        plain = _plain(one, shown.names)
        reason = _of_others(plain, shown) or _of_the_person(plain, shown) or _unsupported(plain, cites, shown, near)
        if reason is not None:
            return reason
    return None


def _of_others(sentence: str, shown: Shown) -> str | None:
    """What a sentence says of somebody else that no fact says."""
    for number, raw in enumerate(_CLAUSE.split(sentence)):
        clause = raw.strip(" .!?\u2026")
        if not _about_others(clause, inside=number > 0) and not (number == 0 and _opens_with_a_name(clause, shown)):
            continue
        own = _FIRST.search(clause) is not None
        content = content_of(clause, _CONDUCT if own else insights.FRAME)
        if not content:
            continue
        if own:
            denied = bool(DENIES.search(clause))
            told = (stems_of(fact) for fact in shown.facts.values() if bool(DENIES.search(fact)) == denied)
            fine = any(content <= stems for stems in told)
        else:
            fine = any(profiling.objection(clause, [one], shown.facts) is None for one in shown.facts)
        if not fine:
            return f"no fact of the profile says {clause!r}"
    return None


def _of_the_person(sentence: str, shown: Shown) -> str | None:
    """What a sentence says of oneself that a fact says of the person."""
    for raw in _CLAUSE.split(sentence):
        clause = raw.strip(" .!?\u2026")
        if clause[:2] == "I " and content_of(clause, insights.FRAME):
            theirs = f"They {clause[2:].replace('am ', 'are ', 1)}"
            if any(profiling.objection(theirs, [one], shown.facts) is None for one in shown.facts):
                return f"{clause!r} is so of the person, not of me"
    return None


def _about_others(clause: str, inside: bool) -> bool:
    """Whether a clause is about somebody else: it says so, names a relation, or has a name in it."""
    words = {word.casefold() for word in WORD.findall(clause)}
    if words & _OTHERS or stems_of(clause) & _KIN or _THE_PERSON.search(clause):
        return True
    return any(found not in _NOBODY for found in NAME_OR_NUMBER.findall(f". {clause}" if inside else clause))


def _opens_with_a_name(clause: str, shown: Shown) -> bool:
    """Whether a sentence begins with what may be a name: no small word of ours, and in small letters nowhere."""
    first = next(iter(WORD.findall(clause)), "")
    if not first[:1].isupper() or not content_of(first, _CONDUCT | stems_of("my me mine")):
        return False
    small = re.compile(rf"\b{re.escape(first[0].lower() + first[1:])}\b")
    return not any(small.search(text) for text in (*shown.sources.values(), *shown.facts.values()))


def _uncited(cites: Sequence[str], shown: Shown) -> str | None:
    """Why what a sentence cites is nothing to rest on."""
    unknown = [one for one in cites if one not in shown.sources]
    if unknown:
        return f"there is no {unknown[0]} among what it was shown"
    return None if cites else "it rests on nothing"


def _unsupported(sentence: str, cites: Sequence[str], shown: Shown, near: Near | None) -> str | None:
    """Why what a sentence rests on does not carry it, as far as words and cosines tell."""
    words = [shown.sources[one] for one in cites]
    said = stems_of(" ".join(words))
    facts = stems_of(" ".join(shown.facts.values()))
    strange = [name for name in NAME_OR_NUMBER.findall(sentence) if name != "I" and not stems_of(name) <= said | facts]
    if strange:
        return f"{strange[0]!r} stands in nothing it rests on"
    similarity = near(sentence, words) if near is not None else None
    if similarity is not None and similarity >= LEAST_SIMILARITY:
        return None
    if not content_of(sentence) & said:
        return "nothing it rests on has to do with it"
    content = content_of(sentence, _CONDUCT)
    if content and len(content & said) / len(content) < LEAST_SHARED:
        return "too few of its words stand in what it rests on"
    return None


def _plain(sentence: str, names: Sequence[str]) -> str:
    """A sentence without contractions of "I", and with pronouns in place of the names of the two."""
    sentence = _CONTRACTED.sub("I", sentence.strip())
    for name in names:
        sentence = re.sub(rf"\b{re.escape(name)}(?:['\u2019]s)?\b", "they", sentence)
    return sentence
