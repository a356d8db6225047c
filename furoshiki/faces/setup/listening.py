"""A listener for the set-up: the real program, as a process that ends with the wizard."""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from furoshiki.app.supervisor import FAREWELL_S, die_with_parent
from furoshiki.core.catalogue import later, say
from furoshiki.core.process.locks import LOCKS, lock_held
from furoshiki.core.settings import Settings

T = TypeVar("T")

LOOK_SECONDS = 0.2  # how often, in seconds, the wizard checks for the awaited event

# returns the listener's last words if it has ended, None while it runs
Ended = Callable[[], str | None]


OF_ANOTHER_BOT = later(
    "one for another bot is running: stop it (Ctrl-C where `furoshiki up` runs, or `furoshiki "
    "service restart`), then run `furoshiki setup` again"
)


def listens(settings: Settings) -> bool:
    """Return whether a listener runs for the bot in the settings."""
    return lock_held(settings.data / "run" / _lock(settings))


@contextlib.contextmanager
def listener(settings: Settings) -> Iterator[Ended]:
    """Run a listener while this lasts, unless one runs already."""
    if listens(settings):
        yield lambda: None
        return
    if any(map(lock_held, (settings.data / "run").glob(LOCKS["listener"]))):
        yield lambda: say(OF_ANOTHER_BOT)
        return
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "furoshiki", "listen"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=words,
            start_new_session=True,  # Ctrl-C is for the wizard, which ends it in order
            preexec_fn=die_with_parent,
        )

        def ended() -> str | None:
            if process.poll() is None:
                return None
            words.seek(0)
            lines = words.read().decode("utf-8", "replace").strip().splitlines()
            return lines[-1].removeprefix("furoshiki: ") if lines else str(process.returncode)

        try:
            yield ended
        finally:
            process.terminate()
            try:
                process.wait(FAREWELL_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@dataclass(frozen=True)
class Waited(Generic[T]):
    """The result of a wait: what was found, or why it failed (both None: timeout)."""

    found: T | None = None
    why: str | None = None


def wait_for(look: Callable[[], T | None], ended: Ended, seconds: float) -> Waited[T]:
    """Poll until something is found, the listener has ended, or the seconds are over."""
    until = time.monotonic() + seconds
    while (found := look()) is None:
        if (last_words := ended()) is not None:
            return Waited(why=say("The listener: {words}.", words=last_words))
        if time.monotonic() >= until:
            return Waited()
        time.sleep(LOOK_SECONDS)
    return Waited(found)


def _lock(settings: Settings) -> str:
    token = settings.telegram_bot_token
    number = "" if token is None else token.get_secret_value().partition(":")[0]
    return LOCKS["listener"].replace("*", number)
