"""Answers about itself: mood, nature, abilities, how it works, data, the time and the day."""

import re
from collections.abc import Sequence

from furoshiki.language.dates import parsing, zones
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.reflex import frankness
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex, SkillCall, ToolResult
from furoshiki.language.reflex.wording import Wording, join_sentences
from furoshiki.language.requests import lines
from furoshiki.language.tables.function_words import query_words

# the date parser knows no holidays
_NAMED_DAYS = {"christmas": "25 December", "xmas": "25 December", "new year": "1 January"}


def speak(heard: Heard, wording: Wording) -> Reflex | None:
    """Answer a question about the companion, or about the time."""
    if heard.says(lines.LOOK_INSIDE) and heard.asks:
        return Reflex(calls=(SkillCall("introspect", {}),))
    if heard.says(rf"\b(?:{lines.HOW_ARE_YOU})$") or heard.says(rf"^(?:\w+,? ){{0,3}}(?:{lines.HOW_ARE_YOU})\b"):
        return Reflex(mood(heard, wording))
    if heard.says(lines.MODEL):
        return Reflex(join_sentences(frankness.state(wording), frankness.remedy(wording)))
    if (asked := lines.find_heading(heard.plain)) is not None:
        return Reflex(calls=(SkillCall("introspect", {"about": "design", "question": asked}),))
    if heard.says(lines.HOW_I_WORK):
        return Reflex(calls=(SkillCall("introspect", {"about": "design", "question": heard.text[:300]}),))
    hour = _hour(heard)
    if hour is not None:
        return Reflex(hour)
    for patterns, options in lines.ASKED:
        if any(map(heard.says, patterns)):
            return Reflex(_choose_answer(options, heard, wording))
    return None


def mood(heard: Heard, wording: Wording) -> str:
    """Describe its mood, and ask back."""
    options = lines.MOODS.get(heard.situation.mood, lines.MOOD_UNKNOWN)
    return join_sentences(wording.one(options), wording.one(lines.AND_YOU))


def describe_findings(result: ToolResult, heard: Heard, wording: Wording) -> str:
    """Describe the result of introspection: figures, or a passage of its documents."""
    if result.args.get("about") != "design":
        return result.text or mood(heard, wording)
    if plainly := str(result.data.get("plain", "")):
        return " ".join(plainly.replace("`", "").split())
    parts = [part for part in result.data.get("parts", ()) if part.get("real")]
    told = quote_documents(heard.text, [(str(part["heading"]), str(part["text"])) for part in parts])
    return told or _choose_answer(lines.HOW, heard, wording)


def quote_documents(question: str, parts: Sequence[tuple[str, str]]) -> str:
    """Quote two sentences or items of documents that best answer a question.

    `parts` are headings with texts of first-person documents, best first; the first heading related
    to the question is used. "" if none is.
    """
    asked = stems_of(" ".join(query_words(question)))
    headings = dict.fromkeys(heading for heading, _ in parts)
    return next((told for heading in headings if (told := _quote_section(heading, asked, parts))), "")


def _quote_section(heading: str, asked: frozenset[str], parts: Sequence[tuple[str, str]]) -> str:
    lines = [line for head, text in parts if head == heading for line in _lines(text)]
    split = [[line] if line.startswith(_ITEM) else _SENTENCE.split(line) for line in lines]
    units = [unit for parts_of_line in split for unit in parts_of_line]
    shared = [sum(_akin(word, stems_of(unit)) for word in asked) for unit in units]
    most = max(shared, default=0)
    if not most and not any(_akin(word, stems_of(heading)) for word in asked):
        return ""
    best = [place for place, count in enumerate(shared) if count == most]
    prose = [place for place in best if not units[place].startswith(_ITEM)]
    if prose:  # one sentence is rarely the whole answer
        best = [prose[0], prose[0] + 1]
    return " ".join(
        units[place].removeprefix(_ITEM).replace("`", "") for place in best[:_READ_OUT] if place < len(units)
    )


_READ_OUT = 2
_ITEM = "- "
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_SAME_START = 5  # least letters of a word that matches a longer one: "reflect" and "reflection"


def _lines(text: str) -> list[str]:
    """Return paragraphs and list items, each on one line."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and not line.startswith((_ITEM, "|")) and line.strip():
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line)
    return [line for line in lines if line.strip() and not line.startswith("|")]


def _akin(word: str, said: frozenset[str]) -> bool:
    return word in said or (len(word) >= _SAME_START and any(other.startswith(word) for other in said))


def _choose_answer(options: tuple[str, ...], heard: Heard, wording: Wording) -> str:
    told = wording.one(options, me=heard.situation.companion)
    if options in lines.WITH_STATE:
        return join_sentences(told, frankness.state(wording) if frankness.unsaid(wording) else None)
    return told


def _hour(heard: Heard) -> str | None:
    now = heard.situation.now
    asked = re.search(
        r"\b(?:what time is it|what(?:'s| is) the time|do you (?:know|have) the time|how late is it)"
        r"(?: (?:now |right now )?in (?P<where>[\w .'-]{2,30}))?",
        heard.plain,
    )
    if asked is not None:
        zone = asked["where"] and zones.of_place(asked["where"])
        if asked["where"] and not zone:
            return f"I don't know which time zone that is. Here it's {now:%H:%M}."
        if not zone:
            return f"It's {now:%H:%M}."
        return f"It's {now.astimezone(zone):%H:%M} in {asked['where'].title()}."
    named = re.fullmatch(
        r"(?:what|which) (?:day|weekday|day of the week) (?:is|was|will be|does) "
        r"(?P<what>.{3,40}?)(?: be| fall on)?",
        heard.plain,
    )
    when = parsing.read(_NAMED_DAYS.get(named["what"], named["what"]), now) if named else None
    if when is not None and when.dated and not heard.says(r"\b(?:it|today)$"):
        return f"{when.at.strftime('%A')}, {when.at.day} {when.at.strftime('%B %Y')}."
    if heard.says(r"\bwhat (?:day|date) is (?:it|today)|\bwhat(?:'s| is) (?:the|today's) (?:date|day)|\bwhich day is"):
        return f"{now.strftime('%A')}, {now.day} {now.strftime('%B %Y')}."
    until = re.search(
        r"\bhow (?:many days|long) (?:is it |are there |left |more )*(?:until|till|to|before) (?P<what>.+)", heard.plain
    )
    if until is None:
        return None
    what = until["what"]
    when = parsing.read(_NAMED_DAYS.get(what, what), now)
    if when is None or when.past:
        return None
    days = (when.at.date() - now.date()).days
    return f"{days} day{'' if days == 1 else 's'}: {when.at.strftime('%A')}, {when.at.day} {when.at.strftime('%B')}."
