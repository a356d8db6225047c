"""Typed answers: mended, checked, asked for once more, or given up; nothing half-right comes out."""

from __future__ import annotations

import json
import random
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.models.llm.fields import Lenient
from furoshiki.models.llm.structured import ask_typed, form_of
from furoshiki.models.llm.values import Answer, Question
from tests.models.llm.conftest import Desk, question
from tests.models.llm.server import Claude, Gpt, Server, error
from tests.support.dialects import Dialect, values


class Fact(BaseModel):
    subject: str = Field(min_length=1)
    predicate: str
    when: str | None = None
    messages: list[int] = Field(min_length=1)


class Facts(BaseModel):
    mood: Literal["good", "bad", "mixed"]
    warmth: float = Field(ge=0, le=1)
    facts: list[Fact] = []


GOOD = Facts(
    mood="good",
    warmth=0.75,
    facts=[
        Fact(subject="Anika", predicate="lives in Lisbon", messages=[3, 4]),
        Fact(subject="user", predicate='says "ça va" 😀', when="2026-11-20", messages=[7]),
    ],
)
TEXT = GOOD.model_dump_json()


def answer(text: str, **more: Any) -> Answer:
    given: dict[str, Any] = {"finish": "stop", "provider": "p", "model": "m", "tier": "fast"}
    return Answer(text, **{**given, **more})


async def asked(*texts: str, finish: str = "stop") -> tuple[Answer, list[Question]]:
    waiting, seen = list(texts), []

    async def ask(one: Question) -> Answer:
        seen.append(one)
        return answer(waiting.pop(0), finish=finish)

    return await ask_typed(question(answer=Facts, purpose="facts"), ask), seen


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"Sure! Here it is:\n```json\n{TEXT}\n```\nAnything else?",
        f"```\n{TEXT}",
        TEXT.replace("}]}", "},],}"),
        f"[{TEXT}]",
        '{"result": ' + TEXT + "}",
        "{'mood': 'good', 'warmth': .75, facts: [], // none\n}",
        '{"mood": "good", "warmth": 0.75, "facts": [{"subject": "a", "predicate": "b", "when": None, "messages": [1,]}]}',  # noqa: E501
        "\ufeff" + TEXT,
    ],
)
async def test_what_was_meant_is_read(text: str) -> None:
    got, seen = await asked(text)
    assert got.parsed.mood == "good"
    assert len(seen) == 1


class Look(BaseModel):
    send: bool
    search: str | None
    moved: list[Told]


class Told(BaseModel):
    text: str
    after: str | None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"send": true, "moved": [{"text": "a"}, {"text": "b", "after": "2026-12-02"}]}', None),
        ('{"search": "ferry", "moved": []}', "send: Field required"),
        ('{"send": true, "moved": [{"after": null}]}', "moved.0.text: Field required"),
        ('{"send": "perhaps", "moved": []}', "send: Input should be a valid boolean"),
    ],
)
async def test_what_may_be_null_may_be_left_out(text: str, complaint: str | None) -> None:
    whole, seen = '{"send": true, "search": null, "moved": [{"text": "a", "after": null}]}', []

    async def ask(one: Question) -> Answer:
        seen.append(one)
        return answer(text if len(seen) == 1 else whole)

    got = await ask_typed(question(answer=Look, purpose="look"), ask)
    assert got.parsed.search is None and got.parsed.moved[0] == Told(text="a", after=None)
    assert (complaint is None) == (len(seen) == 1)
    assert complaint is None or complaint in seen[1].messages[-1].text


class Loose(Lenient):
    moved: list[Told] = []
    named: list[str] = []


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (Look, '{"send": true, "moved": null}'),
        (Look, '{"send": true}'),
        (Loose, '{"moved": null, "named": ["a"]}'),
    ],
)
async def test_null_for_a_list_is_an_empty_list(model: type[Any], text: str) -> None:
    seen: list[Question] = []

    async def ask(one: Question) -> Answer:
        seen.append(one)
        return answer(text)

    got = await ask_typed(question(answer=model, purpose="look"), ask)
    assert list(got.parsed.moved) == [] and len(seen) == 1
    assert getattr(got.parsed, "unfit", ()) == ()


class Passage(BaseModel):
    text: str
    messages: list[int]


class Passages(Lenient):
    entry: list[Passage] = []


async def test_null_in_an_item_empties_its_list_and_keeps_the_item() -> None:
    async def ask(one: Question) -> Answer:
        return answer('{"entry": [{"text": "I kept quiet.", "messages": null}, {"messages": [3]}]}')

    got = (await ask_typed(question(answer=Passages, purpose="look"), ask)).parsed
    assert [one.text for one in got.entry] == ["I kept quiet."]
    assert len(got.unfit) == 1 and "entry.1.text" in got.unfit[0]


async def test_a_second_question_carries_the_complaint() -> None:
    bad = TEXT.replace("0.75", "7")
    got, seen = await asked(bad, TEXT)
    assert got.parsed == GOOD
    said, complaint = seen[1].messages[-2:]
    assert (said.role, said.text) == ("assistant", bad)
    assert "warmth" in complaint.text
    assert "less than or equal to 1" in complaint.text


async def test_two_misfits_are_given_up() -> None:
    with pytest.raises(AnswerUnusable, match="mood: Field required"):
        await asked("I would rather not.", '{"warmth": 1}', TEXT)


async def test_what_was_cut_short_is_asked_for_again_with_more_room() -> None:
    cut = TEXT[: TEXT.index("7]") - 30]
    got, seen = await asked(cut, TEXT, finish="length")
    assert got.parsed == GOOD
    assert seen[1].max_tokens == 2 * seen[0].max_tokens


async def test_a_list_cut_short_twice_keeps_its_whole_elements() -> None:
    cut = TEXT[: TEXT.index("ça va")]
    got, _ = await asked(cut, cut, finish="length")
    assert [fact.subject for fact in got.parsed.facts] == ["Anika"]


async def test_a_refusal_is_not_pressed() -> None:
    with pytest.raises(AnswerUnusable, match="declined"):
        await asked("", finish="refused")


def mutated(rng: random.Random) -> str:
    """A good answer after some accidents: cut, shuffled, doubled, nested, with foreign bytes and wrong types."""
    text = TEXT
    for _ in range(rng.randint(1, 4)):
        at, to = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        junk = rng.choice(
            ["", "{", "}", "[", "]", '"', "'", ",", ":", "\\", "\\u12", "\\ud83d", "\0", "NaN", "1e999", "null", "-"]
            + [
                "```",
                "// x",
                "/*",
                "\n",
                "“",
                "9" * 5000,
                "\ud800",
                "[" * 3000,
                '{"a":' * 500,
                "true",
                "Ω",
                TEXT[at:to],
            ]
        )
        match rng.randrange(5):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + junk + text[at:]
            case 2:
                text = text[:at] + junk + text[to:]
            case 3:
                text = text[:at] + text[to:]
            case _:
                wrong = rng.choice(['"x"', "5", "[]", "{}", "null", "-1.5e-7", '[{"a": {}}]'])
                name = rng.choice(["mood", "warmth", "facts", "subject", "messages", "when"])
                text = text.replace(f'"{name}":', f'"{name}":{wrong},"{name}2":', 1)
        text = text or "{"
    return text


async def escapes(count: int, seed: int) -> tuple[int, int]:
    rng, fit = random.Random(seed), 0
    for _ in range(count):
        try:
            got, _ = await asked(mutated(rng), mutated(rng), finish=rng.choice(["stop", "length"]))
        except AnswerUnusable:
            continue
        # what came out is whole and can be stored
        assert isinstance(got.parsed, Facts)
        Facts.model_validate_json(got.parsed.model_dump_json())
        json.dumps(got.parsed.model_dump()).encode()
        assert "\0" not in got.parsed.model_dump_json()
        fit += 1
    return fit, count


async def test_mutated_answers_never_escape() -> None:
    fit, _ = await escapes(400, seed=1)
    assert fit > 20


@pytest.mark.slow
async def test_ten_thousand_mutated_answers_never_escape() -> None:
    fit, count = await escapes(10_000, seed=2)
    assert fit > count / 20


async def test_the_form_is_asked_for_in_each_dialect(dialect: Dialect, desk: Desk) -> None:
    async with Server(dialect.says(TEXT)) as server:
        got = await desk.open(values(dialect, server)).ask(question(answer=Facts))
    assert got.parsed == GOOD
    body = server.bodies[0]
    if dialect is Claude:
        schema = body["output_config"]["format"]["schema"]
        assert body["output_config"]["effort"] == "low"
    else:
        assert body["response_format"]["json_schema"]["strict"] is True
        schema = body["response_format"]["json_schema"]["schema"]
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["mood", "warmth", "facts"]
    assert "minimum" not in json.dumps(schema)
    assert "at least 0" in schema["properties"]["warmth"]["description"]


async def test_a_server_without_schemas_is_asked_in_plainer_ways(desk: Desk) -> None:
    refuses = [error(400, "invalid_request_error", "json_schema is not supported"), error(422, "x", "no")]
    async with Server(*refuses, Gpt.says("```json\n" + TEXT + "\n```")) as server:
        gateway = desk.open(values(Gpt, server))
        got = await gateway.ask(question(answer=Facts))
        await gateway.ask(question(answer=Facts))
    assert got.parsed == GOOD
    kinds = [body.get("response_format", {}).get("type") for body in server.bodies]
    assert kinds == ["json_schema", "json_object", None, None]
    assert '"mood"' in server.bodies[2]["messages"][-1]["content"]


async def test_the_built_in_mind_answers_by_rule_or_says_it_cannot(desk: Desk) -> None:
    gateway = desk.open({})
    with pytest.raises(NoMindAnswered, match="ANTHROPIC_API_KEY"):
        await gateway.ask(question(answer=Facts, purpose="facts"))
    desk.reflected = lambda _asked: GOOD
    got = await gateway.ask(question(answer=Facts, purpose="facts"))
    assert (got.parsed, got.provider) == (GOOD, "local")
    assert desk.whys == ["no-model", "no-model"]


def test_a_form_that_cannot_be_closed_is_not_strict() -> None:
    class Loose(BaseModel):
        scores: dict[str, float]

    class Tree(BaseModel):
        name: str
        children: list[Tree] = []

    assert form_of(Loose).strict is False
    assert form_of(Loose) is form_of(Loose), "made again for each question it took a millisecond and more"
    tree = form_of(Tree)
    assert tree.strict
    assert tree.schema["$defs"]["Tree"]["required"] == ["name", "children"]
