"""Parse requests to show, cancel, move, rename or snooze reminders, and to show a day."""

import re

from furoshiki.language.reflex.reminders.reminding import matter
from furoshiki.language.reflex.reminders.values import (
    CancelReminder,
    DropQuestion,
    MoveReminder,
    RenameReminder,
    Request,
    ShowDay,
    ShowReminders,
    SkipReminder,
    Snooze,
)
from furoshiki.language.requests import reminder_words
from furoshiki.language.requests.correction_words import JOINT, LEAD, NOT
from furoshiki.language.requests.impossible import PLEASE
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.word_tables import texts

_NOUN = r"(?:reminders?|alarms?|timers?)"
_END = r"\W{0,5}(?:please|now|for now|then|thanks|thank you|instead|again)?\W{0,5}$"
_CANCEL_ALL = re.compile(
    PLEASE
    + r"(?:cancel|delete|remove|drop|stop|turn off|clear|erase|get rid of|forget)\s(?:(?:all|every|each)(?: one)?"
    rf"(?: of)?(?: my| the| these| those)?|both(?: of)?(?: my| the)?|my|the|these"
    rf"|those)\s(?P<before>[\w' -]{{0,60}}?)\s?"
    r"(?:reminders|alarms|timers)\b(?P<rest>.{0,120})$"
    rf"|{PLEASE}(?:cancel|delete|remove|stop|clear) (?:them all|all of them|every(?: single)? (?:reminder|alarm)"
    r"|everything you (?:were|are) going to remind me of)" + _END,
    re.IGNORECASE,
)
_CANCEL = re.compile(
    PLEASE + r"(?:cancel|delete|remove|drop|forget|stop|turn off|clear|scrap|get rid of"
    r"|i (?:don't|do not) need|i no longer need|we don't need)\s+(?:the|my|that|this)?\s*(?P<before>[\w' :.-]{0,80}?) ?"
    rf"{_NOUN}\b\s*(?:(?:to|about|for|of|that)\s+)?(?P<rest>.{{0,200}})$",
    re.IGNORECASE,
)
_CANCEL_BARE = re.compile(
    PLEASE
    + r"(?:cancel|scrap|call off|delete|forget about)\s(?:the |my |that )?(?P<what>[^\W\d][\w' -]{1,60}?)"
    + _END,
    re.IGNORECASE,
)
_STOP = re.compile(
    PLEASE + r"(?:stop reminding me|don't remind me|do not remind me|no need to remind me"
    r"|you (?:don't (?:need|have) to|needn't) remind me|never mind reminding me)\b(?P<rest>.{0,200})$",
    re.IGNORECASE,
)
_CANCEL_IT = re.compile(
    PLEASE + r"(?:cancel|scrap|delete|drop|remove) (?:it|that|this|that one|the last one|the last reminder)" + _END,
    re.IGNORECASE,
)
_NEVER_MIND = re.compile(
    r"^\W{0,5}(?:no,? |oh,? |ah,? |actually,? )?(?:never ?mind|forget (?:it|about it)|don't bother|doesn't matter"
    r"|no need"
    r"|not (?:needed|necessary)|leave it|skip it|no reminder|none|cancel(?: it| that)?|drop it"
    r"|no(?:,? thanks| thank you)?)\W{0,5}$",
    re.IGNORECASE,
)
_MOVE = re.compile(
    PLEASE + r"(?:move|change|reschedule|shift|postpone|push|put off|delay|put|bring|update|set|switch|make)\s"
    r"(?:(?:the|my|that|this)\s)?(?:(?:time|date|day) (?:of|for) (?:the |my )?)?(?P<what>[\w' :.-]{0,80}?)\s?"
    r"(?:(?P<noun>reminders?|alarms?|timers?)\s?(?:(?:to|about|for|of) (?P<about>[\w' -]{1,60}?))?)?(?: (?:from"
    r"|at) .{1,40}?)?"
    r"\s(?P<way>(?:forward|back|to|until|till|for|by|on)\b|an? (?=hour|day|week)|half (?=an hour))\s?(?P<to>.{1,80})$",
    re.IGNORECASE,
)
_MOVE_IT = re.compile(
    PLEASE
    + r"(?:(?:move|change|reschedule|shift|postpone|push|delay|put|bring|set|switch) (?:it|that|this|the last one)"
    r"(?: (?:off|over))?(?: to| until| till| for| by)?|make (?:it|that)|remind me)\s(?P<to>.{1,80}?)(?P<rather> instead"
    r"| rather)?\W{0,5}$",
    re.IGNORECASE,
)
_MOVE_ABROAD = tuple(
    re.compile(rf"^\W{{0,3}}(?:{way})\W{{0,3}}$", re.IGNORECASE)
    for ways in texts("move", "ways").values()
    for way in ways
)
_ON_LIST = re.compile(r"\blist(?:a|e|eye|esine)\b|спис(?:ок|ке)\b|清单", re.IGNORECASE)
"""An item for a list is not a reminder: "pon leche en la lista"."""
_IT_ABROAD = re.compile(f"|{'|'.join(texts('move', 'it').values())}", re.IGNORECASE)
_EARLIER = re.compile(
    PLEASE
    + r"(?P<to>(?:(?:an?|half an?|\w{1,9}) )?(?:hours?|minutes?|mins?|days?|weeks?) (?:earlier|later|sooner))"
    + _END,
    re.IGNORECASE,
)
_NOT_THEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{LEAD}{{0,3}}{NOT} (?P<wrong>[\w :.'’]{{1,30}}?){JOINT}(?P<to>.{{1,60}})$",
        rf"{LEAD}{{0,3}}(?P<to>[\w :.'’]{{1,40}}?),? (?:(?:and|und|y|et|e|и|а) )?{NOT} "
        r"(?P<wrong>[\w :.'’]{1,30})\W{0,3}$",
        r"^\W{0,5}(?:hayır,? )?(?P<wrong>[\w :.'’]{1,30}?) değil,? (?P<to>.{1,60})$",
        r"^\W{0,5}(?:hayır,? )?(?P<to>[\w :.'’]{1,40}), (?P<wrong>[\w :.'’]{1,30}?) değil\W{0,3}$",
        r"^\W{0,5}(?:不，|不对，)?不是(?P<wrong>[^,，。]{1,20})[,，]? ?(?:而?是|要)?(?P<to>[^,，]{1,30})$",
        r"^\W{0,5}(?:不，|不对，)?是?(?P<to>[^,，]{1,30})[,，] ?(?:而?不是|不要)(?P<wrong>[^,，。]{1,20})\W{0,3}$",
    )
)
_MEANT = re.compile(
    rf"(?:{LEAD}{{1,4}}(?:make (?:it|that) |mach |i mean(?:t)? |it(?:'s| is) |at )?"
    r"|^\W{0,5}(?:que sea|disons|facciamo|deixa|давай) )(?P<to>.{1,60}?)(?: instead| rather| olsun)?\W{0,5}$"
    r"|^\W{0,5}(?:不|不对|还是)[,， ]?(?P<chinese>.{1,30}?)(?:吧)?\W{0,3}$"
    r"|^\W{0,5}(?P<instead>.{1,60}?) "
    r"(?:instead|rather|i meant?|stattdessen|lieber|mejor|plutôt|piuttosto|invece|olsun)\W{0,5}$",
    re.IGNORECASE,
)
_RENAME = re.compile(
    PLEASE + r"(?:(?:rename|reword)\s(?:the |my )?(?P<what>[\w' -]{1,80}?)(?P<noun> reminder| alarm)?"
    r"|(?:change|edit|update)\s(?:the |my )?(?P<old>[\w' -]{1,80}?)(?P<noun2> reminder| alarm)?)"
    r"\s(?:to say|to read|so that it says|to|into|as)\s[\u201c\"']?(?P<title>.{1,200}?)[\u201d\"']?\W{0,3}$",
    re.IGNORECASE,
)
_SNOOZE = re.compile(
    PLEASE + r"(?:(?:snooze|sleep(?= (?:it|that|this|the))|sleep$)(?: (?:it|that|this|the reminder|the alarm|again))?"
    r"(?P<for>\W{0,3}$|\s(?:for |until |till )?.{1,60}$)"
    r"|(?:remind me (?:of (?:it|that) )?(?:again|later)|ask me again|tell me again|say (?:it|that) again|ring again)"
    r"(?P<again>\W{0,3}$|\s.{1,60}$))",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"^\W{0,5}(?:not (?:now|yet)|later|i can't now|no time(?: now)?|give me)[\s,.:!-]{0,5}(?:but )?(?P<to>.{0,60})$",
    re.IGNORECASE,
)
_SHOW_REMINDERS = re.compile(
    r"\b(?:what|which|show|list|any|see|view|do i have|are there|read)\b.{0,200}\b(?:reminders|alarms|timers)\b"
    r"|^(?:all )?(?:my |the )?reminders\W{0,5}$|\bwhat (?:will|are) you (?:going to )?remind(?:ing)? me\b",
    re.IGNORECASE,
)
_WHEN_IS = re.compile(
    PLEASE
    + r"(?:when(?: is|'s| are| will| do| did)?(?: you)?|do i have|have i|did i set|is there|what time is|what about)\s"
    r"(?:(?:going to |set )?remind me (?:to|of|about)|(?:my |the "
    r"|an? )?(?:next )?(?P<before>[\w' -]{0,60}?) ?(?:reminder|alarm|timer)"
    r"(?: (?:to|of|about|for))?)\s?(?P<what>.{0,100}?)\W{0,5}$",
    re.IGNORECASE,
)
_DAY = (
    r"(?P<when>(?:for |on )?(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week|weekend|month)"
    r"|next (?:week|weekend)|(?:the )?(?:weekend|day|week)"
    rf"|(?:on |next |this )?(?:{'|'.join(WEEKDAYS)})"
    r"|the rest of the (?:day|week)|now|still|next|left|planned|coming up|ahead)(?: (?:morning|afternoon|evening"
    r"|night))?)?"
)
_SHOW_DAY = re.compile(
    PLEASE + r"(?:what(?: else)? (?:do i|have i|did i|am i|i)(?: still)? (?:have|need|got|supposed"
    r"|want(?:ed)?)(?: got)?(?: left)?"
    rf"(?: to do| on| planned| coming up| going on| open| due| scheduled)?(?: {_DAY})?"
    r"|what(?:'?s| is| else is)(?: still)?(?: left)? (?:to do|due|open|planned|coming up|up(?= \S)|next|on|there to do"
    r"|on my (?:plate|agenda"
    r"|calendar|schedule|mind))(?: for me)?"
    rf" ?{_DAY.replace('when', 'due')}"
    r"|what(?:'?s| is| does) (?:my|the) (?:day|week|agenda|schedule|plan|evening|morning|afternoon"
    r"|weekend)(?: look)?(?: like| for)?"
    rf" ?{_DAY.replace('when', 'like')}"
    rf"|(?:do i have|have i got|is there|are there) any(?:thing|\s?plans|\s?appointments|\s?tasks)(?: (?:to do|on"
    rf"|planned|else"
    rf"|left|due|open|scheduled)){{0,2}} ?{_DAY.replace('when', 'any')}"
    rf"|any(?:thing|\s?plans| tasks)(?: (?:to do|on|planned|left|due|open)){{0,2}} ?{_DAY.replace('when', 'plans')}"
    r"|(?:show(?: me)?|list|give me|read(?: me)?)? ?(?:all )?(?:my |the )(?:open )?(?:to-?dos?|to do list|tasks"
    r"|agenda|day|todo list)"
    rf" ?{_DAY.replace('when', 'mine')}"
    r"|(?:to-?dos?|agenda|tasks))\W{0,5}$",
    re.IGNORECASE,
)

_OF_REMINDER = re.compile(
    r"(?:o |el |le |il )?(?:lembrete|alarme|recordatorio|aviso|rappel|promemoria) "
    r"(?:d(?:[aoe]|el?|e la|ella?|u) |para |pra )",
    re.IGNORECASE,
)
"""Words before the task of a named reminder: "o lembrete do dentista"."""


def parse_rearrangement(plain: str, skips: bool = True) -> Request | None:
    """Parse a request about existing reminders. `plain` has single spaces. `skips`: it may leave out
    one time of what recurs."""
    what = reminder_words.find_skipped(plain)
    if skips and what is not None:
        return SkipReminder(what)
    return _parse_cancel(plain) or _put_off(plain) or _parse_change(plain) or _parse_show(plain)


def parse_refusal(plain: str) -> DropQuestion | None:
    """Return DropQuestion if a message refuses the open question."""
    return DropQuestion() if _NEVER_MIND.match(plain) else None


def parse_correction(plain: str) -> MoveReminder | None:
    """Parse a corrected time: "not tomorrow, Friday", "sorry, at six". Any words match: the
    caller checks that the talk is about a reminder and the words are a time."""
    match = next((hit for one in _NOT_THEN if (hit := one.match(plain)) is not None), None)
    if match is not None:
        return MoveReminder(match["wrong"], match["to"].strip(" .!"))
    match = _MOVE_IT.match(plain) or _MEANT.match(plain) or _EARLIER.match(plain)
    if match is None:
        return None
    found = match.groupdict()
    return MoveReminder("", (found.get("to") or found.get("chinese") or found.get("instead") or "").strip(" .!"))


def _parse_cancel(plain: str) -> Request | None:
    match = _CANCEL_ALL.match(plain)
    if match is not None:
        words = matter(f"{match['before'] or ''} {match['rest'] or ''}")
        return CancelReminder(
            re.sub(r"\b(?:of mine|you have|i have|i set|that i set|waiting)\b", "", words).strip(), True
        )
    match = _STOP.match(plain)
    if match is not None:
        words = matter(re.sub(r"\b(?:any ?more|any longer|please|again)\b", "", match["rest"]))
        return CancelReminder("" if words.lower() in {"it", "that", "this"} else words)
    match = _CANCEL.match(plain)
    if match is not None:
        rest = re.sub(r"\b(?:any ?more|any longer|please|again|thanks)\b", "", match["rest"])
        return CancelReminder(matter(f"{match['before']} {rest}"))
    if _CANCEL_IT.match(plain):
        return CancelReminder("it")
    match = _CANCEL_BARE.match(plain)
    return CancelReminder(match["what"], surely=False) if match is not None else None


def _put_off(plain: str) -> Request | None:
    match = _SNOOZE.match(plain)
    if match is not None:
        return Snooze(matter_of_time(match["for"] or match["again"] or ""))
    match = _NOT_NOW.match(plain)
    return Snooze(matter_of_time(match["to"]), surely=False) if match is not None else None


def _parse_change(plain: str) -> Request | None:
    match = _EARLIER.match(plain)
    if match is not None:
        return MoveReminder("it", match["to"])
    match = _RENAME.match(plain)
    titled = match is not None and re.search(r"\b(?:rename|reword|to say|to read)\b", plain, re.IGNORECASE)
    if match is not None and titled:
        return RenameReminder(*_extract_rename(match))
    moved = _MOVE.match(plain)
    if moved is not None and (moved["what"] or moved["about"] or moved["noun"]):
        what = f"{moved['what'] or ''} {moved['about'] or ''}".strip()
        way = "" if moved["way"].lower() in ("to", "until", "till", "for", "on") else f"{moved['way']} "
        return MoveReminder(what, f"{way}{moved['to']}".strip(" .!"), moved["noun"] is not None)
    return RenameReminder(*_extract_rename(match)) if match is not None else _parse_foreign_move(plain)


def _parse_foreign_move(plain: str) -> MoveReminder | None:
    """Parse a new time for a reminder in the other languages with time words."""
    match = next((found for one in _MOVE_ABROAD if (found := one.match(plain)) is not None), None)
    if match is None or _ON_LIST.search(plain):
        return None
    what = (match["what"] or "").strip()
    to = re.sub(r"^(?:pra|para|pras) (?=\d)", "às ", match["to"].strip(" .!"))
    named = _OF_REMINDER.match(what)
    if named is not None:
        return MoveReminder(what[named.end() :], to, True)
    if _IT_ABROAD.fullmatch(what):
        return MoveReminder("it", to, True)
    return MoveReminder(what, to)


def _extract_rename(match: re.Match[str]) -> tuple[str, str, bool]:
    return match["what"] or match["old"], match["title"].strip(), bool(match["noun"] or match["noun2"])


def _parse_show(plain: str) -> Request | None:
    if _SHOW_REMINDERS.search(plain):
        return ShowReminders()
    match = _WHEN_IS.match(plain)
    if match is not None:
        return ShowReminders(matter(f"{match['before'] or ''} {match['what']}"))
    match = _SHOW_DAY.match(plain)
    if match is None:
        return None
    day = next((match[name] for name in ("when", "due", "like", "any", "mine", "plans") if match[name]), "")
    return ShowDay("" if re.fullmatch(_NO_DAY, day.strip(), re.IGNORECASE) else day.strip())


_NO_DAY = r"(?:for |on )?(?:now|still|next|left|planned|coming up|ahead|the day|day)?"


def matter_of_time(words: str) -> str:
    """Return the words for a time without introducing words."""
    return re.sub(r"^\W{0,5}(?:for |it |of it |about it )?", "", words, flags=re.IGNORECASE).strip(" .!?")
