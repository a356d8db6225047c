"""What is said instead of a claim that nothing stands behind, in the language of the claim."""

from furoshiki.core.catalogue import later, say, speaking


def render_correction(kind: str, tongue: str) -> str:
    """The truth about an act of this kind that has not happened."""
    with speaking(tongue):
        return say(_SAID[kind])


_SAID = later(
    {
        "reminder": "To be honest: no reminder is set yet. Write “remind me …” with what and when, and it is.",
        "list": "To be honest: nothing has changed on your lists. Write “put … on the list”, and it does.",
        "forget": "To be honest: nothing has been erased. `/forget` with what it is about shows what would go.",
        "quiet": "To be honest: no quiet is set yet. With `/quiet` and until when, I write nothing unasked.",
    }
)
