"""Check a model's text by rule before it may be sent."""

import re

from furoshiki.core import refs
from furoshiki.core.framing import SILENCE
from furoshiki.language.word_tables import by_language

SHORT = 400  # the length, in characters, that a model is asked to keep; `ROOMY` kinds may be longer

ROOMY = frozenset({"delegation"})

# maximum length, in characters, for roomy kinds and for all others
LONGEST, LONGEST_SHORT = 1500, 600

MORE_QUESTIONS = 1  # how many more questions a message may contain than its thought

_RAW_CHARACTERS = 40  # a detail of this length or more cannot occur in a message by chance

_DATA = re.compile(
    r"```|\{[^{}]*[:}]|\}\s*$|\[\s*\{|\[\[|</?[a-z_]+>|^[^\S\n]*\|.*\|[^\S\n]*$|\{%", re.IGNORECASE | re.MULTILINE
)
_WAYS = by_language("wording_beside")["en"]
_LABELS = re.compile(_WAYS["labels"], re.IGNORECASE | re.MULTILINE)
_NAMED = re.compile(rf"\b(?:{'|'.join(sorted(refs.KINDS))}):[\w-]*\d", re.IGNORECASE)
_PLACEHOLDER = re.compile(_WAYS["placeholder"], re.IGNORECASE)
_LIST = re.compile(r"^[^\S\n]*(?:[-*\u2022]|\d{1,2}[.)])[^\S\n]+\S", re.MULTILINE)
_HEADING = re.compile(r"^[^\S\n]*#{1,6}\s", re.MULTILINE)
_NOT = r"(?:n['\u2019]t| not|n['\u2019]t even)"
_NAGS = re.compile(
    rf"\b(?:just checking in|checking in on you|touching base|(?:have|had){_NOT} heard from you|"
    rf"you (?:have|had){_NOT} (?:written|answered|replied|responded)|you never (?:wrote|answered|replied)|"
    r"you(?:['\u2019]ve| have) been (?:so )?(?:quiet|silent|away)|"
    rf"why (?:have|did){_NOT}? you (?:not )?(?:write|written|answer|answered|reply|replied)|ignor(?:ing|ed) me|"
    r"it(?:['\u2019]s| has) been (?:\w+ )?(?:days|weeks|a while) since (?:you|we)|are you (?:still )?there\?)",
    re.IGNORECASE,
)
_OF_A_MODEL = re.compile(_WAYS["of_a_model"], re.IGNORECASE)
_QUESTION = re.compile(r"[?\uff1f\u061f]+")


_NOT_NOW = re.compile(rf"^[\s*_`\"\u201c]*(?:{'|'.join(SILENCE)})(?![a-z])", re.MULTILINE)


def not_now(text: str) -> bool:
    """Return whether the model answered that this is not the moment."""
    return _NOT_NOW.search(text) is not None


def fault(text: str, kind: str, summary: str, detail: str = "") -> str | None:
    """Return in plain words why a text may not be sent; None when it may.

    `summary` is the thought behind it; `detail` is background that must never be sent verbatim.
    """
    plain = " ".join(text.split())
    most = LONGEST if kind in ROOMY else LONGEST_SHORT
    if not re.search(r"\w", plain):
        return "there are no words in it"
    if len(plain) > most:
        return f"it is {len(plain)} characters long, and {most} are the most"
    if _DATA.search(text):
        return "it holds data instead of words"
    if _LABELS.search(text) or _NAMED.search(text):
        return "it holds a label that is of no use to anybody outside"
    if _PLACEHOLDER.search(text):
        return "something is left to be filled in"
    if _HEADING.search(text) or (kind not in ROOMY and len(_LIST.findall(text)) > 1):
        return "it is a list or has headings, and is to be said as one thought"
    if _NAGS.search(plain):
        return "it asks them to account for their silence"
    if _OF_A_MODEL.search(plain):
        return "it is about what it may not write"
    if len(_QUESTION.findall(text)) > len(_QUESTION.findall(summary)) + MORE_QUESTIONS:
        return "it asks too much at once"
    if _raw(plain, detail):
        return "it is the raw detail, not words about it"
    return None


def _raw(plain: str, detail: str) -> bool:
    behind = " ".join(detail.split()).casefold()
    said = plain.casefold()
    return bool(behind) and (said == behind or (len(behind) >= _RAW_CHARACTERS and behind in said))
