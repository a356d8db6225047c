"""Why a message was taken for another subject, told to a person."""

from __future__ import annotations

from collections.abc import Mapping

from furoshiki.routing.values import Kind

WHY: Mapping[Kind, str] = {
    "silence": "you had not written for a while",
    "marker": "you said so yourself",
    "cold": "it had little to do with what you said just before",
    "statistic": "it had less to do with what you said before than your messages usually have",
    "words": "no word of it had come up before",
}
"""By what decided; where nothing came before there is nothing to tell."""
