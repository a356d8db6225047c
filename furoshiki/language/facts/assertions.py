"""Find the parts of a message that its writer asserts as true, here and now.

Left out: questions, hypotheticals, wishes, quotations, reports of others, stories, dreams, orders
to write or pretend, code and pasted logs. In doubt a clause is left out: a missed fact can be told
again, an invented one cannot be undone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from furoshiki.language import word_tables
from furoshiki.language.word_tables import texts

BLANK = "\u0000"


@dataclass(frozen=True, slots=True)
class Clause:
    """An asserted clause: its text (quotations blanked out, same length) and its offset."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_FENCED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_WAYS = word_tables.by_language("asserted")["en"]
_QUOTED = re.compile(_WAYS["quoted"])
# A machine-written line, or one quoted from a mail.
_MECHANICAL_LINE = re.compile(_WAYS["mechanical_line"], re.IGNORECASE | re.VERBOSE)
# A transcript of a chat: several lines that each begin with a speaker.
_SPEAKER_LINE = re.compile(r"^\s*(?:\[[^\]]+\]\s*)?[A-Z][\w .]{0,20}:\s+\S")
_HEADED = re.compile(_WAYS["headed"], re.IGNORECASE)

_SENTENCE = re.compile(r"[^.!?\n;]+(?:[.!?;]+|\n|$)")
_ABBREVIATED = re.compile(_WAYS["abbreviated"], re.IGNORECASE)
_LONGEST_ABBREVIATED = 16  # characters at the end of a sentence in which abbreviations are searched

_JOINT = re.compile(_WAYS["joint"], re.IGNORECASE)

_ASKS = re.compile(texts("assertions", "asks")["en"], re.IGNORECASE | re.VERBOSE)
_NOT_ASSERTED = re.compile(_WAYS["not_asserted"], re.IGNORECASE)
_REPORTED = re.compile(texts("assertions", "reported")["en"], re.IGNORECASE)
# "I told you that …", "I said I …", "I believe in …": the writer reporting their own words still asserts them.
_OWN_REPORT = re.compile(_WAYS["own_report"], re.IGNORECASE)
_AS_I_SAID = re.compile(r"\b(?:as|like) i(?:'ve| have)?(?: already)? (?:said|told you|mentioned)\b", re.IGNORECASE)
# "I told my boss I am leaving", "I wrote a novel": the writer's own acts are no hearsay.
_OWN_ACT = re.compile(texts("assertions", "own_act")["en"], re.IGNORECASE)
_REMINDING = re.compile(r",\s*(?:remember|you know|as you know|you remember)\s*$", re.IGNORECASE)
_I_THINK = re.compile(r"\bi (?:really )?(?:think|believe)\b", re.IGNORECASE)
_ORDER = re.compile(texts("assertions", "order")["en"], re.IGNORECASE)


def list_asserted(text: str) -> tuple[Clause, ...]:
    """Return the asserted clauses of a message, in order, with their offsets."""
    bare = _without_foreign(text)
    clauses: list[Clause] = []
    for start, end, closing in _sentences(bare):
        clauses.extend(_find_in_sentence(bare, start, end, closing))
    return tuple(clauses)


def _find_in_sentence(bare: str, start: int, end: int, closing: str) -> Iterator[Clause]:
    sentence = bare[start:end]
    pieces = list(_pieces(sentence, start))
    asks = "?" in closing and not _REMINDING.search(sentence)  # "I live in Lyon, remember?" asks nothing
    asking = [_ASKS.match(c.text) is not None or (asks and c is pieces[-1]) for c in pieces]
    statement = " ".join(clause.text for clause, question in zip(pieces, asking, strict=True) if not question)
    others = _OWN_ACT.sub("", _I_THINK.sub("", _AS_I_SAID.sub("", statement)))
    reported = _REPORTED.search(others) and not _OWN_REPORT.match(sentence)
    if reported or _ORDER.match(sentence):
        return
    for clause, question in zip(pieces, asking, strict=True):
        if _NOT_ASSERTED.search(clause.text):
            break  # what follows an "if" depends on it too
        if question:
            continue
        if clause.text.strip(f" {BLANK}"):
            yield clause


def _pieces(sentence: str, start: int) -> Iterator[Clause]:
    """Split a sentence where a clause with its own subject (or a question) begins."""
    at = 0
    for joint in _JOINT.finditer(sentence):
        if joint.start() > at:
            yield Clause(sentence[at : joint.start()], start + at)
            at = joint.end()
    yield Clause(sentence[at:], start + at)


def _sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end (without the end mark) and end mark of each sentence; "Dr." ends none."""
    start = None
    for match in _SENTENCE.finditer(text):
        if start is None:
            start = match.start()
        upto = text[start : match.end()].rstrip()
        close = upto[-_LONGEST_ABBREVIATED:]
        decimal = re.search(r"\d[.]$", close) and text[match.end() : match.end() + 1].isdigit()
        if decimal or (close.endswith(".") and _ABBREVIATED.search(close) and match.end() < len(text)):
            continue
        body = upto.rstrip(".!?;")
        yield start, start + len(body), upto[len(body) :]
        start = None
    if start is not None:
        yield start, len(text), ""


def _without_foreign(text: str) -> str:
    """Blank out code, quotations and pasted lines, preserving offsets."""
    text = _blank_out(_FENCED, text)
    lines = text.split("\n")
    foreign = [bool(_MECHANICAL_LINE.search(line)) for line in lines]
    if sum(bool(_SPEAKER_LINE.match(line)) for line in lines) >= 2:
        foreign = [True] * len(lines)
    if len(lines) >= 3 and sum(foreign) * 2 >= len([line for line in lines if line.strip()]):
        foreign = [True] * len(lines)
    if _HEADED.search(text):
        foreign = [True] * len(lines)
    text = "\n".join(BLANK * len(line) if alien else line for line, alien in zip(lines, foreign, strict=True))
    return _blank_out(_QUOTED, text)


def _blank_out(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: re.sub(r"[^\n]", BLANK, match.group()), text)
