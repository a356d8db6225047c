"""`furoshiki chat`: talk in the terminal, alone or while listener and brain run."""

import argparse
import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from furoshiki.channels.console import NAME, mailbox
from furoshiki.channels.console.dialogue import NOT_KEPT, Talk
from furoshiki.channels.local import live_reply
from furoshiki.channels.local.live_reply import MemoryBoard
from furoshiki.channels.local.mailbox import Answer
from furoshiki.conversation.commands import forget_plainly, health
from furoshiki.conversation.commands.registry import list_commands
from furoshiki.core import logs, numbers
from furoshiki.core.catalogue import later, say, say_sentence
from furoshiki.core.database import kv, troubles
from furoshiki.core.errors import FuroshikiError, StorageUnavailable
from furoshiki.core.framing import is_blank
from furoshiki.core.paths import data_dir
from furoshiki.core.process.locks import LOCKS, lock_held
from furoshiki.core.timestamps import local
from furoshiki.faces.cli import context
from furoshiki.faces.cli.language import find_language
from furoshiki.faces.terminal.keyboard import Keyboard
from furoshiki.faces.terminal.printing import as_json, note, quietly
from furoshiki.faces.terminal.screen import Screen, save_part
from furoshiki.maintenance import setup_check
from furoshiki.messages.store import skill_runs, turns
from furoshiki.messages.values import USER
from furoshiki.models.llm.plans import plans_of
from furoshiki.owner.agenda import channel_modes
from furoshiki.owner.user_model import languages
from furoshiki.recall.retrieval import encoder_change
from furoshiki.world import World

# seconds that a stopped answer may take to end before the prompt returns without it
AFTER_STOP_SECONDS = 3.0

LOOK_SECONDS = 1.0  # how often, in seconds, a waiting console checks for unprompted messages

BUILT_IN = later(
    "No model is set, so this is the built-in mind: it remembers, keeps lists and reminds you. "
    "For real talk, and for Telegram, run `furoshiki setup`. /help, /quit."
)

BROKE_OFF = later(
    "The chat stopped in the middle of something. What you said is saved: start `furoshiki chat` "
    "again. A message that stops me three times is set aside."
)

LEAVING = ("/quit", "/exit", "/bye", "quit", "exit")

IN_PLAIN = {"help": "/help", "?": "/help"}  # words that people type for a command


NOTHING_RINGS = later(
    "Once this chat is closed, you get no reminders: no services are running. `furoshiki "
    "up` keeps them running (with TELEGRAM_BOT_TOKEN set, reminders come to Telegram); I'll tell "
    "you what you missed when I am next there."
)

WARNED = "chat.warned_on"  # the key in `kv` of the day on which that was last said

_SAYING = ("listener", "brain")
_SETTING = ("reminder", "moved", "snoozed")


def run(args: argparse.Namespace) -> int:
    """Say one thing, read lines from a pipe, or hold a conversation."""
    said = None if args.once is None else _require_text(sys.stdin.read() if args.once == "-" else args.once)
    here = MemoryBoard()
    run_folder = data_dir() / "run"
    try:
        world = context.world(lambda envelope: live_reply.stage(run_folder, envelope, here), memoryd=True)
    except StorageUnavailable as error:
        raise error if said is None else StorageUnavailable(f"{error}. {say(NOT_KEPT)}") from error
    settings = world.settings
    logs.keep(settings.data / "logs" / "chat.log", settings.furoshiki_log_level, settings.secrets(), loud=False)
    _say_when_not_live(world)
    languages.keep_terminals(world, find_language())
    in_lines = args.json or not sys.stdin.isatty()
    with (
        languages.speaking_as_usual(world),
        _report_broken_off(),
        Talk(world, here, lasting=said is None and not in_lines) as talk,
    ):
        if said is not None:
            return _once(talk, said, args)
        if in_lines:
            codes = [_once(talk, line, args) for line in _lines()]
            if not codes:
                _require_text("")
            return max(codes)
        return Conversation(talk, args.timeout).run()


@contextlib.contextmanager
def _report_broken_off() -> Iterator[None]:
    """While this lasts, a shell waits for the end of this process and reports if it broke off.

    The watchdog kills a stuck process, which can then no longer report anything itself.
    """
    script = 'read -r _ || printf "\\n%s\\n" "$0" >&2'
    with subprocess.Popen(
        ["/bin/sh", "-c", script, say(BROKE_OFF)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the chat
    ) as waiting:
        try:
            yield
        finally:
            waiting.communicate(b"\n")


def _require_text(text: str) -> str:
    if is_blank(text):
        raise context.Misused('there is nothing to say: give words, as in `furoshiki chat --once "what did I say?"`')
    return text


def _lines() -> Iterator[str]:
    yield from (line.strip() for line in sys.stdin if line.strip())


def _once(talk: Talk, text: str, args: argparse.Namespace) -> int:
    """Say one thing and print only the reply."""
    answer = talk.wait(talk.say(text.strip()), lambda _text: None, args.timeout)
    if answer is None:
        none_yet = later("no answer within {seconds:g} s; the message is kept and will be answered")
        raise FuroshikiError(say(none_yet, seconds=args.timeout))
    exports = talk.world.settings.data / "exports"
    parts = [save_part(part, exports) for part in answer.parts]
    if args.json:
        reply = "\n\n".join(parts)
        as_json(
            {
                "reply": reply,
                "parts": parts,
                "turn_key": answer.turn_key,
                "silent": not parts,
                "model": answer.model,
                **({"error": answer.failure} if answer.failure else {}),
            }
        )
    elif parts:
        print("\n\n".join(parts), flush=True)
    for line in list_warnings(talk.world, answer.turn_key, set()):
        note(line)
    return 1 if answer.failure else 0


class Conversation:
    """A conversation with a person at a terminal."""

    def __init__(self, talk: Talk, patience: float) -> None:
        self._talk = talk
        self._patience = patience
        world = talk.world
        self._screen = Screen(world.settings.furoshiki_companion_name, world.settings.data / "exports")
        self._buttons: tuple[tuple[str, str], ...] = ()
        self._told: set[str] = set()
        self._over = threading.Event()
        self._typing = threading.Event()

    def run(self) -> int:
        """Chat until /quit or Ctrl-D."""
        world = self._talk.world
        _say_which_mind(world)
        names = (*(name for name, _what in list_commands()), "quit")
        with Keyboard(world.settings.data, names) as keyboard:
            threading.Thread(target=self._watch, args=(keyboard,), name="watch", daemon=True).start()
            try:
                first = self._talk.hello()
                if first is not None:
                    self._await(first)
                self._screen.unprompted(self._talk.unprompted())
                while self._exchange(keyboard):
                    pass
            finally:
                self._over.set()
        return 0

    def _exchange(self, keyboard: Keyboard) -> bool:
        """Read one line and show its answer; return False when the person leaves."""
        try:
            self._typing.set()
            text = keyboard.read(self._screen.prompt)
        except EOFError:
            print()
            return False
        except KeyboardInterrupt:
            quietly(f"\n({say('/quit or Ctrl-D to leave')})")
            return True
        finally:
            self._typing.clear()
        if not forget_plainly.unwritten(text):
            keyboard.keep()
        if text.lower() in LEAVING:
            return False
        if text:
            try:
                self._await(self._post(IN_PLAIN.get(text.lower(), text)))
            except StorageUnavailable as error:
                self._screen.forget()
                quietly(f"({error})", sys.stderr)
            keyboard.refresh()
        return True

    def _post(self, text: str) -> int:
        number = numbers.whole(text.removeprefix("/"), 1, len(self._buttons))
        if text.startswith("/") and number is not None:
            return self._talk.press(self._buttons[number - 1][1])
        return self._talk.say(text)

    def _await(self, envelope_id: int) -> None:
        try:
            answer = self._talk.wait(envelope_id, self._screen.grow, self._patience)
        except KeyboardInterrupt:
            self._talk.stop(envelope_id)
            answer = self._talk.wait(envelope_id, self._screen.grow, AFTER_STOP_SECONDS)
        self._show(answer)

    def _show(self, answer: Answer | None) -> None:
        if answer is None:
            self._screen.forget()
            quietly(f"({say('The answer is taking a while. It will appear here when it is ready.')})")
            return
        self._screen.finish(answer)
        if answer.failure:
            quietly(f"({answer.failure})", sys.stderr)
        self._buttons = answer.buttons
        for line in list_warnings(self._talk.world, answer.turn_key, self._told):
            quietly(f"({line})")

    def _watch(self, keyboard: Keyboard) -> None:
        """Show reminders and late answers while the person is at the prompt."""
        database, seen = self._talk.world.database, None
        looked = time.monotonic()
        while not self._over.wait(LOOK_SECONDS):
            version = database.version()
            due = time.monotonic() - looked > mailbox.LEFT_OVER.total_seconds()
            if not self._typing.is_set() or (version == seen and not due):
                continue
            seen, looked = version, time.monotonic()
            self._screen.unprompted(self._talk.unprompted(), self._screen.prompt, keyboard.typed())


def _say_when_not_live(world: World) -> None:
    mode = channel_modes.mode(world, NAME)
    if mode != "live":
        file = world.settings.data / "config" / channel_modes.FILE
        note(say("The console channel is {mode} (in {file}): you won't get an answer.", mode=mode, file=file))


def _say_which_mind(world: World) -> None:
    chosen = plans_of(world.settings)
    for line in (*chosen.notes, *setup_check.faults(world.settings, chosen)):
        quietly(line)
    with world.database.read() as db:
        change = encoder_change.find_change(db, world.settings)
    if change is not None:
        quietly(change.words)
    if not chosen.by_tier["chat"].has_model:
        quietly(say(BUILT_IN))


def list_warnings(world: World, turn_key: str, told: set[str]) -> list[str]:
    """Return what the person has to know beside an answer: that a reminder will not ring, and why a
    model does not answer, unless its name is in `told`, where it is added."""
    with world.database.read() as db:
        standing = troubles.read_all(db)
    current = health.filter_current(standing, world.settings, plans_of(world.settings))
    fresh = [one for one in current if one.what.startswith(troubles.MODEL) and one.what not in told]
    told.update(one.what for one in fresh)
    unheard = find_warning(world, turn_key)
    return [*filter(None, [unheard]), *(say_sentence(one.words) for one in fresh)]


def find_warning(world: World, turn_key: str) -> str | None:
    """Return a warning if the answer set a reminder that no running process will deliver, once a day."""
    with world.database.read() as db:
        ran = skill_runs.of_turn(db, turn_key, "schedule")
        said = " ".join(turn.own for turn in turns.of_key(db, turn_key) if turn.speaker == USER)
    if not any(name in (one.result.get("data") or {}) for one in ran for name in _SETTING):
        return None
    run_folder = world.settings.data / "run"
    if any(lock_held(path) for name in _SAYING for path in run_folder.glob(LOCKS[name])):
        return None
    today = local(world.now, world.zone).date().isoformat()
    with world.database.write() as db:
        if kv.get(db, WARNED) == today:
            return None
        kv.put(db, WARNED, today, world.now)
    with languages.speaking_to(world, said):
        return say(NOTHING_RINGS)
