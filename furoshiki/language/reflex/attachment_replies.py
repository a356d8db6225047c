"""Replies to messages that are only an attachment: its outcome, without overstating it. Notes
are in brackets as `furoshiki.memory.perception.attachments` writes them; others are a few words
("a poll")."""

import re
from collections.abc import Mapping

from furoshiki.core.catalogue import later, say
from furoshiki.language.reflex.wording import Wording

_LINES: Mapping[str, tuple[str, ...]] = later(
    {
        "a photo that could not": ("I couldn't get your photo: {why}. Send it again, and I'll try once more.",),
        "a voice message that could not": ("I couldn't understand your voice message: {why}. Could you type it?",),
        "a document that could not": ("I couldn't read {file}: {why}. Send it again, or paste what matters.",),
        "a photo": (
            "A photo! I can't see pictures without a language model, only note that you sent one. What is on it?",
            "I've noted that you sent me a photo. Without a language model I can't see it; "
            "tell me about it, if you like.",
        ),
        "a video": ("I can't watch videos; I've noted that you sent me one. What happens in it?",),
        "a voice message": (
            "I can't listen to voice messages yet, sorry. Could you type it? /voice explains how I can learn it.",
        ),
        "a sticker": ("I see it, and I know how you mean it.", "That one says it without words."),
        "threw": ("{value}! Luck, or skill?", "{value}. Again?"),
        "a document,": ("I can't read {file}. I can read text, PDF, Word, tables and books, and keep what they say.",),
        "the document": ("I've saved what's in {file}, word for word. Just ask me whenever you need it.",),
        "a location": ("Noted, where that is.", "I've noted the place."),
        "a place": ("Noted, where that is.", "I've noted the place."),
        "a contact": ("I've kept the name and number you sent.",),
        "a poll": ("I've kept the poll, with its answers.",),
        "what you pasted": ("I've kept what you pasted, word for word.",),
        "something": ("I've saved it word for word, as somebody else's words.",),
    }
)
"""Replies by the beginning of the note; the first match counts."""

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
