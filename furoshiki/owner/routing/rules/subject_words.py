"""Why a message was taken for another subject, told to a person."""

from collections.abc import Mapping

from furoshiki.core.catalogue import later
from furoshiki.owner.routing.values import Kind

WHY: Mapping[Kind, str] = later(
    {
        "silence": "you had not written for a while",
        "marker": "you said so yourself",
    }
)
"""By what decided; where nothing came before there is nothing to tell."""
