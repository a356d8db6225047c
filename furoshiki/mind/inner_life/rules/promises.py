"""A few promises the built-in mind can make and judge by rule: each is a form it knows, with a sign it can see.

Whatever else keeps coming back waits for a language model. A promise in other words is never judged here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from furoshiki.language.reflex.values import Utterance
from furoshiki.mind.inner_life.rules.patterns import conduct

Verdict = Literal["honoured", "broken"]
Found = tuple[Verdict, tuple[int, ...]]

LONG_WORDS = 90
"""A reply of so many words is long …"""

SHORT_WORDS = 60
"""… and one of no more than so many is short."""

LEAST_REPLIES = 2
"""One short reply proves nothing."""

ASKED_WITHIN = 3
"""How many replies before a piece of advice a question may lie and still have been asked before it."""


@dataclass(frozen=True)
class Form:
    """A promise that is known: its words, its sign, what a question that leads to it says of conduct (all of one of
    these), and the rule that sees in a conversation whether it was kept; None where there was no occasion."""

    text: str
    sign: str
    about: tuple[frozenset[str], ...]
    kept: Callable[[Sequence[Utterance]], Found | None]


_ADVICE = re.compile(
    r"\byou (?:really )?(?:should|ought to|might want to|could (?:try|always|just)|need to|had better)\b"
    r"|\byou['\u2019]d better\b|\bI(?:['\u2019]d| would)? (?:suggest|recommend|advise)\b|\bmy advice\b"
    r"|\bif I were you\b|\bwhy don['\u2019]t you\b|\b(?:have you|you might) (?:tried|try)\b"
    r"|\bhow about (?:you )?\w+ing\b|(?:^|[.!?]\s+)(?:just )?(?:try|consider) \w+",
    re.IGNORECASE,
)
_WANTS_ADVICE = re.compile(
    r"\bwhat (?:should|would|can|do) (?:I|you)\b.{0,60}\b(?:do|suggest|say|recommend|advise)\b"
    r"|\bany (?:advice|ideas?|tips)\b|\b(?:advise|help) me\b|\byour advice\b|\bshould I\b",
    re.IGNORECASE,
)
_SORRY = re.compile(
    r"\bsorry (?:for (?!your)|about (?:that|my)|that I\b|if I\b|I\b)|\bI apologi[sz]e\b|\bmy apologies\b",
    re.IGNORECASE,
)
"""Said of what one did oneself: "I'm sorry to hear that" is sympathy."""

_SENTENCES = re.compile(r"[^.!?\n]+[.!?]*")


def _asks_before_advice(said: Sequence[Utterance]) -> Found | None:
    replies = [one for one in said if one.speaker == "companion"]
    for place, one in enumerate(said):
        advice = _ADVICE.search(one.text) if one.speaker == "companion" else None
        if advice is None:
            continue
        before = [other for other in said[:place] if other.speaker == "user"]
        if before and _WANTS_ADVICE.search(before[-1].text):
            return None  # they asked for it
        number = replies.index(one)
        asked = [other for other in replies[max(0, number - ASKED_WITHIN) : number] if _question(other.text)]
        if "?" in one.text[: advice.start()]:
            asked.append(one)
        if asked:
            return "honoured", tuple(dict.fromkeys((asked[-1].id, one.id)))
        return "broken", (one.id,)
    return None


def _question(text: str) -> bool:
    return any(part.rstrip().endswith("?") and not _ADVICE.search(part) for part in _SENTENCES.findall(text))


def _keeps_short(said: Sequence[Utterance]) -> Found | None:
    replies = [one for one in said if one.speaker == "companion"]
    long = [one.id for one in replies if len(one.text.split()) >= LONG_WORDS]
    if long:
        return "broken", tuple(long)
    if len(replies) >= LEAST_REPLIES and all(len(one.text.split()) <= SHORT_WORDS for one in replies):
        return "honoured", tuple(one.id for one in replies)
    return None


def _check_one_question(said: Sequence[Utterance]) -> Found | None:
    asking = [(one.id, one.text.count("?")) for one in said if one.speaker == "companion" and "?" in one.text]
    several = tuple(id_ for id_, count in asking if count > 1)
    if several:
        return "broken", several
    return ("honoured", tuple(id_ for id_, _ in asking)) if asking else None


def _says_sorry_once(said: Sequence[Utterance]) -> Found | None:
    sorry = tuple(one.id for one in said if one.speaker == "companion" and _SORRY.search(one.text))
    if not sorry:
        return None
    return ("broken" if len(sorry) > 1 else "honoured"), sorry


FORMS = (
    Form(
        "Keep replies short",
        f"Honoured when all my replies have at most {SHORT_WORDS} words, broken when one has {LONG_WORDS} words.",
        (frozenset({"long"}),),
        _keeps_short,
    ),
    Form(
        "Ask one question at a time",
        "Honoured when no message of mine asks more than one question, broken when one does.",
        (frozenset({"ask", "many"}), frozenset({"interrogat"})),
        _check_one_question,
    ),
    Form(
        "Apologise once, and not again",
        "Honoured when I say sorry once in a conversation, broken when I say it again.",
        (frozenset({"sorry"}),),
        _says_sorry_once,
    ),
    Form(
        "Ask before giving advice",
        "Honoured when a question of mine stands before my first piece of advice, broken when none does.",
        (frozenset({"advice"}),),
        _asks_before_advice,
    ),
)
"""In this order: the first that most of the questions lead to is promised."""


def find_promise(questions: Sequence[str]) -> Mapping[str, Any] | None:
    """The promise these questions lead to, in the shape a model is asked for; None when no form is known for them."""
    said = [conduct(one) for one in questions]
    for form in FORMS:
        if 2 * sum(any(about <= one for about in form.about) for one in said) > len(said):
            return {"verdict": "commitment", "text": form.text, "sign": form.sign}
    return None


def verdicts(active: Mapping[int, str], said: Sequence[Utterance]) -> list[dict[str, Any]]:
    """How promises (their words by id) were kept in a conversation, oldest first, as far as their words are a form."""
    forms = {form.text: form for form in FORMS}
    found = []
    for number, text in active.items():
        form = forms.get(text)
        kept = None if form is None else form.kept(said)
        if kept is not None:
            found.append({"id": number, "verdict": kept[0], "messages": list(kept[1])})
    return found
