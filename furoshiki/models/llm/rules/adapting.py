"""Adaptation of a question to models without tools or pictures, or with a small context window."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from furoshiki.language.tokens import cut, estimate
from furoshiki.models.llm.values import Block, Message, Question, Tool, ToolCall

UNSEEN = "[A picture came with this. You cannot see pictures: say so, and ask what is on it if that matters.]"

OFFER = (
    "You may use the tools below. To use one, write "
    '<tool_call>{"name": "…", "arguments": {…}}</tool_call> and nothing after it; what comes of it is told you as '
    "<tool_result>. Where none is needed, simply answer."
)
# the memories in the prompt of a turn
_MEMORIES = re.compile(r"<remembered>.*</remembered>\n?", re.DOTALL)

FRAME_TOKENS = 8  # overhead of one message, in tokens
SPARE = 0.9  # usable share of a context window, as token counts are estimates
ANSWERS_SHARE = 4  # the answer gets at most this fraction (1/4) of a window

LEAST_ANSWER = 256


def adapt(question: Question, quirks: Mapping[str, int]) -> Question:
    """Return the question adapted to the model's restrictions."""
    if "tools" in quirks and (question.tools or _has_calls(question)):
        offered = (Block("\n".join([OFFER, *map(_describe_tool, question.tools)])),) if question.tools else ()
        question = replace(_in_words(question), tools=(), system=(*question.system, *offered))
    if "images" in quirks:
        question = replace(question, messages=tuple(_unseen(message) for message in question.messages))
    if "most_tokens" in quirks:
        question = replace(question, max_tokens=min(question.max_tokens, quirks["most_tokens"]))
    if "window" in quirks:
        question = _shorten(question, quirks["window"])
    return question


def size(question: Question) -> int:
    """Estimate the tokens of a question, without its answer."""
    return (
        sum(estimate(block.text) for block in question.system)
        + sum(_size(message) for message in question.messages)
        + sum(estimate(_describe_tool(tool)) for tool in question.tools)
    )


def _shorten(question: Question, window: int) -> Question:
    """Drop tools, memories, the oldest turns, then the end of the system text."""
    answer = min(question.max_tokens, max(LEAST_ANSWER, window // ANSWERS_SHARE))
    room = int(window * SPARE) - answer
    short = replace(question, max_tokens=answer)
    if size(short) <= room:
        return short
    short = replace(_in_words(short), tools=())
    if size(short) > room:
        *before, last = short.messages
        short = replace(short, messages=(*before, replace(last, text=_MEMORIES.sub("", last.text))))
    while size(short) > room and len(short.messages) > 1:
        short = replace(short, messages=short.messages[1:])
    if size(short) > room and question.answer is None:
        left = room - sum(_size(message) for message in short.messages)
        text = "\n\n".join(block.text for block in short.system)
        short = replace(short, system=(Block(cut(text, max(left, room // 2))),))
    return short


def _size(message: Message) -> int:
    called = sum(estimate(_write_call(call)) for call in message.calls)
    return estimate(message.text) + called + FRAME_TOKENS


def _unseen(message: Message) -> Message:
    if not message.images:
        return message
    return replace(message, images=(), text="\n".join([*[UNSEEN] * len(message.images), message.text]).strip())


def _has_calls(question: Question) -> bool:
    return any(message.calls or message.role == "tool" for message in question.messages)


def _in_words(question: Question) -> Question:
    """Turn tool calls and results into plain messages."""
    return replace(question, messages=tuple(_plain(message) for message in question.messages))


def _plain(message: Message) -> Message:
    if message.role == "tool":
        return replace(message, role="user", text=f"<tool_result>{message.text}</tool_result>", call_id=None)
    if not message.calls:
        return message
    said = "\n".join(filter(None, [message.text, *(_write_call(call) for call in message.calls)]))
    return replace(message, text=said, calls=(), native=None)


def _write_call(call: ToolCall) -> str:
    written = json.dumps({"name": call.name, "arguments": dict(call.args)}, ensure_ascii=False, default=str)
    return f"<tool_call>{written}</tool_call>"


def _describe_tool(tool: Tool) -> str:
    schema = json.dumps(dict(tool.schema), separators=(",", ":"), ensure_ascii=False)
    return f"- {tool.name}: {tool.description} Arguments: {schema}"
