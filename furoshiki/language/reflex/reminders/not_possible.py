"""Requests that cannot be fulfilled: say so in one sentence, with an alternative."""

from furoshiki.core.catalogue import later, say
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import open_questions
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import flip_person
from furoshiki.language.requests.impossible import find_impossible
from furoshiki.language.requests.lines import read_lines
from furoshiki.language.requests.values import Remind

# actions the user can be reminded of, with the replies
CALLED = later(
    {
        "mail": "I can't send emails from here",
        "message": "I can't write to other people from here",
        "taxi": "I can't call or book a ride from here",
        "call": "I can't make phone calls from here",
        "book": "I can't book anything from here",
        "pay": "I can't move money from here",
        "home": "I can't switch anything in your home from here",
    }
)

_INSTEAD = read_lines("instead")


def decline(heard: Heard) -> Reflex | None:
    """Say that a request is impossible, and what is possible instead."""
    found = find_impossible(" ".join(heard.text.split()))
    if found is None:
        return None
    if found.kind in CALLED:
        offer = later("{cannot}, but I can remind you of it: when should I remind you to {what}?")
        return Reflex(say(offer, cannot=say(CALLED[found.kind]), what=flip_person(found.wanted)))
    if found.kind == "order":
        return Reflex(say(open_questions.WRITE_DOWN, items=found.thing))
    return Reflex(say(_INSTEAD[found.kind][0]))


def reminder(text: str) -> Remind | None:
    """Return a reminder of an impossible request that users can do themselves."""
    found = find_impossible(" ".join(text.split()))
    return Remind(found.wanted, None) if found is not None and found.kind in CALLED else None
