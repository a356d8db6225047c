"""Find pasted or quoted text in a typed message: it is not the sender's own.

Read from the form of lines: quotation marks, headers of mails and chats, an announcing line. In
doubt text counts as pasted: a missed fact can be told again, a wrong attribution cannot be undone.
Every rule reads a line, or its beginning, once.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Literal

from furoshiki.language import word_tables
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.word_tables import texts
from furoshiki.language.words import count_words, ends_asking

MOST_QUOTED = 3  # quotations of at most this many words are titles or names, not speech
LONGEST_LEAD = 160  # characters of a line in which an announcement is searched

# sentences with capitals that stand before a remark without, and the words of the remark
LEAST_SENTENCES, LEAST_REMARK = 2, 3

Span = tuple[Literal["pasted", "quote", "link"], int, int]

_FENCE = "```"
_QUOTED = re.compile(r"\s{0,8}(?:>+(?:\s|\w|$)|\|\s(?!.*\|\s*$))")
_WAYS = word_tables.by_language("pasted_beside")["en"]
_REST = re.compile(_WAYS["rest"], re.IGNORECASE)
_SAYS = r"[^:\uff1a\n]{1,40}(?::\s|\uff1a)"
_STAMPED = re.compile(
    rf"\s{{0,4}}(?:\[\d{{1,4}}[./-]\d{{1,2}}[^\]\n]{{0,24}}\]\s?{_SAYS}"  # [12/03/2026, 10:11:12] Carlos: …
    rf"|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}},?\s\d{{1,2}}:\d\d[^-\n]{{0,8}}-\s{_SAYS}"  # 12/03/26, 10:11 - Carlos: …
    r"|[^\[\n]{1,40},\s\[\d{1,4}[./-]\d{1,2}[^\]\n]{0,24}\]"  # Carlos, [12.03.2026 10:11]
    rf"|\[\d{{1,2}}:\d\d(?::\d\d)?\]\s?{_SAYS})"  # [10:11] Carlos: …
)
_NAMED = r"[^\W\d_a-z][\w.\u2019'-]{0,24}"
_SPEAKER = re.compile(
    rf"\s{{0,4}}[<*_]{{0,2}}(?P<who>{_NAMED}(?: {_NAMED}){{0,2}})[>*_]{{0,2}}(?: ?:\s+|\uff1a\s{{0,4}})\S"
)
# "Mark 18:02" or "Mark — Today at 18:02", with his message in the lines below
_HEADED = re.compile(
    rf"\s{{0,4}}(?P<who>{_NAMED}(?: {_NAMED}){{0,2}})\W{{1,4}}[^\n\d]{{0,12}}\d{{1,2}}:\d\d(?:\s?[AP]M)?\s{{0,4}}$"
)

# words before a colon in people's own lists
_LABELS = frozenset(" ".join(texts("pasted", "labels").values()).split()).union(WEEKDAYS)

_SAID = _WAYS["said"]
_SAYING = re.compile(rf"{_SAID}(?: (?:this|that|me|us|back|to me|zu mir|мне|bana))?\s{{0,2}}[:\uff1a]", re.IGNORECASE)
_SAID_BEFORE = re.compile(rf"{_SAID}(?: (?:to )?[^\W\d_]{{1,12}})?[\s:,\uff1a\uff0c]{{0,3}}\Z", re.IGNORECASE)
_WHO = r"(?P<who>(?:[^\W\d_]{1,12}[ ,]{1,2}){0,2}|[\u4e00-\u9fff]{1,3}?)"
_SAID_BEHIND = re.compile(rf"[\s,\uff0c]{{0,3}}{_WHO}{_SAID}", re.IGNORECASE)
_WE_SAY = r"(?<![跟对给和向])我们?(?:[就也还又才先想]|[跟对给和向]\w{1,4})?\Z"
_I_SAY = re.compile(rf"\b(?:I|we|ich|wir|yo|je|j['\u2019]ai|ho|io|eu|я|мы|ben)\b|{_WE_SAY}", re.IGNORECASE)
_OF_ITSELF = re.compile(r"(?i)\b(?:I|my|ich|yo|soy|me|je|j|io|mi|sono|eu|sou|meu|я|меня|мне|ben|benim|adım)\b|我|本人")
_THING = _WAYS["thing"]
_SOMEBODYS = _WAYS["somebodys"]
_MINE = r"(?:my|mein\w{0,2}|mi|mon|ma|mia|mio|meu|minha|мо[яйюеё]|benim)\b"
_BETWEEN = rf"\s(?:(?!{_MINE})\w+\s){{0,2}}"
_HAN_THING = r"(?:简历|信|消息|短信|邮件|广告|介绍|文章|通知|帖子|聊天记录|候选人|应聘者)"
_HAN_TOLD = rf"(?:这|那|他|她|朋友|同事|亲戚|老板|房东)[^\n:\uff1a我]{{0,10}}{_HAN_THING}"
_ASKED = re.compile(rf"(?i)\b(?:{_SOMEBODYS}){_BETWEEN}{_THING}\b|{_HAN_TOLD}")
_ANNOUNCED = re.compile(rf"(?i)\b(?:{_SOMEBODYS}|the|that|an?|une?|una|uma?|bir){_BETWEEN}{_THING}\b|{_HAN_TOLD}")
_MARKS = re.compile(_WAYS["marks"])
_QUOTATION = re.compile(rf'\s{{0,3}}(?P<words>{_MARKS.pattern}|"[^"]{{1,4000}}")')
_SENTENCES = re.compile(r"[.!?…][\"”»)]?\s+(?P<next>\w)")
_LEAD = re.compile(r"[^\n:]{3,80}:\s+(?=\w)")
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)


def find_pasted(text: str, announced: bool = True) -> list[Span]:
    """Return the spans of pasted or quoted text and of links; they may overlap."""
    return [*_lines(text, announced), *_quotations(text), *(("link", *match.span()) for match in _LINK.finditer(text))]


def _lines(text: str, announced: bool) -> Iterator[Span]:
    lines = _Lines(text)
    announced_lines = lines.announced() if announced else ()
    for first, last in (*lines.fenced(), *lines.quoted(), *lines.chats(), *announced_lines):
        yield "pasted", lines.starts[first], lines.starts[last] + len(lines.lines[last])
    yield from lines.reported()


class _Lines:
    """The lines of a text and their offsets; the methods yield ranges of lines, inclusive."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts: list[int] = []
        at = 0
        for line in self.lines:
            self.starts.append(at)
            at += len(line) + 1

    def fenced(self) -> Iterator[tuple[int, int]]:
        """Yield blocks between lines of three backticks; an unclosed one runs to the end."""
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
        """Yield lines after a quotation sign, and all after a mail's header."""
        for number, line in enumerate(self.lines):
            if _REST.match(line):
                yield number, len(self.lines) - 1
                return
            if _QUOTED.match(line):
                yield number, number

    def chats(self) -> Iterator[tuple[int, int]]:
        """Yield a copied chat, from its first speaker to the end of the last message. It has
        times, a speaker who returns, or two or three lines; more distinct labels are a list."""
        stamped = [number for number, line in enumerate(self.lines) if _STAMPED.match(line)]
        headed = {number: head["who"] for number, line in enumerate(self.lines) if (head := _HEADED.match(line))}
        if len({*headed.values()}) < len(headed) and headed.keys().isdisjoint(number + 1 for number in headed):
            stamped = sorted({*stamped, *headed})
        spoken = {number: who for number, line in enumerate(self.lines) if (who := _speaks(line))}
        speaker_lines = list(spoken)
        again = len(set(spoken.values())) < len(speaker_lines)
        short = len(speaker_lines) in (2, 3) and speaker_lines[-1] - speaker_lines[0] == len(speaker_lines) - 1
        chat_lines = stamped or (speaker_lines if again or short else [])
        if chat_lines:
            yield chat_lines[0], self._paragraph(max(chat_lines[-1], *(speaker_lines or [0])))

    def announced(self) -> Iterator[tuple[int, int]]:
        """Yield all lines after an announcement: "here is her letter:"."""
        for number, line in enumerate(self.lines[:-1]):
            lead = line.rstrip()[-LONGEST_LEAD:]
            announces = _ANNOUNCED if lead.endswith((":", "\uff1a")) else _ASKED if ends_asking(lead) else None
            if announces is not None and announces.search(lead):
                yield number + 1, len(self.lines) - 1
                return

    def reported(self) -> Iterator[Span]:
        """Yield the text after "she wrote:": the quotation on its line, or up to an empty line."""
        for number, line in enumerate(self.lines):
            lead = _SAYING.search(line[:LONGEST_LEAD])
            if lead is None or _I_SAY.search(line[max(0, lead.start() - 12) : lead.start()]):
                continue
            start = self.starts[number] + lead.end()
            if quotation := _QUOTATION.match(line, lead.end()):
                yield "quote", self.starts[number] + quotation.start("words"), self.starts[number] + quotation.end()
                return
            last = self._paragraph(number)
            if last == number and not line[lead.end() :].strip():
                last = len(self.lines) - 1
            text = "\n".join(self.lines)
            yield "pasted", *leave_out_remarks(text, start, self.starts[last] + len(self.lines[last]))
            return

    def _paragraph(self, number: int) -> int:
        """Return the last line of the paragraph that contains a line."""
        while number + 1 < len(self.lines) and self.lines[number + 1].strip():
            number += 1
        return number


def leave_out_remarks(text: str, start: int, end: int) -> tuple[int, int]:
    """Narrow another person's text, written with capitals, by what its sender wrote small in the
    same line: before a colon, and in the last sentences ("… until Monday. i think i'll try")."""
    lead = _LEAD.match(text)
    if not start and lead is not None and text[0].islower() and text[lead.end()].isupper():
        start = lead.end()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    begins = [start, *(stop.start("next") for stop in _SENTENCES.finditer(text, start, end))]
    small = len(list(takewhile(lambda at: text[at].islower(), reversed(begins))))
    if not small or len(begins) - small < LEAST_SENTENCES or any(text[at].islower() for at in begins[:-small]):
        return start, end
    remark = text[begins[-small] : end]
    if len(remark.split()) < LEAST_REMARK or len(remark) > LONGEST_LEAD:
        return start, end
    return start, begins[-small]


def _speaks(line: str) -> str:
    """Return the speaker of a chat line; empty for any other line."""
    match = _SPEAKER.match(line[:LONGEST_LEAD])
    who = match["who"].casefold() if match else ""
    return who if who and who.split()[0] not in _LABELS else ""


def _quotations(text: str) -> Iterator[Span]:
    """Yield quotations of more than a few words; straight marks pair within a paragraph."""
    for match in _MARKS.finditer(text):
        if _is_speech(text, *match.span()):
            yield "quote", *match.span()
    if '"' not in text:
        return
    start = 0
    for paragraph in text.split("\n\n"):
        places = [match.start() for match in re.finditer('"', paragraph)]
        if len(places) % 2:  # an odd mark may mean inches: a screen of 5"
            places = [at for at in places if not paragraph[max(0, at - 1) : at].isdigit()]
        for first, last in zip(places[::2], places[1::2], strict=False):
            if _is_speech(paragraph, first, last + 1):
                yield "quote", start + first, start + last + 1
        start += len(paragraph) + 2


def _is_speech(text: str, start: int, end: int) -> bool:
    """Return whether a quotation is speech, not a title: long, or reported first person."""
    quotation = text[start:end]
    if count_words(quotation) > MOST_QUOTED:
        return True
    before = text[max(0, start - 30) : start]
    match, behind = _SAID_BEFORE.search(before), _SAID_BEHIND.match(text[end : end + 40])
    who = before[: match.start()] if match else behind["who"] if behind else "I"
    return bool(_OF_ITSELF.search(quotation)) and not _I_SAY.search(who)
