"""What most tests need: a migrated database of their own, copied from one that was made once."""

from __future__ import annotations

import gc
import itertools
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from furoshiki.core.database import connection as database_connection
from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database
from tests.support.extent import NIGHTLY

pytest_plugins = [
    "tests.support.database",
    "tests.support.world",
    "tests.support.commands",
    "tests.support.people",
    "tests.support.recall",
    "tests.support.reaching_out",
    "tests.support.speakers",
]

# how long an example takes says more of the machine than of the code
settings.register_profile("whole", deadline=None, max_examples=200)
# The same examples at every run, so that a change is judged and not a draw; the nightly run draws new ones.
settings.register_profile("each", settings.get_profile("whole"), max_examples=50, derandomize=True)
settings.register_profile("quick", settings.get_profile("each"), max_examples=25)
settings.load_profile("whole" if NIGHTLY else "each")

_SETTING = re.compile(r"(?:FUROSHIKI|TELEGRAM)_\w+|\w+_API_KEY|\w+_BASE_URL|CREDENTIALS_DIRECTORY|XDG_\w+_HOME")
_OURS = re.compile(r"FUROSHIKI_(?:PYTHON|VENV|TESTS|HOST_KILLS|HOST_RACES|TEST_BROWSER)")


def _away_from_home() -> Path:
    """A home directory with nothing in it, for all that looks for `~`: the person who runs the tests may have a
    companion there, and its settings in their environment."""
    os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(Path.home() / ".cache" / "ms-playwright"))
    for name in [name for name in os.environ if _SETTING.fullmatch(name) and not _OURS.fullmatch(name)]:
        del os.environ[name]
    os.environ["HOME"] = tempfile.mkdtemp(prefix="furoshiki-home-")
    return Path(os.environ["HOME"])


for _name in ("LC_ALL", "LC_MESSAGES", "LANG"):
    if not os.environ.get(_name, "C").startswith("C"):
        os.environ[_name] = "C.UTF-8"  # what a shell prints is in English, whatever the tester speaks

_HOME = None if "PYTEST_XDIST_WORKER" in os.environ else _away_from_home()


def pytest_unconfigure() -> None:
    if _HOME is not None:
        shutil.rmtree(_HOME, ignore_errors=True)


os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads wait for each other where other tests run beside them


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what prompts render to as the new truth")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file of which `-m` leaves out every test is not even imported: it costs seconds of compiling, and of libraries
    that only such tests need. `-m "not slow and not e2e"` leaves out files that are marked so as a whole, and
    `-m "(slow or e2e) and not nightly"` those in which neither word is a mark."""
    chosen = config.option.markexpr or ""
    if not collection_path.name.startswith("test_") or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    if _LEFT_OUT.fullmatch(chosen):
        marks = _MARKS.search(text)
        names = set(re.findall(r"mark\.(\w+)", marks[0])) if marks is not None else set()
        return True if names & set(re.findall(r"not (\w+)", chosen)) else None
    if wanted := _WANTED.match(chosen):
        return None if set(re.findall(r"\bmark\.(\w+)", text)) & set(wanted[1].split(" or ")) else True
    return None


_LEFT_OUT = re.compile(r"not \w+(?: and not \w+)*")
_WANTED = re.compile(r"\((\w+(?: or \w+)*)\)(?: and not \w+)*$")
_MARKS = re.compile(r"^pytestmark = (?:pytest\.mark\.\w+|\[[^\]]*\])$", re.MULTILINE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What asks for a database, through whatever fixture, is marked so: `scripts/test.sh quick` leaves it out."""
    for item in items:
        if not _DATABASES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("database")
    items[:] = _with_shared_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def _with_shared_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """The tests in an order in which each of so many workers begins with files whose tests share what takes long to
    begin. Each gets one part of as many tests as the others (`--dist worksteal`); a worker that has nothing left to do
    takes the last of another's, and would begin the same once more."""
    shared = [item for item in items if item.get_closest_marker("together")]
    files = list(dict.fromkeys(item.path for item in shared))
    others = iter([item for item in items if not item.get_closest_marker("together")])
    found: list[pytest.Item] = []
    for worker in range(workers):
        part = [item for item in shared if files.index(item.path) % workers == worker]
        most = (len(items) - len(found)) // (workers - worker)
        found += [*part, *itertools.islice(others, max(0, most - len(part)))]
    return [*found, *others]


_DATABASES = frozenset({"database", "empty_database", "migrated"})


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected is no garbage: to look for some costs each worker 2 to 3 s of CPU."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """What was collected stays to the end: the garbage collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Nobody cuts the power in a test: what is written goes to the kernel, and the disk is not waited for, but by the
    programs that are started and where a test says so. Settled before any fixture is made."""
    synced = any(item.get_closest_marker(name) for name in ("e2e", "faults", "synced"))
    database_connection.SYNCHRONOUS = _SYNCHRONOUS if synced else "OFF"
    os.fsync = _FSYNC if synced else lambda _file: None
    os.sync = _SYNC if synced else lambda: None


_SYNCHRONOUS, _FSYNC, _SYNC = database_connection.SYNCHRONOUS, os.fsync, os.sync


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database with nothing in it; copy it, do not open it."""
    path = tmp_path_factory.mktemp("template") / "longmemory.sqlite"
    migrate.ensure(path)
    database = Database(path)
    database.checkpoint()
    database.close()
    return path


@pytest.fixture(scope="session")
def migrated(empty_database: Path) -> Callable[[Path], Path]:
    """Puts a migrated, empty database at a path, in its folder; quicker by 0.2 s than running the migrations there."""

    def put(path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copyfile(empty_database, path))

    return put


@pytest.fixture
def database(migrated: Callable[[Path], Path], tmp_path: Path) -> Iterator[Database]:
    """The database of one test, real and empty."""
    database = Database(migrated(tmp_path / "memory" / "longmemory.sqlite"), busy_seconds=5.0)
    yield database
    database.close()
