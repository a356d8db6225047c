"""Mind: what is shown is what is on record; dismissing, promises and proposals do what the chat does."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.conversation.acting.store import second_thoughts
from furoshiki.faces.overview import mind as gathering
from furoshiki.memory.store import concepts, gists
from furoshiki.memory.store.gists import Gist
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import commitments, monologue, self_questions
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model.store import anticipations
from tests.support.commands import learned, said
from tests.support.dashboard import House
from tests.support.minds import PATHS, promised, proposed

SCRIPT = "<script>alert(1)</script>"


@pytest.mark.parametrize("path", PATHS)
def test_an_empty_mind_is_told_in_words(house: House, path: str) -> None:
    assert 'class="empty"' in house.page(path) or path in ("/mind", "/mind/questions", "/mind/self")


def test_a_thought_that_waits_is_shown_with_its_reason_and_dismissed_once(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        item = mind_queue.add(db, "thought", "The thesis is due soon", "k1", world.now)
    html = house.page("/mind")
    assert "1 thing waits to be said" in html and "The thesis is due soon" in html
    assert "Nothing holds it back: the next check may say it." in html and "Tuesday, 31 March at 16:00" in html
    assert "It will not be said" in house.post(f"/mind/queue/{item}/dismiss")
    with world.database.read() as db:
        assert not mind_queue.unsaid(db, world.now)
    assert "is no longer waiting" in house.post(f"/mind/queue/{item}/dismiss")
    assert ">let go</span>" in house.page("/mind")


def test_questions_guesses_and_promises(house: House) -> None:
    world = house.world
    turn = said(world, "The train leaves at nine")
    with world.database.write() as db:
        self_questions.add(db, "Why do they like trains?", "sessions:s1", world.now, kind="curiosity")
        later = world.now + timedelta(hours=2)
        anticipations.add(db, None, "A reminder to leave", "The train", [turn], world.now, later, world.now)  # type: ignore[arg-type]
    made = promised(world, "I ask less")
    html = house.page("/mind/questions")
    assert "Why do they like trains?" in html and "curiosity" in html and "Open questions: 2" in html
    assert "A reminder to leave" in house.page("/mind/expected")
    html = house.page("/mind/promises")
    assert "I ask less" in html and "Kept: 1, broken: 0" in html and "Do I ask too much" in html
    assert "Then I&#39;ll let it go: I ask less." in house.post(f"/mind/promises/{made}", drop="true")
    assert "no longer one of my promises" in house.post(f"/mind/promises/{made}", drop="true")
    with world.database.read() as db:
        found = commitments.get(db, made)
    assert found is not None and found.state == "dropped"


def test_the_journal_comes_by_whole_days_each_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    world = house.world
    monkeypatch.setattr(gathering, "ENTRIES", 5)
    turn = said(world, "We saw the sea")
    with world.database.write() as db:
        for day in range(1, 8):
            for kind in ("morning", "journal"):
                monologue.add(db, kind, f"2026-03-{day:02}", [Passage(f"{kind} {day}", (turn,))], "local", 0, world.now)  # type: ignore[arg-type]
    seen: list[str] = []
    cursor = None
    for _ in range(10):
        journal = gathering.read_journal(world, cursor)
        assert all(len(day["entries"]) == 2 for day in journal["days"]), "whole days alone"
        seen += [day["day"] for day in journal["days"]]
        cursor = journal["next"]
        if cursor is None:
            break
    assert seen == [f"2026-03-{day:02}" for day in range(7, 0, -1)]
    assert "journal 7" in house.page("/mind/journal") and "Older" in house.page("/mind/journal")
    html = house.page("/mind/journal/2026-03-05")
    assert "morning 5" in html and "We saw the sea" in html
    for path in ("2026-03-09", "yesterday", "..%2f..%2fSELF", "2026-03-05.svg"):
        assert house.client.get(f"/mind/journal/{path}").status_code == 404, path
    drawn = world.settings.data / pages.FOLDER / "2026-03-05.svg"
    drawn.parent.mkdir(parents=True, exist_ok=True)
    drawn.write_text("<svg/>")
    assert house.client.get("/mind/journal/2026-03-05.svg").headers["content-type"] == "image/svg+xml"


def test_a_change_of_itself_is_shown_by_signs_and_decided(house: House) -> None:
    world = house.world
    before = description.text(world)
    look = proposed(world, before, f"{before}\n\nI like the sea. {SCRIPT}")
    html = house.page("/mind/self")
    assert "It&#39;s asking you to decide" in html and "Added: " in html and "I like the sea." in html
    html = house.page(f"/mind/self/{look}")
    assert "It was asked for" in html and "<script>alert" not in html
    assert "Accepted: 50% of SELF.md is new" in house.post("/mind/self/accept")
    assert "I like the sea." in description.text(world)
    html = house.page("/mind/self")
    assert "&lt;script&gt;alert" in html and "<script>alert" not in html
    assert "No changes proposed" in house.post("/mind/self/decline")
    assert house.client.get("/mind/self/99").status_code == 404


def test_words_of_others_are_shown_as_words(house: House) -> None:
    world = house.world
    turn = said(world, SCRIPT)
    fact = learned(world, f"They said {SCRIPT}.", turn)
    with world.database.write() as db:
        mind_queue.add(db, "thought", SCRIPT, "k1", world.now)
        self_questions.add(db, f"Why {SCRIPT}?", "sessions:s1", world.now)
        monologue.add(db, "journal", "2026-03-24", [Passage(SCRIPT, (turn,))], "local", 0, world.now)
        anticipations.add(db, None, SCRIPT, SCRIPT, [turn], world.now, world.now + timedelta(hours=1), world.now)  # type: ignore[arg-type]
        concepts.see(db, fact, [SCRIPT], world.now)
        gists.add(db, Gist("user", "note", SCRIPT, world.now))
        second_thoughts.keep_correction(db, SCRIPT, SCRIPT, turn, (), None, world.now)
    promised(world, SCRIPT)
    for path in (*PATHS, "/mind/journal/2026-03-24"):
        html = house.page(path)
        assert "<script>alert" not in html, path
        assert "&lt;script&gt;alert" in html or path == "/mind/self", path


@pytest.mark.parametrize("file", ["outreach.toml", "furoshiki.toml"])
def test_a_file_that_cannot_be_read_takes_nothing_else_off_the_page(house: House, file: str) -> None:
    path = house.world.home / "config" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("quiet_hours = = 3\n")
    for page in ("/mind", "/parts/mind/queue"):
        assert "What is on" in house.page("/mind") and f"{file}: line 1 is not valid TOML" in house.page(page)
    assert house.client.get("/api/v1/status").json()["mood"]
