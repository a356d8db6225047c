"""Good sleep is a joy and bad sleep none, in nine languages; what messages mean is told here as a head would: tired."""

from __future__ import annotations

import pytest

from furoshiki.language.not_danger import read_rest

TIRED = {"tired": 0.9, "joy": 0.0}


@pytest.mark.parametrize(
    "said",
    [
        "slept like a log",
        "slept really well last night",
        "hab geschlafen wie ein Stein",
        "so gut geschlafen heute",
        "he dormido como un tronco",
        "j’ai dormi comme une souche",
        "ho dormito benissimo",
        "dormi que nem uma pedra",
        "спала как убитая",
        "bebek gibi uyudum",
        "昨晚睡得真香",
    ],
)
def test_good_sleep_is_a_joy(said: str) -> None:
    read = read_rest(TIRED, said)
    assert (read["tired"], read["joy"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    "said",
    [
        "i didn't sleep well",
        "never slept well in that house",
        "ich hab nicht gut geschlafen",
        "no he dormido bien",
        "je n'ai pas bien dormi",
        "non ho dormito bene",
        "não dormi bem",
        "не спала хорошо",
        "iyi uyumadım",
        "昨晚没睡好",
        "so tired",
    ],
)
def test_bad_sleep_and_tiredness_stay_what_they_are(said: str) -> None:
    assert read_rest(TIRED, said) == TIRED


def test_without_a_vector_nothing_is_added() -> None:
    assert read_rest({}, "slept like a log") == {}
