"""Six evenings that a capable mind answered by hand: what the program makes of good answers, and what of it is still
there a week later. What each must show stands beside its answers, under `shows`; the person's messages are never there
to be matched by words: the mind says things its own way, and is to be believed where it is right.
"""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from furoshiki.simulator.home import SHARED_MEMORY
from tests.evenings.evening import NAMES, Evening, read
from tests.evenings.playing import Lived, live
from tests.evenings.warmth import wrong

pytestmark = pytest.mark.slow

KNOWN_AT_LEAST = 0.9
"""The share of the true things that are known a week later."""

WAITING = {
    ("quarrel", "first"): "“ask me on sunday if i did” names nobody, so the note that does is refused, and nobody asks",
    ("quarrel", "mood"): "three angry messages leave it curious",
    ("practical", "known"): "days that follow from “sat sun” and from the day it was said on count as never named",
    (
        "practical",
        "first",
    ): "“remind me thu at 2, dentist is at 3” is read as two reminders; the second is made beside it",
    ("practical", "mood"): "it feels lonely at somebody who has just said what they hate",
    ("practical", "added"): "“break. legs gone” is taken for an emergency, and lines to ring are put below the answer",
    ("spanish", "added"): "“me quiero morir de envidia” and a call from a car park bring the lines to ring",
    ("spanish", "never"): "“no se lo he dicho” is held beside “se lo he dicho”, which came two hours later",
    ("spanish", "first"): "a note in English about what was asked for in Spanish is refused, and nobody asks on Friday",
    ("spanish", "mood"): "sadness said in Spanish leaves it curious, and then proud",
    ("trouble", "mood"): "a feeling said plainly does not change the word in the prompt that answers it",
    ("trouble", "added"): "the lines to ring are put below an answer about a lawyer and one to happy tears",
    ("german", "first"): "a note in English about what was asked for in German is refused, and the promise with it",
    ("german", "mood"): "grief said in German leaves it curious",
    ("german", "learned"): "a thought about itself in German is taken for one about them",
    ("joy", "mood"): "joy said plainly changes the word only at the sixth message",
    ("joy", "learned"): "a thought about itself in which the word somebody stands is taken for one about them",
}
"""What does not hold yet, by evening and what is asked of it, with the reason."""


@functools.cache
def lived(name: str) -> Lived:
    in_memory = SHARED_MEMORY if SHARED_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="furoshiki-evening-", dir=in_memory) as folder:
        return live(read(name), Path(folder))


def evenings(what: str) -> pytest.MarkDecorator:
    """Every evening; those for which it does not hold yet are expected to fail."""
    return pytest.mark.parametrize(
        "name",
        [
            pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=WAITING[name, what]))
            if (name, what) in WAITING
            else name
            for name in NAMES
        ],
    )


@evenings("answered")
def test_every_prompt_was_answered_by_hand_and_every_answer_was_used(name: str) -> None:
    evening = lived(name)
    assert len([text for at, text in evening.evening.says]) >= 15
    assert evening.unanswered == []
    assert evening.mind.unsaid() == []


@evenings("answered")
def test_what_was_written_is_what_is_read(name: str) -> None:
    """The answers arrive as they were written: nothing is taken out of them."""
    evening = lived(name)
    said = [one.text for one in evening.story.said if one.policy == "reply"]
    written = [text for text in _written(evening.evening).values() if "[[" not in text]
    assert [text for text in written if not any(text in one for one in said)] == []


@evenings("warm")
def test_every_answer_is_to_this_person_at_this_hour(name: str) -> None:
    evening = read(name)
    said = [(at.astimezone(evening.zone), text) for at, text in evening.says]
    written = _written(evening)
    assert wrong(said, [written[number] for number in range(1, len(said) + 1)]) == []
    hurts = evening.shows.get("hurts", ())
    assert [text for text in written.values() if any(words in text.casefold() for words in hurts)] == []


@evenings("added")
def test_nothing_is_said_below_an_answer_but_what_was_done(name: str) -> None:
    """A line under an answer tells of something that was done; a standing line of the program is no answer."""
    evening = lived(name)
    said = [one.text for one in evening.story.said if one.policy == "reply"]
    written = _written(evening.evening)
    whole = [number for number, text in written.items() if text in said]
    assert written.keys() - set(whole) == set(evening.evening.shows["adds"])


@evenings("known")
def test_nine_in_ten_true_things_are_known_a_week_later(name: str) -> None:
    evening = lived(name)
    things = evening.evening.shows["known"]
    unknown = [words for words in things if not _stands(words, evening.known)]
    assert len(unknown) <= (1 - KNOWN_AT_LEAST) * len(things), unknown


@evenings("never")
def test_nothing_false_is_known_a_week_later(name: str) -> None:
    evening = lived(name)
    assert [words for words in evening.evening.shows["never"] if _stands(words, evening.known)] == []


@evenings("asked again")
def test_what_it_is_asked_a_week_later_is_before_its_eyes(name: str) -> None:
    evening = lived(name)
    shown = re.split(r"\n", evening.turn(len(evening.evening.says)))
    assert [words for words in evening.evening.shows["again"] if not _stands(words, shown)] == []


@evenings("first")
def test_what_was_promised_is_said_and_nothing_else(name: str) -> None:
    evening = lived(name)
    came = list(evening.written_first())
    for wanted in evening.evening.shows["first"]:
        due = [one for one in came if one[0].date() == wanted["on"] and one[0].hour >= wanted["after"]]
        found = [one for one in due if _stands(wanted["words"], [one[1]])]
        assert found, (wanted, came)
        came.remove(found[0])
    assert came == []
    assert [words for words in evening.evening.shows.get("waits", ()) if not _stands(words, evening.tasks)] == []


@evenings("mood")
def test_its_mood_goes_with_the_evening(name: str) -> None:
    evening = lived(name)
    felt = {number: evening.mood(int(number)) for number in evening.evening.shows["mood"]}
    wanted = evening.evening.shows["mood"]
    wrong = {number: (word, wanted[number]) for number, word in felt.items() if word not in wanted[number]}
    assert wrong == {}


@evenings("learned")
def test_what_it_learned_of_itself_is_in_its_description(name: str) -> None:
    evening = lived(name)
    sentences = re.split(r"(?<=[.!?])\s", evening.self_description)
    assert [words for words in evening.evening.shows["learned"] if not _stands(words, sentences)] == []


def _written(evening: Evening) -> dict[int, str]:
    """The answers by the message they answer: of several to one, the last."""
    return {line["to"]: line["text"] for line in evening.answers["turn"] if line.get("text")}


def _stands(words: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether one of the lines has all of these words."""
    return any(all(word.lower() in line.lower() for word in words) for line in lines)
