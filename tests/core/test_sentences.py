"""An error, and what is put on record, is English in logs and said in the language of the person who sees it."""

from __future__ import annotations

import errno

from furoshiki.core.catalogue import Sentence, join_sentences, pack, say, say_sentence, speaking, unpack
from furoshiki.core.errors import StorageUnavailable, in_words

FULL = OSError(errno.ENOSPC, "No space left on device", "notes.txt")


def test_an_error_is_said_in_the_language_that_is_spoken_when_it_is_shown() -> None:
    error = StorageUnavailable(in_words(FULL))
    assert str(error) == "notes.txt: the disk is full; free some space and try again"
    with speaking("de"):
        assert say_sentence(error).startswith("notes.txt: die Platte ist voll")
        assert say("Not changed: {error}", error=error).startswith("Nicht geändert: notes.txt: die Platte")


def test_a_sentence_on_record_keeps_what_filled_it_and_the_sentences_within() -> None:
    inner = Sentence("the model {model} isn't answering: {why}", model="a:b {x}", why=Sentence("rate limited"))
    kept = unpack(pack(join_sentences([inner, "said by a server {1}"])))
    assert kept == "the model a:b {x} isn't answering: rate limited; said by a server {1}"
    with speaking("fr"):
        assert say_sentence(kept).startswith("le modèle a:b {x} ne répond pas : trop de demandes; said by a server {1}")


def test_words_without_a_template_stay_as_they_were_written() -> None:
    with speaking("zh"):
        assert say_sentence(unpack("kept by a release before: {this}")) == "kept by a release before: {this}"
        assert say_sentence(FULL) == str(FULL)
