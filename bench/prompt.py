"""How many tokens a message's prompt has, block by block, from the first to the five hundredth.

    python -m bench.prompt [--messages N] [--show N] [--known N]

Every message goes through a World with a real database and a scripted model, which counts what it is handed as the
program does. `--known` begins in a home that knows N facts and has a profile and talks behind it, as after some months.
An evening has ten messages; `--show` prints the whole prompt of that message as a model reads it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from furoshiki.app.wiring import (
    danger_head,
    find_second_language,
    lexicon,
    load_care_words,
    load_meaning_head,
    prepare,
    signal_head,
)
from furoshiki.conversation.worker import Worker
from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.core.settings import Settings
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import StateFiles
from furoshiki.language.tokens import estimate
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model.rules.profile import Profile, Statement
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World
from tests.support.laws import shipped
from tests.support.world import PROMPTS, FrozenClock, Human, NoVectors, Script

TALK = (
    "The ferry was late again, the baker had run out of rye, and on the way home I met somebody who used to row.",
    "My sister {name} called: she is moving to {place} in the spring and wants me to help her look for a flat there.",
    "I am learning to make {thing} on Saturdays now. It is harder than it looks, and I like how quiet it makes me.",
    "ok, and what would you do?",
    "Work was long. {name} from the office handed in her notice, so I will have the {thing} project alone from Monday.",
    "I slept badly, the neighbours had a party until three, and then I dreamt of a house in {place}.",
    "haha yes",
    "Do you remember what I told you about {place}?",
    "We went to {place} for the day. {name} took the photographs; I carried the {thing} and complained, she says.",
    "good night, I have to be up at six for the train to {place}",
)
NAMES = ("Dana", "Ruth", "Anika", "Jonas", "Marta", "Paulo", "Ines", "Tomas", "Vera", "Emil", "Lena", "Oskar")
PLACES = ("Porto", "Faro", "Ghent", "Turin", "Lyon", "Bergen", "Cork", "Graz", "Utrecht", "Seville", "Basel", "Riga")
THINGS = ("pottery", "bread", "lute", "ledger", "kayak", "wallpaper", "cider", "harvest", "chess", "mosaic", "orchid")
ANSWERED = (
    "That sounds like a full day. What did she say when you told her? I would have liked to hear how you put it; you "
    "describe people better than you think.",
    "Harder than it looks is a good sign. Keep the quiet.",
    "I would wait a day and then say it plainly. What would it cost you to be the one who begins?",
)
SUMMARY = (
    "They spoke of late ferries, of {name}, who is moving to {place}, and of the {thing} they are learning. They slept "
    "badly for some nights and have a project alone from Monday. You asked what it would cost to begin, and they left "
    "that open. They were tired and in good humour, and wanted company more than advice."
)
FACTS = (
    ("family", "Their sister {name} lives in {place}."),
    ("employment", "They work in an office by the harbour of {place}."),
    ("preference", "They like {thing} on Saturday mornings."),
    ("relationship", "Their friend {name} rows and takes photographs."),
    ("plan", "They plan to visit {place} in the autumn."),
    ("health", "They sleep badly when the neighbours in {place} have guests."),
    ("possession", "They own a {thing} that {name} gave them."),
    ("skill", "They are learning to make {thing} and find it hard."),
)
SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500)
BLOCK = re.compile(r"^<(now|from_plugins|remembered|since_then|message)\b", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=500)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--known", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asked = asyncio.run(_talk(Path(folder), args.messages, args.known))
    if args.show:
        question = asked[args.show - 1]
        print(
            "\n\n".join([*(one.text for one in question.system), *(f"[{m.role}] {m.text}" for m in question.messages)])
        )
        return 0
    names = ("identity", "session", "earlier", "skills", "history", "now", "remembered", "message", "all")
    print(f"{'message':>8}" + "".join(f"{name:>11}" for name in names))
    totals = []
    for number, question in enumerate(asked, 1):
        found = parts(question)
        totals.append(found["all"])
        if number in SHOWN or number == len(asked):
            print(f"{number:8}" + "".join(f"{found.get(name, 0):11}" for name in names))
    print(
        f"\nlargest {max(totals)} (message {totals.index(max(totals)) + 1}); mean of the last hundred "
        f"{sum(totals[-100:]) / len(totals[-100:]):.0f}"
    )
    return 0


def parts(question: Question) -> dict[str, int]:
    """Return the tokens of a prompt by block."""
    last = question.messages[-1].text
    places = list(BLOCK.finditer(last))
    found = {"identity": 0, "session": 0, "earlier": 0}
    for name, block in zip(found, question.system, strict=False):
        found[name] = estimate(block.text)
    found["skills"] = sum(estimate(f"{t.name}{t.description}{json.dumps(dict(t.schema))}") for t in question.tools)
    found["history"] = sum(estimate(one.text) for one in question.messages[:-1])
    for place, match in enumerate(places):
        end = places[place + 1].start() if place + 1 < len(places) else len(last)
        found[match[1]] = found.get(match[1], 0) + estimate(last[match.start() : end])
    found["all"] = sum(found.values())
    return found


async def _talk(folder: Path, messages: int, known: int) -> list[Question]:
    chance = random.Random(3)
    model = Script()
    world = new_world(folder, model)
    human = Human(world, Worker(world))
    asked: list[Question] = []

    async def answers(question: Question, on_text: object = None) -> Answer:
        words = {"name": chance.choice(NAMES), "place": chance.choice(PLACES), "thing": chance.choice(THINGS)}
        if question.purpose == "danger":
            return await model(question)
        if question.purpose == "turn":
            asked.append(question)
        text = SUMMARY.format(**words) if question.purpose == "compaction" else chance.choice(ANSWERED)
        return Answer(text, "stop", "scripted", "script", question.tier)

    world = replace(world, ask=answers)
    human = Human(world, Worker(world))
    clock = world.clock
    if known:
        _lived_in(world, known, chance)
    for number in range(messages):
        words = {"name": chance.choice(NAMES), "place": chance.choice(PLACES), "thing": chance.choice(THINGS)}
        await human.says(TALK[number % len(TALK)].format(**words))
        clock.pass_(**({"hours": 20} if number % 10 == 9 else {"minutes": 3}))
    return asked


def _lived_in(world: World, known: int, chance: random.Random) -> None:
    """Fill a memory as after some months: facts with turns, a profile, recent talks, open items."""
    with world.database.write() as db:
        ids = []
        for number in range(known):
            words = {"name": chance.choice(NAMES), "place": chance.choice(PLACES), "thing": chance.choice(THINGS)}
            category, text = FACTS[number % len(FACTS)]
            said = NewTurn(
                "old", "console", "me", "user", text.format(**words), world.now - timedelta(days=known - number)
            )
            note = NewMemory(
                "semantic", text.format(**words), (turns.add(db, said),), subject="user", category=category
            )
            ids.append((category, note.content, memories.add(db, note, world.now - timedelta(days=known - number))))
        made = [Statement(category, text, (number,)) for category, text, number in ids]
        profiles.put(db, Profile(tuple(made[:8]), tuple(made[: known // 2]), ()), "bench", "bench", world.now)
    talks = [
        f"{day} March: late ferries, {chance.choice(NAMES)}'s move, and {chance.choice(THINGS)}"
        for day in (20, 17, 14, 11)
    ]
    thought = "They were quieter than last week. I asked a good deal; I want to leave more room tomorrow."
    world.state.write_context(
        {
            "sessions": talks,
            "themes": {"rising": ["pottery", "moving"], "fading": []},
            "thought": thought,
            "related": [],
            "tasks": {"shopping": ["milk", "rye bread"]},
        }
    )


def new_world(folder: Path, model: Script) -> World:
    """Create a companion in an empty folder that answers by a script, without an encoder."""
    migrate.ensure(folder / "memory" / "longmemory.sqlite")
    database = Database(folder / "memory" / "longmemory.sqlite")
    settings = Settings(furoshiki_data=folder, furoshiki_timezone="Europe/Lisbon", furoshiki_seed=7)
    prepare(folder)
    clock, laws = FrozenClock(), shipped()
    return World(
        clock=clock,
        rng=random.Random(7),
        database=database,
        vectors=NoVectors(),
        ask=model,
        state=StateFiles(folder / "memory", lambda: heartbeat.rebuilt(database, laws, clock.now()), clock.now),
        prompts=PROMPTS,
        settings=settings,
        zone=ZoneInfo("Europe/Lisbon"),
        laws=laws,
        words=lambda told: lexicon(find_second_language(settings, database, told)),
        config=ROOT / "config",
        caring=load_care_words,
        head=signal_head,
        meaning=load_meaning_head,
        danger_head=danger_head,
    )


if __name__ == "__main__":
    sys.exit(main())
