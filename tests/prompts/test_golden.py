"""Every prompt as a model reads it. `pytest tests/prompts --update-golden` rewrites the files, to be reviewed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from jinja2 import Environment, TemplateNotFound, UndefinedError, meta

from furoshiki.conversation.gathering import MOMENT_TOKENS
from furoshiki.feelings.rules.mood import WORDS
from furoshiki.language.tables.wish_names import WISHES
from furoshiki.language.tokens import estimate
from furoshiki.owner.routing.rules import modes
from furoshiki.owner.user_model.rules import style_choosing, style_traits
from furoshiki.owner.user_model.rules.style_choosing import Block
from tests.support.laws import shipped
from tests.support.renders import (
    A_FULL_EVENING,
    A_MATTER,
    NOBODY_YET,
    PROMPTS,
    RENDERS,
)

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", RENDERS)
def test_a_prompt_is_the_one_that_was_reviewed(name: str, request: pytest.FixtureRequest) -> None:
    template, values = RENDERS[name]
    text = PROMPTS.render(template, **values) + "\n"
    path = GOLDEN / f"{name}.md"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "look at the difference, then run with --update-golden"


@pytest.mark.parametrize("name", RENDERS)
def test_a_prompt_reads_as_prose(name: str) -> None:
    template, values = RENDERS[name]
    text = PROMPTS.render(template, **values)
    for scrap in ("{{", "{%", "{#", "None", "\n\n\n", "[]", "Undefined"):
        assert scrap not in text
    assert not re.search(r"(?<!\w)\(\)", text)  # behind a name it is a call in an example
    assert not any(line != line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("name", RENDERS)
def test_a_prompt_that_misses_something_is_an_error(name: str) -> None:
    template, values = RENDERS[name]
    source = (PROMPTS.folder / f"{template}.md.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=False)
    environment.filters["as_written"] = str
    for missing in meta.find_undeclared_variables(environment.parse(source)):
        with pytest.raises(UndefinedError, match=missing):
            PROMPTS.render(template, **{key: value for key, value in values.items() if key != missing})


def test_every_template_is_reviewed() -> None:
    found = {str(path.relative_to(PROMPTS.folder)).removesuffix(".md.j2") for path in PROMPTS.folder.rglob("*.j2")}
    parts = {name for name in found if name.startswith("_parts/")}
    assert found - parts == {template for template, _ in RENDERS.values()}
    manner = {f"_parts/style/{name}" for name in ("block", "slots", "wishes", "forks", "growth")}
    ways = {f"_parts/route/{word}" for word in get_args(modes.Hint)}
    kinds = {f"_parts/outreach/{kind}" for kind in shipped().queue.priority}
    assert parts == manner | ways | kinds | {"_parts/foreign", "_parts/from_plugins"} | {
        f"_parts/mood/{word}" for word in WORDS
    }


def test_no_golden_file_is_left_over() -> None:
    assert {str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*.md")} == {f"{name}.md" for name in RENDERS}


@pytest.mark.parametrize("word", WORDS)
def test_every_mood_has_its_words(word: str) -> None:
    text = PROMPTS.render("turn/now", **NOBODY_YET | {"mood": word})
    assert (PROMPTS.folder / "_parts" / "mood" / f"{word}.md.j2").read_text(encoding="utf-8").strip() in text


@pytest.mark.parametrize("kind", sorted(shipped().queue.priority))
def test_every_kind_of_writing_first_has_its_words(kind: str) -> None:
    text = PROMPTS.render("outreach/matter", **A_MATTER | {"kind": kind})
    assert (PROMPTS.folder / "_parts" / "outreach" / f"{kind}.md.j2").read_text(encoding="utf-8").strip() in text


@pytest.mark.parametrize("way", get_args(modes.Hint))
def test_every_hint_of_the_router_has_its_words(way: str) -> None:
    text = PROMPTS.render("turn/now", **NOBODY_YET | {"way": way})
    [line] = set(text.splitlines()) - {"", *PROMPTS.render("turn/now", **NOBODY_YET).splitlines()}
    assert len(line) > 40 and not any(character.isdigit() for character in line)


SLOTS = (
    *("load-high", "load-overload", "energy-up", "energy-down", "energy-heated"),
    *(
        f"{name}-{way}"
        for name in ("pacing", "challenge", "emotional", *style_choosing.MANNERS)
        for way in ("low", "high")
    ),
)
"""Every slot there is."""


@pytest.mark.parametrize(
    "block",
    [
        *(Block((name,)) for name in SLOTS),
        *(Block(wishes=(name,)) for name in WISHES),
        *(Block(fork=name) for name in style_choosing.FORKS),
        *(Block(growth=f"{name}-{way}") for name in style_traits.NAMES for way in ("up", "down")),
    ],
    ids=str,
)
def test_every_way_of_being_spoken_to_has_its_words(block: Block) -> None:
    told, closing = PROMPTS.render("_parts/style/block", style=block).splitlines()[1:]
    assert told.startswith("- ") and len(told) > 40 and not any(character.isdigit() for character in told)
    assert closing == "This is manner; who you are outranks it."


def test_a_full_evening_keeps_within_what_is_set_aside_for_the_moment() -> None:
    text = PROMPTS.render("turn/now", **A_FULL_EVENING | {"memories": [], "quoted": [], "sources": None, "plugins": []})
    assert 400 < estimate(text) <= MOMENT_TOKENS


def test_a_mood_nobody_knows_is_an_error() -> None:
    with pytest.raises(TemplateNotFound, match="peckish"):
        PROMPTS.render("turn/now", **NOBODY_YET | {"mood": "peckish"})


def test_what_stands_in_a_value_is_never_a_template() -> None:
    text = PROMPTS.render("turn/now", **NOBODY_YET | {"memories": ["{{ clock }} {% if %} <b>&amp;"]})
    assert "- {{ clock }} {% if %} <b>&amp;" in text
