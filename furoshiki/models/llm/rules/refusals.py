"""Recognition of request fields that a server refuses, for a repetition without them.

Servers word refusals in many ways: by the name of a field, by its meaning, or not at all. A guess
counts only after the call without the field succeeds.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

ESSENTIAL = frozenset({"model", "messages", "stream"})

LEAST_WINDOW = 512  # Tokens. No current model has a smaller context window.


@dataclass(frozen=True)
class Quirk:
    """A restriction of a model: a refused field by name, "images", "system", "turns" (two in a row
    by one speaker), "json_schema", "json_object", "thoughts" (sent back to it), or an address
    without "v1". "window", "most_tokens" and "room" count tokens: of input, of output, and for
    thinking. "opens_late": it begins with unmarked thoughts. A quirk that is not `lasting` concerns
    this call only."""

    name: str
    value: int = 1
    sure: bool = True
    lasting: bool = True


# how servers say that they lack a feature, whatever the status
_REFUSES = re.compile(
    r"not (?:\w+ ){0,2}(?:support|enabl|allow|permit|available|multimodal|implement)|unsupported|does ?n[o']t support"
    r"|only [\w ]{0,40}supported|no endpoints|missing data|requires?\b|unrecogni[sz]ed|disabled|unavailable|at most 0"
)

_ABOUT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("max_tokens", re.compile(r"\bmax_tokens\b|max_completion_tokens\W+instead")),
    ("max_completion_tokens", re.compile(r"\bmax_completion_tokens\b|max_tokens\W+instead")),
    ("stream_options", re.compile("stream_options|include_usage")),
    ("prompt_cache_key", re.compile("prompt_cache_key")),
    ("diagnostics", re.compile("diagnostics")),
    ("thoughts", re.compile(r"\breasoning\w{0,12}'? is (?:un|not )supported|assistant.{0,20} reasoning")),
    ("reasoning_effort", re.compile("reasoning|effort|thinking")),
    ("thinking", re.compile("thinking|reasoning")),
    ("output_config", re.compile(r"effort|output_config(?!\.format)")),
    ("logprobs", re.compile("logprob")),
    ("turns", re.compile(r"\balternat|roles? must|consecutive|successive|interleave")),
    ("images", re.compile(r"image|\bvision|visual|multi-?modal|mmproj|content\W.{0,40}(?:valid|a) string")),
    ("system", re.compile(r"system.{0,20}(?:role|message|instruction|prompt)|role.{0,60}system|developer instruction"
                          r"|only user and assistant|role\W.{0,60}'user'")),
    ("json_object", re.compile("json.?mode|json_object|response.?format")),
    ("json_schema", re.compile("json.?(?:mode|schema)|(?:response|output).?(?:format|con)|structured output|grammar")),
    ("tools", re.compile(r"\btools?\b|tool.?(?:use|call|choice)|function.?call|functions? (?:is|are) not|--jinja")),
)  # fmt: skip

# problems of a single picture or tool call that say nothing about the next one
_THIS_ONE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("images", re.compile(r"(?:process|decode|read|load|download|identify).{0,40}image|(?:invalid|malformed) image"
                          r"|image.{0,80}(?:exceed|too (?:large|big|small)|valid|corrupt|media type)")),
    ("tools", re.compile(r"thought_signature|missing .?reasoning|reasoning\w{0,12}\W.{0,60}passed back|tool.?call.?id"
                         r"|tool_use_failed|tool call validation")),
)  # fmt: skip

# the order in which fields are left out after a refusal without a readable reason
_GUESSES = (
    "logprobs",
    "diagnostics",
    "thinking",
    "output_config",
    "json_schema",
    "json_object",
    "stream_options",
    "images",
    "tools",
)

_DECLINED = re.compile(
    r"content.?filter|content management policy|content.?policy|(?:prompt|input|request) (?:was )?flagged|safety system"
    r"|moderation_blocked|image_generation_user_error|unsafe_generation|prohibited_content"
    r"|requires moderation|content exists risk|data_inspection_failed|considered high risk|violates usage guidelines"
)

_OVERFLOW = re.compile(
    r"context[ _]?(?:length|window|size|limit)|exceed_context|maximum (?:model|prompt|input|sequence) length"
    r"|(?:prompt|input) (?:is )?too long|reduce the length|input token count|too many (?:input )?tokens|tokens to keep"
    r"|too large for model|request too large|tokens`? must be <="
)
_WINDOWS = tuple(
    re.compile(pattern)
    for pattern in (
        r">\s*(\d{3,9})",
        r"n_ctx\D{0,4}(\d{3,9})",
        r"(?:context|prompt|model|input|sequence)[ _](?:length|size|limit|window)\D{0,30}?(\d{3,9})",
        r"(?<!\d)(\d{3,9})(?: tokens?)?(?: maximum)? context",
        r"(?:allowed|limit|at most|up to|<=|max(?:imum)?)\D{0,20}(\d{3,9})",
    )
)
_OUTPUT = re.compile(r"max_(?:completion_|output_|new_)?tokens|(?:completion|output) tokens")
_BOUND = re.compile(r"at most|less than|<=|maximum|>|\brange\b|exceed|too (?:large|high)|up to")
_NUMBER = re.compile(r"\d{2,}")


def is_content_refusal(status: int, words: str) -> bool:
    """Return whether the server refused the content, as its other models would too."""
    return status in (400, 403) and _DECLINED.search(words) is not None


def read(
    status: int, words: str, sent: Collection[str], known: Mapping[str, int], *, tokens: int, limit: int
) -> Quirk | None:
    """Return what to leave out when repeating a refused call; None if nothing can be the reason.

    `words` are the server's (lower case); `sent` the optional parts of the call; `known` the quirks
    already respected; `tokens` the estimated tokens requested in all, `limit` those for the answer.
    """
    words = re.sub(r"(?<=\d)[,_](?=\d{3}\b)", "", words)
    left = set(sent) - ESSENTIAL - set(known)
    if status == 413 or _OVERFLOW.search(words):
        return Quirk("window", _window(words, known.get("window"), tokens), sure=False)
    if _OUTPUT.search(words) and _BOUND.search(words):
        bounds = [int(one) for one in _NUMBER.findall(words) if int(one) < limit]
        if bounds:
            return Quirk("most_tokens", max(bounds))
    if status in (400, 415, 422) or _REFUSES.search(words):
        for name, pattern in _THIS_ONE:
            if name in left and pattern.search(words):
                return Quirk(name, sure=False, lasting=False)
        for name, pattern in _ABOUT:
            if name in left and pattern.search(words):
                return Quirk(name)
        named = next((name for name in sorted(filter(None, left)) if _names(name, words)), None)
        if named is not None:
            return Quirk(named)
    if "v1" in left and status in (200, 404, 405):
        return Quirk("v1", sure=False)
    if status in (400, 422):
        return next((Quirk(name, sure=False) for name in _GUESSES if name in left), None)
    return None


def _names(field: str, words: str) -> bool:
    """Return whether words name a field, also as "presencePenalty" for "presence_penalty"."""
    return re.search(rf"\b{re.escape(field.lower().replace('_', ''))}", words.replace("_", "")) is not None


def _window(words: str, known: int | None, tokens: int) -> int:
    """Return the context window in tokens as counted here; the server's counts are scaled to it."""
    found = next((int(match[1]) for one in _WINDOWS if (match := one.search(words))), 0)
    counted = max((int(one) for one in _NUMBER.findall(words)), default=0)
    if counted > found > 0 and tokens < counted:
        found = found * tokens // counted
    found = found or tokens // 2
    if known is not None and found >= known:
        found = known * 3 // 4
    return max(found, LEAST_WINDOW)


_SAID = {
    "tools": "takes no tools, so skills are offered to it in words",
    "images": "cannot see pictures",
    "system": "takes no system message, so who I am stands in the first message",
    "turns": "wants turns that alternate",
    "json_schema": "fills no forms, so they are asked for in words",
    "window": "reads about {value} tokens at once",
    "most_tokens": "writes {value} tokens at most",
    "room": "needs {value} tokens for its thoughts",
    "opens_late": "begins with thoughts that nothing opens",
    "thoughts": "does not take its own thoughts back",
    "v1": "answers at its address only with /v1 at the end: add that to the setting",
}


def in_words(quirks: Mapping[str, int]) -> str:
    """Describe a model's restrictions in half a sentence."""
    told = [words.format(value=quirks[name]) for name, words in _SAID.items() if quirks.get(name)]
    fields = sorted(name for name in quirks if name not in _SAID and name != "json_object")
    if fields:
        told.append(f"does not know {', '.join(fields)}")
    return ", ".join(told)
