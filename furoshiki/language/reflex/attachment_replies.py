"""Replies to messages that are only an attachment: its outcome, without overstating it. Notes
are in brackets as `furoshiki.memory.perception.attachments` writes them; others are a few words
("a poll")."""

import re

from furoshiki.core.catalogue import later, say
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.requests.lines import read_lines

_LINES = read_lines("attachments")  # replies by the beginning of the note; the first match counts

_ELSE = later(("I don't understand this kind of message yet; I've noted that you sent it.",))

_FAILED = re.compile(
    r"^(?P<what>a (?:photo|document|voice message))(?P<name>[^:]{0,120}?) that could not (?P<rest>.*)$"
)
_NAME = re.compile(r"^(?:a|the) document,? (?P<name>[^;\n]{1,120})")


def answer(note: str, wording: Wording) -> str:
    """Reply to a message that contained this attachment and no words."""
    ways, about = lines(note)
    return wording.one(ways, **about)


def lines(note: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the matching replies, and the values to fill in."""
    words = note.strip().removeprefix("[").removesuffix("]").strip()
    about = {"file": say("that document"), "why": say("it did not arrive"), "value": words.rpartition(":")[2].strip()}
    failed = _FAILED.match(words)
    if failed is not None:
        about["why"] = failed["rest"].partition(": ")[2].rstrip(".") or about["why"]
        about["file"] = failed["name"].strip(" ,") or about["file"]
        return _LINES.get(f"{failed['what']} that could not", _ELSE), about
    named = _NAME.match(words)
    if named is not None:
        about["file"] = named["name"].strip()
    return next((said for begin, said in _LINES.items() if words.startswith(begin)), _ELSE), about
