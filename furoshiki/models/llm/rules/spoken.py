"""Separation of a model's output into spoken text, thoughts, tool calls and prompt markup.

Removed are thoughts and channels, chat template tokens, marks of the prompts, a speaker label at
the beginning, and an invented user turn at the end. Calls written as text are parsed. Code,
backticks and quoted text stay, and so does the JSON of typed answers. JSON answers of foreign tools
are put into words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from furoshiki.core import refs
from furoshiki.models.llm.rules import written_calls
from furoshiki.models.llm.rules.json_repair import in_words, is_form
from furoshiki.models.llm.rules.written_calls import Called

MOST_TRIES = 64  # maximum number of braces at which a JSON value is tried
MOST_LABELS = 16  # maximum number of labels that are examined for an invented turn

_THOUGHT = r"(?:[\w-]{1,12}:)?(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad|inner_monologue)"
_OPENS = (
    rf"<(?i:{_THOUGHT})(?:\s[^<>]{{0,80}})?>|\[THINK\]|◁think▷|<\|(?:START_THINKING|begin_of_thought)\|>"
    r"|<\|channel>|<unused94>|\.\.\.94>thought"
)
_CLOSES = (
    rf"</\s?(?i:{_THOUGHT})\s?>|\[/THINK\]|◁/think▷|<\|(?:END_THINKING|end_of_thought)\|>|</?channel\|>|<unused95>"
)
_PREFIXED = r"(?:｜?[\w-]{1,12}[:_｜])?"
_CALLS = (
    rf"<{_PREFIXED}(?:tool_calls?|function_calls?|tool_use)(?:\s[^<>]{{0,80}})?>|<function=[^<>\n]{{1,80}}>"
    rf"|<{_PREFIXED}invoke\s[^<>\n]{{1,80}}>"
    r"|\[TOOL_CALLS\]|<\|python_tag\|>|<\|tool_calls?\|?>|<start_function_call>"
    r"|<\|(?:tool_calls_section_begin|tool_call_begin|START_ACTION|action_start)\|>|<｜tool▁calls?▁begin｜>"
)
_CALL_ENDS = re.compile(
    rf"</{_PREFIXED}(?:tool_calls?|function_calls?|tool_use)>|</{_PREFIXED}(?:function|invoke)>(?!\s*</?{_PREFIXED}[tfi]\w+)"
    r"|<tool_call\|>|<end_function_call>|<\|(?:tool_calls_section_end|END_ACTION|action_end|eo[mt]_id|im_end|call)\|>"
    r"|<｜tool▁calls▁end｜>|</s>"
)
_TURNS = (
    r"(?:<\|(?:im_start|start_header_id|start)\|>|<start_of_turn>|<\|turn>)\s{0,4}(?P<role>\w*)(?:<\|end_header_id\|>)?"
    r"|<[|｜](?P<whose>user|assistant|system|tool|observation|human|User|Assistant)[|｜]>|\[INST\]"
)
_ENDS = (
    r"<\|(?:im_end|eo[mt]_id|end_of_text|endoftext|end|return|END_OF_TURN_TOKEN)\|>|<end_of_turn>|<turn\|>|</s>"
    r"|<｜end▁of▁sentence｜>|<eos>"
)
_NAMES = "|".join(sorted(refs.KINDS))
_ASIDE = (
    rf"\[(?:{_NAMES}):[\w-]+(?:(?: ·|[,;]) [^\[\]\n]{{1,160}})?\](?!\()|\((?:{_NAMES}):\d+(?:, (?:{_NAMES}):\d+)*\)"
    r"|</?foreign(?:\s[^<>\n]{0,120})?>|\[reacted with [^\[\]\n]{1,20}\]|\[the conversation goes on\]"
)
_TOKENS = r"<[|｜][\w▁ -]{1,40}[|｜]>|<unused\d+>|<(?:bos|pad)>|<<?/?SYS>>?|\[/INST\]|\[tool_call:[^\[\]\n]{0,200}\]"
_RESULTS = rf"<{_PREFIXED}(?P<result>tool_responses?|tool_results?|function_results?)>"
_KEYS = r'"(?:name|function|tool|tool_name|tool_calls|function_call|type|id|action|arguments|parameters|args)"\s*:'
_BARE = rf"\{{(?=\s*{_KEYS})|\[(?=\s*\{{\s*{_KEYS})|functools\[(?=\s*\{{)|\[(?=[a-z]\w*\()"
_FORM = r"\{\s*(?=\")|\[\s*(?=[\[{\"])"
_PARTS = (
    r"(?P<code>`+)",
    rf"(?P<thinks>{_OPENS})",
    rf"(?P<thought>{_CLOSES})",
    r"(?P<channel>(?:<\|start\|>[^<\n]{0,80})?<\|channel\|>)",
    rf"(?P<result_of>{_RESULTS})",
    rf"(?P<call>{_CALLS})",
    rf"(?P<turn>{_TURNS})",
    rf"(?P<end>{_ENDS})",
    rf"(?P<aside>{_ASIDE})",
    rf"(?P<token>{_TOKENS})",
    r"(?P<frame></?(?:answer|final_answer|response|s)>)",
)
_IN_PROSE = re.compile("|".join((*_PARTS, rf"(?P<bare>{_BARE})")))
_IN_PLAIN = re.compile("|".join((*_PARTS, rf"(?P<bare>{_BARE})", rf"(?P<shape>{_FORM})")))
_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]*")
_IN_FORM = re.compile("|".join((*_PARTS[:-1], r"(?P<value>[{\[])")))
_CLOSE = re.compile(_CLOSES)
_CALL = re.compile(_CALLS)
# the beginning of a code block that may become a call
_CALL_BEGUN = re.compile(
    rf"\s{{0,8}}(?:\Z|(?:\[\s{{0,8}})?(?:\Z|\{{\s{{0,8}}(?:\Z|\"\w{{0,16}}\"?\s{{0,8}}\Z|{_KEYS})))"
)
_BEYOND = re.compile(rf"{_CALLS}|<(?:final_)?answer>|<\|channel\|>final")
_CHANNEL = re.compile(
    r"(?:<\|start\|>([^<\n]{0,80}))?<\|channel\|>\s?(\w*)([^<]{0,200}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>)?"
)
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
# thoughts with lost marks: how they begin, and where the answer begins
_LEADS = (
    (re.compile(r"\s{0,8}(?:analysis|commentary)(?=[A-Z\"'])"), re.compile(r"assistant(?:commentary)?final")),
    (re.compile(r"\s{0,8}Here(?: is|'s) my thought process:"), re.compile(r"Here(?: is|'s) my response:\s{0,8}")),
)
_INLINE = re.compile(r"``[^`\n]{1,300}(?:`[^`\n]{1,300})?``(?!`)|`[^`\s](?:[^`\n]{0,2000}[^`\s])?`(?!`)")
_NAMED = re.compile(r"\[([a-z]\w*)\(")
_ROLE = re.compile(r"\s*(?:user|assistant|human|system|model)[ \t]*[\n:]", re.IGNORECASE)
_PARTIAL = re.compile(
    r"(?:<(?:[/|｜]?[\w▁:=.|｜-]{0,40}|/?(?:foreign|\w{0,12}invoke|\w{0,12}call\w?|thin\w*)\s[^<>\n]{0,120})"
    r"|\[[^\[\]\n]{0,160}|\([a-z_]{0,24}(?::[\w:, ]{0,80})?|\{\s*(?:\"\w{0,16}(?:\"\s*)?)?|◁[^▷\n]{0,8})\Z"
)
_NOTHING = re.compile(r"\s*\Z")
_QUOTES = "\"'“‘«`„", "\"'”’»`“"

_DATE = r"(?:\d{1,9} · )?(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w{0,6},? )?(?:\d{1,2} [A-Z][a-z]{2,8}|\d{4}-\d\d-\d\d)"
_STAMP = re.compile(rf"\[{_DATE}[^\[\]\n]{{0,40}}\][ \t]*(?:(?P<who>[^\s:\[\]][^:\[\]\n]{{0,30}}):)?[ \t]*")
_INVENTED = re.compile(
    r"\n\s{0,8}(?:(?:#{1,4} |\*\*)?(?P<label>User|USER|Human|HUMAN|Instruction)(?:\*\*)?:"
    rf"|\[{_DATE}[^\[\]\n]{{0,40}}\] [^\s:\[\]][^:\[\]\n]{{0,30}}:)"
)
_LABEL = re.compile(r"[ \t>*_#-]{0,6}(\w[\w ]{0,24}?)(?:\*\*)?:(?!//)")
_LABEL_LINE = re.compile(rf"^{_LABEL.pattern}", re.MULTILINE)
_OWN = ("assistant", "ai")
_THEIRS = ("User:", "USER:", "Human:", "HUMAN:", "Instruction:")
_JSON = re.compile(r"\bjson\b|\braw\b", re.IGNORECASE)


@dataclass(frozen=True)
class Spoken:
    """The spoken text and the calls of offered tools. `unopened`: unmarked thoughts came first."""

    text: str
    calls: tuple[Called, ...] = ()
    unopened: bool = False


@dataclass(frozen=True)
class Manner:
    """How to parse an answer.
    `offered`: tool schemas by name; `heard`: the user's message; `name`: the companion's; `form`: a
    typed answer is expected; `opens_late`: the model begins with unmarked thoughts, so partial text
    counts as thoughts until they end; `plain`: put JSON into words."""

    offered: Mapping[str, Mapping[str, Any]]
    heard: str = ""
    name: str = ""
    form: bool = False
    opens_late: bool = False
    plain: bool = False


PLAIN = Manner({})


def read(written: str, manner: Manner = PLAIN, *, unfinished: bool = False) -> Spoken:
    """Parse `written`. While `unfinished`, anything that may become a mark is held back."""
    reading = _Reading(written, manner, unfinished)
    reading.run()
    if unfinished and manner.opens_late and not reading.unopened:
        return Spoken("")
    if not reading.removed and not unfinished and manner.form:
        return Spoken(written)
    text = "".join(piece for piece, _ in reading.kept)
    if not manner.form:
        plain = "".join("\0" * len(piece) if code else piece for piece, code in reading.kept)
        begin, end = _edges(plain, manner, unfinished)
        reading.removed = reading.removed or begin > 0 or (end < len(text) and not unfinished)
        text = text[begin:end]
    if reading.removed:
        text = text.lstrip() if unfinished else text.strip()
    return Spoken(text, tuple(reading.calls), reading.unopened)


class _Reading:
    """One pass over an output, from mark to mark. `kept` holds pieces and whether they are code."""

    def __init__(self, text: str, manner: Manner, unfinished: bool) -> None:
        self.text = text
        self.manner = manner
        self.unfinished = unfinished
        self.kept: list[tuple[str, bool]] = []
        self.calls: list[Called] = []
        self.removed = self.unopened = False
        self._mute = self._gap = self._closed = self._struck = self._words = False
        self._new_line = True
        self._tries = 0
        self._plain = manner.plain and not _JSON.search(manner.heard)

    def run(self) -> None:
        """Parse the whole text."""
        marks = _IN_PLAIN if self._plain else _IN_PROSE
        if self.manner.form:
            marks = _IN_FORM
        readers = {
            "code": self._code,
            "thinks": self._thinks,
            "thought": self._thought,
            "channel": self._channel,
            "result_of": self._result_of,
            "call": self._call,
            "turn": self._turn,
            "end": self._end,
            "aside": self._mark,
            "token": self._mark,
            "frame": self._frame,
            "value": self._value,
            "bare": self._bare,
            "shape": self._shape,
        }
        at = self._lead()
        while (match := marks.search(self.text, at)) is not None:
            self._say(self.text[at : match.start()])
            kind = str(match.lastgroup)
            if kind not in ("code", "value", "bare", "shape") and self._is_quoted(match):
                self._say(match.group())
                at = match.end()
                continue
            removed, self._gap = self.removed, False
            at = readers[kind](match)
            self.removed = removed or self._gap
        rest = self.text[at:]
        if self.unfinished and (begun := _PARTIAL.search(rest)) is not None:
            rest = rest[: begun.start()]
        self._say(rest)

    def _lead(self) -> int:
        for begins, ends in _LEADS:
            if (lead := begins.match(self.text)) is not None:
                match = ends.search(self.text, lead.end())
                self.removed = self._gap = self._closed = True
                return match.end() if match else len(self.text)
        return 0

    def _say(self, words: str, code: bool = False) -> None:
        if self._mute or not words:
            return
        if self._gap and not code:
            words = self._join(words)
        if not words:
            return
        self.kept.append((words, code))
        self._gap = False
        _, line, last = words.rpartition("\n")
        self._new_line = not last.strip() if line else self._new_line and not words.strip()
        self._words = self._words or bool(words.strip())

    def _join(self, words: str) -> str:
        """Return text after a removed part, without doubled blanks."""
        before = self.kept[-1][0] if self.kept else "\n"
        if before.endswith("\n"):
            return words.lstrip("\n") if words.startswith("\n") else words.lstrip(" ")
        if before[-1].isspace() and words[0] in " .,;:!?)\n":
            self.kept[-1] = (before.rstrip(" "), self.kept[-1][1])
        return words

    def _drop(self, at: int) -> int:
        """Skip the text before `at`."""
        self._gap = True
        return at

    def _literal(self, end: int, begin: int, code: bool = True) -> int:
        self._say(self.text[begin:end], code)
        return end

    def _is_quoted(self, found: re.Match[str]) -> bool:
        begin, end = found.span()
        return (
            begin > 0 and end < len(self.text) and self.text[begin - 1] in _QUOTES[0] and self.text[end] in _QUOTES[1]
        )

    def _code(self, found: re.Match[str]) -> int:
        begin, end = found.span()
        if self.unfinished and (end == len(self.text) or (end - begin > 2 and self.text.find("\n", end) < 0)):
            return self._drop(len(self.text))
        if end - begin < 3:
            span = _INLINE.match(self.text, begin)
            if span is None and self._plain and self.unfinished and self.text.find("\n", end) < 0:
                return self._drop(len(self.text))
            return self._literal(span.end() if span else end, begin, code=span is not None)
        close = self.text.find(found.group(), end)
        body = self.text[end : close if close >= 0 else len(self.text)]
        after = close + end - begin if close >= 0 else len(self.text)
        if not self.manner.form and self._is_call(body, after, close >= 0):
            return self._take_calls(body, after)
        if self._plain and (words := self._block_in_words(body)) is not None:
            self._say(words if close >= 0 or not self.unfinished else "")
            return after
        return self._literal(after, begin)

    def _block_in_words(self, body: str) -> str | None:
        """Return the values of a JSON code block in words; None for other blocks."""
        match = _LANGUAGE.match(body)
        if match and not match.group().lower().startswith("json"):
            return None
        found = list(written_calls.values(body[match.end() if match else 0 :]))
        if any(head.strip() for head, _ in found) or not (match or [one for _, one in found if is_form(one)]):
            return None
        return "\n".join(in_words(value) for _, value in found) or ("" if self.unfinished and match else None)

    def _is_call(self, body: str, after: int, closed: bool) -> bool:
        """Return whether a code block is a call: marked so, or a bare call of an offered tool."""
        info, _, inner = body.partition("\n")
        if info.strip() in ("tool_call", "tool_calls", "tool_code", "function_call", "tool_use"):
            return True
        if not self.manner.offered or info.strip() not in ("", "json") or _JSON.search(self.manner.heard):
            return False
        if not closed and self.unfinished:
            return _CALL_BEGUN.match(inner) is not None
        bare = inner.lstrip()[:1] in ("{", "[") and _NOTHING.match(self.text, after) is not None
        return bare and bool(written_calls.read(inner, self.manner.offered))

    def _take_calls(self, body: str, after: int) -> int:
        """Parse the calls in `body`; text after a call of an offered tool is dropped."""
        calls = written_calls.read(body, self.manner.offered)
        self.calls += calls
        self._mute = self._mute or bool(calls)
        return self._drop(after)

    def _thinks(self, found: re.Match[str]) -> int:
        at = found.end()
        while (close := _CLOSE.search(self.text, at)) is not None:
            if not self._is_quoted(close):
                self._closed = True
                return self._drop(close.end())
            at = close.end()
        beyond = None if self.unfinished else _BEYOND.search(self.text, found.end())
        if beyond is None:
            return self._drop(len(self.text))
        self._closed = True
        self._mute = self._mute or _CALL.match(self.text, beyond.start()) is not None
        return self._drop(beyond.start())

    def _thought(self, found: re.Match[str]) -> int:
        """Handle a closing mark without an opening one: everything before it was thoughts."""
        if found.end() == len(self.text) and self.unfinished:
            return self._drop(len(self.text))
        if not self._closed or not _NOTHING.match(self.text, found.end()):
            self.kept, self.calls, self._new_line = [], [], True
            self._mute = self._words = False
            self.unopened = self.unopened or not self._closed
        self._closed = True
        return self._drop(found.end())

    def _channel(self, found: re.Match[str]) -> int:
        head = _CHANNEL.match(self.text, found.start())
        assert head is not None
        if self.unfinished and not head[3] and self.text.find("<|", head.end()) < 0:
            return self._drop(len(self.text))
        end = _CHANNEL_END.search(self.text, head.end())
        body_end = end.start() if end else len(self.text)
        self._closed = True
        if head[2] == "final":
            return self._drop(head.end())
        if "to=" in head.group():
            return self._take_calls(f"{head[1]} {head[3]} {self.text[head.end() : body_end]}", body_end)
        return self._drop(body_end)

    def _result_of(self, found: re.Match[str]) -> int:
        """Drop a tool result that the model invented."""
        end = self.text.find(f"{found['result']}>", found.end())
        return self._drop(len(self.text) if end < 0 else end + len(found["result"]) + 1)

    def _call(self, found: re.Match[str]) -> int:
        if self.manner.form:
            return self._drop(found.end())
        end = _CALL_ENDS.search(self.text, found.end())
        stop = end.start() if end else len(self.text)
        if end and end.group() in ("</function>", "</invoke>"):
            stop = end.end()
        return self._take_calls(self.text[found.start() : stop], end.end() if end else stop)

    def _turn(self, found: re.Match[str]) -> int:
        role = (found["role"] or found["whose"] or "").lower()
        open_ = found.group().startswith("<|start|>") and self.text.find("|>", found.end()) < 0
        if self.unfinished and (open_ or found.end() == len(self.text)):
            return self._drop(len(self.text))
        if role in ("assistant", "model") and not self._words:
            return self._drop(found.end())
        close = self.text.find("[/INST]", found.end()) if found.group() == "[INST]" and not self._words else -1
        return self._drop(len(self.text) if close < 0 else close + len("[/INST]"))

    def _end(self, found: re.Match[str]) -> int:
        if found.group() == "</s>" and self._struck:
            self._struck = False
            return self._literal(found.end(), found.start(), code=False)
        rest = self.text[found.end() : found.end() + 24]
        if self._words and (_ROLE.match(rest) or (self.unfinished and len(rest) < 20)):
            return self._drop(len(self.text))
        return self._drop(found.end())

    def _mark(self, found: re.Match[str]) -> int:
        return self._drop(found.end())

    def _frame(self, found: re.Match[str]) -> int:
        """Handle an answer tag (markup only next to thoughts); `<s>` begins a text or a strike."""
        strikes = found.group() == "<s>"
        if (strikes and not self._words) or (self._closed and not strikes):
            return self._drop(found.end())
        self._struck = self._struck or strikes
        return self._literal(found.end(), found.start(), code=False)

    def _value(self, found: re.Match[str]) -> int:
        """Skip a value of a typed answer: its content is no markup."""
        self._tries += 1
        end = written_calls.end_of(self.text, found.start()) if self._tries <= MOST_TRIES else None
        return self._literal(end or found.end(), found.start())

    def _bare(self, found: re.Match[str]) -> int:
        """Handle JSON on its own line, which may be a call."""
        self._tries += 1
        begin = found.start()
        if self._tries > MOST_TRIES:
            return self._literal(found.end(), begin, code=False)
        inner = found.end() - 1
        match = _NAMED.match(self.text, inner)
        if match and match[1] not in self.manner.offered:
            return self._literal(found.end(), begin, code=False)
        end = written_calls.end_of(self.text, inner)
        self._tries += 0 if end else MOST_TRIES // 4
        if end is None and self.unfinished:
            return self._drop(len(self.text))
        body = self.text[inner:end]
        alone = self._new_line or _NOTHING.match(self.text, end or len(self.text)) is not None
        if alone and written_calls.read(body, self.manner.offered):
            return self._take_calls(body, end or len(self.text))
        if not self._new_line or not written_calls.is_call(body) or _JSON.search(self.manner.heard):
            return self._shape(found) if self._plain else self._literal(end or found.end(), begin, end is not None)
        return self._drop(end or len(self.text))

    def _shape(self, found: re.Match[str]) -> int:
        """Handle JSON within text."""
        begin = found.start()
        self._tries += 1
        end = written_calls.end_of(self.text, begin) if self._tries <= MOST_TRIES else None
        if end is None:
            return self._drop(len(self.text)) if self.unfinished else self._literal(begin + 1, begin, code=False)
        value = next((one for _, one in written_calls.values(self.text[begin:end])), None)
        if not is_form(value):
            return self._literal(end, begin)
        self._say(in_words(value))
        return end


def _edges(plain: str, manner: Manner, unfinished: bool) -> tuple[int, int]:
    """Return the answer's begin after a label, and its end before an invented turn."""
    begin = len(plain) - len(plain.lstrip())
    own = (*_OWN, manner.name.lower()) if manner.name else _OWN
    heard = manner.heard.lower()
    stamp = _STAMP.match(plain, begin)
    label = _LABEL.match(plain, begin)
    if stamp and stamp["who"] and stamp["who"].lower() in own:
        begin = stamp.end()
    elif label and label[1].lower() in own and not _matches_request(label[1], plain, heard):
        begin = label.end()
        begin += len(plain[begin:]) - len(plain[begin:].lstrip("* "))
    elif unfinished and _may_be_label(plain[begin:], own):
        return 0, 0
    else:
        begin = 0
    end = len(plain)
    for match in islice(_INVENTED.finditer(plain, begin), MOST_LABELS):
        before = plain[begin : match.start()].rstrip()
        if not before or before.endswith(":") or _is_field(plain, match, own):
            continue
        if match["label"] is None or not _matches_request(match["label"], plain, heard):
            end = match.start()
            break
    if unfinished:
        at = plain.rfind("\n", begin, end) + 1
        line = plain[at:end].strip(" *#\n")
        if (
            at > 0
            and plain[at:end].strip()
            and (any(one.startswith(line) for one in _THEIRS) or _stamp_begun(plain[at:end]))
        ):
            end = at
    return begin, max(begin, end)


def _matches_request(label: str, plain: str, heard: str) -> bool:
    """Return whether a label belongs to a dialogue whose speakers the user named."""
    others = {match[1].lower() for match in _LABEL_LINE.finditer(plain)} - {label.lower()}
    return label.lower() in heard and any(one in heard for one in others)


def _is_field(plain: str, found: re.Match[str], own: Sequence[str]) -> bool:
    """Return whether a label is next to one that is no speaker: both are fields of a form."""
    line_end = plain.find("\n", found.end())
    beside = [_LABEL.match(plain, line_end + 1)] if line_end >= 0 else []
    if not found.group().startswith("\n\n"):
        beside.append(_LABEL.match(plain, plain.rfind("\n", 0, found.start()) + 1))
    return any(match is not None and match[1].lower() not in own for match in beside)


def _may_be_label(begun: str, own: Sequence[str]) -> bool:
    words = begun.strip().strip("*").lower()
    known = (*(f"{one}:" for one in own), "analysis", "commentary", "here is my thought process:", "functools[")
    return bool(begun.strip()) and (any(one.startswith(words) for one in known) or _stamp_begun(begun))


def _stamp_begun(line: str) -> bool:
    stamp = _STAMP.match(line.strip())
    return stamp is not None and not stamp["who"] and len(line) - stamp.end() < 32
