"""How they like the companion to do things ("recipes as bullet points", "after bad news listen first"), in their words.

Known at the message that says so, by what it means, or from the reading of a conversation; shown in every session.
"""

from furoshiki.language.lexicon import Lexicon
from furoshiki.language.meant import is_meant
from furoshiki.language.signal_head import LONGEST
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.values import Note
from furoshiki.owner.user_model.rules import style_wishes
from furoshiki.owner.user_model.store.ways import TYPE


def parse_way(percept: Percept, lexicon: Lexicon) -> Note | None:
    """The way that a message says, as it is kept; None where it says none, or nothing but a wish for style in general,
    which has its own place."""
    own = percept.own_text.strip()
    if percept.led_by_others or len(own) > LONGEST or not is_meant(percept.meant, "manner"):
        return None
    return None if style_wishes.find_wishes(own, lexicon) else Note(own, TYPE)
