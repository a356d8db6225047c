"""Being asked to speak otherwise: agreed to at once where rules can keep to it, and honestly put off where not."""

from __future__ import annotations

from furoshiki.language.humanize import listed
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.tables.wish_names import LANGUAGES

_LONGEST = 14
"""Words of a message that says little besides the wish."""

_AGREED = {
    "brief": ("Short, then.", "All right, short."),
    "no_questions": ("No more questions, then.", "All right. I'll let you tell me what you want to tell."),
    "no_emoji": ("No emoji, then.", "All right, words only."),
    "no_jokes": ("No jokes, then.", "All right, no jokes."),
}
_LATER = (
    "I'll keep that in mind. Without a language model there is little I can do about it; with one I'll keep to it.",
    "Noted{name}. Rules alone can't do that, but I'll keep to it as soon as a language model answers for me.",
)
_NO_LANGUAGES = (
    "Without a language model I answer in the language that I am written to, if it is one of my nine. With one I'll "
    "write in {languages}."
)


def agree(heard: Heard, wording: Wording) -> Reflex | None:
    """A word on what was asked for in how to be spoken to, when it is most of what was said."""
    wished = heard.situation.wished
    if not wished or heard.facts or len(heard.plain.split()) > _LONGEST:
        return None
    languages = [name.capitalize() for name in wished if name in LANGUAGES and name != "english"]
    if languages:
        return Reflex(_NO_LANGUAGES.format(languages=listed(languages)))
    kept = [name for name in wished if name in _AGREED]
    return Reflex(" ".join(wording.one(_AGREED[name]) for name in kept) or wording.one(_LATER))
