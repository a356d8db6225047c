"""What stands before a name and is none of it, in the languages that people give theirs in."""

from __future__ import annotations

import pytest

from furoshiki.language.facts.names import find_name
from furoshiki.language.testimony import as_told


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Ich heiße eigentlich Mira", "Mira"),
        ("Mein Name ist übrigens Mira Holm", "Mira Holm"),
        ("Me llamo por cierto Lucía", "Lucía"),
        ("my name is actually Tom", "Tom"),
        ("je m'appelle en fait Luc", "Luc"),
        ("меня зовут кстати Анна", "Анна"),
        ("call me, uh, Kit", "Kit"),
        ("im kai 15 they/them", "Kai"),
        ("I'm called Ana by the way", "Ana"),
        ("this is Tom btw", "Tom"),
        ("ich heiße mira", "Mira"),
        ("my name is tom by the way", "Tom"),
        ("My name, by the way, is Ana", "Ana"),
        ("Mein Name ist ja eigentlich Jonas", "Jonas"),
        ("Ich bin übrigens die Mira", "Mira"),
        ("Adım aslında Deniz", "Deniz"),
        ("benim adım Ayşe bu arada", "Ayşe"),
        ("меня зовут анна", "Анна"),
        ("Mi nombre es en realidad Lucía Pérez", "Lucía Pérez"),
        ("mi chiamo comunque Marco", "Marco"),
        ("me chamo aliás João", "João"),
        ("call me Kit instead", "Kit"),
        ("my name is, well, complicated", None),
        ("my name is on the list", None),
        ("ich heiße das gut", None),
        ("call me crazy", None),
        ("i'm so tired", None),
        ("im happy 15 times a day", None),
        ("Me llamo Ana, por cierto", "Ana"),
        ("ich heiße übrigens auch Mira", "Mira"),
        ("ich heiße nicht Tom", None),
        ("Ich heiße Mira Holm", "Mira Holm"),
        ("my name is Mary Ann", "Mary Ann"),
        ("my name is actually spelled with a k", None),
        ("people call me Mr Fox", "Mr Fox"),
        ("my name is van der Berg", "van der Berg"),
        ("Call me Ana, no, Anna", "Anna"),
        ("hi im mia, 14", "Mia"),
        ("im bored 24 hours a day", None),
        ("I'm averaging 5.5 hours a night", None),
        ("bir adım atmayı düşünüyorum", None),
        ("adım Deniz", "Deniz"),
    ],
)
def test_a_name_is_the_name_alone(said: str, name: str | None) -> None:
    found = find_name(as_told(said))
    assert (found.name if found else None) == name
