"""From a wish to a proposal, or to a rejection with its reasons; within its budget, and never without a backup."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from furoshiki.core.errors import NoMindAnswered, StorageUnavailable
from furoshiki.extensions.plugins.authoring import budgeted, due, wishing, working
from furoshiki.extensions.plugins.authoring.rules import proposal_text
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.store.jobs import Job
from furoshiki.maintenance import backup
from furoshiki.world import Report, World
from tests.extensions.plugins.authoring.conftest import (
    CAN_DO,
    DRAFTS,
    FILES,
    NAME,
    SCRIPT,
    WISH,
    calls,
    reviews,
    verdict,
    writes,
)
from tests.support.world import Script

pytestmark = pytest.mark.slow  # drafts are tried in the sandbox


def wished(world: World, said: str = WISH, source: jobs.Source = "command") -> Job:
    with world.database.write() as db:
        made = wishing.wish(world, db, said, source).job
    assert made is not None
    return made


def work(world: World) -> Report:
    return asyncio.run(working.work(world))


def job(world: World, number: int = 1) -> Job:
    with world.database.read() as db:
        found = jobs.get(db, number)
    assert found is not None
    return found


@pytest.fixture(autouse=True)
def no_backup(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Making a real one takes a while; that there is one is asked where it matters."""
    made: list[int] = []
    monkeypatch.setattr(backup, "daily", lambda _world: made.append(1))
    return made


def test_a_wish_becomes_a_proposal_with_every_file_in_full(world: World, model: Script, no_backup: list[int]) -> None:
    wished(world)
    with world.database.read() as db:
        assert due.plugin_author(db, world.now)
    model.lines = [*writes(), *reviews(), *reviews(verdict(confidence=0.8))]
    assert work(world).summary == f"the plugin {NAME} was laid before the owner"
    found = job(world)
    assert (found.state, found.confidence, no_backup) == ("proposed", 0.8, [1])
    assert found.proposal == f"proposals/plugin-{NAME}-2026-03-24.md"
    assert found.reason == (
        "Says when the next tram leaves from the owner's stop. It may: connect to trams.example.org on the internet."
    )
    text = (world.settings.data / found.proposal).read_text()
    assert "> tell me when the next tram leaves" in text and f"> {CAN_DO}" in text and "apply proposals/plugin" in text
    assert proposal_text.read(text) == proposal_text.Proposed(NAME, FILES)
    with world.database.read() as db:
        assert due.plugin_author(db, world.now) is None


def test_an_author_is_told_what_is_wrong_and_mends_it(world: World, model: Script) -> None:
    wished(world)
    worse = {**FILES, "scripts/tram.py": "import subprocess\n" + SCRIPT}
    model.lines = [*writes(worse), *writes(), *reviews(), *reviews()]
    work(world)
    assert job(world).state == "proposed"
    told = model.questions[2].messages[-1].text
    assert "scripts/tram.py:1: imports subprocess: it starts or steers processes" in told


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (verdict(confidence=0.74), verdict(), "confidence of 0.74"),
        (verdict(), verdict(False, 0.9, ("scripts/tram.py:6 sends the stop to a stranger",)), "do not agree"),
        (verdict(issues=("scripts/tram.py:6 is not wished for",)), verdict(), "is not wished for"),
        (verdict(confidence=1.4), None, "no usable answer"),
    ],
)
def test_a_review_that_is_unsure_or_against_it_ends_it(
    world: World, model: Script, first: Mapping[str, Any], second: Mapping[str, Any] | None, why: str
) -> None:
    wished(world)
    broken = [calls(("verdict", first))] * 2 if second is None else reviews(second)
    model.lines = [*writes(), *reviews(first), *broken, *(reviews() if second is None else ())]
    work(world)
    found = job(world)
    assert found.state == "rejected" and why in (found.reason or "")
    assert not (world.settings.data / "drafts" / NAME).exists()
    assert not list(world.settings.data.glob("proposals/*"))


def test_a_verdict_on_what_was_not_read_does_not_count(world: World, model: Script) -> None:
    wished(world)
    model.lines = [*writes(), calls(("verdict", verdict())), *reviews(), *reviews()]
    work(world)
    assert job(world).state == "proposed"
    assert "You have not read PLUGIN.md, scripts/tram.py" in model.questions[3].messages[-1].text


def test_a_verdict_beside_the_reading_is_not_taken(world: World, model: Script) -> None:
    wished(world)
    blind = calls(*(("read_file", {"file": file}) for file in FILES), ("verdict", verdict(confidence=1.0)))
    model.lines = [*writes(), blind, calls(("verdict", verdict(issues=("it sends the stop away",)))), *reviews()]
    work(world)
    assert job(world).state == "rejected", "what was said once the files were seen counts"
    assert model.questions[3].messages[-1].text == budgeted.NOT_TAKEN


def test_neither_budget_is_passed(world: World, model: Script) -> None:
    wished(world)
    model.lines = [calls(("list_files", {}), cost=1.1)] * 9
    work(world)
    found = job(world)
    assert (found.state, len(model.questions)) == ("failed", 2)
    assert found.cost_usd == pytest.approx(2.2) and "its budget of $3.00" in (found.reason or "")
    wished(world, "Could you learn to count the moons of Saturn?")
    model.questions.clear()
    model.lines = [*writes({**FILES, "PLUGIN.md": FILES["PLUGIN.md"].replace(NAME, "count-moons-saturn")}, cost=0.5)]
    model.lines += reviews(cost=0.4) * 3
    work(world)
    assert job(world, 2).state == "failed" and "its budget of $1.00" in (job(world, 2).reason or "")
    assert sum(one.purpose == "plugin_review" for one in model.questions) == 2


def test_without_a_backup_or_a_model_it_waits_and_counts_no_attempt(
    world: World, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    wished(world)
    model.lines = [NoMindAnswered("nobody is there", away=True)]
    assert "waits for a model: nobody is there" in work(world).summary
    assert (job(world).state, job(world).attempts) == ("queued", 0)

    def fails(_world: World) -> None:
        raise StorageUnavailable("the disk is full")

    monkeypatch.setattr(backup, "daily", fails)
    assert "without a backup, and none could be made: the disk is full" in work(world).summary
    assert (job(world).state, job(world).attempts, len(model.questions)) == ("queued", 0, 1)


def test_the_same_wish_is_not_taken_twice(world: World) -> None:
    first = wished(world)
    with world.database.write() as db:
        again = wishing.wish(world, db, "please learn to tell me when the next tram leaves", "chat")
        assert again == wishing.Wished(None, wishing.AGAIN["queued"])
        assert jobs.decide(db, first, "declined", world.now)
        assert wishing.wish(world, db, WISH, "chat") == wishing.Wished(None, wishing.AGAIN["declined"])


@pytest.mark.parametrize(("allowed", "taken"), [("owner", (1, 0)), ("own", (1, 1)), ("off", (0, 0))])
def test_whose_wishes_are_taken(world: World, allowed: str, taken: tuple[int, int]) -> None:
    world = replace(world, settings=world.settings.model_copy(update={"furoshiki_plugin_wishes": allowed}))
    with world.database.write() as db:
        said = wishing.wish(world, db, "roll dice for a game", "chat")
        own = wishing.wish(world, db, "keep the weather of each day", "reflection")
        assert (said.job is not None, own.job is not None) == taken
        assert wishing.wish(world, db, "count the moons of Saturn", "reflection").job is None


@pytest.mark.parametrize(
    "name",
    [
        *("starts a shell", "opens a socket", "runs what it fetched", "looks for builtins", "unpickles", "climbs out"),
        *("reads our secrets", "asks another host", "reads the database unasked", "hides characters"),
    ],
)
def test_a_hostile_draft_ends_as_a_rejection(world: World, model: Script, name: str) -> None:
    more, words = DRAFTS[name]
    wished(world)
    model.lines = writes({**FILES, "scripts/tram.py": SCRIPT + more}) * 4
    work(world)
    found = job(world)
    assert (found.state, len(model.questions)) == ("rejected", 8), "its author is told three times; nobody reviews it"
    assert words in (found.reason or "")
    assert not (world.settings.data / "drafts" / NAME).exists() and not list(world.settings.data.glob("proposals/*"))


@pytest.mark.parametrize(
    ("more", "words"),
    [("raise ValueError('no')\n", "failed"), ("print('{' * 10000)\n", "bad_output")],
)
def test_a_draft_that_does_not_work_in_the_sandbox_is_no_proposal(
    world: World, model: Script, more: str, words: str
) -> None:
    if probing.choose_backend("auto").backend is None:
        pytest.skip("nothing holds a plugin here")
    wished(world)
    about = FILES["PLUGIN.md"].replace("permissions:\n  network: [trams.example.org]\n", "")
    model.lines = [*writes({"PLUGIN.md": about, "scripts/tram.py": more}), *["It is."] * 3]
    work(world)
    assert job(world).state == "rejected" and words in (job(world).reason or "")
