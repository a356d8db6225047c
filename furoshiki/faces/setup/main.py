"""`furoshiki setup`: sets up a companion; a later run keeps, changes or resets answers."""

import argparse
import json
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from furoshiki.app.wiring import shape
from furoshiki.core import paths, refs
from furoshiki.core.catalogue import later, say, say_number, speaking
from furoshiki.core.database import kv
from furoshiki.core.paths import ROOT, data_dir
from furoshiki.faces.cli.services import up
from furoshiki.faces.cli.talk import pair
from furoshiki.faces.setup import companion, invalid_settings, models, pairing, rules, telegram
from furoshiki.faces.setup.asking import Asking, Stopped
from furoshiki.faces.setup.listening import listener, listens, wait_for
from furoshiki.faces.setup.rules import Reader
from furoshiki.faces.setup.session import Given, Result, Session, secret_of, understood
from furoshiki.faces.terminal.markdown import columns
from furoshiki.faces.terminal.printing import as_json, note
from furoshiki.maintenance.service_manager import ServiceManager
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.store.accounts import Account
from furoshiki.messages.values import Outgoing
from furoshiki.mind.outreach import sending
from furoshiki.mind.outreach.addressee import Address
from furoshiki.mind.outreach.store.decisions import NewDecision

GREETING = "greeting"
SAID = "setup.greeting"  # the key in `kv` of the decision to say hello, which is made once

WHY = "setup was finished, and you were at it"
PRIORITY = 1
ARRIVAL_SECONDS = 30.0

WRITTEN = later("It has written to you. Answer it!")
WRITTEN_AHEAD = later("It has written to you. It will see your answer once it's running.")
NOBODY = later("Nobody is paired in Telegram yet, so it can't say hello.")

WORDS = later(
    "Hello{whose}! I'm {name}. From now on I live here. Three small things to try:\n\n"
    "• tell me something about your day: I'll remember it, and you can ask me about it later\n"
    "• “remind me tomorrow at 9 to water the plants”\n"
    "• /why, whenever you wonder why I said something\n\n"
    "I rarely write first, and never in your quiet hours. /help shows the rest."
)


def greet(session: Session) -> Result:
    """Say hello unless that was done, and wait until it has arrived."""
    with session.database.read() as db:
        owner, said = accounts.owner(db, pair.TELEGRAM), kv.get(db, SAID)
    if owner is None:
        return Result("left out", say(NOBODY), say("Run `furoshiki setup` again when you are paired."))
    if said is not None and not _on_its_way(session, said):
        return Result("kept", say("It has already said hello."))
    number = _say(session, owner) if said is None else int(said)
    if session.asking is None and not listens(session.settings()):
        return Result("done", say("It will say hello once the listener is running."))
    session.say(f"  {say('It is writing to you in Telegram …')}")
    with listener(session.settings()) as ended:
        waited = wait_for(lambda: None if _on_its_way(session, number) else owner, ended, ARRIVAL_SECONDS)
    if waited.found is None:
        return Result("done", waited.why or say("It will arrive when Telegram can be reached."))
    if any(message.state == "failed" for message in _parts(session, number)):
        return Result(
            "failed", say("Telegram didn't accept it."), say("Open the bot, press START, and send it a message.")
        )
    return Result("done", say(WRITTEN if listens(session.settings()) else WRITTEN_AHEAD))


def _say(session: Session, owner: Account) -> int:
    """Store decision, turn, words and key in one transaction; return the number of the decision."""
    now, settings = session.now(), session.settings()
    whose = f", {owner.name}" if owner.name else ""
    with session.database.write() as db:
        with speaking(settings.furoshiki_language or accounts.owners_language(db)):
            text = say(WORDS, whose=whose, name=settings.furoshiki_companion_name)
        to = Address(pair.TELEGRAM, owner.chat_id)
        shaped = shape(pair.TELEGRAM, text, frozenset())
        number, _ = sending.say(db, NewDecision(GREETING, PRIORITY, "sent", WHY), to, text, shaped, now)
        kv.put(db, SAID, number, now)
    return number


def _parts(session: Session, number: int) -> list[Outgoing]:
    with session.database.read() as db:
        return outbox.of_turn(db, refs.name("outreach", number))


def _on_its_way(session: Session, number: int) -> bool:
    return any(message.state in ("ready", "sending") for message in _parts(session, number))


RUNNING = "services"

NO_SYSTEMD = later("There's no systemd for your account here (as in a container), so nothing starts it automatically.")
RUN_UP = later("Start it with {command} up, which restarts it if it crashes.")
UP_RUNS = later("It's already running with `furoshiki up`, which restarts it if it crashes.")


def keep_running(session: Session) -> Result:
    """Install and start the services, if wanted and possible."""
    run_up = say(RUN_UP, command=ROOT / "scripts" / "run.sh")
    if ServiceManager(paths.environ()).version() is None:
        if listens(session.settings()):
            return Result("kept", say(UP_RUNS))
        return Result("failed" if session.given.service else "left out", say(NO_SYSTEMD), run_up)
    wanted = session.given.service
    if wanted is None and session.asking is not None:
        wanted = session.asking.yes(f"  {say('Run it in the background, and start it with the machine?')}")
    if not wanted:
        return Result("left out", say("No services, as you chose."), run_up)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "furoshiki", "service", "install", "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        then = say("Then run `furoshiki service install`.")
        return Result("failed", done.stderr.strip().removeprefix("furoshiki: "), then)
    found = json.loads(done.stdout)
    return Result(
        "done",
        say("Running: {names}. `furoshiki service status` shows how they're doing.", names=", ".join(found["started"])),
        " ".join(f"{note[0].upper()}{note[1:]}." for note in found["notes"]) or None,
        {"started": found["started"], "lingers": found["lingers"]},
    )


CHECK_UP = "doctor"

ALL_WELL = later("The doctor checked everything: all is well.")
AGAIN = later("Run `furoshiki doctor` to check again.")


def check_up(session: Session) -> Result:
    """Run the doctor, let it repair what it can, and report the rest here only."""
    script = ROOT / "scripts" / "doctor.py"
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script), "--data", str(session.data), "--offline", "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    try:
        found = json.loads(done.stdout)["found"]
    except (ValueError, KeyError, TypeError):
        why = done.stderr.strip() or str(done.returncode)
        return Result("failed", say("The doctor couldn't run: {why}", why=why), say(AGAIN))
    mended = [one for one in found if one["state"] == "mended"]
    wrong = [one for one in found if one["state"] == "wrong"]
    for one in (*mended, *wrong):
        session.say(f"  {one['words']}")
        if one["fix"]:
            session.say(f"    → {one['fix']}")
    facts = {"found": [*mended, *wrong]}
    if wrong:
        words = say_number(
            "The doctor found {number} thing to mend.", "The doctor found {number} things to mend.", len(wrong)
        )
        return Result("failed", words, say(AGAIN), facts)
    return Result("done", say("The doctor fixed that; all is well.") if mended else say(ALL_WELL), facts=facts)


# the steps in their order, with the heading of each
STEPS: Mapping[str, tuple[str, Callable[[Session], Result]]] = {
    telegram.NAME: ("Telegram", telegram.run),
    pairing.NAME: (later("Who owns it"), pairing.run),
    models.NAME: (later("Which model it uses"), models.run),
    companion.NAME: (later("Name, time and money"), companion.run),
    RUNNING: (later("In the background"), keep_running),
    GREETING: (later("Hello"), greet),
    CHECK_UP: (later("Checking everything"), check_up),
}

# flags that are checked before anything is done, so that a wrong flag leaves nothing half done
READERS: Mapping[str, Reader[Any]] = {
    "owner": rules.owner_id,
    "base_url": rules.address,
    **{question.name: question.reader for question in companion.QUESTIONS},
}

HELLO = later(
    "Let's set up your companion. Enter accepts the value in [brackets], Ctrl-C quits at any "
    "time: your answers so far are saved in {env}."
)
GOES_ON = later("Welcome back: your earlier answers are saved, and setup continues from there.")
BROKEN_OFF = later("Stopped. Your answers so far are saved; `furoshiki setup` continues from there.")
INTERRUPTED, UNHEALTHY = 130, 4


def run(args: argparse.Namespace) -> int:
    """Run the steps; return 1 if one of them failed, 4 if only the doctor found problems."""
    tell = note if args.json else _print
    nobody = args.non_interactive or args.json
    session = Session(_read_flags(args, tell), None if nobody else Asking(tell), tell, data_dir())
    if session.asking is not None:
        tell(say(HELLO, env=session.data / ".env"))
        if session.resumed:
            tell(say(GOES_ON))
    found: dict[str, Result] = {}

    def take(name: str) -> None:
        with session.speaking():
            found[name] = _take_step(session, name, f"{[*STEPS].index(name) + 1}/{len(STEPS)}")

    try:
        invalid_settings.run(session)
        if session.asking is not None:
            session.asking.answered = 0
        session.ask_in_order(STEPS, take)
    except (KeyboardInterrupt, Stopped) as ended:
        tell(f"\n{say(BROKEN_OFF)}")
        return INTERRUPTED if isinstance(ended, KeyboardInterrupt) else 1
    session.over()
    if session.asking is not None:
        session.asking.answered = None
    failed = {name for name, one in found.items() if one.state == "failed"}
    with session.speaking():
        _at_the_end(found, args, tell)
        if session.asking is not None and _starts_now(session, session.asking):
            return up.run(args)
    if not failed:
        return 0
    return UNHEALTHY if failed == {CHECK_UP} else 1


def _take_step(session: Session, name: str, number: str) -> Result:
    title, step = STEPS[name]
    session.say(f"\n{number}  {say(title)}")
    result = step(session)
    if result.words:
        session.say(f"  {result.words}")
    if result.fix:
        session.say(f"  → {result.fix}")
    if result.state in ("done", "kept") and session.asking is not None:
        session.finished(name)
    return result


def _starts_now(session: Session, asking: Asking) -> bool:
    """Return whether to continue as `furoshiki up`: nothing else runs it and the person agrees."""
    settings = session.settings()
    if settings.telegram_bot_token is None or listens(settings) or not sys.stdin.isatty():
        return False
    return asking.yes(say("Start it now, in this terminal? (Ctrl-C stops it)"))


def _read_flags(args: argparse.Namespace, tell: Callable[[str], None]) -> Given:
    """Read the answers given as flags. Raises Misused before anything is done."""
    for name, reader in READERS.items():
        value = getattr(args, name)
        if value is not None:
            understood(value, reader, f"--{name.replace('_', '-')}")
    given = {field.name: getattr(args, field.name) for field in fields(Given)}
    secrets = {name: secret_of(args, name, tell) for name in ("token", "key")}
    return Given(**given | secrets | {"reset": frozenset(args.reset)})


def _at_the_end(found: Mapping[str, Result], args: argparse.Namespace, tell: Callable[[str], None]) -> None:
    open_ = [result.fix for result in found.values() if result.fix]
    if args.json:
        steps = {
            name: {"state": one.state, "words": one.words, "fix": one.fix, **one.facts} for name, one in found.items()
        }
        as_json({"ok": all(result.state != "failed" for result in found.values()), "steps": steps})
        return
    tell("\n" + (say("Still to do:") if open_ else say("All done.")))
    for fix in dict.fromkeys(open_):
        tell(f"  → {fix}")
    tell(say("Run `furoshiki setup` to change any of it."))


def _print(text: str) -> None:
    """Print lines for a person, wrapped at words in a terminal; indentation is kept."""
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        wrapped = textwrap.fill(line, columns(), subsequent_indent=indent, break_on_hyphens=False)
        print(wrapped if sys.stdout.isatty() and line else line, flush=True)
