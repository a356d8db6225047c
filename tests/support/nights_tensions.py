"""A value, and an act that contradicts it."""

from __future__ import annotations

VALUE = "They want to be home for dinner with Mira every evening."


ACT = "They stayed at the office every evening this week, past dinner."
