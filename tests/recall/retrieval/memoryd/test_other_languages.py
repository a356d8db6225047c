"""A life in another language than English is found by meaning, and an English one pays nothing for it."""

from __future__ import annotations

from datetime import datetime

import pytest

from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import COMPANION, NewTurn
from furoshiki.recall.embeddings import models
from furoshiki.recall.embeddings.multilingual import FoundBy, Reading
from furoshiki.recall.retrieval import other_languages
from furoshiki.recall.retrieval.recall import Wanted, recall_exactly
from furoshiki.recall.retrieval.reindex import without_vector
from furoshiki.recall.retrieval.rules import nearness
from furoshiki.recall.retrieval.store import multilingual
from furoshiki.recall.retrieval.store.multilingual import SPOKEN
from furoshiki.recall.retrieval.values import Scope
from tests.recall.retrieval.memoryd.conftest import NOW, Memoryd

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not models.has_multilingual(), reason="it is made by scripts/install.py --multilingual"),
]

LIFE = (
    "Ich bin heute mit dem Zug nach Hamburg gefahren und habe meine Schwester besucht.",
    "Mein Knie tut weh, seit ich am Montag gelaufen bin.",
    "Der Chef hat mir endlich mehr Gehalt versprochen.",
    "Wir haben einen Kater aus dem Tierheim geholt, er heißt Moritz.",
    "Abends trinke ich nur noch Tee, sonst kann ich nicht schlafen.",
    "Im Garten sind die ersten Tomaten reif.",
    "Meine Tochter hat ihre Prüfung als Ärztin bestanden.",
)
PET = "Welches Haustier lebt bei mir?"
"""It shares no word with what answers it."""


def found(memoryd: Memoryd, text: str, **more: str) -> list[str]:
    """The first three that a turn would be shown."""
    answer = memoryd.ask("recall", text=text, now=NOW.isoformat(), k=3, **more)
    return [name for name, _ in answer["found"]]


def read_by_it(memoryd: Memoryd) -> int:
    with memoryd.database.read() as db:
        return int(db.execute("SELECT count(*) FROM turn_multilingual").fetchone()[0])


def test_what_was_said_in_german_is_found_by_what_it_means(memoryd: Memoryd) -> None:
    said = memoryd.say(*LIFE)
    memoryd.keep()
    assert found(memoryd, PET)[0] == f"turn:{said[3]}"
    assert found(memoryd, "What pet do I have?")[0] == f"turn:{said[3]}", "asked in English"
    assert f"turn:{said[6]}" in found(memoryd, "Was ist mein Kind von Beruf?")
    exactly = recall_exactly(memoryd.database, memoryd.encoder, [Wanted(PET, 3, NOW)])
    assert [one.id for one in exactly[0]] == found(memoryd, PET), "a command finds what a turn does"


def test_what_the_companion_suggested_is_found_when_it_is_asked_for(memoryd: Memoryd) -> None:
    memoryd.say(*LIFE)
    memoryd.say("Mareike hat ihr Baby bekommen, ein Mädchen!", "Ich weiß noch nicht, was ich dem Baby schenke.")
    with memoryd.database.write() as db:
        answer = NewTurn("s1", "console", "me", COMPANION, "Vielleicht ein Apfelbäumchen? Das wächst mit.", NOW)
        suggested = turns.add(db, answer)
    memoryd.say("Oh das ist schön, das mach ich.")
    memoryd.keep()
    assert f"turn:{suggested}" in found(memoryd, "Welches Präsent fürs Neugeborene hattest du vorgeschlagen?")


LIVES = (
    ("今日は歯医者に行った", "保護施設から猫をもらった、名前はモモ", "庭のトマトが赤くなった", "うちのペットは?"),
    ("σήμερα πήγα στον οδοντίατρο", "πήραμε ένα γατάκι από το καταφύγιο", "ωρίμασαν οι ντομάτες", "τι κατοικίδιο έχω;"),
    ("היום הייתי אצל רופא השיניים", "אימצנו חתול מהמקלט", "העגבניות בגינה הבשילו", "איזו חיית מחמד יש לי?"),
    ("오늘 치과에 갔다 왔어", "보호소에서 고양이를 데려왔어", "마당에 토마토가 익었어", "내 반려동물이 뭐지?"),
)


@pytest.mark.parametrize("life", LIVES, ids=["Japanese", "Greek", "Hebrew", "Korean"])
def test_what_was_said_in_any_script_is_found_by_what_it_means(memoryd: Memoryd, life: tuple[str, ...]) -> None:
    *said, asked = life
    ids = memoryd.say(*said, *said)
    memoryd.keep()
    assert {found(memoryd, asked)[0]} <= {f"turn:{ids[1]}", f"turn:{ids[4]}"}


def test_what_was_said_a_second_ago_is_found_by_it_too(memoryd: Memoryd) -> None:
    memoryd.say(*LIFE)
    memoryd.keep()
    [said] = memoryd.say("Lotte hat seit heute Fieber.")
    assert f"turn:{said}" in found(memoryd, "Wem geht es heute schlecht?")


def test_an_english_life_never_has_a_second_encoder(memoryd: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> None:
        raise AssertionError("nobody speaks another language here")

    monkeypatch.setattr(memoryd.service, "_load_other", load)
    memoryd.say("my sister Anika lives in Lisbon", "we got a cat from the shelter", *LIFE[: SPOKEN - 1])
    memoryd.keep()
    found(memoryd, PET)
    found(memoryd, "where does Anika live")
    assert read_by_it(memoryd) == 0, "what was pasted is no life in another language"


def test_what_was_said_before_is_read_once_another_language_is_spoken(memoryd: Memoryd) -> None:
    english = memoryd.say("we got a cat from the shelter, he is called Moritz")
    memoryd.say(*LIFE[: SPOKEN - 1])
    memoryd.keep()
    assert read_by_it(memoryd) == 0
    memoryd.say(LIFE[SPOKEN])
    memoryd.keep()
    with memoryd.database.read() as db:
        assert multilingual.is_spoken(db) and other_languages.behind(db) == 0
    assert without_vector(memoryd.database) == 0
    assert read_by_it(memoryd) == 1 + SPOKEN
    assert f"turn:{english[0]}" in found(memoryd, PET), "asked in German, told in English"


def test_the_owners_language_counts_from_the_first_message(memoryd: Memoryd) -> None:
    with memoryd.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", NOW, "Ada", "de")
    memoryd.say(LIFE[3])
    memoryd.keep()
    assert read_by_it(memoryd) == 1


def test_of_an_english_message_that_asks_nothing_the_english_encoder_alone_tells_what_is_near(memoryd: Memoryd) -> None:
    memoryd.say(*LIFE)
    memoryd.keep()
    with memoryd.database.read() as db:
        asked = other_languages.read(models.load_multilingual(), db, "i am so tired today", NOW)
        assert asked.english
        near = [("turn:2", 1.0)]
        assert other_languages.merge(db, asked, near, Scope(floor="told")) == near
        assert len(other_languages.merge(db, asked, near, Scope(floor="asked"))) > 1


def test_with_a_statement_only_what_stands_out_is_shown(memoryd: Memoryd) -> None:
    said = memoryd.say(*LIFE)
    memoryd.keep()
    with memoryd.database.read() as db:
        told = other_languages.read(models.load_multilingual(), db, "Moritz hat heute den ganzen Tag geschlafen.", NOW)
        everything = other_languages.rank(db, told, Scope())
        shown = other_languages.rank(db, told, Scope(floor="outstanding"))
    assert len(everything) == len(said)
    assert shown == [(name, score) for name, score in everything if score >= nearness.OUTSTANDING]
    assert 0 < len(shown) < len(everything)


def test_it_goes_and_is_read_again_with_its_text(memoryd: Memoryd) -> None:
    said = memoryd.say(*LIFE)
    memoryd.keep()
    with memoryd.database.write() as db:
        db.execute("DELETE FROM turns WHERE id=?", (said[0],))
        db.execute(
            "UPDATE turns SET text='Meine Nachbarin züchtet Bienen.', index_state='pending' WHERE id=?", (said[3],)
        )
    memoryd.keep()
    assert read_by_it(memoryd) == len(LIFE) - 1
    assert found(memoryd, "Wer stellt Honig her?")[0] == f"turn:{said[3]}"


def test_a_text_that_it_cannot_take_keeps_nothing_from_being_found(
    memoryd: Memoryd, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = models.load_multilingual()
    read = encoder.found_by

    def breaks(text: str, kind: Reading) -> FoundBy:
        if "Knie" in text:
            raise RuntimeError("no such tensor")
        return read(text, kind)

    monkeypatch.setattr(encoder, "found_by", breaks)
    said = memoryd.say(*LIFE)
    memoryd.keep()
    assert memoryd.states() == {"indexed"} and read_by_it(memoryd) == len(LIFE)
    with memoryd.database.read() as db:
        assert other_languages.behind(db) == 0
    assert found(memoryd, PET)[0] == f"turn:{said[3]}"


def test_a_row_that_it_has_not_read_yet_is_read_on_the_way(memoryd: Memoryd) -> None:
    memoryd.say(*LIFE[:3], *LIFE[4:])
    memoryd.keep()
    [new] = memoryd.say(LIFE[3])
    assert recall_exactly(memoryd.database, memoryd.encoder, [Wanted(PET, 1, NOW)])[0][0].id == f"turn:{new}"


def test_a_day_is_named_in_another_language(memoryd: Memoryd) -> None:
    said = memoryd.say(*LIFE)
    then = datetime(2026, 2, 3, 12, tzinfo=NOW.tzinfo).isoformat()
    with memoryd.database.write() as db:
        db.execute("UPDATE turns SET at=? WHERE id=?", (then, said[5]))
    memoryd.keep()
    assert found(memoryd, "Was war am 3. Februar?")[0] == f"turn:{said[5]}"
