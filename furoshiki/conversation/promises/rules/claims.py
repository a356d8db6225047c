"""Detect an answer's claims of actions: reminder set, list changed, words deleted, quiet kept.

A claim is an affirmative sentence; questions, offers, conditions, refusals, denials are not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from furoshiki.core.catalogue import get_language, languages, later, say, speaking
from furoshiki.language.word_tables import by_language, pattern, texts

Kind = Literal["reminder", "list", "forget", "quiet"]


@dataclass(frozen=True)
class Claim:
    """A claim: its kind, its language, and the position of its sentence."""

    kind: Kind
    tongue: str
    start: int
    end: int


@lru_cache(maxsize=8)  # one turn asks repeatedly
def claims(answer: str, said: str = "") -> tuple[Claim, ...]:
    """Return the claims of an answer in order, at most one per sentence.

    A mere "Forgotten." is one if the message, `said`, speaks of forgetting.
    """
    to_forget = _FORGET.search(said) is not None
    if not to_forget and _HINT.search(answer) is None:
        return ()
    text = _blank_out(_QUOTED, answer)
    found = (_find_claim(text[start:end], start, to_forget) for start, end in _sentences(text))
    return tuple(one for one in found if one is not None)


def sentences(answer: str) -> list[str]:
    """Return the sentences of an answer without quotations."""
    text = _blank_out(_QUOTED, answer)
    return [text[start:end] for start, end in _sentences(text)]


def unable(answer: str) -> tuple[tuple[int, int], ...]:
    """Return the positions of sentences that claim inability."""
    if _HINT.search(answer) is None:
        return ()
    return tuple(
        (start, end)
        for start, end in _sentences(answer)
        if _UNABLE.search(answer[start:end]) and _MATTER.search(answer[start:end])
    )


def is_unwilling(answer: str) -> bool:
    return _UNWILLING.search(answer) is not None


def asks_back(answer: str) -> bool:
    """Return whether an answer asks for clarification; "anything else?" does not count."""
    asked = (answer[start:end] for start, end in _sentences(answer))
    return any(one.rstrip().endswith(("?", "？")) and _ASKS_BACK.search(one) for one in asked)


def without(answer: str, places: Sequence[tuple[int, int]]) -> str:
    """Return the answer without these sentences."""
    kept, at = [], 0
    for start, end in sorted(places):
        kept.append(answer[at:start])
        at = max(at, end)
    return re.sub(r"[ \t]{2,}", " ", "".join([*kept, answer[at:]])).strip()


def before_claims(growing: str) -> str:
    """Cut a streamed answer before its first claim, which may be false."""
    found = claims(growing)
    return growing[: found[0].start].rstrip() if found else growing


_QUOTED = re.compile(r"\"[^\"\n]{0,300}\"|\u201c[^\u201c\u201d\n]{0,300}\u201d|„[^„“”\n]{0,300}[“”]|«[^«»\n]{0,300}»")
_SENTENCE = re.compile(r"(?:[^.!?\n。！？]|[.](?=\d|[a-z]\.|\w{1,3}\b))+[.!?。！？\u2026]*\s*|\n")


def _join_ways(key: str) -> re.Pattern[str]:
    return re.compile("|".join(texts("promises", key).values()), re.IGNORECASE)


_HINT, _COURTESY, _HEDGED = map(_join_ways, ("hint", "courtesy", "hedged"))
_CONDITION_BEHIND, _MATTER, _UNABLE = map(_join_ways, ("condition", "matter", "unable"))
_UNWILLING, _ASKS_BACK, _FORGET = map(_join_ways, ("unwilling", "asks_back", "asked"))
_COMPILED: tuple[tuple[str, Kind, re.Pattern[str]], ...] = tuple(
    (tongue, kind, re.compile(pattern(ways, table.get("parts", {})), re.IGNORECASE))
    for tongue, table in by_language("promises").items()
    for kind in get_args(Kind)
    for ways in table.get(kind, ())
)

_YES = (
    "ok(?:ay)?|done|sure|gut|erledigt|vale|listo|hecho|bien|va bene|fatto|tá|pronto|voilà"
    "|хорошо|готово|вс[её]|tamam|好的?"
)
# sentences that say nothing else than that it is forgotten, with a name or a few soothing words at most
_GONE = tuple(
    (
        tongue,
        re.compile(
            rf"^\W*(?:(?:{_YES})\W+)?(?:{pattern(ways, {})})(?:,? [\w’']+|[,，][^.!?。！？]{{1,30}})?\W*$",
            re.IGNORECASE,
        ),
    )
    for tongue, table in by_language("promises").items()
    for ways in table.get("gone", ())
)


def _find_claim(sentence: str, at: int, to_forget: bool) -> Claim | None:
    if sentence.rstrip().endswith(("?", "？")):
        return None
    for tongue, said in _GONE:
        if to_forget and said.match(sentence):
            return Claim("forget", tongue, at, at + len(sentence))
    bare = _blank_out(_COURTESY, sentence)
    for tongue, kind, said in _COMPILED:
        match = said.search(bare)
        if match is None or _CONDITION_BEHIND.search(bare):
            continue
        led = bare[: match.start()] if kind == "quiet" else bare[: match.end()]
        if _HEDGED.search(led) is None:
            return Claim(kind, tongue, at, at + len(sentence))
    return None


def _sentences(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _SENTENCE.finditer(text)]


def _blank_out(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: "\0" * len(match.group()), text)


def render_correction(kind: str, tongue: str) -> str:
    """Say that a claim is not so, in its language; where that has no catalogue, in the chat's."""
    with speaking(tongue if tongue in languages() else get_language()):
        return say(_SAID[kind])


_SAID = later(
    {
        "reminder": "To be honest: no reminder is set yet. Write “remind me …” with what and when, and I'll set it.",
        "list": "To be honest: nothing has changed on your lists. Write “put … on the list”, and I'll do it.",
        "forget": "To be honest: nothing has been erased. `/forget` with what it is about shows what would go.",
        "quiet": "To be honest: no quiet time is set yet. Send `/quiet` and until when, and I won't write unasked.",
    }
)
