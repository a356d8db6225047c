"""Whether a message needs its context: recall then searches with the previous message too."""

import re

from furoshiki.recall.retrieval.rules.nearness import extract_stems

MOST_TELLING = 2
"""Content words of a message that may still refer back by a "she" or "there"."""

_ASKS = re.compile(
    r"\?|^\W*(?:(?:and|but|so|ok|okay)\W+)?(?:who|whom|whose|what|when|where|why|how|which|is|are|was|were|does|did|has|"
    r"had|tell me|go on)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:he|she|him|her|his|hers|they|them|their|it|its|that|those|there|then|this|these|one)\b|^\W*(?:and|but)\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_NAMES = re.compile(r"(?<=[a-z,] )(?!I\b)[A-Z]\w+")


def leans(text: str, answers: bool) -> bool:
    """Whether a text refers back ("what did she say?"), or is a short answer (`answers`)."""
    telling = len(extract_stems(text))
    asks, points_back = _ASKS.search(text.strip()) is not None, _POINTS_BACK.search(text) is not None
    if not telling:
        return answers or (asks and (points_back or _YOU.search(text) is None))
    return asks and points_back and telling <= MOST_TELLING and _NAMES.search(text) is None
