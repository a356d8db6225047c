"""Classify who wrote a typed text: its sender, another person whose words were pasted, or unknown.

A small logistic regression over named features: layout, style, person, names and addresses,
distance from the sender's usual style, and surrounding messages. Takes about a millisecond. Words
are in config/authorship_words.toml, weights in config/authorship_head.json, fitted by `python -m
bench.pasted --fit`.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Literal

from furoshiki.core.paths import read_toml_file
from furoshiki.language import testimony
from furoshiki.language.inflection import HAN
from furoshiki.language.pasted import find_pasted, leave_out_remarks
from furoshiki.language.testimony import Told
from furoshiki.language.words import count_letters, ends_asking
from furoshiki.messages.events import Message
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import USER, Envelope
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

LEAST_WORDS = 18  # words below which a text counts as the sender's own: too little to tell
LEAST_ALONE = 30  # the same for a single paragraph without an introduction
LONGEST = 6_000  # characters of a text that are read; the rest is assumed to be alike
LONGEST_LEAD = 220  # characters of a first or last paragraph that may speak about the rest

# characters up to which a text is judged as a whole, like the training texts; and the size of the
# parts by which a longer one is judged, so that length alone does not make a text another person's
READ_WHOLE, PART = 700, 450

# the least share of small (function) words, in [0, 1], by which a language is recognised
LEAST_SMALL = 0.04

USUAL_LINES = 3  # the least number of earlier lines that show a sender's usual style
LINES_READ = 40  # earlier turns read for a sender's usual style

# the share of lines that begin small by which somebody writes small, and the least number of
# sentences behind the first by which a text is written otherwise
MOSTLY, LEAST_NEXT = 0.8, 2

# earlier messages than this are not taken to speak about the present text
JUST_BEFORE = timedelta(minutes=15)

Author = Literal["own", "doubtful", "composed"]

# What is said around a text, with the groups of words that say so. `people` ("my niece", "I got")
# alone announce nothing within a paragraph, or as a sentence.
# groups of words that speak about a text, looked for around it
_ABOUT = {"mine": ("mine",), "theirs": ("theirs", "people"), "asks": ("asks",), "texts": ("texts",), "this": ("this",)}

# groups of words looked for within it
_WITHIN = (
    "i", "we", "you", "third", "chatty", "now", "feeling", "addresses", "formal", "instructs", "public",
)  # fmt: skip

# a single Han character, or a run of other letters and digits (Chinese has no blanks)
_WORD = re.compile(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+")

_SIZE_OF_HAN = 2 / 3  # what a Han character counts for in words

# Chinese punctuation to its ASCII equivalents
_PLAIN_STOPS = str.maketrans("。！？，、：；「」『』", ".!?,,:;““““")

_LEAD_ENDS = re.compile(r"[?:.!]\s|[\uff1f\uff1a\u3002\uff01]\s?")
_HAIL = re.compile(r"[^,!:\n\uff0c\uff01]{1,24}[,!\uff0c\uff01]+\s*")
_CALLED_HAN = re.compile(r"(?:我叫|我是|名叫|姓名:)\s?([\u4e00-\u9fff]{2,3})(?![\u4e00-\u9fff])")
# the first sign of a further sentence; behind a figure it is a date ("7. září")
_NEXT = re.compile(r"(?<!\d)[.!?\u2026]\s+(\w)")

# suffixes of a name that is not an introduction: "I am Rob's", "ben Bursa'da"
_CASES = ("s", "da", "de", "dan", "den", "ta", "te", "tan", "ten", "l\u0131y\u0131m", "liyim")

# features of letters, which do not apply to text in Han characters
_UNSPELLED = (
    "long words", "small starts", "tidier", "i, tidier", "small i", "capitals", "shouted", "heading", "rhymes",
    "apostrophes", "greets somebody", "signed", "signed by another",
)  # fmt: skip

_BULLETS = ("-", "*", "\u2022", "\u2013", "\u00b7")
_STOPS = ".!?\u2026"
# characters seldom typed on a phone (which inserts curly quotes by itself)
_TYPESET = frozenset("\u201e\u00ab\u00bb\u2013\u2014\u2022\u00a0\u00a7\u00bd")


@dataclass(frozen=True)
class Around:
    """A message's context: the sender's `name`, what they wrote `before`, `usual` lines; and whether
    its language is `unread`, without groups of words."""

    name: str = ""
    before: str = ""
    usual: Sequence[str] = ()
    unread: bool = False


class Spelled:
    """A text with its words in lower case."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = _WORD.findall(text.lower().replace("i\u0307", "i"))
        self.line = f" {' '.join(self.words)} "
        self.size = len(self.words) - len(HAN.findall(text)) * (1 - _SIZE_OF_HAN)


@dataclass(frozen=True)
class Lexis:
    """The words of one language by group: single words, and phrases padded with blanks."""

    single: Mapping[str, frozenset[str]]
    phrases: Mapping[str, tuple[str, ...]]

    def count(self, group: str, spelled: Spelled) -> int:
        """Count the occurrences of a group's words in a text."""
        single = sum(map(self.single[group].__contains__, spelled.words))
        return single + sum(map(spelled.line.count, self.phrases[group]))

    def count_to_two(self, groups: Iterable[str], spelled: Spelled) -> float:
        """Count the occurrences of several groups' words, up to two."""
        found = 0
        for group in groups:
            found += self.count(group, spelled)
        return float(min(found, 2))

    def leads(self, lead: str) -> bool:
        """Whether a line may lead to a text: it opens with no greeting, or says more after one, up to a
        colon ("oi, olha isso:", and not "Estimado señor:")."""
        if not self.opens("greeting", lead):
            return True
        hail = _HAIL.match(lead)
        if hail is None or not lead.rstrip().endswith((":", "\uff1a")):
            return False
        hello = Spelled(hail.group())
        alone = hello.line in self.phrases["greeting"] or hello.words[:2] == hello.words[:1]
        return alone and bool(Spelled(lead[hail.end() :]).words)

    def opens(self, group: str, line: str) -> bool:
        """Whether a line begins with words of a group."""
        start = Spelled(line[:60]).line
        return any(start.startswith(f" {one} ") for one in self.single[group]) or start.startswith(self.phrases[group])


@dataclass(frozen=True)
class Head:
    """The model: mean, scale and weight of each feature. From `sure` on a text is another person's,
    from `perhaps` on it is doubtful."""

    features: Mapping[str, tuple[float, float, float]]
    constant: float
    sure: float
    perhaps: float
    lexis: Mapping[str, Lexis]

    def share(self, found: Mapping[str, float]) -> float:
        """Return the probability, in (0, 1), that another person wrote the text."""
        total = self.constant
        for name, (mean, scale, weight) in self.features.items():
            total += weight * max(-4.0, min(4.0, (found.get(name, mean) - mean) / scale))
        return 1.0 / (1.0 + math.exp(-total))


@lru_cache(maxsize=1)
def head(config: Path) -> Head:
    """Return the shipped model."""
    parsed = json.loads((config / "authorship_head.json").read_text(encoding="utf-8"))
    features = {name: tuple(numbers) for name, numbers in parsed["features"].items()}
    return Head(features, parsed["constant"], parsed["sure"], parsed["perhaps"], lexis(config))


@lru_cache(maxsize=1)
def lexis(config: Path) -> Mapping[str, Lexis]:
    """Return the word groups of each supported language."""
    patterns = {}
    for code, groups in read_toml_file(config / "authorship_words.toml").items():
        listed = {name: [_WORD.findall(part.lower()) for part in text.split(",")] for name, text in groups.items()}
        patterns[code] = Lexis(
            {name: frozenset(one[0] for one in every if len(one) == 1) for name, every in listed.items()},
            {name: tuple({f" {' '.join(one)} " for one in every if len(one) > 1}) for name, every in listed.items()},
        )
    return patterns


def attribute(world: World, envelope: Envelope, message: Message) -> Told:
    """Return the typed text with the passages that are or may be another person's."""
    if Spelled(message.text[:LONGEST]).size < LEAST_WORDS:
        return testimony.build_typed(message.text, message.quoted)
    language = load_languages(world.config).of(message.text)
    unread = language is not None and language.code not in lexis(world.config)
    here = replace(around(world, envelope), unread=unread)
    return read(message.text, message.quoted, here, head(world.config))


def read(text: str, quoted: Sequence[Sequence[int]], around: Around, by: Head) -> Told:
    """Return the same from the given context. A text announced by a line, and not claimed by the
    sender, is another person's."""
    announced = testimony.build_typed(text, quoted)
    verdict = judge_author(announced.text, around, by)
    if verdict is not None and verdict[0] == "doubtful":
        verdict = judge_author(_blank_quotes(announced), around, by) or verdict
    if around.unread and (verdict is None or verdict[0] == "own"):
        verdict = _judge_form(announced.text, around.usual) or verdict
    if verdict is None:
        return announced
    author, start, end = verdict
    typed = testimony.build_typed(text, quoted, announced=False)
    if author != "composed" and typed != announced and not _is_claimed(typed.text[:start], around, by):
        return announced
    return typed if author == "own" else testimony.attribute(typed, author, start, end)


def _blank_quotes(told: Told) -> str:
    """Return a text with blanks for what it quotes, which says nothing of who wrote the rest."""
    text = told.text
    for quote in told.foreign:
        if quote.kind == "quote":
            inside = " " * (quote.end - quote.start - 2)
            text = f"{text[: quote.start + 1]}{inside}{text[quote.end - 1 :]}"
    return text


def _is_claimed(lead: str, around: Around, by: Head) -> bool:
    """Whether the sender claims a text as their own."""
    spoken = Spelled(f"{lead} {around.before}")
    return any(one.count("mine", spoken) for one in by.lexis.values())


def around(world: World, envelope: Envelope) -> Around:
    """Read the context of a message that just arrived."""
    with world.database.read() as db:
        account = accounts.find_account(db, envelope.channel, envelope.sender)
        recent_turns = turns.recent(db, envelope.channel, envelope.chat_id, LINES_READ)
    own = [turn for turn in recent_turns if turn.speaker == USER and turn.own and turn.doubt is None]
    last = own[-1] if own and world.now - own[-1].at < JUST_BEFORE else None
    name = (account.name if account else None) or world.who.name or ""
    return Around(name, last.own if last else "", tuple(turn.own for turn in own))


def judge_author(text: str, around: Around, by: Head) -> tuple[Author, int, int] | None:
    """Return whose a message is, and the start and end of the text concerned; None if unknown."""
    start, end = find_text_span(text, by.lexis)
    values = features(text, (start, end), around, by.lexis)
    if values is None:
        return None
    if not start and "\n" not in text.strip() and Spelled(text).size < LEAST_ALONE:
        return "own", start, end
    share = _judge_parts(text, (start, end), around, by) or by.share(values)
    first, last = leave_out_remarks(text, start, end)
    if first > start and _is_letter(text, first, around, by):
        return "composed", first, last
    if share < by.perhaps:
        return "own", start, end
    return "composed" if share >= by.sure else "doubtful", first, last


def _judge_form(text: str, usual: Sequence[str]) -> tuple[Author, int, int] | None:
    """Judge a text in a language without groups of words: sentences with capitals behind a small lead
    and a colon are doubtful from somebody who begins most lines small. None for any other text."""
    start, end = leave_out_remarks(text, 0, len(text))
    begins = _NEXT.findall(text, start, end)
    tidy = start > 0 and len(begins) >= LEAST_NEXT and not any(map(str.islower, begins))
    small = sum(map(str.islower, map(itemgetter(slice(1)), usual)))
    if tidy and len(usual) >= USUAL_LINES and small >= MOSTLY * len(usual):
        return "doubtful", start, end
    return None


def _is_letter(text: str, start: int, around: Around, by: Head) -> bool:
    """Whether a text behind a lead of the same line is a letter that came: it begins with a greeting,
    and the lead does not claim it."""
    greets = any(one.opens("greeting", text[start:]) for one in by.lexis.values())
    return greets and not _is_claimed(text[:start], around, by)


def _judge_parts(text: str, part: tuple[int, int], around: Around, by: Head) -> float:
    """Return the mean probability over a long text's parts; 0 for a short text."""
    start, end = part
    widened = count_letters(text) / max(1, len(text))
    if (end - start) * widened <= READ_WHOLE:
        return 0.0
    shares, size = [], int(PART / widened)
    for at in range(start, min(end, start + LONGEST), size):
        body = text[at : min(end, at + size)]
        values = features(text[:start] + body + text[end:], (start, start + len(body)), around, by.lexis)
        shares += [] if values is None else [by.share(values)]
    return sum(shares) / max(1, len(shares))


def language(spelled: Spelled, lexes: Mapping[str, Lexis]) -> tuple[str, float]:
    """Return the language with the most small words in a text, and their share of its words."""
    most = {code: sum(map(one.single["small"].__contains__, spelled.words)) for code, one in lexes.items()}
    code = max(most, key=lambda one: most[one])
    return code, most[code] / max(1.0, spelled.size)


def find_text_span(text: str, lexes: Mapping[str, Lexis]) -> tuple[int, int]:
    """Return the span of the enclosed text, without the sender's remarks around it."""
    if (quoted := _find_quotation(text)) is not None:
        return quoted
    spelled = Spelled(text[:LONGEST])
    vocabulary = lexes[language(spelled, lexes)[0]]
    start, end = _behind_lead(text, vocabulary), len(text)
    last = text.rstrip().rfind("\n\n")
    if last > start and count_letters(text[last:]) <= LONGEST_LEAD and Spelled(text[start:last]).size >= LEAST_WORDS:
        tail = text[last:].strip()
        if ends_asking(tail) and "\n" not in tail:
            end = last
    return start, end


def _find_quotation(text: str) -> tuple[int, int] | None:
    """Return the span of a long quotation after a colon, in a message with little else."""
    for kind, start, end in find_pasted(text):
        besides = start + len(text) - end
        announced = text[:start].rstrip().endswith((":", "\uff1a"))
        if kind == "quote" and announced and besides <= min(LONGEST_LEAD, end - start):
            return (start, end) if Spelled(text[start:end]).size >= LEAST_WORDS else None
    return None


def _behind_lead(text: str, vocabulary: Lexis) -> int:
    """Return where the text announced by a first line or sentence begins; 0 if there is none."""
    at = text.find("\n")
    if at < 0:
        return _behind_sentence(text, vocabulary)
    lead = text[:at].strip()
    if count_letters(lead) > LONGEST_LEAD or not vocabulary.leads(lead) or lead.startswith(_BULLETS):
        return 0
    rest = text[at:]
    if Spelled(rest[:LONGEST]).size < LEAST_WORDS:
        return 0
    spoken = Spelled(lead)
    end = lead[-1:].translate(_PLAIN_STOPS)
    is_news = end == "." and not vocabulary.count("texts", spoken)  # "my boss is leaving."
    about = vocabulary.opens("greeting", lead) or any(
        vocabulary.count_to_two(groups[:1] if is_news else groups, spoken) for groups in _ABOUT.values()
    )
    ends = end in ".?!:"
    apart = rest.startswith("\n\n") and (lead[:1].islower() or ends) and len(spoken.words) > 1
    return at + len(rest) - len(rest.lstrip()) if about or apart else 0


def _behind_sentence(text: str, vocabulary: Lexis) -> int:
    """Return the same within one paragraph: after a sentence about a text, or at a capital."""
    opening = text[:LONGEST_LEAD]
    hail = _HAIL.match(opening)
    greeted = hail.end() if hail and vocabulary.opens("greeting", opening) else 1
    at = stop.end() if (stop := _LEAD_ENDS.search(opening, greeted)) else 0
    if not at:
        words = opening.split(" ")[:14]
        place = next((n for n, word in enumerate(words) if n > 1 and word[:1].isupper() and word[:2] != "I'"), 0)
        at = len(" ".join(words[:place])) + 1 if place and text[:1].islower() else 0
    if not at or Spelled(text[at:LONGEST]).size < LEAST_WORDS:
        return 0
    spoken = Spelled(opening[:at])
    names_a_text = vocabulary.count("texts", spoken)
    theirs = vocabulary.count("theirs", spoken) or (
        names_a_text and (vocabulary.count("whose", spoken) or vocabulary.count("people", spoken))
    )
    tells = vocabulary.count("asks", spoken) or (theirs and not vocabulary.count("feeling", spoken))
    mine = vocabulary.count("mine", spoken) and names_a_text
    return at if (tells or mine) and vocabulary.leads(opening[:at]) else 0


def features(text: str, part: tuple[int, int], around: Around, lexes: Mapping[str, Lexis]) -> dict[str, float] | None:
    """Compute the features of a text; None if it is too short or its language unknown."""
    start, end = part
    text = text.translate(_PLAIN_STOPS)
    body = text[start : min(end, start + LONGEST)].strip()
    spelled = Spelled(body)
    size = spelled.size
    if size < LEAST_WORDS:
        return None
    code, small = language(Spelled(text[:LONGEST]), lexes)
    vocabulary = lexes[code]
    if small < LEAST_SMALL and not body.isascii():
        return None
    values = {f"{group} within": min(vocabulary.count(group, spelled) / size, 0.25) for group in _WITHIN}
    values["small within"] = small
    values["any i"] = float(values["i within"] > 0)
    values |= _layout(body, vocabulary)
    values |= _manner(body, spelled, code)
    values |= _persons(body, spelled, around, vocabulary)
    values |= _measure_surroundings(text[:start], text[end:], around, vocabulary)
    values |= _distance(body, around, lexes, code)
    values["size"] = math.log(size)
    values |= _together(values)
    return {name: values[name] for name in values if code != "zh" or name not in _UNSPELLED}


def _together(values: Mapping[str, float]) -> dict[str, float]:
    """Compute interactions of features."""
    unclaimed = float(not values["mine around"] and not values["mine before"])
    addressed = float(values["addresses within"] > 0)
    letter = max(values["closes"], values["greets somebody"])
    return {
        "nobody says i": float(
            not values["any i"]
            and not values["we within"]
            and not values["you within"]
            and values["sentence length"] > 2.0
        ),
        "verse unclaimed": max(values["verse"], values["rhymes"]) * unclaimed,
        "letter unclaimed": letter * unclaimed,
        "letter of the sender": letter * max(1 - unclaimed, values["signed by the sender"]),
        "announced as another's": values["lead"] * unclaimed * float(values["theirs around"] > 0),
        "i, addressing": values["any i"] * addressed,
        "i, tidier": values["any i"] * max(0.0, values["tidier"]),
        "i, now": values["any i"] * float(values["now within"] > 0),
        "i, plain": values["any i"] * (1 - addressed) * float(not values["now within"] and not values["chatty within"]),
    }


def _layout(body: str, vocabulary: Lexis) -> dict[str, float]:
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    count = len(lines)
    ending = [line[-1] in _STOPS for line in lines]
    heads = [line[: line.find(":")] for line in lines if 0 < line.find(":") < 26]
    again = len(heads) - len(set(heads))
    digits = sum(line.startswith(_BULLETS) or line[:1].isdigit() for line in lines)
    return {
        "lines": math.log(count),
        "open lines": sum(not end for end in ending) / count if count > 2 else 0.0,
        "verse": float(count > 3 and not digits and sum(18 < count_letters(line) < 75 for line in lines) / count > 0.8),
        "rhymes": _rhymes(lines) if count > 3 else 0.0,
        "bullets": digits / count,
        "speakers": min(again, 2) / 2,
        "repeats": (count - len(set(lines))) / count,
        "paragraphs": min(body.count("\n\n"), 6) / 6,
        "heading": float(count > 2 and len(lines[0].split()) < 7 and not ending[0] and lines[0][:1].isupper()),
        "greets": float(vocabulary.opens("greeting", lines[0])),
        "closes": float(any(vocabulary.opens("closing", line) for line in lines[-3:])),
        "signed": float(count > 2 and len(lines[-1].split()) < 5 and lines[-1][:1].isupper() and not ending[-1]),
    }


def _rhymes(lines: Sequence[str]) -> float:
    """Return the share of lines that end like one of the next two."""
    ends = [line.rstrip(' .,;:!?)"\u2026\u201d\u00bb')[-2:].lower() for line in lines]
    return sum(end in ends[at + 1 : at + 3] for at, end in enumerate(ends) if len(end) == 2) / len(ends)


def _manner(body: str, spelled: Spelled, code: str) -> dict[str, float]:
    words, size = spelled.words, spelled.size
    sentences = _sentences(body)
    capitals = sum(word[:1].isupper() and word[1:2].islower() for word in body.split())
    return {
        "long words": sum(len(word) > (11 if code == "de" else 8) for word in words) / size,
        "sentence length": math.log(size / max(1, len(sentences))),
        "small starts": _small_starts(body),
        "small i": float(" i " in f" {body} " and code == "en"),
        "open end": float(body[-1:] not in _STOPS and body[-1:].isalnum()),
        "typeset": min(sum(sign in _TYPESET for sign in body), 6) / 6,
        "signs": min(sum(sign in "@|\u00a7%\u20ac\u00a3$/" for sign in body), 6) / 6,
        "digits": min(sum(word[0].isdigit() for word in words) / size, 0.3),
        "brackets": min(body.count("("), 4) / 4,
        "colons": min(body.count(":") + body.count(";"), 6) / 6,
        "asks within": min(body.count("?"), 3) / 3,
        "asks at its end": float(body.endswith("?")),
        "capitals": capitals / size * (0.5 if code == "de" else 1.0),
        "shouted": min(sum(len(word) > 3 and word.isupper() for word in body.split()), 4) / 4,
        "quotations": min(body.count('"') + body.count("\u201c") + body.count("\u00ab") + body.count("\u00bb"), 6) / 6,
        "commas": body.count(",") / size,
        "apostrophes": min((body.count("'") + body.count("\u2019")) / size, 0.2),
    }


def _persons(body: str, spelled: Spelled, around: Around, vocabulary: Lexis) -> dict[str, float]:
    """Return features of speaker and addressee, as far as they are named. The name in a first message
    is its sender's."""
    name = " ".join(Spelled(around.name.split()[0]).words) if around.name.strip() else ""
    written = _WORD.findall(body)
    called = [" ".join(found) for found in _CALLED_HAN.findall(body)] or [
        word.lower()
        for before, word, behind in zip(written, written[1:], [*written[2:], ""], strict=False)
        if (word[:1].isupper() and word[1:2].islower() or word.lower() == name)
        and behind not in _CASES
        and before.lower() in vocabulary.single["am"]
    ]
    if not around.usual:
        name = next(iter(called), name)
    ends = body.rstrip(" !\n").replace("\n", ". ").rsplit(". ", 1)[-1].replace(",", "").split()
    signed = 0 < len(ends) < 5 and all(word[:1].isupper() for word in ends) and body[-1:].isalpha()
    greeting = vocabulary.opens("greeting", body)
    own_end = bool(name) and name in [word.lower() for word in ends]
    return {
        "addresses the sender": float(bool(name) and name in spelled.words[:4] and name not in called[:1]),
        "greets somebody": float(greeting and any(word[:1].isupper() for word in written[1:4])),
        "is the sender's": float(bool(name) and (name in called or name in spelled.words[:12] and bool(called))),
        "introduces another": float(bool(name) and bool(called) and name not in called),
        "signed by the sender": float(signed and own_end),
        "signed by another": float(signed and bool(name) and not own_end and len(written) > 25),
        "tells age": float(_tells_age(spelled, vocabulary)),
        "opens with i": float(any(word in vocabulary.single["i"] for word in spelled.words[:4])),
    }


def _tells_age(spelled: Spelled, vocabulary: Lexis) -> bool:
    """Whether the text states the speaker's age: "I'm 34", "tengo 52 a\u00f1os"."""
    words = spelled.words
    if vocabulary.single["age"]:
        return any(
            word in vocabulary.single["age"] and words[at - 1].isnumeric() for at, word in enumerate(words) if at
        )
    if any(phrase in spelled.line for phrase in vocabulary.phrases["age"]):
        return True
    return any(
        len(word) == 2 and word.isdigit() and words[at - 1] in vocabulary.single["am"] and words[at - 2] == "i"
        for at, word in enumerate(words)
        if at > 1
    )


def _measure_surroundings(lead: str, tail: str, around: Around, vocabulary: Lexis) -> dict[str, float]:
    """Return features of the sender's remarks around the text."""
    spoken, before = Spelled(f"{lead} {tail}"), Spelled(around.before)
    values = {f"{name} around": vocabulary.count_to_two(groups, spoken) for name, groups in _ABOUT.items()}
    values |= {f"{name} before": vocabulary.count_to_two(_ABOUT[name], before) for name in ("mine", "theirs")}
    return values | {
        "lead": float(bool(lead.strip())),
        "lead with i": float(bool(lead.strip()) and vocabulary.count("i", spoken) > 0),
    }


def _distance(body: str, around: Around, lexes: Mapping[str, Lexis], code: str) -> dict[str, float]:
    """Return features of the distance from the sender's usual style."""
    usual = [line for line in around.usual if line.strip()]
    if len(usual) < USUAL_LINES:
        return dict.fromkeys(("tidier", "chattier", "other language"), 0.0)
    written = "\n".join(usual)
    theirs, here = Spelled(written), Spelled(body)
    return {
        "tidier": _small_starts(written) - _small_starts(body),
        "chattier": lexes[code].count("chatty", theirs) / max(1.0, theirs.size)
        - lexes[code].count("chatty", here) / here.size,
        "other language": float(language(theirs, lexes)[0] != code),
    }


def _sentences(body: str) -> list[str]:
    for stop in _STOPS:
        body = body.replace(stop, "\n")
    return [part for part in body.split("\n") if len(part.split()) > 1 or HAN.search(part)]


def _small_starts(text: str) -> float:
    """Return the share of sentences that begin with a lower-case letter."""
    begins = [sentence.strip()[0] for sentence in _sentences(text) if sentence.strip()[0].isalpha()]
    return sum(letter.islower() for letter in begins) / max(1, len(begins))
