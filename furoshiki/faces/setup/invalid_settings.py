"""Before the first step: shows invalid lines of `.env`, to be disabled or corrected. Nothing is
lost.

A disabled line stays as a comment. A file that is not text is renamed.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core import env_file, settings
from furoshiki.core.catalogue import later, say, say_sentence
from furoshiki.core.errors import BadSetting, in_words
from furoshiki.core.framing import visible
from furoshiki.core.network.addresses import without_secrets
from furoshiki.faces.setup.asking import Asking
from furoshiki.faces.setup.rules import Wrong
from furoshiki.faces.setup.session import Session

FOUND = later("{path} has a line that can't be used, so the whole file is ignored:")
ASIDE, CORRECT = "aside", "correct"
CHOICES = later({ASIDE: "it stays in the file as a comment, with no effect", CORRECT: "type the whole line again"})
MOVED = later("{path} isn't a text file. It was moved to {to}, and a new one was started.")
NO_TEXT = later("{path} isn't a text file (UTF-8). Move it to {to}, and start a new one?")

_SECRET = ("_KEY", "_TOKEN")


@dataclass(frozen=True)
class Fault:
    """An invalid line: its number, its text, and what is wrong with it."""

    number: int
    line: str
    words: str


def run(session: Session) -> None:
    """Ask about each invalid line until the settings load. Raises BadSetting without a person to
    ask, and for errors outside the `.env` of the data directory."""
    path = (session.data / ".env").resolve()
    try:
        session.settings()
        return
    except BadSetting:
        if session.asking is None or not path.is_file():
            raise
    _readable(session, session.asking, path)
    while (fault := next(faults(session.data, path), None)) is not None:
        _mend(session, session.asking, path, fault)
    session.settings()


def faults(data: Path, path: Path) -> Iterator[Fault]:
    """Yield the lines that are invalid on their own."""
    if _refusal(data, "") is not None:  # the error is elsewhere
        return
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        words = _refusal(data, line)
        if words is not None:
            yield Fault(number, line, words)


def _refusal(data: Path, line: str) -> str | None:
    """Return the error of a file with this line alone; None when it is valid."""
    bare = line.strip().removeprefix("export ").strip()
    if bare and not bare.startswith("#") and "=" not in bare:
        return say("a setting must look like NAME=value")
    (data / "run").mkdir(parents=True, exist_ok=True, mode=env_file.NOBODY_ENTERS)
    with tempfile.TemporaryDirectory(dir=data / "run") as alone:
        env_file.write(Path(alone) / ".env", f"{line}\n")
        try:
            settings.load({"FUROSHIKI_DATA": alone})
        except BadSetting as error:
            return say_sentence(error)
    return None


def _readable(session: Session, asking: Asking, path: Path) -> None:
    """Rename a file that is not text, if the person agrees. Raises BadSetting if not."""
    try:
        path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        to = path.with_name(f".env.aside-{session.now():%Y%m%d-%H%M%S}")
        if not asking.yes(say(NO_TEXT, path=path, to=to)):
            unread = say("{path} cannot be read: it is not UTF-8 text; save it as UTF-8", path=path)
            raise BadSetting(unread) from error
        path.rename(to)
        env_file.write(path, "")
        session.say(say(MOVED, path=path, to=to))
    except OSError as error:
        raise BadSetting(say_sentence(in_words(error))) from error


def _mend(session: Session, asking: Asking, path: Path, fault: Fault) -> None:
    session.say(say(FOUND, path=path))
    session.say(f"  {say('line {number}', number=fault.number)}: {mask_line(fault.line)}")
    session.say(f"  {fault.words}")
    choices = {name: say(about) for name, about in CHOICES.items()}
    if asking.one_of(f"  {say('Set it aside, or correct it?')}", choices, ASIDE) == ASIDE:
        fresh = f"# set aside by furoshiki setup: {fault.line}"
    else:
        fresh = asking.value(f"  {say('The line')}", lambda text: _check_correction(session, text))
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    lines[fault.number - 1] = fresh
    env_file.write(path, "".join(f"{line}\n" for line in lines))


def _check_correction(session: Session, text: str) -> str | Wrong:
    words = (
        _refusal(session.data, text) if text.isprintable() else say("that has characters a settings line can't contain")
    )
    if not text.strip():
        return Wrong(say("Type the line as it should be, like FUROSHIKI_LANGUAGE=de."))
    return text if words is None else Wrong(words)


def mask_line(line: str) -> str:
    """Return a line for display, with secrets masked."""
    name, is_setting, _ = line.partition("=")
    if is_setting and name.strip().endswith(_SECRET):
        return visible(f"{name}=••••••")
    return visible(without_secrets(line))
