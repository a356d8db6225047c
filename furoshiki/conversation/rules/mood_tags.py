"""Remove mood tags next to an answer ("[mood: lonely] There you are."), keeping the sentence.

Only at the edges of an answer, and only if the question does not concern moods or figures: a
playlist, form or survey may contain the same marks.
"""

import re

from furoshiki.conversation.rules.recitals import DIALS, FIGURE, MOODS

_FEELING = rf"(?:{MOODS}|{DIALS}|glad|happy|sad|angry|tired|bored|affectionate|joyful|calm|warm)"
_OPEN, _CLOSE = r"[\[({<*_`]{1,3}", r"[\])}>*_`]{1,3}"
_INSIDE = r"[^\[\](){}<>*_`\n]{0,60}"
_DIAL_TAG = rf"(?:{DIALS}) ?[:=] ?{FIGURE}{_INSIDE}"
_NAMED_TAG = rf"(?:current )?(?:mood|feeling|emotions?|state|heartbeat|tone) ?[:=] ?{_FEELING}\b{_INSIDE}"
_TAG = rf"(?:{_OPEN} ?(?:{_NAMED_TAG}|{_DIAL_TAG}){_CLOSE}|<(mood|feeling|heartbeat)>[^<\n]{{0,200}}</\1>)"
_FIRST = re.compile(rf"^\s{{0,4}}(?:{_TAG}|\[ ?(?:{MOODS}) ?\])[ \t]{{0,4}}\n?", re.IGNORECASE)
_LAST = re.compile(rf"(?<=[.!?…])[ \t]{{1,4}}{_TAG}\s{{0,4}}\Z", re.IGNORECASE)
_BESIDE = re.compile(rf"[ \t]{_OPEN} ?{_DIAL_TAG}{_CLOSE}(?=[.!?…]\s{{0,4}}\Z)", re.IGNORECASE)
_LINE = re.compile(
    rf"^[ \t>*_-]{{0,4}}(?:current )?(?:mood|feeling) ?[:=] ?[*_\"“ ]{{0,4}}{_FEELING}\b"
    r"[^.!?\n:]{0,30}[.*_\"”]{0,4}[ \t]*",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^[ \t>*_•-]{0,4}\w[\w ]{0,24}[*_]{0,2} ?[:=]")
_MATTER = re.compile(
    rf"\b(?:moods?|feelings?|emotions?|emotional|tone|tags?|playlists?|songs?|tracks?|form|your|survey|scores?|scored|rat(?:ed?"
    rf"|ings?)|scales?|tests?|results?|levels?|charts?|quiz|reports?|studies|study|app|{DIALS}|lonely|loneliest|angry|proud)\b",
    re.IGNORECASE,
)
_LIKELY = re.compile(rf"mood|feeling|emotion|heartbeat|state|tone|{DIALS}|\[ ?(?:{MOODS}) ?\]", re.IGNORECASE)


def strip_tags(written: str, heard: str = "") -> str:
    """Remove tags of the companion's mood, unless `heard` concerns such things."""
    if _LIKELY.search(written) is None or _MATTER.search(heard):
        return written
    first = _FIRST.match(written)
    text = written[first.end() :] if first else written
    text = _LAST.sub("", text)
    found = _BESIDE.search(text)
    if found and not _MATTER.search(text[: found.start()]):
        text = text[: found.start()] + text[found.end() :]
    text = _without_line(text)
    if text == written:
        return written
    return text.strip()


def _without_line(text: str) -> str:
    """Remove a line that only states the mood, at the top or as a paragraph."""
    if "```" in text:
        return text
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not _LINE.fullmatch(line):
            continue
        beside = [one for one in (*lines[max(0, number - 1) : number], *lines[number + 1 : number + 2]) if one.strip()]
        before = next((one for one in reversed(lines[:number]) if one.strip()), "")
        if before.rstrip(" *_").endswith(":") or any(_FIELD.match(one) for one in beside):
            continue
        if number == 0 or not lines[number - 1].strip():
            del lines[number]
            return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    return text
