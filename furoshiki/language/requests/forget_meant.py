"""Whether what is to be forgotten is something the companion can hold of somebody: only then is "forget X" an order.

"Forget my PIN" and "what I said about Ruth" are; "forget the rain, we're going anyway" and "about Ruth for a second"
are ways of talking. In doubt it is one.
"""

from __future__ import annotations

import re

_FIRST_PERSON = (
    r"(?:i|i'(?:m|ve|d|ll)|my|our|we|us|me|ich|mein\w*|unser\w*|wir|mir|mi|mis|nuestr\w+|yo|te|mon|ma|mes|notre|nos|je|j'"
    r"|meu|minha|meus|minhas|nosso|eu|io|mio|mia|miei|mie|ti|mijn|ons|onze|ik|mój|moja|moje|mnie|мой|моя|мо[её]|мои|моего"
    r"|моей|моих|моему|мою|наш\w*|я|мне|ben|benim|\w+[ıiuü]m(?:[ıiuü]n?|[ıiuü]z[ıi])?|\w+(?:'\w*)?[ıi]m[ıi])"
)
_OWNED = re.compile(rf"\b{_FIRST_PERSON}\b", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:about )?(?:(?:the|that|this) (?:thing|story|bit|part|conversation|matter|message|talk)s? (?:with|about"
    r"|of) .{2,60}"
    r"|[A-Z\u00c0-\u00de][\w'-]+(?: [A-Z\u00c0-\u00de][\w'-]+){0,2})"
)
"""A name, or the matter with somebody."""

_FOR_NOW = re.compile(
    r"\bfor (?:a|one|the) (?:sec\w*|moment|minute|while|bit|day|night|evening|time being)\b|\bfor (?:now|once"
    r"|tonight|today)\b"
    r"|\btonight$|\b(?:mal )?kurz\b|\b(?:einen|für einen) (?:moment|augenblick)\b|\b(?:un|por un) (?:momento"
    r"|rato|segundo)\b"
    r"|\bна (?:минут\w*|секунд\w*|время)\b|\bпока\b|\bbir (?:dakika\w*|an(?:lığına)?|saniye\w*)\b"
    r"|\bun instant\b|\bum pouco\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    rf"[,;:\u2014\u2013](?!(?:{_FIRST_PERSON}|that|what|where|who|which|dass|was|wo|wie|wer|[A-Z]|что|где|как|que)\b)"
    rf"|\s(?:and|but|so|und|aber|sondern|y|pero|и|а|но|ve|ama|da|et|mais|e|ma)\s"
    rf"(?!(?:{_FIRST_PERSON}|that|what|where|who|about|everything|all|dass|was|que|что)\b|[A-Z\u00c0-\u00de\u0410-\u042f])",
)
"""More than what is to be forgotten: a sentence goes on."""

_TOLD_BY_OTHERS = re.compile(r"^(?:what|that) (?:he|she|they|it|you)\b(?!.*\b(?:know|about me)\b)", re.IGNORECASE)
_SELF = re.compile(r"^(?:about )?(?:me|i|us|ich|mich|yo|je|я|ben)\s+\w+ing\b|^being\b", re.IGNORECASE)


def goes_on(words: str) -> bool:
    """Whether more is said than what is to be forgotten, or it is meant for a while only: then it is talk."""
    return _FOR_NOW.search(words) is not None or _MORE.search(words) is not None


def held_of(words: str, *, names: bool) -> bool:
    """Whether such words name what can be held of somebody; `names` whether a name alone does."""
    if goes_on(words) or _TOLD_BY_OTHERS.search(words) or _SELF.search(words):
        return False
    return _OWNED.search(words) is not None or (names and _NAMED.fullmatch(words) is not None)
