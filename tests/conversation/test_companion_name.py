"""Its owner names the companion in the chat: a question with buttons, and the setting with a yes."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core import catalogue, settings
from furoshiki.core.paths import read_env_file
from furoshiki.language.requests.companion_name import OFFER
from furoshiki.messages.store import accounts
from furoshiki.owner.user_model import user
from furoshiki.world import World
from tests.support.world import Human, Script

ASKS = "Shall I be called Pip from now on?"


def reflexive(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20


def name(data: Path) -> str:
    return settings.build_settings(settings.effective(data=data)).furoshiki_companion_name


def buttons(human: Human, row: int) -> list[str]:
    """What the buttons below the last part of an answer send."""
    shown = human.answers(row)[-1].extra.get("buttons", ())
    return [button["data"] for row_ in shown for button in row_]


async def test_with_a_model_it_asks_beside_the_answer(human: Human, model: Script, tmp_path: Path) -> None:
    model.lines = ["Pip sounds lovely."]
    row = human.writes("i'll call you pip")
    await human.waits()
    assert [one.text for one in human.answers(row)] == ["Pip sounds lovely.", ASKS]
    assert buttons(human, row) == ["called.take:Pip", "called.leave"]
    assert name(tmp_path) == "Furo"
    assert await human.says("", "callback", data="called.take:Pip") == ["Then I'm Pip from now on."]
    assert name(tmp_path) == "Pip"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "can I call you Pip?"),
        ("de", "ich nenn dich ab jetzt Pip"),
        ("es", "te llamas Pip"),
        ("fr", "je tappelle Pip"),
        ("it", "ti chiamo Pip"),
        ("pt", "seu nome agora é Pip"),
        ("ru", "тебя зовут Pip"),
        ("tr", "artık adın Pip"),
        ("zh", "以后我叫你Pip"),
    ],
)
async def test_the_built_in_mind_asks_and_takes_it_for_no_name_of_its_user(
    human: Human, world: World, model: Script, tmp_path: Path, language: str, said: str
) -> None:
    """Also as the answer to its question for their name."""
    reflexive(model)
    with world.database.write() as db:
        accounts.unpair(db, "telegram", "7")
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Noor", language)
    await human.says("/start", paired_now=True)
    row = human.writes(said)
    await human.waits()
    with catalogue.speaking(language):
        assert [one.text for one in human.answers(row)] == [catalogue.say(OFFER, given="Pip")]
    assert buttons(human, row) == ["called.take:Pip", "called.leave"]
    with world.database.read() as db:
        assert user.name(db) is None
    await human.says("yes")
    assert name(tmp_path) == "Pip"


async def test_a_name_of_each_in_one_message_is_lost_to_neither(human: Human, world: World, model: Script) -> None:
    reflexive(model)
    *_, asked = await human.says("Hi, I'm Noor. I'll call you Pip.")
    assert asked == ASKS
    with world.database.read() as db:
        assert user.name(db) == "Noor"


async def test_a_no_changes_nothing(human: Human, model: Script, tmp_path: Path) -> None:
    reflexive(model)
    await human.says("your name is Pip")
    assert await human.says("no") == ["Then I stay Furo."]
    assert name(tmp_path) == "Furo"


async def test_it_is_written_where_the_set_up_wrote_it(human: Human, model: Script, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("FUROSHIKI_COMPANION_NAME=Miso\n")
    await human.says("your name is Pip")
    assert await human.says("yes") == ["Then I'm Pip from now on."]
    assert read_env_file(tmp_path / ".env") == {"FUROSHIKI_COMPANION_NAME": "Pip"}
    assert name(tmp_path) == "Pip"


async def test_what_the_operator_set_is_left_and_said(
    human: Human, model: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUROSHIKI_COMPANION_NAME", "Miso")
    await human.says("your name is Pip")
    [answer] = await human.says("yes")
    assert answer.startswith("Nothing was changed: FUROSHIKI_COMPANION_NAME is set by environment")
    assert name(tmp_path) == "Miso"


async def test_only_its_owner_names_it(human: Human, world: World, model: Script, tmp_path: Path) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "8", "8", "member", world.now, "Guest")
    guest = dataclasses.replace(human, chat_id="8", sent=50)
    model.lines = ["All right."] * 4
    await guest.says("your name is Pip")
    await human.says("your name is Pip", chat_id="-100", private=False, sender="7")
    await guest.says("", "callback", data="called.take:Pip")
    with world.database.read() as db:
        assert not [text for (text,) in db.execute("SELECT text FROM outbox") if text == ASKS]
    assert name(tmp_path) == "Furo"


@pytest.mark.parametrize("said", ["i'll call you back", "what's your name?", "your name is Furo"])
async def test_other_words_ask_nothing(human: Human, model: Script, said: str) -> None:
    assert ASKS[:16] not in " ".join(await human.says(said))
