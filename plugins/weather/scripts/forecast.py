"""Puts a forecast of Open-Meteo into words: two lines, with warnings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import urlencode

STALE = timedelta(hours=12)
"""Older forecasts are not told."""

RAIN_LIKELY = 60
"""Percent from which rain is mentioned."""

LIMITS: Mapping[str, Mapping[str, float]] = {
    "metric": {"storm": 75, "frost": 0, "heat": 32},
    "imperial": {"storm": 47, "frost": 32, "heat": 90},
}
UNITS = {"metric": ("°C", "km/h"), "imperial": ("°F", "mph")}
_ASKED = {"imperial": {"temperature_unit": "fahrenheit", "wind_speed_unit": "mph", "precipitation_unit": "inch"}}

WORDS = {
    0: "clear sky", 1: "mostly clear", 2: "partly cloudy", 3: "overcast", 45: "fog", 48: "freezing fog",
    51: "light drizzle", 53: "drizzle", 55: "heavy drizzle", 56: "light freezing drizzle", 57: "freezing drizzle",
    61: "light rain", 63: "rain", 65: "heavy rain", 66: "light freezing rain", 67: "freezing rain",
    71: "light snow", 73: "snow", 75: "heavy snow", 77: "snow grains",
    80: "light showers", 81: "showers", 82: "violent showers", 85: "light snow showers", 86: "heavy snow showers",
    95: "thunderstorm", 96: "thunderstorm with hail", 99: "thunderstorm with heavy hail",
}  # fmt: skip
"""The meaning of the WMO's weather codes."""

_SNOW = {71, 73, 75, 77, 85, 86}
_WET = {code for code in WORDS if code >= 51}


def coordinates(place: str) -> tuple[float, float] | None:
    """Parse latitude and longitude; None for a name. Raises ValueError for invalid numbers."""
    found = re.fullmatch(r"\s*(-?\d{1,3}(?:\.\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d+)?)\s*", place)
    if found is None:
        return None
    latitude, longitude = float(found[1]), float(found[2])
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise ValueError(f"PLACE {place!r} is nowhere on earth; write latitude and longitude, as 38.72,-9.14")
    return latitude, longitude


def place_url(name: str) -> str:
    """Return the URL for a name's coordinates; text after a comma only selects a result."""
    asked = {"name": name.split(",")[0].strip(), "count": 10, "language": "en", "format": "json"}
    return f"https://geocoding-api.open-meteo.com/v1/search?{urlencode(asked)}"


def found_place(name: str, answer: Mapping[str, Any]) -> tuple[str, float, float]:
    """Return the name and coordinates of the matching result. Raises ValueError without one."""
    results = answer.get("results") or []
    within = [one.strip().casefold() for one in name.split(",")[1:] if one.strip()]
    for one in results:
        where = " ".join(str(one.get(part, "")) for part in ("admin1", "admin2", "country", "country_code")).casefold()
        if all(part in where for part in within):
            return str(one["name"]), float(one["latitude"]), float(one["longitude"])
    raise ValueError(f"no place is called {name!r}; write PLACE another way, or as latitude,longitude")


def forecast_url(base: str, latitude: float, longitude: float, units: str) -> str:
    """Return the URL for three days. Two decimals are about a kilometre: no address is revealed."""
    asked = {
        "latitude": f"{latitude:.2f}",
        "longitude": f"{longitude:.2f}",
        "timezone": "auto",
        "forecast_days": 3,
        "daily": "weather_code,temperature_2m_max,temperature_2m_min,wind_gusts_10m_max",
        "hourly": "precipitation_probability,weather_code",
        **_ASKED.get(units, {}),
    }
    return f"{base.rstrip('/')}/v1/forecast?{urlencode(asked)}"


def told(kept: Mapping[str, Any], now: datetime) -> str:
    """Return the two lines for a conversation; "" if the forecast is stale or too short."""
    if now - datetime.fromisoformat(kept["fetched_at"]) > STALE:
        return ""
    forecast = kept["forecast"]
    here = now.astimezone(timezone(timedelta(seconds=int(forecast.get("utc_offset_seconds") or 0))))
    lines = []
    for ahead, words in enumerate((f"Weather in {kept['place']} today", "Tomorrow")):
        day = here.date() + timedelta(days=ahead)
        if day.isoformat() in forecast["daily"]["time"]:
            said = _day(forecast, day.isoformat(), kept["units"], here)
            lines.append(f"{words}, {day:%A}: {said}")
    return "\n".join(lines)


def _day(forecast: Mapping[str, Any], day: str, units: str, here: datetime) -> str:
    daily = forecast["daily"]
    at = daily["time"].index(day)
    code, low, high, gusts = (
        daily[name][at] for name in ("weather_code", "temperature_2m_min", "temperature_2m_max", "wind_gusts_10m_max")
    )
    degrees, speed = UNITS[units]
    limits = LIMITS[units]
    parts = []
    if low is not None and high is not None:
        parts.append(f"{round(low)} to {round(high)} {degrees}")
    if code in WORDS:
        parts.append(WORDS[code])
    warnings = [_rain_later(forecast["hourly"], day, here)]
    if code is not None and code >= 95:
        warnings.append("A thunderstorm is forecast.")
    if gusts is not None and gusts >= limits["storm"]:
        warnings.append(f"Storm: gusts up to {round(gusts)} {speed}.")
    if low is not None and low <= limits["frost"]:
        warnings.append("Frost.")
    if high is not None and high >= limits["heat"]:
        warnings.append("Great heat.")
    return " ".join([", ".join(parts) + ".", *filter(None, warnings)])


def _rain_later(hourly: Mapping[str, Any], day: str, here: datetime) -> str:
    """Say from when rain is likely on a day, if later and not all day."""
    now = f"{here:%Y-%m-%dT%H:00}"
    likely = [
        (time, chance, code)
        for time, chance, code in zip(
            hourly["time"], hourly["precipitation_probability"], hourly["weather_code"], strict=True
        )
        if time[:10] == day and time >= now and (chance or 0) >= RAIN_LIKELY and code in _WET
    ]
    if not likely or likely[0][0] in (now, f"{day}T00:00"):
        return ""
    time, chance, code = likely[0]
    return f"{'Snow' if code in _SNOW else 'Rain'} is likely from {time[11:16]} ({round(chance)} %)."
