"""What of a model's writing is said: nothing of its inside, and all that a person asked for."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from typing import Any

import pytest

from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.rules import spoken
from furoshiki.models.llm.rules.json_repair import read_json
from furoshiki.models.llm.rules.spoken import Manner

OFFERED: dict[str, dict[str, Any]] = {
    "recall": {"properties": {"query": {"type": "string"}, "k": {"type": "integer"}}},
    "introspect": {},
}
PROSE = Manner(OFFERED, "What do I like to drink, furo?", "Furo")
FORM = Manner({}, "What do I like?", "Furo", form=True)
TEA = ("recall", {"query": "tea"})

SAID = {
    # thoughts, in whole and half tags
    "<think>They bore me.</think>Good evening!": "Good evening!",
    "<think>\n\n</think>\n\nGood evening!": "Good evening!",
    "<THINK>They bore me.</THINK>\nGood evening!": "Good evening!",
    "<thinking>They bore me.\n\nNo.</thinking>\n\nGood evening!": "Good evening!",
    "Good evening! <thought>hm</thought> You?": "Good evening! You?",
    "Good.\n\n<reasoning>hm</reasoning>\n\nYou?": "Good.\n\nYou?",
    "<reasoning>They bore me.</reasoning>\n<answer>\nGood evening!\n</answer>": "Good evening!",
    "<think>I say <think> aloud.</think>Good evening!": "Good evening!",
    "<think>a <think>b</think> c</think>Good evening!": "Good evening!",
    "<think>They ask about `</think>`.</think>It ends a thought.": "It ends a thought.",
    "<think>```\n</b>\n```</think>Good evening!": "Good evening!",
    "<think>a</think>Good evening!</think>": "Good evening!",
    "<seed:think>hm</seed:think>Good evening!": "Good evening!",
    "[THINK]They bore me.[/THINK]Good evening!": "Good evening!",
    "◁think▷They bore me.◁/think▷Good evening!": "Good evening!",
    "<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Good.<|END_RESPONSE|>": "Good.",
    "<|begin_of_thought|>hm<|end_of_thought|><|begin_of_solution|>Good.<|end_of_solution|>": "Good.",
    "<|channel>thought\nhm<channel|>Good evening!": "Good evening!",
    "<unused94>thought\nhm<unused95>Good evening!": "Good evening!",
    "Here is my thought process: hm. Here is my response: Good evening!": "Good evening!",
    "<think>They bore me. Good evening!": "",
    "<think>hm</think>": "",
    "They bore me.</think>": "",
    "Good evening!\n<think>They bore": "Good evening!",
    # channels
    "<|channel|>analysis<|message|>They bore me.<|end|><|start|>assistant<|channel|>final<|message|>Good.<|return|>": (
        "Good."
    ),
    "<|channel|>analysis<|message|>They bore me.<|end|>": "",
    "<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>final<|message|>Good.": "Good.",
    "analysisThey bore me.assistantfinalGood evening!": "Good evening!",
    "analysisThey bore me.": "",
    # tokens of chat templates, and what a model runs on with
    "Good evening!<|im_end|>": "Good evening!",
    "Good evening!<|im_end|>\n<|im_start|>user\nthanks<|im_end|>": "Good evening!",
    "<|im_start|>assistant\nGood evening!": "Good evening!",
    "Good evening!<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nthanks": "Good evening!",
    "Good evening!<|eot_id|>\nassistant\n\nAnd you?": "Good evening!",
    "<s>Good evening!</s>": "Good evening!",
    "<s>[INST] hello [/INST] Good evening!</s>": "Good evening!",
    "Good evening! [INST] thanks [/INST] Yes": "Good evening!",
    "Good evening!<end_of_turn>\n<start_of_turn>user\nthanks": "Good evening!",
    "Good evening!<｜end▁of▁sentence｜><｜User｜>thanks": "Good evening!",
    "Good evening!<|user|>\nthanks": "Good evening!",
    "<|im_start|>user\nhello": "",
    # calls of what is not offered
    '<tool_call>{"name": "rm", "arguments": {"path": "/"}}</tool_call>': "",
    'One moment.\n{"name": "rm", "arguments": {"path": "/"}}': "One moment.",
    "Yes.<tool_response>made up</tool_response> You do.": "Yes. You do.",
    # the prompt's own marks
    "You like tea [memory:1 · 26 November 2026].": "You like tea.",
    "- [memory:1 · 26 November 2026 · they · until 3 May, not now] Tea.": "- Tea.",
    "Tea [memory:2, memory:3] and coffee (turn:12).": "Tea and coffee.",
    'Carlos wrote <foreign source="forwarded from Carlos">hello</foreign>.': "Carlos wrote hello.",
    # a speaker's label, and an invented turn
    "[Thu 26 Nov] Furo: Good evening!": "Good evening!",
    "[Thursday, 26 November, 18:00] Furo: Good.\n[Thursday, 26 November, 18:01] Mira: Thanks": "Good.",
    "Furo: Good evening!": "Good evening!",
    "**Furo:** Good evening!": "Good evening!",
    "Assistant: Good evening!\n\nUser: thanks\n\nAssistant: Yes.": "Good evening!",
    "Good evening!\nUser: thanks": "Good evening!",
    "Good evening!\n\nHuman: thanks\n\nFuro: Yes.": "Good evening!",
    "Good.\nNote: it rains.\n\n### User:\nthanks": "Good.\nNote: it rains.",
}

CALLED = {
    '<tool_call>{"name": "recall", "arguments": {"query": "tea"}}</tool_call>': "",
    'Let me look.\n<tool_call>\n{"name": "recall", "arguments": {"query": "tea"}}\n</tool_call>\nYou do.': (
        "Let me look."
    ),
    '<tool_call>{"name": "recall", "arguments": "{\\"query\\": \\"tea\\"}"}': "",
    "<tool_call>\n<function=recall>\n<parameter=query>\ntea\n</parameter>\n</function>\n</tool_call>": "",
    "<tool_call>recall\n<arg_key>query</arg_key>\n<arg_value>tea</arg_value>\n</tool_call>": "",
    '<function=recall>{"query": "tea"}</function>': "",
    '<function_calls><invoke name="recall"><parameter name="query">tea</parameter></invoke></function_calls>': "",
    '<｜DSML｜function_calls><｜DSML｜invoke name="recall"><｜DSML｜parameter name="query">tea</｜DSML｜parameter>'
    "</｜DSML｜invoke></｜DSML｜function_calls>": "",
    '[TOOL_CALLS][{"name": "recall", "arguments": {"query": "tea"}}]': "",
    '[TOOL_CALLS]recall[ARGS]{"query": "tea"}': "",
    '<|python_tag|>{"name": "recall", "parameters": {"query": "tea"}}<|eom_id|>': "",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>recall\n```json\n"
    '{"query": "tea"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>': "",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.recall:0<|tool_call_argument_begin|>"
    '{"query": "tea"}<|tool_call_end|><|tool_calls_section_end|>': "",
    '<|tool_call>call:recall{query:<|"|>tea<|"|>}<tool_call|>': "",
    "<|start|>assistant<|channel|>commentary to=functions.recall <|constrain|>json<|message|>"
    '{"query": "tea"}<|call|>': "",
    '<|start|>assistant to=functions.recall<|channel|>commentary json<|message|>{"query": "tea"}<|call|>': "",
    'functools[{"name": "recall", "arguments": {"query": "tea"}}]': "",
    '{"name": "recall", "arguments": {"query": "tea"}}': "",
    '{"type": "function", "function": {"name": "recall", "arguments": "{\\"query\\": \\"tea\\"}"}}': "",
    'I look: {"name": "recall", "parameters": {"query": "tea"}}': "I look:",
    '```json\n{"name": "recall", "arguments": {"query": "tea"}}\n```': "",
    '```tool_code\nprint(default_api.recall(query="tea"))\n```': "",
    '[recall(query="tea")]': "",
    '<think>I look.</think><tool_call>{"name": "recall", "arguments": {"query": "tea"}}</tool_call>': "",
    '<think>I look.\n<tool_call>{"name": "recall", "arguments": {"query": "tea"}}</tool_call>': "",
}

AS_WRITTEN = [
    "Good evening!",
    "Two\n\n\n\nthree  ",
    "2 < 3 and 5 > 4, a<b, [x] and {y}, [see](https://a.example), [[react:👍]]",
    'It writes "<think>" before and “</think>” after.',
    "Write `<think>` or `<|im_end|>`, `[TOOL_CALLS]` and `[memory:1]`.",
    "So:\n```xml\n<think>hm</think>\n<tool_call>{}</tool_call>\nUser: hi\n```\nDone.",
    "So:\n```\n<think>never closed",
    '{"drink": "tea", "name": "Mira"}',
    '[{"name": "Mira", "age": 3}]',
    'Use `{"name": "recall", "arguments": {}}` for it.',
    'So:\n```json\n{"name": "recall", "arguments": {"query": "tea"}}\n```\nThat is a call.',
    "For example:\n\nUser: hello\nBot: good evening",
    "Good.\nHost: a.example\nUser: mira\nPassword: tea",
    "Kinds:\n- Human: tall\n- Elf: taller",
    "~~old~~ <s>old</s> new",
    "Time: 10:00\nPlace: here",
    "`a` and ` and `b`` c",
]


def read(written: str, manner: Manner = PROSE) -> tuple[str, list[Any]]:
    found = spoken.read(written, manner)
    return found.text, list(found.calls)


@pytest.mark.parametrize("written", SAID)
def test_nothing_of_the_inside_is_said(written: str) -> None:
    assert read(written) == (SAID[written], [])


@pytest.mark.parametrize("written", CALLED)
def test_a_call_in_words_is_a_call(written: str) -> None:
    assert read(written) == (CALLED[written], [TEA])


@pytest.mark.parametrize("written", AS_WRITTEN)
def test_what_a_person_would_see_stays(written: str) -> None:
    assert read(written) == (written, [])
    assert read(f"<think>hm</think>{written}")[0] == written.strip()


def test_thoughts_without_a_beginning_go() -> None:
    found = spoken.read("They bore me.</think>Good evening!", PROSE)
    assert (found.text, found.unopened) == ("Good evening!", True)
    assert read('<tool_call>{"name": "recall", "arguments": {}}</tool_call> no</think>Tea.') == ("Tea.", [])


def test_a_call_that_was_only_thought_of_is_none() -> None:
    assert read('<think><tool_call>{"name": "recall", "arguments": {}}</tool_call></think>Tea.') == ("Tea.", [])


def test_a_call_that_is_cut_short_is_none() -> None:
    assert read('Yes.\n<tool_call>{"name": "recall", "arguments": {"query": "te') == ("Yes.", [])
    assert read('{"name": "recall", "arguments": {"query": "te') == ("", [])


def test_arguments_are_of_the_kind_their_schema_names() -> None:
    written = "<function=recall><parameter=query>2026</parameter><parameter=k>3</parameter></function>"
    assert read(written) == ("", [("recall", {"query": "2026", "k": 3})])


def test_several_calls_are_several() -> None:
    one = '<tool_call>{"name": "recall", "arguments": {"query": "tea"}}</tool_call>'
    assert read(f"{one}\n{one}<tool_call>introspect</tool_call>") == ("", [TEA, TEA, ("introspect", {})])


@pytest.mark.parametrize(
    ("heard", "written"),
    [
        ("Write a chat between a user and an assistant", "Sure!\n\nUser: hello\nAssistant: good evening"),
        ("A dialogue of Furo and Mira, please", "Furo: hello\nMira: good evening"),
        ("Give me the JSON of such a call", '{"name": "rm", "arguments": {"path": "/"}}'),
    ],
)
def test_what_was_asked_for_stays(heard: str, written: str) -> None:
    assert read(written, Manner(OFFERED, heard, "Furo")) == (written, [])


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('<think>{"a": 1}</think>{"a": 2}', {"a": 2}),
        ('{"a": 1} no.</think>\n```json\n{"a": 2}\n```', {"a": 2}),
        ('<|channel|>analysis<|message|>{"a": 1}<|end|><|channel|>final<|message|>{"a": 2}', {"a": 2}),
        ('{"a": "<think> and </think>, <|im_end|>"}<|im_end|>', {"a": "<think> and </think>, <|im_end|>"}),
        ('```json\n{"a": "</think>"}\n```', {"a": "</think>"}),
        ('Here: {"a": "[memory:1]\\nUser: hi"}', {"a": "[memory:1]\nUser: hi"}),
        ('<tool_call>{"a": 2}</tool_call>', {"a": 2}),
        ('{"name": "rm", "arguments": {}}', {"name": "rm", "arguments": {}}),
    ],
)
def test_a_typed_answer_is_read_without_the_thoughts_before_it(written: str, value: object) -> None:
    assert read_json(read(written, FORM)[0]).value == value


def test_only_thoughts_are_no_typed_answer() -> None:
    assert read('<think>{"a": 1}', FORM) == ("", [])


async def heard_in(pieces: list[str], manner: Manner) -> tuple[spoken.Spoken, list[str]]:
    told: list[str] = []

    async def on_text(text: str) -> None:
        told.append(text)

    hearing = Hearing(on_text, manner=manner)
    for piece in pieces:
        await hearing.add_text(piece)
    return hearing.read(), told


@pytest.mark.parametrize("written", [*SAID, *CALLED, *AS_WRITTEN])
def test_however_it_is_split_the_same_is_said_and_never_more(written: str) -> None:
    whole = spoken.read(written, PROSE)

    async def split() -> None:
        ways = [[written[:at], written[at:]] for at in range(1, len(written))]
        for pieces in [*ways, list(written)]:
            said, told = await heard_in(pieces, PROSE)
            assert said == whole
            if not whole.unopened:
                for shown in told:
                    assert whole.text.startswith(shown.rstrip()), (pieces[0], shown)

    asyncio.run(split())


async def test_thoughts_that_nothing_opens_are_not_shown_where_they_are_known() -> None:
    told: list[str] = []

    async def on_text(text: str) -> None:
        told.append(text)

    hearing = Hearing(on_text, manner=dataclasses.replace(PROSE, opens_late=True))
    for piece in "They bore me.</think>Good evening!":
        await hearing.add_text(piece)
    assert told[0] == "G" and told[-1] == "Good evening!"


LONG = 50_000
REPEATED = [
    "<think>", "</think>", "<think></think>", "<", "</", "`", "``", "` ", "`a ", "```", "```\n{\n```\n", "[",
    "[(", "<now>", "{", '{"name": ', '{"name": 1}\n', '{"name": x\n', "[{", '[{"name":\n', "[a(", "\n", "\n ",
    " ", "a", "User: ", "\nUser: ", "\nUser: a\nb: ", "<|channel|>", "<|channel|>final<|message|>",
    "<|start|>", "<|im_end|>", "</s>", "<s>", "[INST]", "[memory:1] ", "[memory:1 · ", "(turn:1, ",
    "<foreign ", "<tool_call>", '<tool_call>{"', "<function=a>", "<parameter=a>",
    "<arg_key>a</arg_key><arg_value>", "[1 Nov] A: ", "\n[1 Nov] A", "◁", '"<think>"', "<｜", "a: ", "\na: ",
    "**", "<invoke ", "</function>", "</invoke>\n", "<|x|>", "recall(", "[recall(query=1),",
]  # fmt: skip


@pytest.mark.parametrize("manner", [PROSE, FORM], ids=["prose", "form"])
def test_no_text_holds_it_up(manner: Manner) -> None:
    slow = []
    for words in REPEATED:
        began = time.thread_time()
        spoken.read(words * (LONG // len(words)), manner, unfinished=True)
        if (took := time.thread_time() - began) > 1.0:
            slow.append(f"{words!r}: {took:.2f} s")
    assert slow == []
