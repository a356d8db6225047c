"""How lists are called: "my Shopping list" is `shopping`, "work" is `user_work`, and back again for people."""

import re

from furoshiki.core.catalogue import later, say
from furoshiki.language.stems import get_opening
from furoshiki.language.words import snake

TODO = "todo"
"""The list of what is to be done that was put on no other."""

OWN = "user_"
"""What the names of lists about a side of the owner's life begin with."""

_ALIASES = {
    "work": "user_work", "job": "user_work", "office": "user_work",
    "home": "user_home", "house": "user_home", "household": "user_home",
    "to_do": TODO, "to_dos": TODO, "todos": TODO, "task": TODO, "tasks": TODO, "to_do_s": TODO,
    "grocery": "shopping", "groceries": "shopping",
}  # fmt: skip


def list_id(name: str) -> str:
    """The name under which a list is kept, from what people call it: "my Shopping list" → "shopping"."""
    plain = snake(re.sub(r"\b(?:my|the|our|list)\b", " ", name.casefold())) or "shopping"
    return _ALIASES.get(plain, plain)


def list_words(kept: str) -> frozenset[str]:
    """The words that distinguish a list from others: "movies_to_watch" is the "movie" list."""
    bare = re.sub(r"_to_[a-z]+$", "", kept.removeprefix(OWN))
    return frozenset(get_opening(word) for word in bare.split("_"))


def list_name(kept: str) -> str:
    """What people call a list, from the name under which it is kept: "user_work" → "work"."""
    return "to-do" if kept == TODO else kept.removeprefix(OWN).replace("_", " ").strip()


def list_said(kept: str) -> str:
    """The same in the language that is spoken: a list that somebody named themselves keeps its name."""
    name = list_name(kept)
    return say(name) if name in _SAID else name


_SAID = {later("shopping"), later("to-do"), later("work"), later("home"), later("reminders")}
