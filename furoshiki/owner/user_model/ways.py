"""The user's instructions for how the companion does things ("recipes as bullet points", "after bad
news listen first"), in their own words.

They are detected in a message by its meaning, or read from a conversation; shown in every session.
"""

from furoshiki.language.lexicon import Lexicon
from furoshiki.language.meant import is_meant
from furoshiki.language.signal_head import LONGEST
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.values import Note
from furoshiki.owner.user_model.rules import style_wishes
from furoshiki.owner.user_model.store.ways import TYPE


def parse_way(percept: Percept, lexicon: Lexicon) -> Note | None:
    """Return a message's instruction as a note; None if it has none, or only a general style wish,
    which is stored separately."""
    own = percept.own_text.strip()
    if percept.led_by_others or len(own) > LONGEST or not is_meant(percept.meant, "manner"):
        return None
    return None if style_wishes.find_wishes(own, lexicon) else Note(own, TYPE)
