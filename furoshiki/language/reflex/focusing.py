"""Focus sessions in plain words: begin, check, end. And which tools exist."""

import re
from typing import Any

from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex, SkillCall, ToolResult
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.requests import lines

_LEAD = r"(?:(?:please|ok|okay|so|now|and),? )?(?:let me |let's |i'll |i want to |i need to |help me (?:to )?|can i )?"
_ON = r"(?: on (?P<topic>[^.!?\n]{1,80}?))?"
_FOR = r"(?:for )?(?P<count>\d{1,3}|an|a|half an) ?(?P<unit>minutes?|mins?|m|hours?|h)"
_SET = re.compile(rf"{_LEAD}focus{_ON} {_FOR}(?: on (?P<later>[^.!?\n]{{1,80}}))?(?: please)?")
_SESSION = re.compile(
    rf"{_LEAD}(?:start|begin|set(?: up)?) (?:a |my )?(?:focus session|focus time|focus mode|pomodoro){_ON}(?: {_FOR})?"
)
_CLEAR = re.compile(
    r"(?:please )?(?:stop|end|cancel|clear|leave) (?:the |my |this )?focus(?:ing| session| time| mode)?"
)
_CHECK = re.compile(r"\b(?:am i (?:still )?(?:focusing|in focus)|(?:left|long|going).{0,30} focus session)\b")
_TOOLS = re.compile(r"\b(?:what|which) (?:tools|skills)\b.{0,20}\b(?:you|there)\b")

_TOLD = "What I can use: {own}.{others} Without a language model I use them when you ask in plain words."
_OTHERS = " From what you allowed besides: {names}; those need a language model."


def request(heard: Heard, _wording: Wording) -> Reflex | None:
    """Handle a request for a focus session, or the question which tools exist."""
    if heard.asks and _TOOLS.search(heard.plain):
        return Reflex(calls=(SkillCall("find_tools", {}),))
    if "focus" in heard.plain and heard.asks and _CHECK.search(heard.plain):
        return Reflex(calls=(SkillCall("focus", {"action": "check"}),))
    args = parse_request(heard.plain)
    return None if args is None else Reflex(calls=(SkillCall("focus", args),))


def parse_request(plain: str) -> dict[str, Any] | None:
    """Parse a request to begin or end a session (`plain`: lower case, no final punctuation)."""
    if "focus" not in plain and "pomodoro" not in plain:
        return None
    if _CLEAR.fullmatch(plain):
        return {"action": "clear"}
    found = _SET.fullmatch(plain) or _SESSION.fullmatch(plain)
    if found is None:
        return None
    said = found.groupdict()
    minutes = _minutes(said["count"], said["unit"])
    args = {"action": "set", "topic": said["topic"] or said.get("later") or ""}
    return args if minutes is None else {**args, "minutes": minutes}


def describe_result(result: ToolResult, wording: Wording) -> str:
    if result.name == "find_tools":
        own = [str(one["name"]).replace("_", " ") for one in result.data.get("tools", ()) if not one["whose"]]
        others = [f"{one['name']} ({one['whose']})" for one in result.data.get("tools", ()) if one["whose"]]
        besides = _OTHERS.format(names=", ".join(others)) if others else ""
        return _TOLD.format(own=", ".join(own), others=besides)
    action = result.args.get("action")
    if not result.ok or (action == "check" and "until" not in result.data):
        return wording.one(lines.REPLIES["focus_none"])
    if action == "clear":
        return wording.one(lines.REPLIES["focus_over"])
    if action == "check":
        return result.text
    topic = str(result.data.get("topic", ""))
    about, clock = f": {topic}" if topic else "", result.data.get("clock", "then")
    return wording.one(lines.REPLIES["focus_begun"], about=about, clock=clock)


def _minutes(count: str | None, unit: str | None) -> int | None:
    if count is None or unit is None:
        return None
    number = {"an": 1.0, "a": 1.0, "half an": 0.5}.get(count) or float(count)
    return max(1, min(480, round(number * (60 if unit.startswith("h") else 1))))
