"""Find the items a user names for a list, in nine languages: splitting, needs ("we need milk"),
and "them" for items just named. The words are `config/words`, "lists"."""

import re
from collections.abc import Sequence

from furoshiki.language.detection import Language
from furoshiki.language.requests import reminder_words
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.word_tables import pattern, texts
from furoshiki.language.words import asks, bare, count_words

LONGEST = 400  # longest sentence, in characters, that is read for a list request
MOST_NEEDED = 3  # most words of a needed item; a longer phrase tells something

# least things that are offered for a list when they are only named, at least half of them everyday
# goods
LEAST_GOODS = 3

MOST_TO_DO = 5  # most words of a thing to do that "it" may mean: "get present for Leo"

# last letters of Turkish words that change before an ending: "ekmek", "ekmeği"
_SOFTENED = {"k": "ğg", "ç": "c", "t": "d", "p": "b"}

_DEEDS = frozenset({"get", "make", "take", "go", "call", "see", "read", "do"})
_WANTED = re.compile(
    r"(?:i|we)(?:'d| would| really| still)* (?:want|need|have|like|ought) to (?P<what>.{2,60})", re.IGNORECASE
)
# a single item with an article is rarely bought ("a lawyer", "a plan")
_ONE = re.compile(r"(?:an?|eine?[nmrs]?|un[ae]?|uma?|bir)\s|一[个位]", re.IGNORECASE)

PARTS = {"items": r"(?P<items>(?:[^\n?.!]|[.!](?!\s)){1,200}?)"}

_AND = re.compile(
    r"\s*(?:[,;、，；]|和|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|\s(?:and|und|sowie|y|e|и|ve|et|puis|pis|ed|des)\s)\s*",
    re.IGNORECASE,
)
_BEFORE = (
    r"(?:(?:(?:ein(?:e[nms]?)?|etwas|noch|die|den|das|del|el|la|los|las|une?|una|uma?|du|de la|de l'|des"
    r"|de|di|dell[aeo]|dei|d[ao]s?|le|les|l'|il|lo|gli|i|o|a|os|as)\s){1,3}|(?:de l|l|d)'"
    r"|(?:some|the|an)\s|一[个点些](?=\w))?"
)
_BUY = re.compile(
    r"^(?:please )?(?:buy|get|grab|fetch|compra|comprar|achète|acheter|comprare|купи(?:ть)?)\s|\s(?:kaufen|al)$|^买",
    re.I,
)
_COLON = re.compile(r"\s?[:：]\s?")
_ARTICLE = re.compile(f"^{_BEFORE}", re.IGNORECASE)


def find_needed(plain: str) -> tuple[str, ...]:
    """Return the items a user needs, if several or without article: "we need milk and eggs"."""
    text = plain.strip(" .!?¿¡,。！？\u2026").replace("\u2019", "'")[:LONGEST]
    noted = reminder_words.parse_request(" ".join(text.split()))
    if noted is not None and noted.kind == "note":
        text = noted.rest
    apart = _COLON.sub(" ", text, count=1)  # "i have to buy: soap, pasta"
    for needs, no_goods in _NEEDS:
        match = needs.fullmatch(apart) or needs.fullmatch(text)
        if match is None or (_ONE.match(match["items"]) and len(split(match["items"])) < 2):
            continue
        items = split(match["items"])
        if max(map(count_words, items), default=0) <= MOST_NEEDED and not any(map(no_goods.search, items)):
            return items
    bought = _BUY.sub("", text)
    items = split(bought)
    least = LEAST_GOODS
    if noted is not None and bought != text:
        least = 1
    if len(items) < least or max(map(count_words, items)) > MOST_NEEDED:
        return ()
    if least == 1:
        return items
    goods = list(filter(re.compile("|".join(_EACH_GOOD), re.IGNORECASE).fullmatch, items))
    return items * (len(goods) * 2 >= len(items))


def stands_for_named(items: tuple[str, ...]) -> bool:
    """Return whether the only item is a pronoun for items just named: "them"."""
    return len(items) == 1 and _THEM.fullmatch(items[0]) is not None


def find_wanted(own: str) -> tuple[str, ...]:
    """Return what somebody wants to do, for "it": "i want to read dune" is "read dune"."""
    wanted = _WANTED.fullmatch(own.strip(" .!"))
    if wanted is None:
        return ()
    return (wanted["what"],)


def find_thing(own: str) -> tuple[str, ...]:
    """Return the few words that "it" may mean: "get present for Leo"; none of a message without
    words, such as a picture or a thumb."""
    thing = own.strip(" .!-–•*")
    if not any(map(str.isalnum, thing)) or count_words(thing) > MOST_TO_DO:
        return ()
    return () if thing.split()[0].lower() in COMMON - _DEEDS else (thing,)


def split(items: str) -> tuple[str, ...]:
    """Split "Milch, Eier und etwas Brot" into three items, in any of the languages."""
    parts = (_ARTICLE.sub("", part.strip(" .!\"'«»„“”-–•*")) for part in _AND.split(items))
    return set_apart([part for part in parts if part])


def set_apart(items: Sequence[str]) -> tuple[str, ...]:
    """Split items of everyday goods that stand side by side: "milk eggs", and no "olive oil"."""
    found: list[str] = []
    for item in items:
        goods = next((each for several, each in _GOODS if several.fullmatch(item)), None)
        found += [item] if goods is None else goods.findall(item)
    return tuple(found)


def is_accusative(word: str, title: str) -> bool:
    """Return whether a word is a Turkish accusative of an item: "sütü" of "süt", "ekmeği" of "ekmek"."""
    soft = _SOFTENED.get(title[-1:].lower(), "")
    stems = rf"(?:{re.escape(title.lower())}[yns]?|{re.escape(title[:-1].lower())}[{soft}{title[-1:].lower()}])"
    return re.fullmatch(rf"{stems}[ıiuü]", word.lower()) is not None


def find_more(plain: str, language: Language | None) -> tuple[str, ...]:
    """Return the items a message adds to a list just spoken of ("and bread too"): of a few words, none a small word of
    its `language` (None: English)."""
    text = plain.strip(" .!。！")[:LONGEST]
    if asks(plain):
        return ()
    small = language.small if language else COMMON
    for ways in _MORE[language.code if language else "en"]:
        match = ways.fullmatch(text)
        if match is None:
            continue
        items = split(match["items"])
        fits = small.isdisjoint(" ".join(items).lower().split())
        return items if fits and max(map(count_words, items), default=0) <= MOST_NEEDED else ()
    return ()


def normalize_name(name: str | None) -> str | None:
    """Return the name under which a list is known, from what it is called in any language."""
    said = (name or "").strip(" -").lower()
    return _NAMES.get(bare(said), said) or None


_NAMES = {name: key for key in ("shopping", "todo") for said in texts("lists", key).values() for name in said.split()}
_EACH_GOOD: list[str] = []
_GOODS: list[tuple[re.Pattern[str], re.Pattern[str]]] = []
for _said in texts("lists", "goods").values():
    _each = "|".join(_said.split())
    _EACH_GOOD.append(_each)
    _between = r"\s?" if _each[-1] >= "\u4e00" else r"\s"
    _several = re.compile(rf"(?:(?:{_each})(?:{_between}|$)){{2,8}}", re.IGNORECASE)
    _GOODS.append((_several, re.compile(rf"(?:{_each})(?={_between}|$)", re.IGNORECASE)))
_NO_GOODS = texts("lists", "no_goods")
_NEEDS: list[tuple[re.Pattern[str], re.Pattern[str]]] = []
for (_tongue, _needs), _each in zip(texts("lists", "need").items(), _EACH_GOOD, strict=True):
    _no_goods = re.compile(rf"\b{_NO_GOODS[_tongue]}", re.IGNORECASE)
    _parts = {**PARTS, "goods": rf"(?P<items>{_BEFORE}(?:{_each})(?![^\W\u4e00-\u9fff])[^\n?.!]{{0,80}}?)"}
    for _ways in _needs:
        _NEEDS.append((re.compile(f"^(?:{pattern(_ways, _parts)})", re.IGNORECASE), _no_goods))
_THEM = re.compile("|".join(texts("lists", "them").values()), re.IGNORECASE)
_MORE: dict[str, list[re.Pattern[str]]] = {}
for _tongue, _ways_on in texts("lists", "more").items():
    _MORE[_tongue] = []
    for _ways in _ways_on:
        _more = pattern(_ways, {"items": r"(?P<items>[^\n?.!]{1,60}?)"})
        _MORE[_tongue].append(re.compile(_more, re.IGNORECASE))
