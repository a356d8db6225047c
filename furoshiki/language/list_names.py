"""Names of lists: "my Shopping list" is stored as `shopping`, "work" as `user_work`; and back."""

import re

from furoshiki.core.catalogue import later, say
from furoshiki.language.words import get_opening, snake

TODO = "todo"  # the list for tasks that were put on no other list
OWN = "user_"  # prefix of the names of lists about an area of the owner's life

_ALIASES = {
    "work": "user_work", "job": "user_work", "office": "user_work",
    "home": "user_home", "house": "user_home", "household": "user_home",
    "to_do": TODO, "to_dos": TODO, "todos": TODO, "task": TODO, "tasks": TODO, "to_do_s": TODO,
    "grocery": "shopping", "groceries": "shopping",
}  # fmt: skip


def list_id(name: str) -> str:
    """Return the stored name of a list from its spoken name: "my Shopping list" → "shopping"."""
    plain = snake(re.sub(r"\b(?:my|the|our|list)\b", " ", name.casefold())) or "shopping"
    return _ALIASES.get(plain, plain)


def list_words(stored: str) -> frozenset[str]:
    """Return the word stems that identify a list: "movies_to_watch" is the "movie" list."""
    bare = re.sub(r"_to_[a-z]+$", "", stored.removeprefix(OWN))
    return frozenset(get_opening(word) for word in bare.split("_"))


def list_name(stored: str) -> str:
    """Return what people call a list, from its stored name: "user_work" → "work"."""
    return "to-do" if stored == TODO else stored.removeprefix(OWN).replace("_", " ").strip()


def list_said(stored: str) -> str:
    """Return the list's name in the current language; names given by the user stay as they are."""
    name = list_name(stored)
    return say(name) if name in _SAID else name


_SAID = {later("shopping"), later("to-do"), later("work"), later("home"), later("reminders")}
