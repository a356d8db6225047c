"""Wishes for plugins: extraction from a message, comparison with earlier ones, and naming."""

import re
import unicodedata

from furoshiki.extensions.plugins.rules import names
from furoshiki.language import questions
from furoshiki.language.word_tables import texts
from furoshiki.language.words import word_set

SHORTEST, LONGEST = 12, 500  # minimum and maximum length of a wish, in characters

LONGEST_NAME = 28

_ASKING = re.compile(texts("plugin_wishes", "asking")["en"], re.IGNORECASE)
# verbs of what a program can do; "learn to trust me" is no such wish
_DOING = re.compile(
    r"(?:tell|show|say|give|warn|let me know|look up|check|watch|fetch|get|find|read|count|work out|calculate|convert"
    r"|translate|roll|draw|play|keep track of|track|remind|collect|follow|search|export|download|sum up)s?\b",
    re.IGNORECASE,
)

_FILLING = word_set("""
a an the to of in on at for from with by about and or my me i you your us our tell give show say
find get let know which what when how that this it is are be can every each
""")


def plainly(said: str) -> str:
    """Return a wish in one line, without the request around it."""
    text = " ".join(said.split())
    match = _ASKING.match(text)
    bare = text[match.end() :] if match is not None else text
    return (bare or text).rstrip(" ?!.")


def find_wish(said: str) -> str | None:
    """Return the plugin wish that makes up a whole message, or None."""
    text = " ".join(said.split())
    if _ASKING.match(text) is None or not _DOING.match(wish := plainly(text)):
        return None
    return wish if SHORTEST <= len(wish) <= LONGEST and not re.search(r"[.!?]\s", wish) else None


def same(first: str, second: str) -> bool:
    """Return whether two wishes are for the same thing."""
    a, b = plainly(first), plainly(second)
    return a.casefold() == b.casefold() or questions.same_matter(questions.stem(a), questions.stem(b))


def name(wish: str, job_id: int, taken: frozenset[str] = frozenset()) -> str:
    """Return a plugin name for a wish: its first content words, or the wish's number."""
    bare = unicodedata.normalize("NFKD", wish).encode("ascii", "ignore").decode().lower()
    words = [word for word in re.findall(r"[a-z0-9]+", bare) if word not in _FILLING and not word[0].isdigit()]
    found = "-".join(words[:3])[:LONGEST_NAME].strip("-")
    if names.PLUGIN.fullmatch(found) is None or len(found) < 3:
        found = f"wish-{job_id}"
    return found if found not in taken else f"{found[: LONGEST_NAME - 4]}-{job_id}"
