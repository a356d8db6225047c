"""A mail draft shown to its owner, who sends exactly that by tapping "Send", and the reply."""

from collections.abc import Mapping
from typing import Any

from furoshiki.core.catalogue import later, say
from furoshiki.core.framing import visible
from furoshiki.extensions.plugins.rules import mail

FORM = "mail"  # the form of such a proposal: typing "yes" does not send it

ASKS = later("This is only sent if you tap “Send”.")
BUTTONS = later(("Send", "Don't send"))
LEFT = later("It was not sent.")

LONGEST_SHOWN = 3200  # maximum characters of a draft with address and subject

WAITS = (
    "Not sent. Below your answer stands the whole draft, with a button that sends exactly that. "
    "Say in a sentence that it is there to be looked at and sent with the button; do not repeat "
    "it, and do not say that it is sent."
)
NOT_HERE = "Not done: a draft is shown beneath an answer to them. Tell them to ask you for it in the conversation."


def render(args: Mapping[str, Any]) -> str:
    """Return the draft as shown before sending: recipient, subject and unchanged text."""
    head = later("Reply to {to}") if "answers" in args else later("Mail to {to}")
    lines = say(head, to=args["to"]), say("Subject: {subject}", subject=args["subject"]), "", args["text"]
    return visible("\n".join(map(str, lines)))


def describe_outcome(ok: bool, why: str, args: Mapping[str, Any]) -> str:
    """Describe the result of sending, without a server's or plugin's words."""
    if ok:
        return say("Sent to {to}.", to=args["to"])
    return say(why if why in mail.REASONS else mail.UNKNOWN)
