"""The draft of a mail, as its owner reads it before a tap on "Send" sends exactly that, and what is said then."""

from collections.abc import Mapping
from typing import Any

from furoshiki.core.catalogue import later, say
from furoshiki.core.visible import visible
from furoshiki.extensions.plugins.rules import mail

FORM = "mail"
"""What a proposal of one is called: no typed "yes" sends it."""

ASKS = later("This is sent only if you tap on “Send”.")
BUTTONS = later(("Send", "Don't send"))
LEFT = later("It was not sent.")

LONGEST_SHOWN = 3200
"""Characters of a draft with its address and subject."""

WAITS = (
    "Not sent. Below your answer stands the whole draft, with a button that sends exactly that. Say in a sentence that "
    "it is there to be looked at and sent with the button; do not repeat it, and do not say that it is sent."
)
NOT_HERE = "Not done: a draft is shown beneath an answer to them. Tell them to ask you for it in the conversation."


def render(args: Mapping[str, Any]) -> str:
    """All that would be sent, as it is read before: to whom, the subject, and the text as it is."""
    head = later("Answer to {to}") if "answers" in args else later("Mail to {to}")
    lines = say(head, to=args["to"]), say("Subject: {subject}", subject=args["subject"]), "", args["text"]
    return visible("\n".join(map(str, lines)))


def find_fault(args: Mapping[str, Any]) -> str | None:
    """What keeps it from being a mail; None when nothing does."""
    return mail.find_fault(args)


def describe_outcome(ok: bool, why: str, args: Mapping[str, Any]) -> str:
    """What came of the tap, in our own words: nothing that a server or a plugin said."""
    if ok:
        return say("It is sent to {to}.", to=args["to"])
    return say(why if why in mail.REASONS else mail.UNKNOWN)
