"""Catalogues in their binary form, kept beside them as bytecode is."""

from __future__ import annotations

import gettext
import io
import os
import sys
from pathlib import Path

import polib
import pytest

from furoshiki.core import catalogue


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "de.po"
    _write(path, "Guten Morgen")
    return path


def _write(path: Path, morning: str) -> None:
    made = polib.POFile()
    made.metadata = {"Content-Type": "text/plain; charset=utf-8"}
    made.append(polib.POEntry(msgid="Good morning", msgstr=morning))
    made.save(str(path))


def _said(path: Path) -> str:
    return catalogue.Catalogue(catalogue._compile(path)).gettext("Good morning")


@pytest.mark.parametrize("code", sorted(catalogue.languages() - {catalogue.ENGLISH}))
def test_every_text_is_found_as_gettext_finds_it(code: str) -> None:
    binary = catalogue._compile(catalogue.FOLDER / f"{code}.po")
    ours, tables = catalogue.Catalogue(binary), gettext.GNUTranslations(io.BytesIO(binary))
    for entry in polib.pofile(str(catalogue.FOLDER / f"{code}.po")):
        if not entry.msgid_plural:  # of these older versions of gettext find no singular
            assert ours.gettext(entry.msgid) == tables.gettext(entry.msgid)
        for number in (0, 1, 2, 5, 11, 21, 101) if entry.msgid_plural else ():
            forms = entry.msgid, entry.msgid_plural, number
            assert ours.ngettext(*forms) == tables.ngettext(*forms)
    assert ours.gettext("nobody says this") == "nobody says this"
    assert [ours.ngettext("{number} no", "{number} noes", number) for number in (1, 2)] == [
        "{number} no",
        "{number} noes",
    ]


def test_it_is_compiled_once(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _said(source) == "Guten Morgen"
    monkeypatch.setattr(polib, "pofile", None)
    assert _said(source) == "Guten Morgen"


def test_a_changed_catalogue_is_compiled_again(source: Path) -> None:
    assert _said(source) == "Guten Morgen"
    before = source.stat()
    _write(source, "Gutn Morgen!")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert source.stat().st_size == before.st_size
    assert _said(source) == "Gutn Morgen!"


@pytest.mark.parametrize("left", [0, 7, 60])
def test_a_form_that_a_power_cut_left_half_is_made_again(source: Path, left: int) -> None:
    assert _said(source) == "Guten Morgen"
    kept = source.parent / "__pycache__" / "de.mo"
    kept.write_bytes(kept.read_bytes()[:left])
    assert _said(source) == "Guten Morgen"


def test_where_nothing_may_be_written_it_is_compiled_each_time(source: Path) -> None:
    (source.parent / "__pycache__").write_text("no folder")
    assert _said(source) == "Guten Morgen"
    assert _said(source) == "Guten Morgen"


def test_a_sentence_that_begins_with_a_day_begins_with_a_capital() -> None:
    with catalogue.speaking("tr"):
        assert catalogue.say("I'll remind you {matter} {when}.", matter="", what="x", when="yarın").startswith("Yarın")
        assert catalogue.capital("ilker") == "İlker"
    assert catalogue.capital("ilker") == "Ilker"
