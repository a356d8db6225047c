"""Asked how it works, the companion looks into its own documents, and answers from what stands there."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from furoshiki.conversation import abilities
from furoshiki.conversation.commands.look import why
from furoshiki.language.reflex import selfhood
from furoshiki.language.requests import lines
from furoshiki.mind.inner_life.knowledge_sources import REALITY
from furoshiki.mind.inner_life.self_model.document_search import look_up
from furoshiki.mind.inner_life.store import design_docs
from furoshiki.models.llm.values import ToolCall
from furoshiki.recall.retrieval.values import Kind
from furoshiki.world import World
from tests.support.introspection import by_reflex
from tests.support.world import Human, NoVectors, Script

HEADINGS = (
    ("how do you remember things?", "How I remember"),
    ("what model are you using?", "Which model I am using"),
    ("when do you sleep?", "When I sleep, think and reflect"),
    ("when do you reflect?", "When I sleep, think and reflect"),
    ("what tables does your database have?", "What my database keeps"),
    ("which plugins do you have?", "Plugins"),
    ("how do your feelings work?", "How my feelings work"),
    ("where is what I tell you stored?", "Where what you tell me is stored"),
    ("which encoder do you use?", "Which encoder I use"),
)


class Near(NoVectors):
    """memoryd finds exactly these parts of documents, and remembers where it was asked to look."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names, self.kinds = list(names), [""]

    def query(self, text: str, kinds: Sequence[Kind] = (), k: int = 150) -> list[tuple[str, float]]:
        self.kinds = [*kinds]
        return [(name, 0.9) for name in self.names]


@pytest.mark.slow
@pytest.mark.parametrize(("question", "heading"), HEADINGS)
def test_words_alone_find_the_page_that_tells(world: World, question: str, heading: str) -> None:
    abilities.keep(world)
    found = look_up(world, question, 3)
    assert any(heading in one.heading and one.source == REALITY for one in found), [one.heading for one in found]


def test_meaning_is_asked_for_among_documents_only_and_leads(world: World) -> None:
    abilities.keep(world)
    with world.database.read() as db:
        last = design_docs.every(db)[-1]
    near = Near([f"design:{last.id}", "design:99999"])
    assert look_up(dataclasses.replace(world, vectors=near), "zzz qqq") == [last]
    assert near.kinds == ["design"]


def test_nothing_is_found_before_anything_was_written(world: World) -> None:
    assert look_up(world, "when do you sleep?") == []


async def test_a_model_is_shown_what_stands_there(world: World, human: Human, model: Script) -> None:
    abilities.keep(world)
    asked = {"about": "design", "question": "When do you reflect on the day?"}
    model.lines = [ToolCall("1", "introspect", asked), "At seven, and at three."]
    assert await human.says("when do you reflect on the day?") == ["At seven, and at three."]
    shown = model.last_words
    assert "- Daily 07:00 in the user's time zone (`run_morning_reflection`)" in shown
    assert "believe it where another page differs" in shown and REALITY in shown


async def test_why_names_the_pages_it_looked_up(world: World, human: Human, model: Script) -> None:
    abilities.keep(world)
    model.lines = ["Hi.", ToolCall("1", "introspect", {"about": "design", "question": "do you have plugins?"}), "None."]
    await human.says("hi there")
    assert "nothing older" in why.in_words(world, why.last_answer(world))
    await human.says("do you have plugins?")
    told = why.in_words(world, why.last_answer(world))
    assert "I looked up how I work:" in told and f"- {REALITY}, About me \u203a Plugins (design:" in told
    assert "nothing older" not in told


async def test_before_anything_was_written_it_says_what_holds_always(world: World, human: Human, model: Script) -> None:
    asked = {"about": "design", "question": "When do you sleep?"}
    model.lines = [ToolCall("1", "introspect", asked), "Never."]
    await human.says("when do you sleep?")
    assert "a program on your owner's machine" in model.last_words


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("when do you sleep?", "I do not sleep. Between conversations I am not awake either"),
        ("When do you reflect?", "run_morning_reflection): A look at the day ahead."),
        ("how do you remember things?", "I keep every message word for word."),
        (
            "do you have plugins?",
            "I have no plugins that give me anything to do",
        ),
        ("how do your feelings work?", "emotions"),
    ],
)
async def test_the_built_in_mind_reads_out_what_stands_there(world: World, question: str, answer: str) -> None:
    abilities.keep(world)
    [said] = await by_reflex(world).says(question)
    assert answer in said
    assert len(said) < 500


async def test_the_built_in_mind_without_documents_says_what_it_always_says(world: World) -> None:
    [said] = await by_reflex(world).says("how do you remember things?")
    assert any(option[:40] in said for option in lines.HOW)


JOBS = "I do.\n- At 7: a reflection.\n- At 8: tea.\n- At 9: `reflections`."


@pytest.mark.parametrize(
    ("question", "heading", "text", "told"),
    [
        ("when do you sleep", "Times", "I do not sleep. I rest.\n\n- Daily: sleep logs.", "I do not sleep. I rest."),
        ("when do you reflect", "Times", JOBS, "At 7: a reflection. At 9: reflections."),
        (
            "how do you remember",
            "How I remember",
            "I keep it all. It is found again. And so on.",
            "I keep it all. It is found again.",
        ),
        ("what about elephants", "Times", "I do not sleep.", ""),
        ("what do you keep", "Times", "| keep | x |\n|---|---|\n| `a` | keep |", ""),
    ],
)
def test_reading_out_takes_the_sentences_that_tell(question: str, heading: str, text: str, told: str) -> None:
    assert selfhood.quote_documents(question, [("Unlike", "Nothing."), (heading, text), ("Unlike", "More.")]) == told
