"""Reply to a correction: the new and old value, or the question for the right one."""

import re

from furoshiki.core.catalogue import ENGLISH, capital, get_language, say
from furoshiki.language.facts.retelling import to_user
from furoshiki.language.humanize import join_items
from furoshiki.language.intents import NAME, is_meant
from furoshiki.language.reflex.corrections import reading
from furoshiki.language.reflex.corrections.reading import ReadCorrection
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import KnownFact, Reflex
from furoshiki.language.reflex.wording import Wording, add_full_stop, flip_person, quote
from furoshiki.language.requests import correction_words
from furoshiki.language.requests.lines import REPLIES

_MOST_ASKED = 3  # most facts named when asking which is wrong

_READ_OUT = re.compile(r"[Yy]ou told me|\u201c")


def answer(heard: Heard, wording: Wording) -> Reflex | None:
    """Confirm a correction; None for a message that corrects nothing."""
    found = read(heard)
    if found is not None:
        return Reflex(_phrase_answer(found, wording))
    if correction_words.denies(heard.text) and _READ_OUT.search(heard.last_reply):
        return Reflex(wording.one(REPLIES["misunderstood"]))
    return None


def read(heard: Heard) -> ReadCorrection | None:
    """Return what a message corrects."""
    situation = heard.situation
    return reading.find_correction(
        heard.text,
        situation.facts,
        situation.recent,
        situation.denied,
        situation.language,
        says_name=is_meant(situation.meant, NAME),
    )


def _phrase_answer(found: ReadCorrection, wording: Wording) -> str:
    if get_language() != ENGLISH and found.right is not None:
        return say("Corrected: {right}, not {wrong}.", right=found.right, wrong=found.wrong)
    if len(found.unsure) > _MOST_ASKED:
        return "Which of it is wrong? Tell me, and I change only that one."
    if found.unsure:
        held = [f"that {_phrase_fact(fact)}" for fact in found.unsure]
        return f"Which of it is wrong: {join_items(held).replace(' and that ', ', or that ')}? I change only that one."
    if found.fact is not None and found.object is None:
        return wording.one(REPLIES["withdrawn"], told=_phrase_fact(found.fact))
    if found.fact is not None and found.object is not None:
        predicate = found.predicate or found.fact.predicate
        new = to_user(found.fact.subject, predicate, flip_person(found.object))
        options = ("Put right: {new}, not {wrong}.", "{capital}, then, and not {wrong}. I've put it right.")
        return wording.one(options, new=new, capital=capital(new), wrong=found.wrong)
    assert found.message is not None
    if found.right is None:
        return f"I'm sorry. Then I no longer tell you {quote(found.message.own)} as if it held. What is right?"
    said = correction_words.instead(found.message.own, found.wrong, found.right)
    return add_full_stop(f"I've put it right: {found.right}, not {found.wrong}. So it is: {quote(said)}")


def _phrase_fact(fact: KnownFact) -> str:
    return to_user(fact.subject, fact.predicate, flip_person(fact.object))
