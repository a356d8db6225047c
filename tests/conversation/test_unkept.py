"""A secret said in passing that is not to be kept is answered, and then it is nowhere in the home."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.conversation.promises.rules import unkept
from furoshiki.language.requests.forget_asked import request_in
from furoshiki.language.testimony import own
from furoshiki.messages.store import accounts, outbox
from furoshiki.models.llm.values import ToolCall
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.turns import said
from tests.support.world import Human, Script


@pytest.fixture(autouse=True)
def owned(world: World) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")


def delivered(world: World) -> None:
    """Everything that waits has arrived."""
    with world.database.write() as db:
        for row in outbox.ready(db, "telegram", world.now):
            outbox.part_sent(db, row.id, str(1000 + row.id), world.now)
    world.database.checkpoint()


def holding(home: Path, secret: str) -> list[str]:
    """The files below a folder in whose bytes it stands."""
    return [str(path) for path in home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


SAID = [
    ("my wifi password is hunter2xyz, please dont remember it", "hunter2xyz", "en"),
    ("PIN ist 471199, merk dir das nicht", "471199", "de"),
    ("don't save this: my card is 4929123456781234", "4929123456781234", "en"),
    ("mi contraseña es gatoverde77, no guardes eso", "gatoverde77", "es"),
    ("пароль от вайфая солнце777, не запоминай это", "солнце777", "ru"),
    ("wifi şifrem kedi8899, bunu kaydetme", "kedi8899", "tr"),
    ("mon code est 88231177, ne garde pas ça", "88231177", "fr"),
    ("a minha senha é peixe5566, não guarde isso", "peixe5566", "pt"),
    ("la mia password è gatto4455, non salvare questo", "gatto4455", "it"),
    ("mein WLAN-Passwort ist hund2244, bitte merk es dir nicht", "hund2244", "de"),
    ("meine PIN ist 471122. nicht aufschreiben bitte", "471122", "de"),
    ("mi contraseña del wifi es gato8866, por favor no la recuerdes", "gato8866", "es"),
    ("el pin es 447133, no te lo apuntes", "447133", "es"),
    ("mon mot de passe est chat7711, s'il te plaît ne le retiens pas", "chat7711", "fr"),
    ("la password del wifi è cane9933, per favore non ricordarla", "cane9933", "it"),
    ("a senha do wifi é gato3322, por favor não a guardes", "gato3322", "pt"),
    ("мой пароль лиса4411, пожалуйста, не запоминай его", "лиса4411", "ru"),
    ("wifi şifrem tilki6644, lütfen kaydetme", "tilki6644", "tr"),
    ("我的wifi密码是maomi5500，请不要记住", "maomi5500", "zh"),
    ("门禁密码是778812，别记下来", "778812", "zh"),
]

KEPT = [
    "no recuerdo la contraseña",
    "ich kann mir den Namen nicht merken",
    "je ne garde pas les chats de ma sœur",
    "не храни молоко в двери",
    "no te lo guardes para ti, cuéntame",
    "别忘了买牛奶",
    "昨天没记住他的名字",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_is_not_asked_of_it_is_kept(text: str) -> None:
    asked = request_in(own(text, ()))
    assert asked is None or asked.kind not in ("this", "before")


@pytest.mark.parametrize(("text", "secret", "tongue"), SAID)
async def test_it_is_nowhere_afterwards(
    world: World, human: Human, model: Script, text: str, secret: str, tongue: str
) -> None:
    model.lines = [ToolCall("c", "recall", {"query": text}), f"Noted, {secret} it is."]
    answer, told = await human.says(text)
    assert (answer, told) == (f"Noted, {secret} it is.", unkept.SAID[tongue])
    delivered(world)
    assert holding(world.home, secret) == []
    model.lines = ["I don't know that."]
    await human.says("so what was it, do you know it by heart")
    prompt = str(model.questions[-1])
    assert secret not in prompt and unkept.WORDS in prompt


async def test_the_built_in_mind_does_not_read_it_out(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("my wifi password is hunter2xyz, please dont remember it")
    answers = await human.says("what is my wifi password?")
    assert not any("hunter2xyz" in one for one in answers)
    assert said(world, "speaker='user'")[0] == ("user", "text", unkept.WORDS)


async def test_what_is_told_besides_is_kept(world: World, human: Human, model: Script) -> None:
    model.lines = ["All right.", "Good."]
    await human.says("my PIN is 471199, please don't keep that")
    await human.says("my sister Anika lives in Porto")
    assert ("user", "text", "my sister Anika lives in Porto") in said(world)


@pytest.mark.parametrize("text", ["I don't remember that evening", "my pin is 4711", "I never keep receipts"])
async def test_other_words_are_kept(world: World, human: Human, model: Script, text: str) -> None:
    model.lines = ["Mhm."]
    assert await human.says(text) == ["Mhm."]
    assert said(world)[0] == ("user", "text", text)


async def test_a_crash_before_the_end_answers_once_and_keeps_nothing(world: World, human: Human, model: Script) -> None:
    model.lines = [RuntimeError("the model's reader broke"), "Fine."]
    answer, _ = await human.says("my PIN is 471199, please don't keep that")
    assert answer == "Fine."
    delivered(world)
    assert holding(world.home, "471199") == []
