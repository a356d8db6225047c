"""Bring the catalogues up to date: `python -m tests.docs.catalogues` adds what is said and not yet translated, empty,
and takes out what is said no more. tests/architecture/test_catalogues.py finds what is left empty."""

from __future__ import annotations

import polib

from furoshiki.core.catalogue import FOLDER
from tests.support.said_texts import OTHERS, plurals, said


def bring_up_to_date(language: str) -> None:
    """Add and remove entries of one catalogue."""
    path = FOLDER / f"{language}.po"
    catalogue = polib.pofile(str(path), wrapwidth=100)
    there = {one.msgid: one for one in catalogue}
    for text in there.keys() - said().keys():
        catalogue.remove(there[text])
    for text in said().keys() - there.keys() - set(plurals().values()):
        many = plurals().get(text, "")
        forms = dict.fromkeys(range(2), "") if many else {}
        catalogue.append(polib.POEntry(msgid=text, msgid_plural=many, msgstr_plural=forms))
    catalogue.sort(key=lambda one: one.msgid)
    catalogue.save(str(path))


if __name__ == "__main__":
    for code in OTHERS:
        bring_up_to_date(code)
