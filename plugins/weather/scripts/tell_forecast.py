"""Tells a conversation about the weather, from data/, without network access."""

from __future__ import annotations

import json

import forecast
from furoshiki_plugin import answer, data_dir, now

if __name__ == "__main__":
    kept = data_dir() / "forecast.json"
    answer(context=forecast.told(json.loads(kept.read_text()), now()) if kept.exists() else "")
