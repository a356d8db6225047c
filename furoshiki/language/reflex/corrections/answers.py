"""Being put right: says what is held now and what no longer, and asks for what is right where that was not said."""

from __future__ import annotations

import re

from furoshiki.language.facts.retelling import to_user
from furoshiki.language.humanize import listed
from furoshiki.language.reflex.corrections import reading, words
from furoshiki.language.reflex.corrections.reading import ReadCorrection
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import KnownFact, Reflex
from furoshiki.language.reflex.wording import Wording, capital, flipped, quoted, stopped

_MOST_ASKED = 3
"""Facts that are named when it is asked which of them is wrong."""

_READ_OUT = re.compile(r"[Yy]ou told me|\u201c")


def answer(heard: Heard, wording: Wording) -> Reflex | None:
    """What a correction has put right; None for a message that corrects nothing."""
    situation = heard.situation
    found = reading.put_right(heard.text, situation.facts, situation.recent, situation.denied)
    if found is not None:
        return Reflex(_said(found, wording))
    if words.denies(heard.text) and _READ_OUT.search(heard.last_reply):
        return Reflex(
            wording.one(
                (
                    "I'm sorry; then I misunderstood. How is it really? I go by what you tell me.",
                    "Then I have it wrong, I'm sorry. What is right?",
                )
            )
        )
    return None


def _said(found: ReadCorrection, wording: Wording) -> str:
    if len(found.unsure) > _MOST_ASKED:
        return "Which of it is wrong? Tell me, and I change only that one."
    if found.unsure:
        held = [f"that {_told(fact)}" for fact in found.unsure]
        return f"Which of it is wrong: {listed(held).replace(' and that ', ', or that ')}? I change only that one."
    if found.fact is not None and found.object is None:
        return wording.one(
            (
                "I'm sorry. Then I no longer hold that {told}. What is right?",
                "Then that goes: I no longer hold that {told}. How is it really?",
            ),
            told=_told(found.fact),
        )
    if found.fact is not None and found.object is not None:
        new = to_user(found.fact.subject, found.fact.predicate, flipped(found.object))
        options = ("Put right: {new}, not {wrong}.", "{capital}, then, and not {wrong}. I've put it right.")
        return wording.one(options, new=new, capital=capital(new), wrong=found.wrong)
    assert found.message is not None
    if found.right is None:
        return f"I'm sorry. Then I no longer tell you {quoted(found.message.own)} as if it held. What is right?"
    said = words.instead(found.message.own, found.wrong, found.right)
    return stopped(f"I've put it right: {found.right}, not {found.wrong}. So it is: {quoted(said)}")


def _told(fact: KnownFact) -> str:
    return to_user(fact.subject, fact.predicate, flipped(fact.object))
