"""The self-description as text: its sentences, and the extent of a change. Pure.

Similarity is that of `difflib.SequenceMatcher` (Ratcliff and Metzener, "Pattern Matching: The
Gestalt Approach", Dr. Dobb's Journal, July 1988) over words split at white space, without junk.
"""

import difflib
import re
from collections.abc import Collection, Iterable, Sequence

MOST_WORDS = 800  # maximum words of the whole description
MOST_CHANGED = 0.35  # maximum share of the text that may change without a proposal

_BETWEEN_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_ENTRY = re.compile(r"^\s*(?:[-*•>#]|\d{1,3}[.)]\s)")
_QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'})
_SENTENCE_END = re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"'”’)]))\s+")


def same(first: str, second: str) -> bool:
    """Return whether two texts are equal, ignoring line breaks."""
    return first.split() == second.split()


def similarity(before: str, after: str) -> float:
    """Return 2·M/T in [0, 1]: M common words in order, T all words; 1.0 if both are empty."""
    return _matcher(before, after).ratio()


def measure_change(before: str, after: str) -> float:
    """Return 1 - M/max in [0, 1]: the share of the longer text's words not matched in order."""
    longest = max(len(before.split()), len(after.split()))
    if not longest:
        return 0.0
    matched = sum(block.size for block in _matcher(before, after).get_matching_blocks())
    return 1.0 - matched / longest


def room(before: str) -> int:
    """Return how many words can be added, removing none, without exceeding MOST_CHANGED."""
    words = len(before.split())
    return min(int(words * MOST_CHANGED / (1.0 - MOST_CHANGED)), max(MOST_WORDS - words, 0))


def diff(before: str, after: str) -> str:
    """Return a unified diff, one sentence a line, three of context; "" for equal texts."""
    lines = difflib.unified_diff(_lines(before), _lines(after), "before", "after", lineterm="")
    return "" if same(before, after) else "\n".join(lines)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text unchanged."""
    return [part.strip("\n") for part in _BETWEEN_PARAGRAPHS.split(text) if part.strip()]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, one line each; list items and headings count too."""
    return [one for part in paragraphs(text) for one in _of_paragraph(part)]


def key(sentence: str) -> str:
    """Return a key that ignores case, white space and the shape of quotes."""
    return " ".join(sentence.casefold().translate(_QUOTES).split())


def assemble(before: str, told: Iterable[Sequence[str]]) -> str:
    """Join paragraphs of sentences. Paragraphs and sentences that stood in `before` keep their
    layout and wording."""
    kept = {tuple(map(key, _of_paragraph(part))): part for part in paragraphs(before)}
    wording = {key(sentence): sentence for sentence in sentences(before)}
    found = []
    for part in told:
        names = tuple(map(key, part))
        if not names:
            continue
        words = [wording.get(name, " ".join(one.split())) for name, one in zip(names, part, strict=True)]
        found.append(kept.get(names) or _laid_out(words))
    return "\n\n".join(found)


def without(text: str, gone: Collection[str]) -> str:
    """Return a text without these sentences, keeping the layout of the rest where possible."""
    names = set(map(key, gone))
    told = [[one for one in _of_paragraph(part) if key(one) not in names] for part in paragraphs(text)]
    return text if sum(map(len, told)) == len(sentences(text)) else assemble(text, told)


def _of_paragraph(part: str) -> list[str]:
    entries: list[str] = []
    for line in part.split("\n"):
        if entries and line.strip() and not _ENTRY.match(line) and not entries[-1].startswith("#"):
            entries[-1] += f" {line.strip()}"
        elif line.strip():
            entries.append(line.strip())
    return [" ".join(one.split()) for entry in entries for one in _SENTENCE_END.split(entry) if one.strip()]


def _laid_out(part: Sequence[str]) -> str:
    text = ""
    for one in part:
        text += ("\n" if _ENTRY.match(one) and text else " " if text else "") + one
    return text


def _lines(text: str) -> list[str]:
    found: list[str] = []
    for part in paragraphs(text):
        found += ([""] if found else []) + _of_paragraph(part)
    return found


def _matcher(before: str, after: str) -> difflib.SequenceMatcher[str]:
    return difflib.SequenceMatcher(None, before.split(), after.split(), autojunk=False)
