"""Whether a message leans on what was said before it, so that memory can only be asked with that."""

import re

from furoshiki.recall.retrieval.rules.nearness import extract_stems

MOST_TELLING = 2
"""Words that tell something in a message that still leans on the one before it by a "she" or "there"."""

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
    """Whether it asks for what only the words before tell ("what did she say?"), or (`answers`) says little in answer
    to a question."""
    telling = len(extract_stems(text))
    asks, points_back = _ASKS.search(text.strip()) is not None, _POINTS_BACK.search(text) is not None
    if not telling:
        return answers or (asks and (points_back or _YOU.search(text) is None))
    return asks and points_back and telling <= MOST_TELLING and _NAMES.search(text) is None
