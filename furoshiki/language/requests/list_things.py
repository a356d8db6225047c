"""Find the items a user names for a list, in nine languages: splitting, needs ("we need milk"),
and "them" for items just named. The words are `config/words`, "lists"."""

import re
from collections.abc import Sequence

from furoshiki.language.word_tables import pattern, texts
from furoshiki.language.words import count_words

LONGEST = 400
"""Longest sentence, in characters, that is read for a list request."""

MOST_NEEDED = 3
"""Most words of a needed item; a longer phrase tells something."""

_ONE = re.compile(r"(?:an?|eine?[nmrs]?|un[ae]?|uma?|bir)\s|一[个位]", re.IGNORECASE)
"""A single item with an article is rarely bought ("a lawyer", "a plan")."""

PARTS = {"items": r"(?P<items>(?:[^\n?.!]|[.!](?!\s)){1,200}?)"}

_AND = re.compile(r"\s*(?:[,;、]|和|\s(?:and|und|sowie|y|e|и|ve|et|ed)\s)\s*", re.IGNORECASE)
_ARTICLE = re.compile(
    r"^(?:(?:ein(?:e[nms]?)?|etwas|noch|die|den|das|el|la|los|las|un|une|una|du|de la|de l'|des|de|di|le|les"
    r"|l'|il|lo|gli|i|o|a|os|as)\s|(?:de l|l|d)'|(?:some|the|an)\s)",
    re.IGNORECASE,
)


def find_needed(plain: str) -> tuple[str, ...]:
    """Return the items a user needs, if several or without article: "we need milk and eggs"."""
    text = plain.strip(" .!?¿¡,。！？\u2026").replace("\u2019", "'")
    for needs, no_goods in _NEEDS:
        match = needs.fullmatch(text[:LONGEST])
        if match is None or (_ONE.match(match["items"]) and len(split(match["items"])) < 2):
            continue
        items = split(match["items"])
        if max(map(count_words, items), default=0) <= MOST_NEEDED and not any(map(no_goods.search, items)):
            return items
    return ()


def stands_for_named(items: tuple[str, ...]) -> bool:
    """Return whether the only item is a pronoun for items just named: "them"."""
    return len(items) == 1 and _THEM.fullmatch(items[0]) is not None


def split(items: str) -> tuple[str, ...]:
    """Split "Milch, Eier und etwas Brot" into three items, in any of the languages."""
    parts = (_ARTICLE.sub("", part.strip(" .!\"'«»„“”")) for part in _AND.split(items))
    return set_apart([part for part in parts if part])


def set_apart(items: Sequence[str]) -> tuple[str, ...]:
    """Split items of everyday goods that stand side by side: "milk eggs", and no "olive oil"."""
    found: list[str] = []
    for item in items:
        goods = next((each for several, each in _GOODS if several.fullmatch(item)), None)
        found += [item] if goods is None else goods.findall(item)
    return tuple(found)


_GOODS: list[tuple[re.Pattern[str], re.Pattern[str]]] = []
for _said in texts("lists", "goods").values():
    _each = "|".join(_said.split())
    _between = r"\s?" if _each[-1] >= "\u4e00" else r"\s"
    _several = re.compile(rf"(?:(?:{_each})(?:{_between}|$)){{2,8}}", re.IGNORECASE)
    _GOODS.append((_several, re.compile(rf"(?:{_each})(?={_between}|$)", re.IGNORECASE)))
_NO_GOODS = texts("lists", "no_goods")
_NEEDS: list[tuple[re.Pattern[str], re.Pattern[str]]] = []
for _tongue, _needs in texts("lists", "need").items():
    for _ways in _needs:
        _no_goods = re.compile(rf"\b{_NO_GOODS[_tongue]}", re.IGNORECASE)
        _NEEDS.append((re.compile(f"^(?:{pattern(_ways, PARTS)})", re.IGNORECASE), _no_goods))
_THEM = re.compile("|".join(texts("lists", "them").values()), re.IGNORECASE)
