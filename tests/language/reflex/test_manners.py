"""The built-in mind keeps to what somebody asks for in how they are spoken to, as far as rules can."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from statistics import mean

import pytest

from furoshiki.language import nlp, signals
from furoshiki.language.reflex.respond import respond
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.testimony import Utterance
from furoshiki.owner.user_model.rules import style_wishes
from tests.support.friend import MORNING
from tests.support.laws import english

TALK = ("the sea was grey today", "we walked to the pier", "there was a dog on the beach", "I'm so happy today")


def situation(text: str) -> Situation:
    before = (Utterance("user", "hello", MORNING, 1), Utterance("companion", "Hello, good to see you.", MORNING, 2))
    return Situation(
        text=text,
        now=MORNING,
        user_name="Noor",
        felt=signals.read(text, english()).strengths,
        nlp=nlp.read(text, english()),
        recent=before,
        last_seen=MORNING,
        wished=style_wishes.find_wishes(text, english()),
    )


def said(asked: Situation, seeds: int = 20) -> list[str]:
    return [respond(asked, random.Random(seed)).text for seed in range(seeds)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("shorter please", "short"),
        ("no emojis please", "emoji|words only"),
        ("stop asking so many questions, and keep it short", "question|let you tell"),
        ("speak german", "Without a language model I answer in.*German"),
        ("use bullet points please", "language model"),
    ],
)
def test_a_wish_is_answered_with_what_can_be_kept(text: str, words: str) -> None:
    assert all(re.search(words, answer, re.IGNORECASE) for answer in said(situation(text)))


def test_who_asked_for_no_questions_is_asked_none() -> None:
    def asked(*holding: str) -> int:
        answers = [answer for text in TALK for answer in said(replace(situation(text), wishes=holding))]
        return sum(answer.rstrip().endswith("?") for answer in answers)

    assert asked("no_questions") == 0 < asked()


def test_who_likes_it_short_gets_shorter_answers() -> None:
    long = mean(len(answer) for text in TALK for answer in said(situation(text)))
    short = mean(len(answer) for text in TALK for answer in said(replace(situation(text), concise=True)))
    assert short < 0.9 * long
