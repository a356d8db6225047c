"""Requests about lists: add, remove, check off, clear, show."""

import re
from dataclasses import replace
from datetime import datetime

from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.list_names import TODO
from furoshiki.language.reflex.reminders.reminding import matter
from furoshiki.language.reflex.reminders.values import ChangeList, ClearList, MoveItems, Request, ShowList
from furoshiki.language.requests.impossible import PLEASE
from furoshiki.language.requests.list_things import set_apart, stands_for_named
from furoshiki.language.words import count_words

MOST_WORDS = 5
"""Most words of an item when no list was named."""

LEAST_PARTS = 3
"""Least parts between commas that are a task each: "fix bike, call plumber, school photos"."""

# "my books to read list", "the shopping list", or just "the list"
_LIST = (
    r"(?:(?:(?:my|the|our|a|this)\s+)*(?P<name>(?!(?:my|the|our|a|this)\b)[\w'][\w' -]{0,40}?)[\s-]*"
    r"|(?:the|my|our)\s+)list\b"
)
_ADD = re.compile(
    PLEASE
    + rf"(?:add|put|write|note|stick|throw|include|pop)\s+(?P<items>.+?)(?<!\s)\s+(?:to|on|onto|in|into)\s+{_LIST}",
    re.IGNORECASE | re.DOTALL,
)
_ADD_TO = re.compile(
    PLEASE + rf"(?:add|put)?\s*(?:to|on|onto)\s+{_LIST}\s*[:,]?\s*(?:add|put)?\s*(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ADD_BARE = re.compile(
    PLEASE + r"add\s+(?P<items>(?!.{0,200}\b(?:to|into|on|onto|up|the fact|me|him|her|us|them|that"
    r"|this)\b)[^\d\W][\w' ,&-]{1,120})\W*$",
    re.IGNORECASE,
)
_NEW_LIST = re.compile(
    PLEASE + r"(?:make|create|start|begin|open)\s+(?:me\s+)?(?:a\s+|an\s+)?(?:new\s+)?"
    rf"{_LIST}\s*(?:with|:|of|containing)\s*(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_LIST_OF = re.compile(
    PLEASE
    + r"(?:make|create|start|begin|open)\s+(?:me\s+)?(?:a\s+|the\s+)?(?:new\s+)?list\s+(?:of|for)\s+(?:the\s+|my\s+)?"
    r"(?P<name>[\w'][\w' -]{1,40}?)\s?:\s{0,3}(?P<items>.{1,400})$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED = re.compile(r"(?:^|\s)\d{1,2}[.)]\s")
_TODO = re.compile(
    PLEASE + r"(?:(?:a |another |new |add (?:a |an |another )?(?:new )?|create (?:a )?(?:new )?|note (?:a )?)?"
    r"(?:to-?do|to do|task)(?: item)?\s?[:–-]\s?"
    r"|add (?:a |another )?(?:new )?(?:task|to-?do) (?:to|of) (?!(?:my|the|our)\b))(?P<item>\S.{0,298})$",
    re.IGNORECASE | re.DOTALL,
)
_NAME_WORD = r"(?!(?:the|an|his|her|their|its|just|only|not|no)\b)[\w'-]{2,20}"
"""A word of a list's name: "just the list: the heating, the priest" is told of somebody."""
_LIST_IS = re.compile(
    rf"^\W{{0,3}}(?:(?:the|my|our) )?(?P<name>{_NAME_WORD}(?: {_NAME_WORD}){{0,2}}) list(?: for [\w' ]{{2,30}})?"
    r"\s?:\s{0,3}(?P<items>.{1,400})$",
    re.IGNORECASE | re.DOTALL,
)
_SHOPPING_IS = re.compile(
    r"^\W{0,3}(?:shopping|groceries|(?:need )?to buy)\s?:\s{0,3}(?P<items>.{1,400})$",
    re.IGNORECASE | re.DOTALL,
)
_PUT_THEM = re.compile(
    r"^\W{0,3}(?:i|we) (?:still )?(?:need|want|have)(?: to (?:buy|get|pick up|do))? (?P<items>[\w' ,&-]{1,160}?)[,.;]?"
    r" (?:(?:so|and|please|(?:would|could|can|will) you) ){0,3}(?:put|add|write|note) "
    rf"(?:it|them|that|those|these|all that)(?: (?:on|to|onto|in) {_LIST}| down(?: for me)?)\W{{0,5}}$",
    re.IGNORECASE,
)
_LED_UP = re.compile(r"^[\s,;]{0,3}(?:(?:for|by|on|due|until|before|to be done)\s){0,2}", re.IGNORECASE)
_MOVE = re.compile(
    PLEASE + rf"(?:move|shift|transfer|switch)\s(?P<items>[\w' ,&-]{{1,120}}?)(?: (?:from|off) [\w' -]{{1,40}}?)?"
    rf" (?:to|onto|over to|into) {_LIST}\W{{0,5}}$",
    re.IGNORECASE,
)
_SIDES = frozenset({"work", "home", "house", "household", "office"})
"""Areas of life that are a list even when it is empty."""

_OTHER = frozenset({"other", "another", "second"})
_REMOVE = re.compile(
    PLEASE
    + rf"(?:remove|delete|take|drop|erase|scratch)\s+(?P<items>.+?)(?<!\s)\s+(?:off|from|out of)\s+(?:of\s+)?{_LIST}",
    re.IGNORECASE,
)
_REMOVE_BARE = re.compile(
    PLEASE + r"(?:remove|delete|take off|take(?=.{1,60} off\b)|drop|scratch|we don't need|i don't need"
    r"|no more need for)\s+(?:the\s+)?"
    r"(?P<items>[^\d\W][\w' ,&-]{1,80}?)(?: any ?more| again| off){0,2}(?:, [^,]{1,60})?\W*$",
    re.IGNORECASE,
)
_CHECK = re.compile(
    PLEASE + r"(?:(?:check|tick|cross|mark|strike)\s+(?:off\s+)?(?P<items>.+?)"
    r"(?:(?<!\s)\s+(?:off|as done|done|as bought|as finished))?"
    r"|(?:i(?:'m| am)\s+|i\s+|we\s+|all\s+)?(?:done with|finished with|got|bought|have bought"
    r"|picked up)\s+(?P<bought>.+?))"
    rf"(?:(?<!\s)\s+(?:off|on|from)\s+{_LIST})?(?<!\W)\W*$",
    re.IGNORECASE,
)
_BOUGHT = re.compile(
    PLEASE
    + r"(?:(?:i|we|she|he|they|mum|mom|dad|my \w{1,20})(?:'ve| have|'s| has)?(?: (?:already|just|also|finally)){0,2} )?"
    r"(?:bought|got|get|picked up|grabbed|found|packed|finished|read|done|did|fetched|have|has)(?: (?:already|just))? "
    r"(?P<items>.{1,120}?)(?: (?:already|today|yesterday|now|too|as well|at the \w{1,20}|on the way"
    r"|this morning))?\W{0,5}$"
    r"|^\W{0,5}(?P<things>[^\d\W][\w' ,&-]{0,80}?)(?::| (?:is|are)) (?:done|bought|packed|in the (?:bag|basket"
    r"|trolley|cart)|ticked off)\W{0,5}$",
    re.IGNORECASE,
)
_DID = re.compile(
    r"^\W{0,5}(?:i|we)(?:'ve| have)? (?:(?:already|just|finally) (?P<did>[\w' ,-]{3,80}?)"
    r"|(?P<done>[\w' ,-]{3,80}?) (?:already|just now|now))\W{0,5}$",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(
    r"^(?:everything|it all|all of (?:it|them)|them all|the lot|all)(?: (?:on|from) (?:the|my"
    r"|our)(?: (?P<name>[\w' ]{1,40}?))? list)?$",
    re.IGNORECASE,
)
_CLEAR = re.compile(
    PLEASE + r"(?:(?:clear|empty|wipe|reset|delete|erase|scrap|throw away|throw out|clean|bin|tear up)(?: (?:out|off|up"
    r"|away))?"
    rf"(?: (?:everything|all(?: the)?(?: items| things)?)(?: (?:on|from|off|in))?)?\s+(?:all (?:of )?)?{_LIST}"
    r"|(?:remove|take|delete) (?:everything|all(?: items| of it)?) (?:off|from|on) (?:of )?"
    + _LIST.replace("(?P<name>", "(?P<other>")
    + r"|start "
    + _LIST.replace("(?P<name>", "(?P<again>")
    + r" (?:over|afresh|again|from scratch))\W{0,5}(?:please|now)?\W{0,5}$",
    re.IGNORECASE,
)
_SHOW_LIST = re.compile(
    PLEASE + r"(?:what(?:'?s| is| do i have| have i got)?(?: still)?(?: left)?(?: to do)?\s+(?:on|in|for)|show(?: me)?"
    r"|read(?: me)?(?: out)?"
    rf"|view|see|open|check|tell me|give me)\s+{_LIST}\W*(?:now|please|again)?\W*$",
    re.IGNORECASE,
)
_LEFT_FOR = re.compile(
    PLEASE + r"(?:what(?:'?s| is| else is)(?: still)? (?:left|open|outstanding|pending|to do|to be done|due)"
    r"|what(?: else)? (?:do (?:i|we)|have (?:i|we)|must i)(?: still)? (?:have to do|got to do|need to do|got|have left"
    r"|do)(?: left)?"
    r"|(?:is there )?any(?:thing|\s?tasks)(?: still| else)?(?: left| open| to do){1,2}"
    r"|(?:show(?: me)?|list)(?: my)? (?:tasks|to-?dos))(?: to do)? (?:for|at|on|in|around) (?:the |my |our )?"
    r"(?P<name>(?!(?:me|us|now|today|tonight|tomorrow|this|next|it|that)\b)[\w'-]{2,20}(?: [\w'-]{2,20})?)\W{0,5}$",
    re.IGNORECASE,
)
_BARE_LIST = re.compile(
    r"^(?:my |the |our )?(?!make|create|start|write|add|need|want|clear|empty|delete|no\b|a\b|in\b"
    r"|on\b)(?P<name>[\w'-]+(?: [\w'-]+)?) list\W*$",
    re.IGNORECASE,
)
_SHOW_LISTS = re.compile(
    r"\b(?:what|which|show|any|see)\b(?!.{0,200}\bon\b).{0,200}\blists\b|^(?:all )?my lists\W*$", re.IGNORECASE
)
_ITEMS = re.compile(r"(?:(?<!\s)\s+)?(?:[,;&]|\band\b|\bplus\b)\s*|(?<!\s)[^\S\n]*\n\s*", re.IGNORECASE)
_DONE_WITH = re.compile(PLEASE + r"(?:i'm |i am |all )?(?:done|finished) with", re.IGNORECASE)
_NOT_BOUGHT = re.compile(
    r"^(?:it|that|this|you|a (?:new )?(?:job|dog|cat|house|car|cold|message|call|idea|question)|married"
    r"|home|up|there|to|the job)\b",
    re.IGNORECASE,
)


def parse_request(plain: str, text: str, now: datetime, habits: Habits) -> Request | None:
    """Parse a list request. `plain` has single spaces; `text` keeps its lines. `now` is aware,
    in the user's zone: an added item may have a time."""
    noted = _TODO.match(text.strip())
    if noted is not None:
        several = tuple(filter(None, (one.strip(" ,;.\n") for one in _NUMBERED.split(noted["item"]))))
        if len(several) > 1 and _NUMBERED.match(noted["item"]):
            return ChangeList("add", several, TODO)
        return todo(noted["item"], now, habits)
    shopping = _SHOPPING_IS.match(text.strip())
    if shopping is not None and split(shopping["items"]):
        return ChangeList("add", split(shopping["items"]), "shopping")
    for pattern in (_PUT_THEM, _LIST_OF, _LIST_IS):
        said = pattern.match(text.strip())
        if said is not None and split(said["items"]):
            return ChangeList("add", split(said["items"]), _get_list_name(said))
    for pattern, action in ((_NEW_LIST, "add"), (_ADD, "add"), (_ADD_TO, "add"), (_REMOVE, "remove")):
        match = pattern.match(text.strip() if action == "add" else plain)
        pronoun = match is not None and action == "add" and stands_for_named((match["items"],))
        if match is not None and pronoun:
            return ChangeList(action, (match["items"],), _get_list_name(match))
        if match is not None and split(match["items"]):
            if action == "remove" and _EVERYTHING.match(match["items"]):
                return ClearList(_get_list_name(match))
            found = ChangeList(action, split(match["items"]), _get_list_name(match))
            return _by_when(found, match.string[match.end() :], now, habits) if pattern is _ADD else found
    moved = _MOVE.match(plain)
    if moved is not None and split(moved["items"]) and _get_list_name(moved):
        name = _get_list_name(moved) or ""
        return MoveItems(split(moved["items"]), "" if name in _OTHER else name)
    cleared = _CLEAR.match(plain)
    if cleared is not None:
        name = cleared["name"] or cleared["other"] or cleared["again"]
        return ClearList(name.strip().lower() if name else None)
    checked = _parse_check(plain)
    if checked is not None:
        return checked
    if _SHOW_LISTS.search(plain):
        return ShowList(None)
    shown = _SHOW_LIST.match(plain) or _BARE_LIST.match(plain)
    if shown is not None:
        return ShowList(_get_list_name(shown) or "")
    left = _LEFT_FOR.match(plain)
    if left is not None:
        return ShowList(_get_list_name(left), surely=left["name"].lower() in _SIDES)
    return _bare(plain)


def todo(item: str, now: datetime, habits: Habits, priority: int | None = None) -> ChangeList:
    """Return a task for no particular list; a time at its beginning or end is the due time."""
    words = item.strip(" .\n\t")
    found = parsing.parse_when(words, now, habits)
    if isinstance(found, When) and (found.start == 0 or found.end >= len(words)) and matter(words, found.spans):
        title = re.sub(r" (?:by|until|before|due)$", "", matter(words, found.spans))
        return ChangeList("add", (title,), TODO, when=found, priority=priority)
    parts = tuple(one.strip() for one in words.split(",") if one.strip())
    short = len(parts) >= LEAST_PARTS and len({" " in one for one in parts}) == 1
    if not short or max(map(count_words, parts)) >= MOST_WORDS:
        parts = tuple(one.strip() for one in words.split("\n") if one.strip())
    return ChangeList("add", parts, TODO, priority=priority)


def _by_when(wanted: ChangeList, rest: str, now: datetime, habits: Habits) -> ChangeList:
    """Add the time given after the list's name."""
    words = _LED_UP.sub("", rest).strip(" .!?")
    found = parsing.parse_when(words, now, habits) if words else None
    if isinstance(found, When) and not matter(words, found.spans):
        return replace(wanted, when=found)
    return replace(wanted, asks=found.asks, halves=found.halves) if isinstance(found, Unclear) else wanted


def split(items: str) -> tuple[str, ...]:
    """Split "milk, eggs and some bread" into three items."""
    parts = (
        re.sub(r"^(?:some|the|a|an|also)\s+|(?<=\w) (?:too|as well|please|back)$", "", part.strip(" .!?'\"-–•*"))
        for part in _ITEMS.split(items)
    )
    return set_apart([one for one in parts if one and one.lower() not in {"too", "please", "as well", "it", "that"}])


def _parse_check(plain: str) -> ChangeList | None:
    checked = _CHECK.match(plain)
    if checked is not None and not _NOT_BOUGHT.match(checked["items"] or checked["bought"]):
        items = _all_or(checked["items"] or checked["bought"])
        # "I bought a telescope" is news; a request checks off, or names a list
        if items is not None and (checked["items"] or "list" in plain.lower() or _DONE_WITH.match(plain)):
            return ChangeList("check", items, _get_list_name(checked))
    bought = _BOUGHT.match(plain)
    if bought is None:
        did = _DID.match(plain)
        items = split(did["did"] or did["done"]) if did is not None else ()
        return ChangeList("check", items, None, surely=False) if items else None
    things = bought["items"] or bought["things"]
    items = _all_or(things)
    every = _EVERYTHING.match(things)
    return None if items is None else ChangeList("check", items, every["name"] if every else None, surely=False)


def _all_or(items: str) -> tuple[str, ...] | None:
    """Return the items; () for "everything"; None if nothing is named."""
    return () if _EVERYTHING.match(items.strip()) else split(items) or None


def _bare(plain: str) -> ChangeList | None:
    """Parse items to add or remove without a list: "add milk and eggs", "remove milk"."""
    for pattern, action in ((_ADD_BARE, "add"), (_REMOVE_BARE, "remove")):
        match = pattern.match(plain)
        items = split(match["items"]) if match is not None else ()
        if items and all(len(item.split()) <= MOST_WORDS for item in items):
            return ChangeList(action, items, None, surely=action == "add")
    return None


def _get_list_name(match: re.Match[str]) -> str | None:
    return match["name"].strip().lower() if match["name"] else None
