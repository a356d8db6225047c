"""Does the user say so themselves, as true? Asked of a fact whose words were found in the messages it cites.

Words prove little: they may stand in a question, a quotation, a wish, in what somebody else says, or be denied. So the
object must be in a clause that its writer asserts, or in what they take for granted ("did I tell you about my sister
Anika?"), and no clause that speaks of the whole claim may deny it. When it happened is not judged here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from furoshiki.language.facts.assertions import asserted
from furoshiki.language.facts.opposition import denied
from furoshiki.language.grounding.foreign_clauses import denies, left_open, own_clauses
from furoshiki.language.grounding.said_of import said_of
from furoshiki.language.grounding.words import Verdict, mostly_said, said_as, said_in
from furoshiki.language.testimony import Own

LEAST_ASSERTED = 0.5
"""The share of the object's words that must be asserted."""

_SHORT_QUOTE = re.compile(r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u201e\u00ab\u00bb\n]{1,40})[\"\u201d\u201c\u00bb]")
_MOST_QUOTED = 3
"""Words in quotation marks up to which they are a title or a name, not somebody's speech."""

_USED_TO = re.compile(r"\bused to\b|\balmost\b|\bnearly\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:would|could|might|may|maybe|perhaps|possibly|hopefully|hopes?|wish(?:es)?|wants?|dreams?|consider\w*|thinking"
    r"|unsure|not sure|wonders?|should)\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:would|could|might|maybe|perhaps|possibly|hopefully|wish|wonder(?:ing)?|should|supposed to|not sure)\b",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"\b(?:said|says|say|told|tells|claims?|claimed|thinks?|believes?|mentioned|heard|announced|wrote|writes)\b",
    re.IGNORECASE,
)
_HAVING = frozenset({"family", "relationship", "possession"})
_GRANTED = r"\b(?:my|our)\s+(?:(?!\S*['\u2019]s\b)[\w-]+\s+){0,2}"


def affirmed(
    claim: str, object_: str, cited: Sequence[Own], *, category: str = "other", about_user: bool = True
) -> Verdict:
    """Judge a claim about somebody against the messages it cites.

    `category` is the fact's. What is only planned or wished may be claimed as just that. What the user reports of
    others counts about those others (`about_user` false), not about the user.
    """
    language = said_in(cited, claim).language
    plain = [_without_short_quotes(text) for text in cited]
    read = [_opened(text, claim, category, about_user) for text in plain]
    clauses = [clause.text for text in read for clause in asserted(text)]
    if language is not None:
        planned = category == "plan" or left_open(claim, language) or _OPEN.search(claim) is not None
        clauses = own_clauses(clauses, language, open_=planned, reported=not about_user)
    said = said_as(" ".join(clauses), language)
    granted = category in _HAVING and any(_takes_for_granted(object_, text) for text in plain)
    if not granted and not mostly_said(object_, said, LEAST_ASSERTED, strictly=True):
        return Verdict(False, f"{object_!r} is asked, quoted, supposed or reported there, not told")
    if language is not None and denies(claim, object_, clauses, language):
        return Verdict(False, "they say that it is not so")
    of_them = said_of(claim, object_, [_told(text) for text in read])
    if not of_them.ok and not granted:
        return of_them
    judged = [found for found in (denied(claim, object_, clause) for clause in clauses) if found is not None]
    if judged and all(judged):
        return Verdict(False, "they say that it is not so")
    return Verdict(True)


def _opened(text: str, claim: str, category: str, about_user: bool) -> str:
    """The text with those marks taken away that do not speak against this claim."""
    text = _USED_TO.sub(" ", text)
    if category == "plan" or _OPEN.search(claim):
        text = _MODAL.sub(" ", text)
    return text if about_user else _SAYING.sub(" ", text)


def _told(text: str) -> str:
    """What is asserted of a text, each sentence whole: "my sister and I live in Lyon" speaks of both."""
    told, upto = "", 0
    for clause in asserted(text):
        between = text[upto : clause.start]
        told += between if told and not re.search(r"[.!?;\n]", between) else ".\n"
        told, upto = told + clause.text, clause.end
    return told


def _without_short_quotes(text: str) -> str:
    """Titles and names without their quotation marks: "I'm reading 'Dune'" tells what is read."""
    return _SHORT_QUOTE.sub(lambda m: m.group(1) if len(m.group(1).split()) <= _MOST_QUOTED else m.group(), text)


def _takes_for_granted(object_: str, text: str) -> bool:
    return re.search(rf"{_GRANTED}{re.escape(object_)}\b", text, re.IGNORECASE) is not None
