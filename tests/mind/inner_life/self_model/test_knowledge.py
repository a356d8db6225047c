"""What the companion knows of itself is written from the real thing, again where it has changed, and only there."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import pytest

from furoshiki.app.jobs import JOBS
from furoshiki.app.wiring import FOLDERS
from furoshiki.conversation import abilities
from furoshiki.conversation.commands.registry import list_commands
from furoshiki.conversation.skills.registry import SKILLS
from furoshiki.core.setting_rows import SecretStr
from furoshiki.mind.inner_life import knowledge_sources
from furoshiki.mind.inner_life.due import embed_design_docs
from furoshiki.mind.inner_life.store import design_docs
from furoshiki.world import World
from tests.support import filled
from tests.support.world import FrozenClock, NoVectors


def page(world: World) -> str:
    return (world.settings.data / knowledge_sources.REALITY).read_text(encoding="utf-8")


def parts(world: World) -> list[design_docs.Part]:
    with world.database.read() as db:
        return design_docs.every(db)


def with_settings(world: World, **changed: Any) -> World:
    return dataclasses.replace(world, settings=world.settings.model_copy(update=changed))


def waits(world: World) -> list[str]:
    """The words of parts that memoryd has yet to embed."""
    with world.database.read() as db:
        rows = db.execute("SELECT text FROM design_docs WHERE index_state='pending'")
        return [row["text"] for row in rows]


def embedded(world: World) -> None:
    with world.database.write() as db:
        db.execute("UPDATE design_docs SET index_state='indexed'")


def test_the_page_tells_what_is_really_there(world: World) -> None:
    assert abilities.keep(world).did
    text = page(world)
    with world.database.read() as db:
        made = filled.tables(db)
    for name in (*made, *JOBS, *SKILLS, *(f"/{name}" for name, _ in list_commands()), *FOLDERS):
        assert f"`{name}" in text, name
    assert "nobody has described" not in text, "a new table belongs into prompts/self_knowledge/tables.md.j2"
    assert "I am using no language model (LLM) at present" in text
    assert "`FUROSHIKI_GATE_MATURITY` is `0.2`" in text
    assert "loneliness: natural level 1, drift 0.04 an hour" in text
    assert "no plugins" in text
    assert not re.search(r"\d{4}-\d\d-\d\d|\b\d+ rows\b", text), "nothing in it changes by the day"


def test_it_names_models_and_no_secret_and_nobody(world: World) -> None:
    told = with_settings(
        world,
        anthropic_api_key=SecretStr("sk-ant-very-secret"),
        openai_api_key=SecretStr("sk-other-secret"),
        openai_base_url="http://me:hidden@home:11434/v1",
        telegram_bot_token=SecretStr("123:token"),
        telegram_owner_id=4711,
        furoshiki_model_chat="anthropic:claude-sonnet-5-5,openai:my-own",
    )
    abilities.keep(told)
    text = page(told)
    assert "what I say (CHAT): `anthropic:claude-sonnet-5-5`, then `openai:my-own`" in text
    assert "sent to anthropic and openai at an address the owner chose, and to nobody else" in text
    for secret in ("very-secret", "other-secret", "hidden", "11434", "123:token", "4711", str(world.settings.data)):
        assert secret not in text
        assert not [one for one in parts(told) if one.source == knowledge_sources.REALITY and secret in one.text]


def test_a_model_at_home_sends_nothing_away(world: World) -> None:
    abilities.keep(with_settings(world, furoshiki_model_chat="local:small.gguf"))
    assert "`local:small.gguf`" in page(world)
    assert "run on this machine, so nothing of what you tell me is sent" in page(world)


def test_the_owners_schedule_is_told_as_it_is(world: World) -> None:
    own = world.settings.data / knowledge_sources.REALITY.replace("design_architecture_reality.md", "schedules.json")
    changes = [{"name": "backup", "when": "daily 05:15"}, {"name": "run_inner_monologue", "enabled": False}]
    own.write_text(json.dumps({"jobs": changes}))
    abilities.keep(world)
    assert "- Daily 05:15 UTC (`backup`)" in page(world)
    assert "- Switched off by the owner, otherwise daily 06:00 in the user's time zone (`run_inner_monologue`)" in page(
        world
    )
    own.write_text("{")
    abilities.keep(world)
    assert "- Daily 01:00 UTC (`backup`)" in page(world)
    assert "The owner's own schedule cannot be read" in page(world)


def test_the_projects_documents_are_kept_beside_it_in_small_parts(world: World) -> None:
    abilities.keep(world)
    found = parts(world)
    sources = {one.source for one in found}
    assert {knowledge_sources.REALITY, "README.md", "docs/memory.md", "docs/adr/0001-layers.md"} <= sources
    assert "docs/schedules.md" not in sources, "the page tells the times as they are, not as they come"
    forgetting = [one.text for one in found if one.heading == "Memory \u203a Forgetting"]
    assert len(forgetting) > 1, "a long section comes in parts"
    assert forgetting[0].startswith("`/forget` and")
    assert len({(one.source, one.heading, one.text) for one in found}) == len(found)


def test_only_what_changed_is_embedded_again(world: World, clock: FrozenClock) -> None:
    abilities.keep(world)
    embedded(world)
    before = page(world)
    clock.pass_(days=1)
    assert not abilities.keep(world).did
    assert (page(world), waits(world)) == (before, [])
    report = abilities.keep(with_settings(world, furoshiki_hard_budget_usd=3.0))
    assert report.data["new"] == report.data["gone"] == 1
    [changed] = waits(world)
    assert "`FUROSHIKI_HARD_BUDGET_USD` is `3.0`" in changed


def test_memoryd_is_told_when_there_is_something_to_embed(world: World) -> None:
    nudges = []

    class Listening(NoVectors):
        def nudge(self) -> None:
            nudges.append(1)

    world = dataclasses.replace(world, vectors=Listening())
    abilities.keep(world)
    abilities.keep(world)
    assert nudges == [1]


def test_a_script_sees_at_a_glance_whether_there_is_anything_to_do(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUROSHIKI_DATA", str(world.settings.data))

    def reason() -> str | None:
        with world.database.read() as db:
            return embed_design_docs(db, world.now)

    assert reason()
    abilities.keep(world)
    assert reason() is None
    monkeypatch.setenv("FUROSHIKI_BUBBLES", "true")
    assert reason(), "a setting has changed"
    abilities.keep(world)
    assert reason() is None
    monkeypatch.setenv("ANTHROPIC_API_KEY", "one")
    assert reason(), "there is a key now"
    abilities.keep(world)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "two")
    assert reason() is None, "whichever key it is"
    (world.settings.data / "memory" / "schedules.json").write_text('{"jobs": []}')
    assert reason(), "the owner has a schedule of their own"
    abilities.keep(world)
    with world.database.write() as db:
        db.execute("CREATE TABLE more (id INTEGER)")
    assert reason(), "the database has another table"
    abilities.keep(world)
    assert "`more`: a table that nobody has described yet" in page(world)
    (world.settings.data / knowledge_sources.REALITY).unlink()
    assert reason(), "the page is gone"


def test_a_page_that_somebody_wrote_into_is_put_right(world: World) -> None:
    abilities.keep(world)
    before = page(world)
    (world.settings.data / knowledge_sources.REALITY).write_text("I am a cloud service.")
    assert abilities.keep(world).did
    assert page(world) == before
