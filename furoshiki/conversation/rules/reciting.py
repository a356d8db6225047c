"""Remove recitals of internal values: a mood should colour an answer, not be read out.

Only a recital is removed, and only its clause. Plain words ("I have missed
talking") and statements about others stay. If the user asks for the companion's feelings, its
figures or another voice, the answer is unchanged. Quotations, tables and code are never changed.
"""

import re
from collections.abc import Iterator

from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.rules.mood import WORDS
from furoshiki.language.requests.lines import LOOK_INSIDE
from furoshiki.language.tables.numbers import TENS, up_to
from furoshiki.language.word_tables import by_language, pattern

# -- recitals: clauses in which the companion states an internal value as a figure --
#
# Only the first person counts ("my loneliness is 0.8"). Quotations, code, text after a colon ("it
# says: …") and other speakers' statements ("you said my worry is 8/10") do not. Figures about other
# people or things are never considered.


DIALS = "|".join(NAMES)
NEEDS = "communication|connection|helpfulness|self[-_ ]knowledge|curiosity"
MOODS = "|".join(WORDS)

_COUNT = f"(?:{up_to(10)})"
_RECITALS = by_language("recitals")["en"]
# a level as a figure: "0.8", "80 %", "8/10", "point eight"; "my excitement is 10/10" is common speech
FIGURE = pattern(_RECITALS["figure"], {"count": _COUNT, "tens": "|".join(TENS)})
# Text that may follow a level. Other words change its meaning: "80 % of it", "3 years old".
_ENDS = _RECITALS["ends"]

_LEVEL = r"(?: (?:level|value|score|dial|reading|meter|gauge))?"
_STANDS = _RECITALS["stands"]
_MY = r"\bmy (?:(?:current|own|inner|internal|general|overall) )?"
_STATE = _RECITALS["state"]
_NAMES = "emotional_support|user_needs|curiosity_need|self_knowledge|mind_queue|connection_quality"
_NO_LEVEL = r"(?! (?:stored|kept|saved|called|named|one|what|where|how|part|in|a|an|the|defined|written)\b)"

_MINE = re.compile(
    pattern(
        _RECITALS["mine"],
        {"my": _MY, "dials": DIALS, "level": _LEVEL, "stands": _STANDS, "figure": FIGURE, "ends": _ENDS, "needs": NEEDS}
        | {"moods": MOODS, "names": _NAMES, "state": _STATE, "no_level": _NO_LEVEL},
    ),
    re.IGNORECASE,
)

# The named source of a statement. Only these words are removed; the statement may be an answer.
_SOURCE = re.compile(pattern(_RECITALS["source"], {"state": _STATE}), re.IGNORECASE)

# a further value in a list: "my loneliness is 0.8, joy 0.3"
_ALSO = re.compile(
    rf"(?:and |also )*(?:the |my )?(?:{DIALS}){_LEVEL}(?: at| is| of| to)?[ :=]*{FIGURE}\W*", re.IGNORECASE
)

_STATE_OF_MINE = re.compile(
    rf"(?:well,? |hm,? )?I(?:'m| am| feel|'ve been)(?: doing| feeling)?(?: \w{{1,12}})? "
    rf"(?:fine|well|good|okay|ok|all right|alright|great|{MOODS})\W*",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(_RECITALS["somebody"])
_TOLD = re.compile(_RECITALS["told"], re.IGNORECASE)
# a feeling prescribed by its instructions: "my directives tell me to keep the mood light"
_OF_FEELING = re.compile(rf"\b(?:{MOODS}|feel|mood|{DIALS})\b", re.IGNORECASE)

_FIRST_PERSON = re.compile(r"\b(?:my|I|me)\b", re.IGNORECASE)
_NAMED = re.compile(
    rf"{DIALS}|{NEEDS}|mood|{MOODS}|{_NAMES}|heartbeat|session[- ]context|emotion|state|\b(?:inner"
    r"|internal|needs?|prompt|context|instructions?|directives?)\b",
    re.IGNORECASE,
)


def likely(words: str) -> bool:
    """Return whether text may contain or become a recital: a cheap test without false negatives."""
    return _NAMED.search(words) is not None and _FIRST_PERSON.search(words) is not None


def is_recital(clause: str) -> bool:
    """Return whether a clause (straight quotes, single spaces) states an own internal value."""
    told = _TOLD.search(clause)
    found = told is not None and _OF_FEELING.search(clause, told.end()) is not None
    return (found or _MINE.search(clause) is not None) and not _SOMEBODY.search(clause)


def goes_on(clause: str, before: str) -> bool:
    """Return whether a clause continues a recital or "I'm fine"."""
    return _ALSO.fullmatch(clause) is not None and (is_recital(before) or _STATE_OF_MINE.fullmatch(before) is not None)


def without_source(clause: str) -> str:
    """Return the clause without the named source."""
    return " ".join(_SOURCE.sub("", clause).split()) if _SOURCE.search(clause) else clause


_FELT = "|".join((DIALS, MOODS, "sad", "happy", "angry", "affectionate", "bored", "tired"))
_ASKED = re.compile(pattern(_RECITALS["asked"], {"inside": LOOK_INSIDE, "felt": _FELT, "dials": DIALS}), re.IGNORECASE)

_FENCE = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?…])(?=[\"”')*_]{0,4}\s)|(?<=[.!?…][\"”')*_])(?=\s)")
_JOINT = re.compile(r"( ?[,;] (?:(?:and|but|so|yet|with) )?| (?:and|but|so|with) | [-–—] )")
_QUOTED = re.compile(r"\"[^\"\n]*\"?|“[^”\n]*”?|„[^“”\n]*[“”]?|«[^»\n]*»?|`[^`\n]*`?|(?<!\w)'[^'\n]*'(?!\w)")
_HANGING = re.compile(r"(?:because|since|which|as|though|although|where|after|whereas)\b", re.IGNORECASE)
# the rest of a sentence without its recital, if it says nothing
_EMPTY = re.compile(_RECITALS["empty"], re.IGNORECASE)

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
_MATTER = re.compile(_RECITALS["matter"].replace("{dials}", DIALS), re.IGNORECASE)
_LIKELY = re.compile(rf"mood|feeling|emotion|heartbeat|state|tone|{DIALS}|\[ ?(?:{MOODS}) ?\]", re.IGNORECASE)


def is_mood_question(said: str) -> bool:
    """Return whether the user asks for the companion's feelings, internals, or another voice."""
    return _ASKED.search(said) is not None


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
