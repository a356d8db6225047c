"""What somebody pasted or quoted in a message they typed: it is in their message, and yet not what they say.

Read from the form of the lines: quotation marks and signs, headers of mails and chats, an opening line that announces
somebody's words. When in doubt it counts as pasted: what is not noticed can be told again, what was put into somebody's
mouth cannot be taken back. Every rule looks at a line, or at its beginning, once.
"""

import re
from collections.abc import Iterator
from typing import Literal

from furoshiki.language.tables.calendar_names import WEEKDAYS

MOST_QUOTED = 3
"""Words in quotation marks up to which they are a title or a name, not somebody's speech."""

LONGEST_LEAD = 160
"""Characters of a line in which it may announce what follows."""

Span = tuple[Literal["pasted", "quote", "link"], int, int]

_FENCE = "```"
_QUOTED = re.compile(r"\s{0,8}(?:>+(?:\s|\w|$)|\|\s(?!.*\|\s*$))")
_REST = re.compile(
    r"\s{0,8}(?:-{2,20}\s{0,3}(?:Forwarded|Original|Weitergeleitete|Mensaje)\b|Begin forwarded message\b|"
    r"Forwarded from\b|Forwarded message\b|On .{4,100}wrote:\s*$|Am .{4,100}schrieb .{1,80}:\s*$|"
    r"El .{4,100}escribi\u00f3:\s*$|From:\s.{1,100}@)",
    re.IGNORECASE,
)
_STAMPED = re.compile(
    r"\s{0,4}(?:\[\d{1,4}[./-]\d{1,2}[^\]\n]{0,24}\]\s?[^:\n]{1,40}:\s"  # [12/03/2026, 10:11:12] Carlos: …
    r"|\d{1,2}[./-]\d{1,2}[./-]\d{2,4},?\s\d{1,2}:\d\d[^-\n]{0,8}-\s[^:\n]{1,40}:\s"  # 12/03/26, 10:11 - Carlos: …
    r"|[^\[\n]{1,40},\s\[\d{1,4}[./-]\d{1,2}[^\]\n]{0,24}\]"  # Carlos, [12.03.2026 10:11]
    r"|\[\d{1,2}:\d\d(?::\d\d)?\]\s?[^:\n]{1,40}:\s)"  # [10:11] Carlos: …
)
_NAMED = r"[^\W\d_a-z][\w.\u2019'-]{0,24}"
_SPEAKER = re.compile(rf"\s{{0,4}}[<*_]{{0,2}}(?P<who>{_NAMED}(?: {_NAMED}){{0,2}})[>*_]{{0,2}}:\s+\S")
_HEADED = re.compile(
    rf"\s{{0,4}}(?P<who>{_NAMED}(?: {_NAMED}){{0,2}})\W{{1,4}}[^\n\d]{{0,12}}\d{{1,2}}:\d\d(?:\s?[AP]M)?\s{{0,4}}$"
)
"""Mark 18:02, Mark — Today at 18:02, with what he says in the lines below."""

_LABELS = frozenset(
    """morning afternoon evening night today tomorrow yesterday
    breakfast lunch dinner snack pros cons pro con plus minus todo note notes update edit ps question answer example
    time date place when where what who why how price total step name age city home work job hobbies plan plans goal
    goals first second third then finally good bad best worst week""".split()  # noqa: SIM905 - reads better than quotes
).union(WEEKDAYS)
"""What stands before the colon in lists that people make of their own."""

_SAYING = re.compile(
    r"\b(?:wrote|writes|sent(?: me| us)?|said|says|told (?:me|us)|texted(?: me| us)?|posted|replied|answered"
    r"|messaged(?: me)?|schrieb|schreibt|sagte?|meinte|escribi\u00f3|dijo|dice|yazd\u0131|dedi"
    r"|\u043d\u0430\u043f\u0438\u0441\u0430\u043b\u0430?|\u0441\u043a\u0430\u0437\u0430\u043b\u0430?"
    r"|\u043f\u0438\u0448\u0435\u0442)(?: (?:this|that|me|us|back))?\s{0,2}:",
    re.IGNORECASE,
)
_I_SAY = re.compile(r"\b(?:I|we|ich|wir|yo|\u044f)\b", re.IGNORECASE)
_THING = (
    r"(?:applicant|candidate|cv|r\u00e9sum\u00e9|resume|e-?mail|mail|letter|message|text|post|tweet|article|application|profile|bio"
    r"|review|statement|ad|advert|story|poem|song|lyrics|conversation|chat|transcript|contract|paragraph|excerpt|comment"
    r"|description|essay|draft|listing|lebenslauf|nachricht|brief|anschreiben|bewerbung|mensaje|carta|texto)"
)
_SOMEBODYS = (
    r"this|these|the following|his|her|their|somebody's|someone's|[^\W\d_]{1,30}['\u2019]s|diese[rnms]?|este|esta"
)
_ASKED = re.compile(rf"\b(?:{_SOMEBODYS})\s(?:\w+\s){{0,2}}{_THING}\b", re.IGNORECASE)
_ANNOUNCED = re.compile(rf"\b(?:{_SOMEBODYS}|the|that|an?)\s(?:\w+\s){{0,2}}{_THING}\b", re.IGNORECASE)
_MARKS = re.compile(
    "\u201c[^\u201c\u201d]{0,4000}\u201d|\u201e[^\u201c\u201d\u201e]{0,4000}[\u201c\u201d]|\u00ab[^\u00ab\u00bb]{0,4000}\u00bb"
)
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)


def find_pasted(text: str, announced: bool = True) -> list[Span]:
    """Every stretch of a typed text that is pasted or quoted, and its links; they may overlap."""
    return [*_lines(text, announced), *_quotations(text), *(("link", *match.span()) for match in _LINK.finditer(text))]


def _lines(text: str, announced: bool) -> Iterator[Span]:
    lines = _Lines(text)
    found = lines.announced() if announced else ()
    for first, last in (*lines.fenced(), *lines.quoted(), *lines.chats(), *found):
        yield "pasted", lines.starts[first], lines.starts[last] + len(lines.lines[last])
    yield from lines.reported()


class _Lines:
    """The lines of a text and where they begin; answers stretches of lines, first and last included."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts: list[int] = []
        at = 0
        for line in self.lines:
            self.starts.append(at)
            at += len(line) + 1

    def fenced(self) -> Iterator[tuple[int, int]]:
        """Blocks between lines of three backticks; one that is never closed goes on to the end."""
        opened: int | None = None
        for number, line in enumerate(self.lines):
            for _ in range(line.count(_FENCE)):
                if opened is None:
                    opened = number
                else:
                    yield opened, number
                    opened = None
        if opened is not None:
            yield opened, len(self.lines) - 1

    def quoted(self) -> Iterator[tuple[int, int]]:
        """Lines behind a sign of quotation, and all from the header of a forwarded or answered mail on."""
        for number, line in enumerate(self.lines):
            if _REST.match(line):
                yield number, len(self.lines) - 1
                return
            if _QUOTED.match(line):
                yield number, number

    def chats(self) -> Iterator[tuple[int, int]]:
        """A chat that was copied, from its first speaker to the end of what the last one says. It has times, somebody
        who speaks again, or two or three lines; what has more labels, each once, is a list."""
        stamped = [number for number, line in enumerate(self.lines) if _STAMPED.match(line)]
        headed = {number: head["who"] for number, line in enumerate(self.lines) if (head := _HEADED.match(line))}
        if len({*headed.values()}) < len(headed) and headed.keys().isdisjoint(number + 1 for number in headed):
            stamped = sorted({*stamped, *headed})
        spoken = {number: who for number, line in enumerate(self.lines) if (who := _speaks(line))}
        named = list(spoken)
        again = len(set(spoken.values())) < len(named)
        short = len(named) in (2, 3) and named[-1] - named[0] == len(named) - 1
        found = stamped or (named if again or short else [])
        if found:
            yield found[0], self._paragraph(max(found[-1], *(named or [0])))

    def announced(self) -> Iterator[tuple[int, int]]:
        """All that follows a line which announces it: "can you look at this applicant?", "here is her letter:"."""
        for number, line in enumerate(self.lines[:-1]):
            lead = line.rstrip()[-LONGEST_LEAD:]
            announces = _ANNOUNCED if lead.endswith(":") else _ASKED if lead.endswith("?") else None
            if announces is not None and announces.search(lead):
                yield number + 1, len(self.lines) - 1
                return

    def reported(self) -> Iterator[Span]:
        """What follows "she wrote:" on the same line and up to the next empty one."""
        for number, line in enumerate(self.lines):
            lead = _SAYING.search(line[:LONGEST_LEAD])
            if lead is None or _I_SAY.search(line[max(0, lead.start() - 12) : lead.start()]):
                continue
            start = self.starts[number] + lead.end()
            last = self._paragraph(number)
            if last == number and not line[lead.end() :].strip():
                last = len(self.lines) - 1
            yield "pasted", start, self.starts[last] + len(self.lines[last])
            return

    def _paragraph(self, number: int) -> int:
        """The last line of the paragraph that a line stands in."""
        while number + 1 < len(self.lines) and self.lines[number + 1].strip():
            number += 1
        return number


def _speaks(line: str) -> str:
    """Who speaks in a line of a chat; empty for no such line."""
    found = _SPEAKER.match(line[:LONGEST_LEAD])
    who = found["who"].casefold() if found else ""
    return who if who and who.split()[0] not in _LABELS else ""


def _quotations(text: str) -> Iterator[Span]:
    """Quotations of more than a few words, with their marks. Straight marks are paired within a paragraph."""
    for match in _MARKS.finditer(text):
        if _long(match.group()):
            yield "quote", *match.span()
    if '"' not in text:
        return
    start = 0
    for paragraph in text.split("\n\n"):
        places = [match.start() for match in re.finditer('"', paragraph)]
        if len(places) % 2:  # one of them is none: a screen of 5"
            places = [at for at in places if not paragraph[max(0, at - 1) : at].isdigit()]
        for first, last in zip(places[::2], places[1::2], strict=False):
            if _long(paragraph[first : last + 1]):
                yield "quote", start + first, start + last + 1
        start += len(paragraph) + 2


def _long(quotation: str) -> bool:
    return len(quotation.split()) > MOST_QUOTED
