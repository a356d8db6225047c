"""What came without a word of its sender is answered by what became of it: kept, noted, or not to be had."""

from __future__ import annotations

import pytest

from furoshiki.core import catalogue
from furoshiki.language.reflex import attachment_replies


@pytest.mark.parametrize(
    ("note", "says"),
    [
        ("[a photo]", "What is on it?"),
        (
            "[a photo that could not be fetched: Telegram asks to wait 5 s]",
            "your photo: Telegram asks to wait 5 s.",
        ),
        ("[a voice message of 4 s; I cannot listen yet: run something]", "Could you type it?"),
        ("[a voice message of 4 s that could not be understood: no words]", "understand your voice message: no words."),
        ("[a document, tax.zip; I can read txt, md]", "I can't read tax.zip."),
        (
            "[a document, a.pdf, that could not be read: not a readable PDF]",
            "read a.pdf: not a readable PDF.",
        ),
        ("the document notes.txt", "I've saved what's in notes.txt, word for word."),
        ("[a sticker: 🙂]", "says it without words"),
        ("[threw 🎲: 3]", "3"),
        ("a place on the map", "Noted"),
        ("[a story, a kind of message I do not understand yet]", "don't understand this kind of message yet"),
        ("]", "don't understand this kind of message yet"),
    ],
)
def test_each_kind_has_its_own_words(note: str, says: str) -> None:
    wordings, about = attachment_replies.lines(note)
    said = [wording.format(name="", **about) for wording in wordings]
    assert any(says in text for text in said)
    assert not any(mark in text for text in said for mark in "[]{}()")
    assert not any("What is it to you" in text for text in said)


@pytest.mark.parametrize(
    "note", ["[a photo]", "[a document, tax.zip; I can read txt, md]", "the document notes.txt", "]"]
)
def test_it_is_said_in_other_languages_too(note: str) -> None:
    with catalogue.speaking("de"):
        wordings, about = attachment_replies.lines(note)
        assert not {catalogue.say(one, **about) for one in wordings} & {one.format(**about) for one in wordings}
