"""Short, warm replies to feelings. Distress was answered before (`care`)."""

from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording, join_sentences
from furoshiki.language.requests import lines

_HEARD, _STAY = map(lines.read_lines, ("heard_feeling", "stay"))
# displeasure, what is addressed to it, whose feeling it is, and a sore body: an aching knee is not
# grief
_PATTERNS = lines.TABLES["heard_feelings"]

_TONE = 0.3
# "not much, just got home" is news; only clear disengagement counts
_TURNED_AWAY = 0.85
_SHORTLY = 4  # most words of a message that only wants to be left alone


def hold_back(heard: Heard, wording: Wording) -> Reflex | None:
    """Acknowledge a message to be forgotten, without saying that it is stored."""
    return Reflex(wording.one(lines.REPLIES["in_confidence"])) if heard.asks_to_forget and not heard.asks else None


def complain(heard: Heard, wording: Wording) -> Reflex | None:
    """React to displeasure with the last reply."""
    unhappy = heard.situation.nlp.explicit_feedback == "negative" and not heard.says(_PATTERNS["of_things"])
    if not unhappy and not heard.says(_PATTERNS["displeased"]):
        return None
    if not wording.replies or heard.facts or len(heard.plain.split()) > 14:
        return None
    return Reflex(wording.one(lines.REPLIES["at_us"]))


def feel(heard: Heard, wording: Wording) -> Reflex | None:
    """Reply warmly to the strongest feeling in the message, leaving room to continue."""
    if heard.says(_PATTERNS["body"]) and not heard.asks:
        return Reflex(wording.one(lines.REPLIES["aches"]))
    felt, strengths = heard.situation.strongest_feeling, heard.situation.felt
    if felt is None or felt not in _HEARD or strengths[felt] < 0.5 or heard.asks:
        return None
    if felt in ("warmth", "praise") and heard.says(_PATTERNS["of_others"]) and not heard.says(_PATTERNS["of_us"]):
        return None  # "he's so cute" is not about the companion
    if (
        felt == "disengagement"
        and not heard.is_only(_PATTERNS["waved_off"])
        and (strengths[felt] < _TURNED_AWAY or len(heard.plain.split()) > _SHORTLY)
    ):
        return None  # "idk what to do with my life" turns to somebody
    stay = wording.unused(_STAY[felt]) if _STAY[felt] and wording.may_ask else None
    return Reflex(join_sentences(wording.one(_HEARD[felt]), stay))


def heavy(wording: Wording) -> bool:
    """Return whether sadness or worry was answered recently."""
    lines = [line.replace("{name}", "") for felt in ("sadness", "worry") for line in _HEARD[felt]]
    return any(line.split(".")[0] in reply for line in lines for reply in wording.replies[-3:])


def tone(heard: Heard, wording: Wording) -> str | None:
    """Return a word of feeling to open a reply about something else, where it would seem cold."""
    felt, strengths = heard.situation.strongest_feeling, heard.situation.felt
    if felt in ("sadness", "worry", "relief") and strengths[felt] >= _TONE:
        return wording.one(_HEARD[felt])
    return None
