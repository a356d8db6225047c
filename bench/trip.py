"""The trip of a message: which functions of Furoshiki run from the channel to the sent answer.

    python -m bench.trip            functions, files and wings of four trips
    python -m bench.trip --list     and the functions of the message by file, with their calls
    python -m bench.trip --small    and what could be one piece less

The trips: a message with its answer, the fact that is read from it afterwards, what a plugin call
takes besides, and an unasked message. The real program answers over Telegram's emulator with a
scripted model; a profiler notes every call in its listener and in the script of unasked messages.
Lambdas, comprehensions and what runs while a module is imported do not count.
"""

from __future__ import annotations

import argparse
import ast
import atexit
import json
import re
import runpy
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core import settings
from furoshiki.core.paths import ROOT
from furoshiki.owner.agenda.rules.mind_queue import Thought
from furoshiki.owner.agenda.store import mind_queue
from tests.e2e.program import Process, Program
from tests.emulators.llm import Answer, Call, LLMEmulator, Request
from tests.emulators.telegram import TelegramEmulator

GREETING = "hello, how was your night?"
MESSAGE = "my sister Ana moved to Porto"
WISH = "please roll two dice for me"
ANSWERED = "Porto is a fine town for a beginning."
POLISHED = {"send": True, "text": "How was your day?", "search": None, "why": "it is fine"}
READ = {"answers": [{"id": 1, "answer": "supported"}]}
SETTLED_S = 4.0
"""Seconds after an answer until nothing goes on beside it."""

BRIEF_LINES = 4
"""Of a body, without its docstring."""

SMALL_MODULE_LINES = 60

_FACTS = "SELECT count(*) FROM memories WHERE content LIKE '%Porto%'"
_CODE = f"{ROOT}/furoshiki/"


class Function(NamedTuple):
    """A function by its file in the package, its qualified name and its first line."""

    file: str
    name: str
    line: int


@dataclass(frozen=True)
class Trip:
    """The functions of one trip, with their calls."""

    title: str
    calls: Counter[Function]

    def row(self) -> str:
        files = {function.file for function in self.calls}
        wings = {file.partition("/")[0] for file in files}
        return f"{self.title:24}{len(self.calls):>10}{len(files):>8}{len(wings):>8}{self.calls.total():>10,}"


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["--watch"]:
        return watch(Path(sys.argv[2]), sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="the functions of the message by file")
    parser.add_argument("--small", action="store_true", help="what could be one piece less")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trips = measure(Path(folder))
    print(f"{'trip':24}{'functions':>10}{'files':>8}{'wings':>8}{'calls':>10}")
    for trip in trips:
        print(trip.row())
    if asked.list:
        print_functions(trips[0])
    if asked.small:
        print_small(trips[0])
    return None


# -- inside the program --


def watch(out: Path, command: list[str]) -> None:
    """Run `furoshiki …`, or a script, and write its calls as JSON: functions, and (time, number of the function)."""
    functions: dict[Function, int] = {}
    calls: list[tuple[float, int]] = []

    def note(frame: FrameType, event: str, _arg: object) -> None:
        code = frame.f_code
        if event != "call" or code.co_name.startswith("<") or not code.co_filename.startswith(_CODE):
            return
        function = Function(code.co_filename.removeprefix(_CODE), code.co_qualname, code.co_firstlineno)
        calls.append((time.time(), functions.setdefault(function, len(functions))))

    def write() -> None:
        sys.setprofile(None)
        out.write_text(json.dumps([list(functions), calls]), "utf-8")

    atexit.register(write)
    threading.setprofile(note)
    sys.setprofile(note)
    if command[0].endswith(".py"):
        sys.argv = command
        runpy.run_path(command[0], run_name="__main__")
        return
    from furoshiki.faces.cli.main import main as furoshiki

    sys.exit(furoshiki(command))


def read_trip(title: str, noted: Path, began: float, ended: float, without: Iterable[Function] = ()) -> Trip:
    """Count the calls between two times, but not functions of another trip."""
    functions, calls = json.loads(noted.read_text("utf-8"))
    known = [Function(*one) for one in functions]
    found = Counter(known[number] for at, number in calls if began <= at < ended)
    left_out = set(without)
    return Trip(title, Counter({one: times for one, times in found.items() if one not in left_out}))


# -- the four trips --


class Watched(Program):
    """A program whose listener notes its calls."""

    def _launched(self, args: tuple[str, ...], environ: Mapping[str, str], log: Path) -> Process:
        if args != ("listen",):
            return super()._launched(args, environ, log)
        with log.open("wb") as file:
            return subprocess.Popen(self.command("listen"), cwd=self.root, env=environ, stdout=file, stderr=file)

    @property
    def noted(self) -> Path:
        return self.data / "calls.json"

    def command(self, *args: str) -> list[str]:
        return [sys.executable, "-m", "bench.trip", "--watch", str(self.noted), *args]


def measure(folder: Path) -> list[Trip]:
    """Live the trips of a message, a fact, a plugin call and an unasked message."""
    with (
        TelegramEmulator() as telegram,
        LLMEmulator(answer) as llm,
        Watched(folder / "data", telegram, llm, provider="anthropic") as program,
    ):
        llm.when(lambda request: "just told" in request.system, read_fact)
        llm.when(lambda request: "look at it once more" in request.system, POLISHED)
        llm.when(lambda request: "unasked. Somebody" in request.system, READ)
        program.run("migrate")
        installed = program.run("plugins", "apply", "plugins/dice", "--yes")
        assert installed.returncode == 0, installed.stderr
        listener = program.listening("listen")
        for warming in (GREETING, "I slept well, thank you"):
            say(program, telegram, warming)
        message = say(program, telegram, MESSAGE)
        program.wait_for(lambda: program.value(_FACTS), what="the fact")
        settled = time.time()
        plugin = say(program, telegram, WISH)
        listener.stop()
        assert any(turn.role == "tool" for one in llm.requests for turn in one.turns), "no plugin was called"
        found = [
            read_trip("a message", program.noted, *message),
            read_trip("a fact, after the answer", program.noted, message[1], settled),
        ]
        found.append(read_trip("a plugin call, besides", program.noted, *plugin, without=found[0].calls))
        return [*found, unasked(program)]


def say(program: Program, telegram: TelegramEmulator, text: str) -> tuple[float, float]:
    """Say something; return when it was said and when the answer was sent, after all has settled."""
    sends, began = len(telegram.called("sendMessage")), time.time()
    telegram.say(text)
    program.wait_for(lambda: len(telegram.called("sendMessage")) > sends, what="the answer")
    time.sleep(SETTLED_S)
    return began, telegram.called("sendMessage")[sends].at


def unasked(program: Watched) -> Trip:
    """Let a thought be said the next day at noon, by the script that looks for one."""
    now = datetime.now(UTC)
    world = build_world(settings.load({"FUROSHIKI_DATA": str(program.data)}), SystemClock(), spawn_memoryd=False)
    thought = Thought("follow_up", "ask how the day was", "trip", "turn:1")
    with world.database.write() as db:
        mind_queue.add_thought(db, thought, 1, now)
    noon = now.replace(hour=12, minute=0, second=0) + timedelta(days=1)
    command = program.command("scripts/outreach_pulse.py", "--now", noon.isoformat())
    subprocess.run(command, cwd=program.root, env=program.environment, check=True)
    assert program.value("SELECT count(*) FROM outreach_decisions WHERE verdict='sent'"), "nothing was said unasked"
    functions, calls = json.loads(program.noted.read_text("utf-8"))
    begins = [Function(*one)[:2] for one in functions].index(("mind/outreach/pulse.py", "run"))
    began = next(at for at, number in calls if number == begins)
    return read_trip("an unasked message", program.noted, began, time.time())


def answer(request: Request) -> Answer:
    """Be the model in a turn: ask the plugin for a roll, else answer."""
    dice = next((name for name in request.tools if "roll_dice" in name), None)
    if dice is not None and request.turns[-1].role == "user" and WISH in request.turns[-1].text:
        return Call(dice, {"dice": "2d6"})
    return ANSWERED


def read_fact(request: Request) -> Answer:
    """Be the model that reads what was told."""
    told = re.findall(rf"\[(\d+) [^\n]*NEW User: {MESSAGE}", request.words)
    return {"facts": [fact(int(number)) for number in told], "answered": []}


def fact(message: int) -> dict[str, object]:
    """Return what a model reads in the message with this id."""
    return {
        "text": "Their sister Ana moved to Porto.",
        "subject": "Ana",
        "predicate": "lives_in",
        "object": "Porto",
        "category": "location",
        "messages": [message],
    }


# -- what is printed --


def print_functions(trip: Trip) -> None:
    """Print each file with its functions and their calls."""
    by_file = defaultdict(list)
    for function, times in sorted(trip.calls.items()):
        by_file[function.file].append(f"{function.name}×{times}" if times > 1 else function.name)
    print()
    for file, names in by_file.items():
        print(f"{file} ({len(names)}): {', '.join(names)}")


def print_small(trip: Trip) -> None:
    """Print the places that could be one piece less."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in Path(_CODE).rglob("*.py")}
    named = Counter(re.findall(r"\w+", "\n".join(texts.values())))
    print(f"\ncalled once, from one place, of at most {BRIEF_LINES} lines:")
    for function, times in sorted(trip.calls.items()):
        name = function.name.rpartition(".")[2]
        if times == 1 and named[name] == 2 and lines_of(texts[f"furoshiki/{function.file}"], function) <= BRIEF_LINES:
            print(f"  {function.file}: {function.name}")
    print("\nfiles with one or two functions of the trip:")
    counts = Counter(function.file for function in trip.calls)
    for file, count in sorted(counts.items()):
        if count <= 2:
            print(f"  {file}: {', '.join(one.name for one in sorted(trip.calls) if one.file == file)}")
    print(f"\nmodules under {SMALL_MODULE_LINES} lines that one other module imports:")
    for file, importer in only_importers(texts):
        if texts[file].count("\n") < SMALL_MODULE_LINES:
            print(f"  {file} ({importer})")


def lines_of(text: str, function: Function) -> int:
    """Return how many lines a function's body has, without its docstring."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
        if first == function.line:
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            return (body[-1].end_lineno or 0) - body[0].lineno + 1
    return sys.maxsize


def only_importers(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the modules that exactly one other module imports, with that one."""
    modules = {file.removesuffix(".py").replace("/", "."): file for file in texts}
    importers = defaultdict(set)
    for file, text in texts.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
            elif isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            else:
                continue
            for name in names:
                if name in modules:
                    importers[modules[name]].add(file)
    return sorted((file, found.pop()) for file, found in importers.items() if len(found) == 1)


if __name__ == "__main__":
    main()
