"""The evenings of docs/first-evening.md, and of the first page in other languages, played through the real turn: a page
goes in, what it should show comes out.

In a block after `<!-- played: terminal -->` (one that is set to English; `terminal de` is set to German) or
`<!-- played: telegram -->` every line "you   …" is said and every "Furo  …" is what came back, with the buttons under
it in Telegram; "tap   …" presses the newest one of that name, and "… 20 minutes later" lets time pass with what the
brain would run. Nothing else is changed.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock
from zoneinfo import ZoneInfo

from furoshiki.channels.console import NAME
from furoshiki.channels.local.mailbox import Mailbox
from furoshiki.channels.telegram import access
from furoshiki.channels.telegram.updates import Me
from furoshiki.conversation.worker import Worker
from furoshiki.core.catalogue import ENGLISH
from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.faces.cli.talk import chat
from furoshiki.faces.cli.talk.pair import invitation
from furoshiki.messages.store import accounts
from furoshiki.models.choosing import model_servers
from furoshiki.owner.user_model import languages
from tests.life.house import House, opened
from tests.life.living import BuiltInMind

PAGE = ROOT / "docs" / "first-evening.md"
FIRST_PAGES = sorted((ROOT / "docs" / "first-page").glob("*.md"))
"""README.md in other languages."""
BEGINS = datetime(2026, 3, 24, 18, 40, tzinfo=UTC)
ZONE = ZoneInfo("Europe/Lisbon")
BETWEEN = timedelta(seconds=40)
CODE = "482913"
BOT = Me(500, "noors_furo_bot")
WHO = {"id": 7, "is_bot": False, "first_name": "Noor"}
CHAT = {"id": 7, "type": "private", "first_name": "Noor"}
WIDTH = 104

_BLOCK = re.compile(
    r"(?P<head><!-- played: (?P<channel>terminal|telegram)(?P<language>(?: [a-z]{2})?) -->\n```\n)"
    r"(?P<lines>(?:(?!```)[^\n]*\n)*)(?P<end>```)"
)
_LATER = re.compile(r"… (?P<number>\d+) (?P<unit>minutes|hours) later")
_INVITED = f"{invitation(CODE, f'https://t.me/{BOT.username}?start={CODE}')}\n"


class Evening:
    """Somebody's first evening, with the built-in mind, in a house of its own."""

    def __init__(self, data: Path, template: Path, channel: str, language: str) -> None:
        world, clock = opened(data, template, BEGINS, ZONE, lambda _clock: BuiltInMind())
        self._world, self._clock, self._worker = world, clock, Worker(world)
        self._boxes = Mailbox(world.database, NAME)
        self._house, self._terminal, self._said = House(world, clock), channel == "terminal", 0
        self._seen, self._buttons = 0, dict[str, str]()
        languages.keep_terminals(world, language)
        with world.database.write() as db:
            accounts.unpair(db, "telegram", "7")
            accounts.offer_code(db, CODE, "owner", world.now)

    async def shows(self, lines: str) -> str:
        """The lines as they should stand."""
        found = [] if not self._terminal else await self._after(self._boxes.hello(self._world.now))
        for line in lines.splitlines():
            later = _LATER.fullmatch(line)
            if line.startswith("you   "):
                found += [line, *await self._says(line.removeprefix("you   "))]
            elif line.startswith("tap   "):
                found += [line, *await self._taps(line.removeprefix("tap   "))]
            elif later is not None:
                await self._house.until(self._clock.at + timedelta(**{later["unit"]: int(later["number"])}))
                found += [line, *self._came()]
        await self._worker.rest()  # what is judged beside the turns still reads the database
        self._world.database.close()
        return "".join(f"{line}\n" for line in found)

    async def _says(self, text: str) -> list[str]:
        self._said += 1
        self._clock.pass_(seconds=BETWEEN.total_seconds())
        now = self._world.now
        if self._terminal:
            return await self._after(self._boxes.say(text, f"line-{self._said}", now))
        commands = [{"type": "bot_command", "offset": 0, "length": len("/start")}] if text.startswith("/") else []
        message = {
            "message_id": self._said,
            "date": int(now.timestamp()),
            "chat": CHAT,
            "from": WHO,
            "text": text,
            "entities": commands,
        }
        return await self._arrives({"message": message})

    async def _taps(self, button: str) -> list[str]:
        """Press a button."""
        self._said += 1
        self._clock.pass_(seconds=BETWEEN.total_seconds())
        beneath = {"message_id": self._said, "date": int(self._world.now.timestamp()), "chat": CHAT}
        pressed = {"id": str(self._said), "from": WHO, "chat_instance": "1", "message": beneath}
        return await self._arrives({"callback_query": {**pressed, "data": self._buttons[button]}})

    async def _arrives(self, update: dict[str, object]) -> list[str]:
        """What comes of an update of Telegram."""
        with self._world.database.write() as db:
            batch = [{"update_id": self._said, **update}]
            taken = access.take(db, batch, BOT, access.AccessList(), self._world.now, self._world.withheld)
        return [*_answer([words for _chat, words in taken.say]), *await self._after(*taken.ids)]

    async def _after(self, row: int | None = None) -> list[str]:
        """What comes of an envelope, and what the terminal says beneath it."""
        while await self._worker.step():
            await self._worker.quiet()
        found = self._came()
        unheard = chat.find_warning(self._world, f"inbox:{row}") if self._terminal and row is not None else None
        return (
            found
            if unheard is None
            else [*found, *_wrapped(f"({unheard})".replace("`furoshiki ", "`scripts/run.sh "), "      ")]
        )

    def _came(self) -> list[str]:
        """What was put out since this was last asked."""
        with self._world.database.read() as db:
            rows = db.execute("SELECT id, text, extra FROM outbox WHERE id > ? ORDER BY id", (self._seen,)).fetchall()
        self._seen = max((row[0] for row in rows), default=self._seen)
        found = []
        for row in rows:
            found += _answer([row[1].replace(str(self._world.settings.data), "~/.furoshiki")])
            shown = [] if self._terminal else json.loads(row[2] or "{}").get("buttons", [])
            self._buttons |= {one["text"]: one.get("data", "") for line in shown for one in line}
            found += ["      " + "  ".join(f"[ {one['text']} ]" for one in line) for line in shown]
        return found


def played(page: str) -> str:
    """The page with every evening as it runs today."""
    with tempfile.TemporaryDirectory(prefix="furoshiki-evenings-") as name:
        folder = Path(name)
        template = folder / "template.sqlite"
        migrate.ensure(template)
        database = Database(template)
        database.checkpoint()
        database.close()
        numbers = iter(range(page.count("<!-- played:")))

        def again(block: re.Match[str]) -> str:
            spoken = block["language"].strip() or ENGLISH
            evening = Evening(folder / str(next(numbers)), template, block["channel"], spoken)
            return f"{block['head']}{asyncio.run(evening.shows(block['lines']))}{block['end']}"

        with mock.patch.object(model_servers, "here", lambda _values: []):  # whatever runs on the machine of who plays
            shown, count = _BLOCK.subn(again, page)
        assert count == page.count("<!-- played:"), "a conversation on the page is not written so that it can be played"
        return shown


def invited() -> str:
    """What the machine shows before anybody is paired, as it stands on the page."""
    return _INVITED


def _answer(texts: list[str]) -> list[str]:
    return [line for text in texts for line in _wrapped(text, "Furo  ")]


def _wrapped(text: str, lead: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n")):
        before = lead if number == 0 else " " * len(lead)
        yield textwrap.fill(
            paragraph, WIDTH, initial_indent=before, subsequent_indent=" " * len(lead), break_on_hyphens=False
        ).rstrip()


if __name__ == "__main__":
    for page in (PAGE, *FIRST_PAGES):
        page.write_text(played(page.read_text(encoding="utf-8")), encoding="utf-8")
