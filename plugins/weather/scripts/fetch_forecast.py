"""Fetches the forecast into data/: the place once, the weather every few hours."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import forecast
from furoshiki_plugin import Refused, answer, data_dir, fetch, now, setting


def place(name: str) -> tuple[str, float, float]:
    """Return the place's name and coordinates, looked up once and after a change of the setting."""
    numbers = forecast.coordinates(name)
    if numbers:
        return f"{numbers[0]:.2f}, {numbers[1]:.2f}", *numbers
    known = data_dir() / "place.json"
    if known.exists() and (kept := json.loads(known.read_text()))["asked"] == name:
        return kept["name"], kept["latitude"], kept["longitude"]
    found = forecast.found_place(name, checked(forecast.place_url(name)))
    known.write_text(json.dumps({"asked": name, "name": found[0], "latitude": found[1], "longitude": found[2]}))
    return found


class Away(Exception):
    """The server cannot be reached or has no time: the next run tries again, and nothing is wrong with the plugin."""


def checked(url: str) -> Any:
    """Return the JSON at an address. Raises Away; ValueError with the server's reason."""
    try:
        reply = fetch(url, timeout=20)
    except Refused as error:
        raise Away(str(error)) from None
    if reply.status == 429 or reply.status >= 500:
        raise Away(f"the weather server answered {reply.status}")
    if reply.status != 200:
        raise ValueError(f"the weather server answered {reply.status}: {reply.text[:200]}")
    return reply.json()


def main() -> str:
    """Fetch and store the forecast, and return a line for the log."""
    units = setting("UNITS") if setting("UNITS") in forecast.UNITS else "metric"
    name, latitude, longitude = place(setting("PLACE"))
    found = checked(forecast.forecast_url(setting("URL"), latitude, longitude, units))
    kept = {"place": name, "units": units, "fetched_at": now().isoformat(), "forecast": found}
    part = data_dir() / "forecast.json.part"
    part.write_text(json.dumps(kept))
    part.replace(data_dir() / "forecast.json")
    return f"the forecast for {name} is here"


def without(error: Away) -> str:
    """Return the log line of a failed fetch. Raises ValueError if the stored one is stale."""
    path = data_dir() / "forecast.json"
    kept = json.loads(path.read_text()) if path.exists() else None
    if kept is None or now() - datetime.fromisoformat(kept["fetched_at"]) > forecast.STALE:
        raise ValueError(f"no forecast: {error}")
    return f"no new forecast: {error}"


if __name__ == "__main__":
    try:
        said = main()
    except Away as error:
        said = without(error)
    answer(log=said)
