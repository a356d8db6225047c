"""Every family asked for everything, through the real gateway: what comes of it, in a word for each cell."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from furoshiki.core.errors import FuroshikiError
from furoshiki.models.llm.factory import open_minds
from furoshiki.models.llm.gateway import Around, Gateway
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.values import Answer, Block, CallRecord, Image, Message, Question, Tool
from tests.models.llm.server import Server
from tests.providers.families import FAMILIES, GREETING, SEEN, TEA, UNSEEN, Family, door
from tests.providers.streams import INSIDE

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)

CELLS = ("answer", "tools", "forms", "picture", "thinking", "overflow", "cost", "cut", "refusal")

RECALL = Tool("recall", "Look into memory.", {"type": "object", "properties": {"query": {"type": "string"}}})
PICTURE = Image(b"\x89PNG\r\n", "image/png")
AT_ONCE = 4
"""So many cells are asked at the same moment; more only wait for each other."""


class Drink(BaseModel):
    drink: str


@dataclass
class Cell:
    """What came of one question (or two, where a tool is called): the word of the page, and what a test looks at."""

    word: str
    answers: list[Answer]
    shown: list[str]
    bodies: list[dict[str, Any]]
    quirks: Mapping[str, int]
    ledger: list[CallRecord]
    paused: list[float] = field(default_factory=list)


@dataclass
class Row:
    """What came of a family, by column, and what its models are asked without from then on."""

    family: Family
    cells: dict[str, Cell]

    @property
    def without(self) -> list[str]:
        """All that was learned of it."""
        return sorted({name for cell in self.cells.values() for name in cell.quirks})


async def rows() -> list[Row]:
    """The whole matrix; all cells at the same moment, each with a server of its own."""
    asked = [(family, cell) for family in FAMILIES for cell in CELLS]
    free = asyncio.Semaphore(AT_ONCE)

    async def one_by_one(family: Family, cell: str) -> Cell:
        async with free:
            return await ask(family, cell)

    found = await asyncio.gather(*(one_by_one(family, cell) for family, cell in asked))
    by = {(family.name, cell): one for (family, cell), one in zip(asked, found, strict=True)}
    return [Row(family, {cell: by[family.name, cell] for cell in CELLS}) for family in FAMILIES]


async def ask(family: Family, cell: str) -> Cell:
    """Ask one family for one thing."""
    ledger: list[CallRecord] = []
    paused: list[float] = []
    shown: list[str] = []

    async def on_text(text: str) -> None:
        shown.append(text)

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    async with Server(door(family, cell)) as server:
        with tempfile.TemporaryDirectory() as data:
            gateway = opened(family.values(server.url), Path(data), ledger, sleep, family)
        try:
            answers = [await gateway.ask(_question(cell), on_text)]
            if answers[0].calls:
                answers.append(await gateway.ask(_answered(_question(cell), answers[0]), on_text))
        except FuroshikiError as error:
            answers = [Answer(str(error), "refused", "local", "nobody", "chat")]
        finally:
            await gateway.aclose()
        quirks = dict(gateway.quirks.of(gateway.plans.by_tier["chat"].models[0]))
        bodies = server.bodies
    made = Cell("", answers, shown, bodies, quirks, ledger, paused)
    made.word = _WORDS[cell](made)
    return made


def opened(
    values: Mapping[str, str | None],
    data: Path,
    ledger: list[CallRecord],
    sleep: Callable[[float], Awaitable[None]] | None = None,
    family: Family | None = None,
) -> Gateway:
    """A gateway for the settings, with the fields that the family's owner sends. Its servers are taken for some
    elsewhere, which have half the time of those at home."""
    (data / "config").mkdir()
    sends = json.dumps(dict(family.sends)).replace(": ", " = ") if family else "{}"
    manner = f'[[manners]]\nmodels = "{family.ref}"\nsend = {sends}\n' if family and family.sends else ""
    (data / "config" / "models.toml").write_text(f"[patience]\nat_home = 1.0\n{manner}")
    gateway = open_minds(
        values,
        Around(_reflex, ledger.append, lambda: 0.0, lambda: NOW, random.Random(7)),
        data=data,
        limits=BudgetLimits(),
    )
    gateway.companion = "Furo"
    if sleep is not None:
        gateway._sleep = sleep
    return gateway


def _reflex(asked: Question, *, why: str) -> Answer | None:
    return None if asked.answer else Answer(f"(built-in mind: {why})", "stop", "local", "reflex", asked.tier)


def _question(cell: str) -> Question:
    messages: tuple[Message, ...] = (Message("user", "<message>\nWhat do I like to drink?\n</message>"),)
    if cell == "picture":
        messages = (Message("user", "What is this?", images=(PICTURE,)),)
    if cell == "overflow":
        turns = (Message("user" if at % 2 == 0 else "assistant", f"Turn {at}. " + "tea " * 60) for at in range(60))
        messages = (*turns, *messages)
    return Question(
        "chat",
        "turn",
        (Block("You are Furo.", cache=True),),
        messages,
        tools=(RECALL,) if cell in ("tools", "overflow") else (),
        answer=Drink if cell == "forms" else None,
        timeout_s=30.0,
        logprobs=cell == "answer",
    )


def _answered(question: Question, first: Answer) -> Question:
    said = Message("assistant", first.text, calls=first.calls, native=first.native)
    told = (Message("tool", f"They like oolong ({call.args.get('query')}).", call_id=call.id) for call in first.calls)
    return Question("chat", "turn", question.system, (*question.messages, said, *told), tools=question.tools)


def _plain(cell: Cell) -> str:
    [answer] = cell.answers
    if answer.text != GREETING:
        return f"**{answer.text or 'nothing'}**"
    return "at once" if len(cell.bodies) == 1 else f"after {len(cell.bodies) - 1} refused"


def _tools(cell: Cell) -> str:
    first, last = cell.answers[0], cell.answers[-1]
    asked = sorted(str(call.args.get("query")) for call in first.calls)
    if last.text != TEA or "tea" not in asked:
        return f"**{last.text or 'nothing'}**"
    return "in words" if "tools" in cell.quirks else f"native, {len(asked)} at once"


def _forms(cell: Cell) -> str:
    if cell.answers[0].parsed != Drink(drink="oolong"):
        return "**none**"
    return "in words" if "json_object" in cell.quirks else "JSON" if "json_schema" in cell.quirks else "schema"


def _picture(cell: Cell) -> str:
    return {SEEN: "seen", UNSEEN: "said unseen"}.get(cell.answers[0].text, f"**{cell.answers[0].text}**")


def _thinking(cell: Cell) -> str:
    leaked = any(INSIDE[:6] in text for text in (cell.answers[0].text, *cell.shown))
    return "**shown**" if leaked else "hidden" if cell.answers[0].text == GREETING else f"**{cell.answers[0].text}**"


def _overflow(cell: Cell) -> str:
    if cell.answers[0].text != GREETING:
        return f"**{cell.answers[0].text}**"
    return f"shortened to {cell.quirks['window']}" if "window" in cell.quirks else "cut by the server"


def _cost(cell: Cell) -> str:
    [answer], record = cell.answers, cell.ledger[-1] if cell.ledger else None
    if record is None:
        return f"**{answer.text}**"
    if record.price_named:
        return f"named, ${answer.cost_usd:.2f}"
    return "by its tokens" if record.usage.output == 5 else "by an estimate"


def _cut(cell: Cell) -> str:
    [answer] = cell.answers
    kept = answer.finish == "broken" and bool(answer.text) and GREETING.startswith(answer.text)
    return f"kept, {len(cell.bodies)} tries" if kept else f"**{answer.text or answer.finish}**"


def _refusal(cell: Cell) -> str:
    return "told" if cell.answers[0].finish == "refused" else f"**{cell.answers[0].text}**"


_WORDS: Mapping[str, Callable[[Cell], str]] = {
    "answer": _plain,
    "tools": _tools,
    "forms": _forms,
    "picture": _picture,
    "thinking": _thinking,
    "overflow": _overflow,
    "cost": _cost,
    "cut": _cut,
    "refusal": _refusal,
}


def table(found: list[Row]) -> str:
    """The matrix as the page shows it."""
    head = "| | " + " | ".join(CELLS) + " | learned |"
    lines = [head, "|---" * (len(CELLS) + 2) + "|"]
    for row in found:
        words = " | ".join(row.cells[cell].word for cell in CELLS)
        learned = ", ".join(f"`{name}`" for name in row.without if name not in ("window", "room")) or "–"
        lines.append(f"| {row.family.name} | {words} | {learned} |")
    return "\n".join(lines)
