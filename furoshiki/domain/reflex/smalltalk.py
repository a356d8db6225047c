"""Small talk: jokes, riddles, dice and sums, something to talk about, a word on what the user brings up, and the honest rest."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from furoshiki.domain.reflex import frankness
from furoshiki.domain.reflex.hearing import Heard
from furoshiki.domain.reflex.situation import Reflex
from furoshiki.domain.reflex.talk import (
    ANSWERED,
    CURIOSITIES,
    GAPS,
    JOKES,
    LAUGHED,
    NEUTRAL,
    NO_KNOWLEDGE,
    ODDITIES,
    POEMS,
    RIDDLES,
    STORIES,
    TOPICS,
    YES_NO,
)
from furoshiki.domain.reflex.wording import Wording, joined

_YES = r"yes|yeah|yep|yup|sure|of course|definitely|absolutely|totally|i do|i am|it is|it does|a lot|very much|often|always|indeed|true"
_NO = r"no|nope|nah|not really|not yet|never|i don't|i'm not|not at all|rarely|sometimes not|it isn't"
_OK = r"ok|okay|k|kk|fine|alright|all right|right|i see|got it|good|cool|nice|sure|mhm|hm+|aha|ah|oh|interesting|noted|understood|makes sense"
_LAUGH = r"(?:ha)+h?|(?:he)+h?|lol|lmao|rofl|good one|funny|that's funny|very funny|hilarious|(?:ha )+(?:ha)?"
_SHORT = 7
_TRY_AGAIN = "Try again, or say “I give up”."


def play(heard: Heard, wording: Wording) -> Reflex | None:
    """Jokes, riddles, dice, coins, sums, a story, a question to think about."""
    riddle = _riddle_answered(heard, wording)
    if riddle is not None:
        return Reflex(riddle)
    if heard.says(
        r"\b(?:tell|know|got|say|another|one more|hear)\b.*\b(?:joke|something funny)|\bmake me (?:laugh|smile)|^(?:a )?joke$|^another(?: one)?$"
    ) and (
        "joke" in heard.plain
        or "funny" in heard.plain
        or "laugh" in heard.plain
        or "smile" in heard.plain
        or _last_was(wording, JOKES)
    ):
        return Reflex(
            wording.unused(JOKES) or "I'm out of jokes. There were only so many, and I've told you all of them."
        )
    if heard.says(r"\briddle"):
        return Reflex(
            wording.unused(tuple(question for question, _ in RIDDLES)) or "I've no riddle left that you haven't seen."
        )
    if heard.says(r"\b(?:tell me )?(?:a |another )(?:short |little |bedtime )?story\b"):
        return Reflex(wording.one(STORIES))
    if heard.says(r"\b(?:poem|haiku|verse)\b"):
        return Reflex(wording.unused(POEMS) or "Those were all the verses I have. A language model could go on.")
    if heard.says(r"\b(?:fun fact|random fact|something (?:interesting|new|i don't know)|a fact|surprise me)\b"):
        return Reflex(wording.one(ODDITIES))
    if heard.says(
        r"\bi'?m (?:so |really |a bit |kind of )?bored\b|\b(?:ask me (?:something|anything|a question|another)|what should we talk about|let's talk|talk to me|entertain me|what now|your turn)\b"
    ):
        return Reflex(wording.one(CURIOSITIES))
    return _chance(heard, wording) or _sum(heard)


def answer_short(heard: Heard, wording: Wording) -> Reflex | None:
    """Yes, no, ok: taken as an answer to what was asked, and room left to go on."""
    if heard.is_only(_LAUGH):
        return Reflex(wording.one(LAUGHED))
    asked = heard.last_reply.rstrip().endswith("?")
    for pattern, kind in ((_YES, "yes"), (_NO, "no"), (_OK, "ok")):
        if heard.is_only(f"(?:{pattern})(?:,? (?:{pattern}))*"):
            words = wording.one(YES_NO[kind] if asked or kind == "ok" else YES_NO["ok"])
            return Reflex(joined(words, _gap(heard, wording) if not asked and wording.chance(0.5) else None))
    return None


def admit(heard: Heard, wording: Wording) -> Reflex | None:
    """A question or an order that wants knowledge or skill it does not have: said so, with the way out once."""
    wants = heard.asks or heard.says(
        r"^(?:please )?(?:write|explain|translate|summari[sz]e|describe|compare|recommend|suggest|teach|sing|compose|draft|code|program|solve|search|google|look up|give me|tell me|show me)\b"
    )
    if not wants:
        return None
    if heard.says(r"\bshould (?:i|we)\b|\bwhat would you do\b|\bany advice\b"):
        return Reflex(wording.one(NO_KNOWLEDGE["advice"]))
    if heard.says(r"\b(?:you|your)\b") and not heard.says(r"\b(?:can|could|would|will) you\b"):
        return Reflex(joined(wording.one(NO_KNOWLEDGE["self"])))
    told = any("language model" in reply for reply in wording.replies)
    return Reflex(
        joined(wording.one(NO_KNOWLEDGE["short" if told else "world"]), None if told else frankness.remedy(wording))
    )


def converse(heard: Heard, wording: Wording) -> Reflex:
    """Whatever else is said: a word on its topic where there is one, else that it was heard, and sometimes a question."""
    if not heard.text and heard.situation.attachments:
        return Reflex(_attached(heard.situation.attachments[0], wording))
    if heard.last_reply.rstrip().endswith("?") and len(heard.plain.split()) <= _SHORT:
        return Reflex(joined(wording.one(ANSWERED), _gap(heard, wording) if wording.may_ask else None))
    for pattern, reactions, questions in TOPICS:
        if heard.says(pattern):
            word = wording.unused(reactions)
            ask = wording.unused(questions) if wording.may_ask and questions else None
            if word or ask:
                return Reflex(joined(word, ask))
    if _foreign(heard):
        return Reflex(
            "I only speak English without a language model, I'm sorry. I keep your words as they are, though."
        )
    ask = _gap(heard, wording) if wording.may_ask and not heard.last_reply.rstrip().endswith("?") else None
    return Reflex(joined(wording.one(NEUTRAL), ask))


def _attached(attachment: str, wording: Wording) -> str:
    return wording.one(
        (
            "I can't look into that without a language model, but I've kept it: {what}.",
            "Kept ({what}). To make something of it I'd need a language model. What is it to you?",
        ),
        what=attachment.strip(" .[]"),
    )


def _gap(heard: Heard, wording: Wording) -> str | None:
    """A question about something not known yet; each is asked once in a while, and none that was answered."""
    known = {fact.predicate for fact in heard.situation.facts}
    for predicates, questions in GAPS:
        if known.isdisjoint(predicates):
            question = wording.unused(questions)
            if question is not None:
                return question
    return wording.unused(CURIOSITIES) if wording.chance(0.4) else None


def _foreign(heard: Heard) -> bool:
    words = set(re.findall(r"[^\W\d_]+", heard.plain))
    english = {
        "the",
        "a",
        "i",
        "you",
        "is",
        "it",
        "to",
        "and",
        "my",
        "of",
        "in",
        "that",
        "was",
        "for",
        "on",
        "we",
        "are",
        "me",
        "have",
    }
    other = {
        "ich",
        "und",
        "der",
        "die",
        "das",
        "ist",
        "nicht",
        "ein",
        "eine",
        "mein",
        "el",
        "la",
        "que",
        "es",
        "yo",
        "mi",
        "un",
        "una",
        "y",
        "ben",
        "bir",
        "ve",
        "bu",
        "и",
        "я",
        "не",
        "это",
        "в",
        "le",
        "je",
        "et",
        "les",
    }
    return len(words) >= 3 and not words & english and (len(words & other) >= 1 or not heard.plain.isascii())


def _last_was(wording: Wording, options: tuple[str, ...]) -> bool:
    return bool(wording.replies) and any(option in wording.replies[-1] for option in options)


def _riddle_answered(heard: Heard, wording: Wording) -> str | None:
    guessing = wording.replies and (_TRY_AGAIN in wording.replies[-1] or "?" in wording.replies[-1])
    if not guessing or heard.facts:
        return None
    for question, answers in RIDDLES:
        if any(question in reply for reply in wording.replies[-3:]) and _open(question, wording):
            if any(answer in heard.plain for answer in answers):
                return wording.one(("Yes! Exactly.", "That's it. You're quick.", "Right."))
            if heard.says(r"\b(?:don't know|no idea|give up|tell me|what is it|solution|answer|idk|dunno)\b"):
                return f"It's {answers[0]}."
            if len(heard.plain.split()) <= 5 and not heard.asks:
                return wording.one((f"Not quite. {_TRY_AGAIN}", f"No, though I see why. {_TRY_AGAIN}"))
    return None


def _open(question: str, wording: Wording) -> bool:
    """Whether a riddle is the last thing said, or only wrong guesses came after it."""
    later = [reply for reply in wording.replies[-3:]]
    while later and question not in later[0]:
        later.pop(0)
    return all(_TRY_AGAIN in reply for reply in later[1:])


def _chance(heard: Heard, wording: Wording) -> Reflex | None:
    if heard.says(r"\b(?:flip|toss|throw) (?:a |the )?coin|\bheads or tails"):
        return Reflex(wording.rng.choice(("Heads.", "Tails.")))
    dice = re.search(r"\broll (?:a |the |me a )?(?:(?P<n>\d|two|three) )?(?:dice|die|d(?P<sides>\d+))\b", heard.plain)
    if dice is not None:
        sides = min(1000, max(2, int(dice["sides"] or 6)))
        count = {"two": 2, "three": 3}.get(dice["n"] or "", int(dice["n"]) if (dice["n"] or "").isdigit() else 1)
        rolled = [wording.rng.randint(1, sides) for _ in range(max(1, count))]
        return Reflex(" and ".join(map(str, rolled)) + ".")
    between = re.search(r"\b(?:number|pick|choose)\b.*\bbetween (?P<low>\d{1,9}) and (?P<high>\d{1,9})", heard.plain)
    if between is not None:
        low, high = sorted((int(between["low"]), int(between["high"])))
        return Reflex(f"{wording.rng.randint(low, high)}.")
    choice = re.match(
        r"(?:please )?(?:choose|decide|pick)(?: for me)?:? (?:between )?(?P<a>.{2,40}?) (?:or|and) (?P<b>.{2,40})$",
        heard.plain,
    )
    if choice is not None:
        picked = wording.rng.choice((choice["a"], choice["b"]))
        return Reflex(
            wording.one(("{picked}. The dice said so.", "I'd say {picked}, for no good reason."), picked=picked)
        )
    return None


_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_SPOKEN = (
    (r"\bplus\b", "+"),
    (r"\bminus\b", "-"),
    (r"\b(?:times|multiplied by)\b|[x\u00d7](?=\s*\d)", "*"),
    (r"\bdivided by\b|\bover\b|\u00f7", "/"),
    (r"(\d+(?:\.\d+)?)\s*(?:%|percent) of", r"\1/100*"),
    (r",(?=\d{3}\b)", ""),
)


def _sum(heard: Heard) -> Reflex | None:
    """ "what's 12 * 7", "15% of 80": a sum of a few numbers, and nothing that only looks like one."""
    text = re.sub(r"^(?:what(?:'s| is)|how much is|calculate|compute|work out)\s+", "", heard.plain).strip(" =?")
    for pattern, sign in _SPOKEN:
        text = re.sub(pattern, sign, text)
    if not re.fullmatch(r"[\d.\s()+*/-]{3,60}", text) or not re.search(r"\d\s*[+*/-]\s*[\d(]", text):
        return None
    if re.fullmatch(r"\d+([-/.])\d+(\1\d+)*", text) and heard.plain == text:
        return None  # a date or a number, sent by itself
    try:
        value = _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError):
        return Reflex("That sum has no answer I could give.")
    return Reflex(f"{value:,.10g}.")


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    raise ValueError("not a sum")
