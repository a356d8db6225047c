"""Reasons why a message began a new topic, for users."""

from collections.abc import Mapping

from furoshiki.core.catalogue import later
from furoshiki.owner.routing.values import Kind

WHY: Mapping[Kind, str] = later(
    {
        "silence": "you had not written for a while",
        "marker": "you said so yourself",
    }
)
"""By the kind of boundary; the first message of a chat needs no reason."""
