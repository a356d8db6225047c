"""The numbers that help: facts with a source, for the country somebody is in, and no number is guessed."""

from __future__ import annotations

from zoneinfo import available_timezones

import pytest

from tests.support.laws import help_in, helplines

KNOWN = {place.country for place in helplines().places}


def numbers(country: str | None, kind: str, zone: str = "") -> list[str]:
    return [line.number for line in help_in(country, zone).lines if line.kind == kind]


def test_every_country_has_an_emergency_number_and_every_number_a_source() -> None:
    with_numbers = {where for where, line in helplines().lines if line.kind == "emergency"}
    assert with_numbers >= KNOWN
    assert len(KNOWN) >= 100
    for kind, least in (("crisis", 60), ("violence", 45)):
        assert len({where for where, line in helplines().lines if line.kind == kind and len(where) == 2}) >= least
    assert all(line.source for _, line in helplines().lines)
    checked = [line.checked is not None for _, line in helplines().lines]
    assert sum(checked) / len(checked) >= 0.85


@pytest.mark.parametrize(
    ("country", "kind", "number"),
    [
        ("GB", "emergency", "999"),
        ("GB", "crisis", "116 123"),
        ("US", "crisis", "988"),
        ("DE", "violence", "116 016"),
        ("FR", "crisis", "3114"),
        ("ES", "violence", "016"),
        ("TR", "emergency", "112"),
        ("AU", "emergency", "000"),
        ("JP", "emergency", "119"),
        ("BR", "crisis", "188"),
        ("TR", "crisis", "findahelpline.com"),
    ],
)
def test_the_numbers_of_a_country(country: str, kind: str, number: str) -> None:
    assert number in numbers(country, kind)


@pytest.mark.parametrize(
    ("lives_in", "language", "zone", "country"),
    [
        ("Lyon", "en", "UTC", "FR"),
        ("Lyon, France", None, "Europe/Berlin", "FR"),
        ("Paris, Texas", None, "UTC", "US"),
        ("a small village near Porto", None, "UTC", "PT"),
        ("New York", None, "UTC", "US"),
        ("a nice place", "de", "Europe/Vienna", "AT"),
        (None, "de", "Europe/Zurich", "CH"),
        (None, "tr", "UTC", "TR"),
        (None, "pt-BR", "UTC", "BR"),
        (None, "en", "UTC", None),
        (None, "de", "Etc/UTC", None),
        (None, "de", "Europe/Kyiv", "UA"),
        ("Atlantis", None, "America/New_York", "US"),
        ("Казани", "ru", "Europe/Berlin", "RU"),
        ("Москве", None, "Europe/Berlin", "RU"),
        ("Санкт-Петербурге", None, "Europe/Berlin", "RU"),
        ("деревне", "ru", "Europe/Berlin", "DE"),
    ],
)
def test_the_country_comes_from_what_is_known(
    lives_in: str | None, language: str | None, zone: str, country: str | None
) -> None:
    assert helplines().where(lives_in=lives_in, language=language, zone=zone) == country


@pytest.mark.parametrize(
    ("zone", "number"),
    [("Europe/Atlantis", "112"), ("America/Atlantis", "911"), ("Africa/Atlantis", "112"), ("UTC", "112")],
)
def test_of_a_country_that_is_not_known_the_number_of_its_part_of_the_world_is_named(zone: str, number: str) -> None:
    assert numbers(None, "emergency", zone)[0] == number
    assert numbers(None, "crisis", zone) == ["findahelpline.com"]


def test_the_zones_of_the_table_exist() -> None:
    assert {zone for place in helplines().places for zone in place.zones} <= available_timezones()
