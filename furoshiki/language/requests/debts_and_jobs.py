"""Questions about debts and jobs, answered in other words: who owes what, where somebody worked (`config/words`)."""

import re
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import NamedTuple

from furoshiki.language.testimony import Utterance
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import RUN

LONGEST = 160  # characters of a message that are searched

# a number with its unit: "40 quid", "50块"
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)?\s?[^\W\d_]{0,12}")

_ESCAPE = re.compile(r"\\[a-zA-Z]")
_NUMBER = re.compile(r"\d+")


class Matter(NamedTuple):
    """What asks for a matter, what tells of it, and what ends it."""

    asks: re.Pattern[str]
    tells: re.Pattern[str]
    over: re.Pattern[str]


_MATTERS = {
    code: [Matter(*(re.compile(row.get(key, "(?!)")) for key in Matter._fields)) for row in table.values()]
    for code, table in by_language("debts_and_jobs").items()
}


def find_matter(text: str, code: str) -> Matter | None:
    """Return the matter that a question asks for ("who owes me money?"), if known."""
    return next((matter for matter in _MATTERS.get(code, ()) if matter.asks.search(_small(text))), None)


def find_open(
    matter: Matter, asked: str, messages: Iterable[Utterance], words: Callable[[str], frozenset[str]]
) -> list[Utterance]:
    """Return the statements that tell of a matter and still hold, newest first; of a matter that is over what ended it.
    `words` are the content words of a text: "paid Meera back" ends what names Meera, and a question that names her
    asks for that alone."""
    ways = _ESCAPE.sub(" ", " ".join(pattern.pattern for pattern in matter))
    usual = frozenset[str]().union(*map(words, RUN.findall(ways)))

    def names(text: str) -> frozenset[str]:
        return words(_AMOUNT.sub(" ", _small(text))) - usual

    waiting: list[Utterance] = []
    paid: list[tuple[Utterance, frozenset[str]]] = []
    for message in sorted(messages, key=attrgetter("at", "id")):
        small, named = _small(message.own), names(message.own)
        ended = [debt for debt in waiting if names(debt.own) & named] if named else waiting[-1:]
        amounts = _NUMBER.findall(" ".join(debt.own for debt in ended))
        if not matter.over.search(small):
            waiting += [message] * (matter.tells.search(small) is not None)
        elif ended and (len(amounts) > 1 or not set(amounts).issuperset(_NUMBER.findall(small))):
            waiting.append(message)  # "paid 10 of it back"
        elif ended:
            waiting = [debt for debt in waiting if debt not in ended]
            paid.append((message, named.intersection(*(names(debt.own) for debt in ended))))
    named = names(matter.asks.sub(" ", _small(asked)))
    about = [debt for debt in waiting if names(debt.own) & named]
    over = [message for message, of in paid if of & named] or [message for message, _ in paid if not waiting]
    return about[::-1] or over[-1:] or waiting[::-1]


def _small(text: str) -> str:
    return text[:LONGEST].casefold().replace("\u2019", "'")
