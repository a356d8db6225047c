"""How the minds choose, wait, give way and account, with a scripted provider and without HTTP."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from typing import Any

import pytest

from furoshiki.models.llm import attempt, troubles
from furoshiki.models.llm.catalogue import Catalogue, Patience, load
from furoshiki.models.llm.failures import REFUSED_REST_S, Failure, of_status, retry_after, safe_words
from furoshiki.models.llm.gateway import Around, Gateway
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.plans import ModelRef, plans_from
from furoshiki.models.llm.prices import Prices
from furoshiki.models.llm.provider import Form, ModelOptions
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.values import Question, Usage
from tests.models.llm.conftest import NOW, Desk, question

LIMITS = BudgetLimits(soft_usd=1.0, hard_usd=3.0)
TIERED = {
    "ANTHROPIC_API_KEY": "k",
    "OPENAI_API_KEY": "k",
    "FUROSHIKI_MODEL_CHAT": "anthropic:claude-sonnet-5-5",
    "FUROSHIKI_MODEL_MICRO": "openai:gpt-6-luna,local:small.gguf",
}


class Scripted:
    """Says what `acts` holds for a model: text, a Failure, or something to do with the hearing."""

    def __init__(self, **acts: Any) -> None:
        self.acts: dict[str, Any] = acts
        self.asked: list[str] = []
        self.manners: list[ModelOptions] = []
        self.loads = 0

    def load(self) -> None:
        self.loads += 1

    async def say(self, model: str, _q: Question, _form: Form | None, manner: ModelOptions, hearing: Hearing) -> None:
        self.asked.append(model)
        self.manners.append(manner)
        act = self.acts.get(model, "hello")
        if isinstance(act, list):
            act = act.pop(0) if len(act) > 1 else act[0]
        if isinstance(act, Failure):
            raise act
        hearing.sign()
        if callable(act):
            await act(hearing)
            return
        await hearing.add_text(act)
        hearing.usage = Usage(100, 0, 0, 10)
        hearing.finish = "stop"

    async def aclose(self) -> None:
        self.acts = {}


def scripted(
    desk: Desk, provider: Scripted, values: dict[str, Any] = TIERED, patience: Patience | None = None, **more: Any
) -> Gateway:
    catalogue = load()
    if patience is not None:
        catalogue = Catalogue(catalogue.defaults, patience, catalogue.prices, catalogue.manners)
    return Gateway(
        plans_from(values, catalogue),
        {"anthropic": provider, "openai": provider, "local": provider},
        Around(desk.reflex, desk.ledger.append, lambda: desk.spent, lambda: NOW, random.Random(1), **more),
        limits=LIMITS,
        catalogue=catalogue,
        prices=Prices(catalogue.prices),
        sleep=desk.sleep,
    )


@pytest.mark.parametrize(
    ("spent", "purpose", "model", "standing"),
    [
        (0.0, "facts", "claude-sonnet-5-5", "free"),
        (1.0, "facts", "gpt-6-luna", "soft"),
        (1.0, "turn", "claude-sonnet-5-5", "soft"),
        (3.0, "turn", "claude-sonnet-5-5", "hard"),
    ],
)
async def test_the_budget_moves_background_work(
    desk: Desk, spent: float, purpose: str, model: str, standing: str
) -> None:
    desk.spent = spent
    answer = await scripted(desk, Scripted()).ask(question(purpose=purpose))
    assert (answer.model, answer.standing) == (model, standing)


async def test_a_turn_the_built_in_mind_took_over_stays_with_it(desk: Desk) -> None:
    provider = Scripted()
    answer = await scripted(desk, provider).ask(question(given_up=("anthropic:x: 529 overloaded",)))
    assert (answer.model, provider.asked) == ("reflex", [])
    assert answer.fallbacks == ("anthropic:x: 529 overloaded",)


async def test_beyond_the_hard_limit_only_what_is_free_works(desk: Desk) -> None:
    desk.spent, provider = 3.5, Scripted()
    minds = scripted(desk, provider)
    small = await minds.ask(question(purpose="facts", tier="micro"))
    assert (small.model, small.standing) == ("small.gguf", "hard")
    none = await minds.ask(question(purpose="facts"))
    assert none.text == "(reflex: budget)"
    assert provider.asked == ["small.gguf"]
    assert "$3.00" in minds.verdict("facts").reason
    minds.limits = BudgetLimits()
    assert (await minds.ask(question(purpose="facts"))).standing == "free"


async def test_the_tier_that_answered_is_told(desk: Desk) -> None:
    minds = scripted(desk, Scripted())
    assert (await minds.ask(question(tier="deep", purpose="draft"))).tier == "chat"
    assert (await minds.ask(question(tier="fast", purpose="facts"))).tier == "micro"


async def test_models_are_asked_in_their_manner(desk: Desk) -> None:
    provider = Scripted()
    await scripted(desk, provider).ask(question())
    assert provider.manners[0].send["thinking"] == {"type": "between_tools"}


async def test_jitter_grows_and_is_bounded(desk: Desk) -> None:
    provider = Scripted(**{"claude-sonnet-5-5": Failure("overloaded", "500")})
    minds = scripted(desk, provider, patience=Patience(tries=8))
    for _ in range(30):
        minds._breakers.clear()
        await minds.ask(question(timeout_s=1000.0))
    bounds = [max(desk.slept[place::7]) for place in range(7)]
    assert bounds == sorted(bounds)
    assert bounds[0] <= 0.6
    assert 5 < bounds[-1] <= 8.0
    assert min(desk.slept) < 0.1


async def test_no_try_begins_after_the_questions_time(desk: Desk) -> None:
    provider = Scripted(**{"claude-sonnet-5-5": Failure("limited", "429", retry_after_s=10)})
    await scripted(desk, provider).ask(question(timeout_s=9.0))
    assert len(provider.asked) == 1


async def test_silence_in_the_middle_is_noticed(desk: Desk) -> None:
    async def falter(hearing: Hearing) -> None:
        await hearing.add_text("Well, ")
        await asyncio.sleep(5)

    provider = Scripted(**{"claude-sonnet-5-5": falter})
    minds = scripted(desk, provider, patience=Patience(tries=1, stall_s=0.05))
    answer = await minds.ask(question())
    assert "silent" in answer.fallbacks[0]
    assert desk.ledger[0].usage.output == 1


async def test_a_slow_listener_is_not_the_providers_silence(desk: Desk) -> None:
    async def listen(_text: str) -> None:
        await asyncio.sleep(0.15)

    minds = scripted(desk, Scripted(), patience=Patience(tries=1, stall_s=0.05))
    assert (await minds.ask(question(), listen)).text == "hello"


async def test_a_tool_call_cut_at_the_limit_is_dropped(desk: Desk) -> None:
    async def cut(hearing: Hearing) -> None:
        hearing.add_call(0, call_id="a", name="recall", args='{"about": "x"}')
        hearing.add_call(1, call_id="b", name="list", args='{"na')
        hearing.finish = "length"

    answer = await scripted(desk, Scripted(**{"claude-sonnet-5-5": cut})).ask(question())
    assert [call.name for call in answer.calls] == ["recall"]


@pytest.mark.parametrize(("name", "args"), [("", "{}"), ("recall", "[1]"), ("recall", "what?")])
async def test_a_call_that_makes_no_sense_is_garbage(desk: Desk, name: str, args: str) -> None:
    async def mumble(hearing: Hearing) -> None:
        hearing.add_call(0, name=name, args=args)
        hearing.finish = "tools"

    answer = await scripted(desk, Scripted(**{"claude-sonnet-5-5": [mumble, "Plainly."]})).ask(question())
    assert answer.text == "Plainly."
    assert (desk.ledger[0].error or "").startswith("garbage")


async def test_thinking_that_uses_everything_up_is_named(desk: Desk) -> None:
    async def brood(hearing: Hearing) -> None:
        hearing.finish = "length"

    answer = await scripted(desk, Scripted(**{"claude-sonnet-5-5": brood})).ask(question())
    assert "thinking" in answer.fallbacks[0]


async def test_many_may_ask_at_once(desk: Desk) -> None:
    provider = Scripted()
    minds = scripted(desk, provider)
    answers = await asyncio.gather(*(minds.ask(question(f"{number}")) for number in range(50)))
    assert {answer.text for answer in answers} == {"hello"}
    assert len(desk.ledger) == 50


async def test_warming_up_loads_once_and_never_fails(desk: Desk) -> None:
    provider = Scripted()
    minds = scripted(desk, provider)
    await minds.warm()
    await minds.warm()
    assert provider.loads == 1

    def broken() -> None:
        raise Failure("missing", "not installed", reached=False)

    provider.load = broken  # type: ignore[method-assign]
    await scripted(desk, provider).warm()


async def test_a_missing_package_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    minds = desk.open({"FUROSHIKI_MODEL_CHAT": "local:mine.gguf"})
    answer = await minds.ask(question())
    assert "pip install -r requirements/gguf.txt" in answer.fallbacks[0]
    assert desk.ledger == []


async def test_a_model_without_a_provider_is_passed_over(desk: Desk) -> None:
    minds = scripted(desk, Scripted())
    minds._providers = {}
    assert (await minds.ask(question())).text == "(reflex: unreachable)"


@pytest.mark.parametrize(
    ("status", "more", "kind"),
    [
        (401, {}, "key"),
        (403, {}, "key"),
        (200, {"kind": "authentication_error"}, "key"),
        (402, {}, "credit"),
        (429, {"kind": "insufficient_quota"}, "credit"),
        (404, {}, "missing"),
        (429, {}, "limited"),
        (200, {"kind": "overloaded_error"}, "overloaded"),
        (500, {}, "overloaded"),
        (408, {}, "overloaded"),
        (413, {}, "request"),
        (400, {}, "request"),
        (302, {}, "garbage"),
        (200, {}, "garbage"),
    ],
)
def test_every_status_has_a_meaning(status: int, more: dict[str, str], kind: str) -> None:
    failure = of_status(status, key_variable="THE_KEY", body="what happened", **more)
    assert failure.kind == kind
    assert kind != "key" or "THE_KEY" in str(failure)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, 30.0),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e99"}, None),
    ],
)
def test_the_wish_of_a_server_is_read(headers: dict[str, str], wait: float | None) -> None:
    assert retry_after(headers) == wait


def test_words_of_a_server_are_short_and_without_keys() -> None:
    words = safe_words("bad key sk-ant-api03-abcdef123456 and\nmy-very-secret " + "x" * 500, ["my-very-secret"])
    assert "abcdef" not in words
    assert "my-very-secret" not in words
    assert "\n" not in words
    assert len(words) == 160


def test_importing_the_minds_costs_only_the_standard_library() -> None:
    code = (
        "import sys; import furoshiki.models.llm.factory, furoshiki.models.llm.gateway; "
        "heavy = {'anthropic', 'openai', 'pydantic', 'httpx2', 'genai_prices', 'xllamacpp', 'numpy', 'sqlalchemy'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_a_refused_key_costs_one_quick_call_in_ten_seconds_and_no_answer_once_it_is_right(desk: Desk) -> None:
    """However often somebody writes meanwhile."""
    provider = Scripted()
    minds = scripted(desk, provider, {"OPENAI_API_KEY": "k", "FUROSHIKI_MODEL_CHAT": "openai:test-model"})
    minds._ticks = lambda: desk.ticks
    provider.acts["test-model"] = Failure("key", "401: the key in OPENAI_API_KEY was not accepted")
    for _ in range(60):
        assert (await minds.ask(question())).model == "reflex"
        desk.ticks += 1.0
    assert len(provider.asked) == 6
    provider.acts.clear()
    desk.ticks += REFUSED_REST_S
    assert (await minds.ask(question())).model == "test-model"


async def test_who_answers_and_who_does_not_is_told(desk: Desk) -> None:
    heard: list[tuple[str, str | None]] = []
    provider = Scripted(**{"gpt-6-luna": Failure("key", "401: the key was not accepted")})
    minds = scripted(
        desk,
        provider,
        {**TIERED, "FUROSHIKI_MODEL_CHAT": "openai:gpt-6-luna,anthropic:claude-sonnet-5-5"},
        heard=lambda ref, failure: heard.append((str(ref), failure and str(failure))),
    )
    await minds.ask(question())
    assert heard == [
        ("openai:gpt-6-luna", "401: the key was not accepted"),
        ("anthropic:claude-sonnet-5-5", None),
    ]
    await minds.ask(question())
    assert heard[2:] == [("anthropic:claude-sonnet-5-5", None)], "who is left alone for now was not asked"


OWN: dict[str, str | None] = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}


@pytest.mark.parametrize(
    ("failure", "values", "says", "after"),
    [
        (Failure("credit", "402: no credit"), {}, "402: no credit. Top it up, or choose another model", 1),
        (Failure("network", "no connection"), OWN, "no connection. Check the network, and OPENAI_BASE_URL", 2),
        (Failure("overloaded", "529"), {}, "529. It will be tried again with your next message", 2),
    ],
)
def test_why_a_model_does_not_answer_is_said_with_the_fix(
    failure: Failure, values: dict[str, str | None], says: str, after: int
) -> None:
    told = troubles.in_words(ModelRef("openai", "m"), failure, values)
    assert told.startswith(f"the model m isn't answering: {says}")
    at_home = troubles.in_words(ModelRef("ollama", "m"), Failure("network", "no connection"), {})
    assert at_home.endswith("no connection. Start Ollama: it should be running at http://127.0.0.1:11434/v1")
    assert troubles.matters(failure) and troubles.tell_after(failure) == after
    assert not troubles.matters(Failure("empty", "nothing"))


async def test_an_answer_that_drips_is_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "GAP_S", 0.01)

    async def drip(hearing: Hearing) -> None:
        for _ in range(200):
            hearing.sign()
            await hearing.add_text(".")
            await asyncio.sleep(0.02)

    monkeypatch.setattr(attempt, "SLOWEST", 1000.0)
    minds = scripted(desk, Scripted(**{"claude-sonnet-5-5": drip}), patience=Patience(tries=1))
    answer = await minds.ask(question())
    assert "less than 1000 character a second" in answer.fallbacks[0]


async def test_one_long_pause_in_an_answer_is_no_drip(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "GAP_S", 0.01)
    monkeypatch.setattr(attempt, "SLOWEST", 1000.0)

    async def think(hearing: Hearing) -> None:
        for pause in (0, 0, 0.05, 0, 0, 0, 0, 0, 0):
            await asyncio.sleep(pause)
            hearing.sign()
            await hearing.add_text("a")
        hearing.finish = "stop"

    minds = scripted(desk, Scripted(**{"claude-sonnet-5-5": think}), patience=Patience(tries=1))
    assert (await minds.ask(question())).text == "aaaaaaaaa"
