"""The SDK of Furoshiki plugins: their input, their answer, and their requests.

    from furoshiki_plugin import answer, fetch, given, setting

    weather = fetch(f"https://api.example.org/today?city={setting('city')}").json()
    answer(context=f"The weather today: {weather['summary']}")

A run is one process: it gets one JSON object, may make the requests that its owner allowed
(`read_db`, `think`, `fetch`, `say_later`, `do`, `find_mail`, …), and gives one `answer`. Requests
that are not allowed raise `Refused`, with what to write into PLUGIN.md. There is no network, no
other process, and no file outside the plugin's own folder, in which only `data_dir()` is writable.
Output is treated as data: it cannot instruct the companion.

After the import of this module, `print()` writes to the run's log and not into the answer.

Standard library only. docs/plugin-api.md lists every call with its limits.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_answers = sys.stdout
if __name__ == "furoshiki_plugin":  # only in a plugin, not when another program imports all modules
    sys.stdout = sys.stderr


class Refused(RuntimeError):
    """A call was not done: it is not allowed, a limit is reached, or it failed. The message says what to do."""


# -- input and answer --


@dataclass(frozen=True)
class Given:
    """The input of this run. `hook` is the reason for the run ("cron", "pre_conversation",
    "post_conversation", "pre_reflection", "post_reflection" or "callable"), `target` the reflection
    concerned, `args` the arguments of a callable, `settings` the plugin's settings by name, `state`
    the companion's state (needs, user_needs, mood, is_dnd, emotional_weight_today, health_score,
    locale, now), `event` what happened (for a finished session: its id, beginning and end)."""

    hook: str = ""
    target: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=dict)
    event: Mapping[str, Any] = field(default_factory=dict)
    broker: int | None = None


_given: Given | None = None


def given() -> Given:
    """Return the input of this run, which is read from standard input on the first call."""
    global _given
    if _given is None:
        try:
            found = json.loads(sys.stdin.read() or "{}")
        except ValueError as error:
            raise Refused(
                f"standard input is not the JSON of a run ({error}): start the plugin with `furoshiki plugins run NAME`"
            ) from None
        _given = Given(**{name: found[name] for name in Given.__dataclass_fields__ if found.get(name) is not None})
    return _given


def setting(name: str, default: str = "") -> str:
    """Return one of the plugin's own settings, as declared under `settings` in PLUGIN.md."""
    return given().settings.get(name, default)


def now() -> datetime:
    """Return the start time of this run, in the owner's time zone."""
    try:
        zone: tzinfo = ZoneInfo(str(given().state.get("timezone", "UTC")))
    except (ZoneInfoNotFoundError, ValueError):  # unknown in the sandbox: use the current UTC offset
        zone = timezone(timedelta(seconds=given().state.get("utc_offset_s", 0)))
    return datetime.fromisoformat(given().state["now"]).astimezone(zone)


def data_dir() -> Path:
    """Return the plugin's folder `data`: files written there are kept for the next runs."""
    script = Path(sys.argv[0]).resolve()
    home = next((one for one in script.parents if (one / "PLUGIN.md").exists()), script.parent.parent)
    return home / "data"


_answered = False


def answer(context: str = "", data: Any = None, mind_queue: Iterable[Mapping[str, Any]] = (), log: str = "") -> None:
    """Give the answer of this run, once, at its end.

    `context` is information for the next conversation or reflection (the first 2,000 tokens are
    kept); `data` a callable's result, any JSON value; `mind_queue` topics to bring up, each with
    the arguments of `say_later`; `log` a line for `furoshiki plugins logs`.
    """
    global _answered
    if _answered:
        raise Refused("answer() was called twice: a run gives one answer, at its end")
    try:
        text = json.dumps({"context": context, "data": data, "mind_queue": list(mind_queue), "log": log})
    except (TypeError, ValueError) as error:
        raise Refused(f"the answer does not fit into JSON ({error}): give texts, numbers, lists and dicts") from None
    _answered = True
    _answers.write(text + "\n")
    _answers.flush()


# -- requests --


class Rows(list[dict[str, Any]]):
    """Rows of a query. `more`: there are further rows; use LIMIT and OFFSET."""

    more = False


def read_db(sql: str, params: Sequence[Any] = ()) -> Rows:
    """Return the rows of one SELECT as dicts. Needs `read_db: true` in PLUGIN.md.

         for task in read_db("SELECT title, due_at FROM tasks WHERE state=? ORDER BY due_at", ["open"]): ...

    docs/plugin-api.md lists the tables and columns. Pass values in `params`, each as a `?` in the
    SQL.
    """
    found = _call("read_db", {"sql": sql, "params": list(params)})
    rows = Rows(dict(zip(found["columns"], row, strict=True)) for row in found["rows"])
    rows.more = found["more"]
    return rows


def think(prompt: str, system: str = "", max_tokens: int = 300) -> str:
    """Ask a small language model. Needs `llm: true` in PLUGIN.md, and costs the owner money.

    The model knows only what you write. `system` is the task, `prompt` the input.
    """
    return str(_call("llm", {"prompt": prompt, "system": system, "max_tokens": max_tokens})["text"])


@dataclass(frozen=True)
class Response:
    """A server's response. `headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text, in the declared encoding, else UTF-8."""
        named = self.headers.get("content-type", "").lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
        try:
            return self.body.decode(named or "utf-8", "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """Parse the body as JSON. Raises ValueError."""
        return json.loads(self.body)


def fetch(
    url: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: str | bytes | None = None,
    timeout: float = 10,
) -> Response:
    """Send an HTTP request to a host listed under `network` in PLUGIN.md; any status is
    returned."""
    raw = body.encode() if isinstance(body, str) else body
    asked = {"url": url, "method": method, "headers": dict(headers or {}), "timeout": timeout}
    if raw is not None:
        asked["body"] = base64.b64encode(raw).decode()
    found = _call("fetch", asked)
    return Response(found["status"], found["headers"], base64.b64decode(found["body"]))


def say_later(
    summary: str,
    detail: str = "",
    key: str = "",
    not_before: datetime | str | None = None,
    until: datetime | str | None = None,
) -> bool:
    """Have the companion bring up a topic, in its own words, at a fitting time.
    Needs `write_mind_queue: true`. `summary` is one sentence ("Rain is expected from three
    o'clock"), `detail` the background. A topic with the same `key` (default: the summary) is
    brought up once only. Returns False for a known topic."""
    asked = {"summary": summary, "detail": detail, "key": key, "not_before": _time(not_before), "until": _time(until)}
    return bool(_call("write_mind_queue", asked)["new"])


def do(operation: str, **args: Any) -> dict[str, Any]:
    """Make a change. Needs `write_db: true` in PLUGIN.md.

    do("remind", title="Take out the paper", at="2026-11-24T07:00+00:00")
    do("list_add", list="shopping", items=["milk", "bread"])
    do("take_back", id=12)
    """
    return dict(_call("write_db", {"operation": operation, "args": args}))


def find_mail(
    sender: str = "", subject: str = "", text: str = "", since: str = "", unread: bool = False, most: int = 20
) -> list[dict[str, Any]]:
    """Return the newest matching mails of the owner's inbox, newest first. Needs `read_mail: true`.

    `since` is a day ("2026-11-24"). Each mail has a number ("uid"), "seen", "size" in bytes, and
    "head": the headers From, To, Cc, Subject and Date as bytes. The mailbox is not changed.
    """
    asked = {"sender": sender, "subject": subject, "text": text, "since": since, "unread": unread, "most": most}
    found = _call("find_mail", asked)["mails"]
    return [{**one, "head": base64.b64decode(one["head"])} for one in found]


def fetch_mail(uid: int) -> bytes:
    """Return one raw mail by its number, up to 1 MB; it stays unread. Needs `read_mail: true`."""
    return base64.b64decode(_call("fetch_mail", {"uid": uid})["raw"])


def send_mail(to: str, subject: str, text: str, answers: Sequence[str] = ()) -> None:
    """Send the mail that the owner was shown and confirmed. Needs `send_mail: true`, and a callable
    with `by_tap` that has the arguments `to`, `subject` and `text`: only exactly these are sent.

    `answers` are the Message-IDs of the mails it replies to, latest last.
    """
    _call("send_mail", {"to": to, "subject": subject, "text": text, "answers": list(answers)})


# -- the channel --

_unread = b""
_calls = 0


def _call(name: str, args: Mapping[str, Any]) -> Any:
    global _unread, _calls
    fd = given().broker
    if fd is None:
        raise Refused(f"{name} needs the companion: start the plugin with `furoshiki plugins run NAME`")
    _calls += 1
    try:
        line = json.dumps({"id": _calls, "call": name, "args": args}).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise Refused(f"{name}: {error}: give texts, numbers, lists and dicts") from None
    try:
        while line:
            line = line[os.write(fd, line) :]
        read = [_unread]
        while b"\n" not in read[-1]:
            got = os.read(fd, 1 << 16)
            if not got:
                raise Refused(f"{name}: the companion has ended this conversation: too much was sent, or too often")
            read.append(got)
    except OSError as error:
        raise Refused(f"{name}: the companion cannot be reached any more ({error})") from None
    reply, _, _unread = b"".join(read).partition(b"\n")
    found = json.loads(reply)
    if not found["ok"]:
        raise Refused(f"{name}: {found['error']}")
    return found["value"]


def _time(when: datetime | str | None) -> str | None:
    return when.isoformat() if isinstance(when, datetime) else when
