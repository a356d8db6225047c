"""The language of a short message: tables of what people write, with many that are English in spite of their looks.

A row is the code expected ("-": English, or too little to tell; "?": foreign, and no language that is spoken about) and
the message. An English message taken for foreign is worse than a foreign one that is not noticed.
"""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest

from furoshiki.core import catalogue
from furoshiki.language.detection import Language
from tests.support.laws import languages

LANGUAGES = languages()
PROMISED = [
    "zh",
    "hi",
    "es",
    "fr",
    "ar",
    "bn",
    "pt",
    "ru",
    "ur",
    "id",
    "de",
    "ja",
    "tr",
    "ko",
    "vi",
    "it",
    "nl",
    "pl",
    "uk",
    "fa",
]
UNNOTICED = 0.03
"""The share of foreign messages that may pass as English, or be told for a sister language."""


def rows(name: str) -> list[tuple[str, str]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [(want, text) for want, text in (line.split("\t") for line in lines if not line.startswith("#"))]


def told(text: str, before: Language | None = None) -> str:
    found = LANGUAGES.of(text, before)
    return "-" if found is None else found.code.partition("-")[0]


@pytest.mark.parametrize("table", ["said_languages.tsv", "said_languages_held_out.tsv"])
def test_no_english_message_is_taken_for_foreign(table: str) -> None:
    assert [text for want, text in rows(table) if want == "-" != told(text)] == []


@pytest.mark.parametrize("table", ["said_languages.tsv", "said_languages_held_out.tsv"])
def test_nearly_every_foreign_message_is_told_for_what_it_is(table: str) -> None:
    foreign = [row for row in rows(table) if row[0] != "-"]
    wrong = [(want, told(text), text) for want, text in foreign if told(text) != want]
    assert len(wrong) <= UNNOTICED * len(foreign) + 1, wrong


def test_the_tables_hold_every_language_that_is_promised() -> None:
    for table in ("said_languages.tsv", "said_languages_held_out.tsv"):
        assert {want for want, _ in rows(table)} >= {*PROMISED, "-"}
    assert len(rows("said_languages.tsv")) >= 200


@pytest.mark.parametrize(
    ("before", "text", "want"),
    [
        ("ich kann heute nicht schlafen", "Rechner kaputt, nix geht", "de"),
        ("estoy muy cansado hoy", "estreno móvil nuevo", "es"),
        ("estoy muy cansado hoy", "ok", "es"),
        ("heute war viel los bei mir", "ok sorry", "de"),
        ("bugün çok yoruldum", "hey cool", "tr"),
        ("heute war viel los bei mir", "ok sorry i can't", "-"),
        ("oggi sono stanca", "ok so what now", "-"),
        ("estoy muy cansado hoy", "haha", "es"),
        ("estoy muy cansado hoy", "que hora es", "es"),
        ("estoy muy cansado hoy", "nothing much, thanks", "-"),
        ("heute war viel los bei mir", "mama hat am 3 april geburtstag", "de"),
        ("heute war viel los bei mir", "mama has her birthday in april", "-"),
        ("je suis crevée ce soir", "decale les poubelles a 8h", "fr"),
        ("je suis crevée ce soir", "ya quoi de neuf", "fr"),
        ("bugün çok yoruldum", "sinavi gectim!!!", "tr"),
        ("bugün çok yoruldum", "annemin dogum gunu 5 mayis", "tr"),
        ("bugün çok yoruldum", "i passed my exam", "-"),
        ("estou muito cansada hoje", "chama-se inês", "pt"),
        ("estou muito cansada hoje", "fica quieto ate amanha blz", "pt"),
        ("oggi sono stanca", "oh ciao", "it"),
        ("estoy muy cansado hoy", "sorry, I meant to write that to my sister", "-"),
        ("I am tired today", "estreno móvil", "-"),
        ("je suis crevée ce soir", "tu es triste parfois ?", "fr"),
        ("je suis crevée ce soir", "t'es nul", "fr"),
        ("estou muito cansada hoje", "estás zangado comigo?", "pt"),
        ("estou muito cansada hoje", "és um robô?", "pt"),
        ("estou muito cansada hoje", "o que sabes de mim?", "pt"),
        ("estou muito cansada hoje", "como sabes isso?", "pt"),
        ("estou muito cansada hoje", "estoy muy cansado hoy", "es"),
    ],
)
def test_after_a_foreign_message_less_is_enough_to_tell(before: str, text: str, want: str) -> None:
    assert told(text, LANGUAGES.of(before)) == want


@pytest.mark.parametrize("code", PROMISED)
def test_what_is_said_in_a_language_is_told_for_that_language(code: str) -> None:
    """A sentence in the wrong place of the file would be told for another one."""
    [one] = [one for one in LANGUAGES.each if one.code == code]
    if code in catalogue.languages():
        entries = polib.pofile(str(catalogue.FOLDER / f"{code}.po"))
        said = [re.sub(r"\{\w+\}|/\w+|`[^`]*`", " ", entry.msgstr) for entry in entries if len(entry.msgid.split()) > 8]
        assert len(said) >= 100
        elsewhere = [text for text in said if (found := LANGUAGES.of(text, one)) is not None and found.code != code]
        assert len(elsewhere) <= UNNOTICED * len(said), elsewhere
        return
    said = [one.first.format(me="Furo"), one.asked, *one.again, one.quoted.format(day="2026-03-24", words="")]
    assert len(one.again) >= 2
    assert [text for text in said if (found := LANGUAGES.of(text, one)) is None or found.code != code] == []


@pytest.mark.parametrize("text", ["", " ", "123", "😂", "?!", "\u200b", "a" * 5000, "é" * 5000, "«" * 5000, "\ud800"])
def test_what_has_no_words_has_no_language(text: str) -> None:
    assert told(text) == "-"


def test_a_question_is_one_by_its_mark_or_its_first_word() -> None:
    by_code = {one.code: one for one in LANGUAGES.each}
    assert by_code["es"].is_asked("donde esta la llave")
    assert by_code["zh"].is_asked("钥匙在哪")
    assert by_code["ar"].is_asked("أين المفتاح")
    assert by_code["tr"].is_asked("anahtar nerede?")
    assert by_code["tr"].is_asked("kızın öğretmeni nerede çalışıyor") and by_code["tr"].is_asked("fıstık bir kedi mi")
    assert not by_code["tr"].is_asked("arkadaşımın nerede kaldığını merak ediyorum")
    assert not by_code["es"].is_asked("la llave está debajo de la maceta")
    assert not by_code["ja"].is_asked("さかなを食べた")
