"""Remove recitals of internal values: a mood should colour an answer, not be read out.

Only a recital (see `recitals.py`) is removed, and only its clause. Plain words ("I have missed
talking") and statements about others stay. If the user asks for the companion's feelings, its
figures or another voice, the answer is unchanged. Quotations, tables and code are never changed.
"""

import re
from collections.abc import Iterator

from furoshiki.conversation.rules.recitals import DIALS, FIGURE, MOODS, goes_on, is_recital, likely, without_source
from furoshiki.language.requests.lines import LOOK_INSIDE

_FELT = "|".join((DIALS, MOODS, "sad", "happy", "angry", "affectionate", "bored", "tired"))
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        LOOK_INSIDE,
        r"\bhow (?:do|did|are|were) (?:you|u)(?: \w+){0,2} feel(?:ing)?\b",
        r"\bwhat (?:do|are|did) (?:you|u)(?: \w+){0,2} feel(?:ing)?\b",
        rf"\bhow (?:much )?(?:{_FELT})\b.{{0,80}}\b(?:you|u)\b",
        rf"\b(?:your|ur) (?:\w+ ){{0,2}}(?:mood|feelings?|emotions?|emotional|state|heartbeat|needs?|levels?|numbers?"
        rf"|values?|dials?|context|prompt|instructions|directives|inner life|insides?|internals?|{DIALS}"
        r"|self[-_ ]knowledge|curiosity[-_ ]need|emotional[-_ ]support)\b",
        r"\bwhat mood\b|\bmood[:?]",
        r"\b(?:in|inside) (?:of )?you\b",
        r"\bhow (?:do|does) (?:you|u|your \w+) work\b",
        r"\b(?:as|in) (?:a )?(?:numbers?|figures?|per ?cent(?:age)?)\b|\bon a scale\b|\bfrom (?:0|1|one|zero) to\b",
        r"\bout of (?:ten|10|100|a hundred)\b",
        r"\b[^\W_]+_\w+\b|\bheartbeat[- ]state\b|\bsession[- ]context\b",
        # another voice: a letter, a poem, a role
        r"\b(?:write|draft|compose|rewrite|rephrase|reword|translate|proofread|correct|summari[sz]e|transcribe|quote|retell"
        r"|pretend|imagine|role[- ]?play|word for word|verbatim)\b",
        r"\b(?:poem|lyrics|diary|monologue|dialogue|screenplay|fiction|story about)\b",
    )
)

_FENCE = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?…])(?=[\"”')*_]{0,4}\s)|(?<=[.!?…][\"”')*_])(?=\s)")
_JOINT = re.compile(r"( ?[,;] (?:(?:and|but|so|yet|with) )?| (?:and|but|so|with) | [-–—] )")
_QUOTED = re.compile(r"\"[^\"\n]*\"?|“[^”\n]*”?|„[^“”\n]*[“”]?|«[^»\n]*»?|`[^`\n]*`?|(?<!\w)'[^'\n]*'(?!\w)")
_HANGING = re.compile(r"(?:because|since|which|as|though|although|where|after|whereas)\b", re.IGNORECASE)
_EMPTY = re.compile(
    r"(?:to be (?:fair|honest|precise)|honestly|frankly|well|so|yes|no|hm+|ah|oh|right now|at the moment|today|i think"
    r"|i guess|i'm afraid|i admit|just so you know|by the way|if you must know|after that|for what it's worth"
    r"|as it happens|and|but|now|though|again)\W*",
    re.IGNORECASE,
)
"""The rest of a sentence without its recital, if it says nothing."""

_END = re.compile(r"[.!?…]{1,3}[\"”')*_]{0,4}\s*$")
_MARKED = re.compile(r"^[ \t]{0,8}[>|]")
_LEAD = re.compile(r"^[ \t]{0,8}(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?")

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


def is_mood_question(said: str) -> bool:
    """Return whether the user asks for the companion's feelings, internals, or another voice."""
    return any(pattern.search(said) for pattern in _ASKED)


def strip_recitals(written: str, heard: str = "") -> str:
    """Remove recitals; return "" when nothing else remains. `heard` is the question."""
    text = strip_tags(written, heard)
    if not likely(text):
        return text
    parts = (part if part.startswith("```") else _plain(part) for part in _FENCE.split(text))
    return "".join(parts)


def strip_unfinished(written: str, heard: str = "") -> str:
    """Remove recitals from a growing text, and hold back a last sentence that may become one."""
    text = strip_recitals(written, heard)
    if text.count("```") % 2:
        return text
    *_, line = text.rpartition("\n")
    *_, last = _SENTENCE.split(line)
    if likely(last) and not last.rstrip().endswith((".", "!", "?", "…")):
        return text[: len(text) - len(last)].rstrip()
    return text


def _plain(text: str) -> str:
    kept: list[str] = []
    for line, own in _lines(text):
        words = _of_line(line) if own and likely(line) else line
        if words.strip() or not line.strip():
            kept.append(words)
    found = "\n".join(kept)
    return text if found == text else re.sub(r"\n{3,}", "\n\n", found)


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether the companion speaks there: no quotation or table."""
    introduced = begun = False
    for line in text.split("\n"):
        bare = line.strip()
        if introduced and bare:
            begun = True
        elif introduced and begun:
            introduced = begun = False
        yield line, not introduced and not _MARKED.match(line)
        if bare.rstrip("*_").endswith(":"):
            introduced, begun = True, False


def _of_line(line: str) -> str:
    lead = _LEAD.match(line)
    mark = lead.group() if lead else ""
    words = line[len(mark) :]
    own = _own_words(words)
    sentences, at = [], 0
    for sentence in _SENTENCE.split(words):
        sentences.append(_of_sentence(sentence, own[at : at + len(sentence)]))
        at += len(sentence)
    said = "".join(sentences)
    return line if said == words else f"{mark}{said.strip(' ')}" if said.strip() else ""


def _own_words(line: str) -> str:
    """Return the line in equal length with quotations and text after "it says:" blanked."""
    plain = _QUOTED.sub(lambda found: "\x00" * len(found.group()), line.replace("’", "'"))
    before, colon, after = plain.partition(": ")
    if colon and not re.search(r"\b(?:I|my|mood|feeling)\b", before, re.IGNORECASE):
        return before + colon + "\x00" * len(after)
    return plain


def _of_sentence(sentence: str, own: str) -> str:
    """Remove recital clauses from a sentence; `own` is the sentence with quotations blanked."""
    if not likely(own):
        return sentence
    pieces: list[tuple[str, str]] = []  # each clause with its joint to the previous one
    joint, before, gone, at = "", "", False, 0
    changed = False
    for part in _JOINT.split(own):
        shown, at = sentence[at : at + len(part)], at + len(part)
        if _JOINT.fullmatch(part):
            joint = shown
            continue
        clause = " ".join(part.split())
        bare = without_source(clause)
        if is_recital(bare) or goes_on(bare, before) or (gone and _HANGING.match(bare)):
            gone = changed = True
        else:
            left = shown if bare == clause else without_source(shown.strip())
            changed = changed or left is not shown
            gone = False
            if left.strip(" .!?…"):
                pieces.append((joint, left))
        before = bare
    if not changed:
        return sentence
    return _join_rest(sentence, pieces)


def _join_rest(sentence: str, pieces: list[tuple[str, str]]) -> str:
    """Return the rest as a sentence; "" when it says nothing by itself."""
    said = "".join(words if number == 0 else joint + words for number, (joint, words) in enumerate(pieces)).strip()
    said = _END.sub("", said).strip(" ,;:–—-")
    if len(said.split()) < 2 or _EMPTY.fullmatch(said.replace("’", "'")):
        return ""
    end = _END.search(sentence)
    lead = sentence[: len(sentence) - len(sentence.lstrip())]
    return f"{lead}{said[0].upper()}{said[1:]}{end.group() if end else ''}"


def strip_tags(written: str, heard: str = "") -> str:
    """Remove tags of the companion's mood at the edges of an answer ("[mood: lonely] There you are."),
    unless `heard` concerns moods or figures: a playlist, form or survey may contain the same marks."""
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
