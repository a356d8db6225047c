"""What is said of a forecast. The samples have the form of Open-Meteo's answers and were written by hand."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import forecast
import pytest

SAMPLES = Path(__file__).resolve().parent / "samples"
MONDAY = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)


@pytest.fixture
def kept() -> dict[str, Any]:
    answer = json.loads((SAMPLES / "forecast.json").read_text())
    return {"place": "Lisbon", "units": "metric", "fetched_at": "2026-11-23T08:17:00+00:00", "forecast": answer}


def test_two_lines_are_told(kept: dict[str, Any]) -> None:
    assert forecast.told(kept, MONDAY) == (SAMPLES / "told.txt").read_text().rstrip("\n")


def test_what_is_stale_or_over_is_not_told(kept: dict[str, Any]) -> None:
    fetched = datetime.fromisoformat(kept["fetched_at"])
    assert forecast.told(kept, fetched + timedelta(hours=12))
    assert forecast.told(kept, fetched + timedelta(hours=12, seconds=1)) == ""
    kept["fetched_at"] = "2026-11-30T08:00:00+00:00"
    assert forecast.told(kept, datetime(2026, 11, 30, 9, tzinfo=UTC)) == ""


def test_rain_that_is_here_or_past_is_no_rain_later(kept: dict[str, Any]) -> None:
    assert "from 15:00" in forecast.told(kept, MONDAY)
    assert "likely" not in forecast.told(kept, MONDAY.replace(hour=15, minute=5))
    assert "likely" not in forecast.told(kept, MONDAY.replace(hour=20))


def test_the_day_is_the_one_at_the_place(kept: dict[str, Any]) -> None:
    kept["forecast"]["utc_offset_seconds"] = 13 * 3600
    assert "today, Tuesday" in forecast.told(kept, MONDAY.replace(hour=12))


@pytest.mark.parametrize(
    ("units", "changed", "warning"),
    [
        ("metric", {"weather_code": 95}, "A thunderstorm is forecast."),
        ("metric", {"temperature_2m_min": -0.4}, "Frost."),
        ("metric", {"temperature_2m_max": 33.0}, "Great heat."),
        ("imperial", {"wind_gusts_10m_max": 50.0}, "Storm: gusts up to 50 mph."),
        ("imperial", {"temperature_2m_max": 91.0}, "10 to 91 °F"),
    ],
)
def test_what_is_worth_a_warning(kept: dict[str, Any], units: str, changed: dict[str, Any], warning: str) -> None:
    kept["units"] = units
    for name, value in {"temperature_2m_min": 10, **changed}.items():
        kept["forecast"]["daily"][name][0] = value
    assert warning in forecast.told(kept, MONDAY).splitlines()[0]


def test_what_the_server_left_out_is_left_out(kept: dict[str, Any]) -> None:
    bare = copy.deepcopy(kept)
    for name in ("weather_code", "temperature_2m_min", "wind_gusts_10m_max"):
        bare["forecast"]["daily"][name] = [None, None, None]
    bare["forecast"]["hourly"]["precipitation_probability"] = [None] * 72
    assert forecast.told(bare, MONDAY).startswith("Weather in Lisbon today, Monday:")


def test_a_place_is_numbers_or_a_name_with_the_region_behind_it() -> None:
    assert forecast.coordinates(" 38.72, -9.14 ") == (38.72, -9.14)
    assert forecast.coordinates("Lisbon") is None
    with pytest.raises(ValueError, match="nowhere on earth"):
        forecast.coordinates("98.72,-9.14")
    answer = json.loads((SAMPLES / "places.json").read_text())
    assert forecast.found_place("Springfield", answer)[1] == 42.10148
    assert forecast.found_place("Springfield, Illinois", answer) == ("Springfield", 39.80172, -89.64371)
    with pytest.raises(ValueError, match="no place is called 'Springfield, Oregon'"):
        forecast.found_place("Springfield, Oregon", answer)
    with pytest.raises(ValueError, match="no place is called"):
        forecast.found_place("Nowhere", {"generationtime_ms": 0.1})


def test_the_server_is_asked_for_a_kilometre_and_in_the_owners_units() -> None:
    asked = forecast.forecast_url("https://api.open-meteo.com/", 38.721234, -9.139, "imperial")
    assert asked.startswith("https://api.open-meteo.com/v1/forecast?latitude=38.72&longitude=-9.14&timezone=auto")
    assert "temperature_unit=fahrenheit" in asked
    assert "unit" not in forecast.forecast_url("https://api.open-meteo.com", 1, 2, "metric")
