"""The pages that are printed from the program: `make docs` writes them, a test compares them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.schedule_file import Entry
from furoshiki.conversation.commands.registry import list_commands
from furoshiki.core import settings
from furoshiki.core.database.retention import KEPT
from furoshiki.core.network import providers
from furoshiki.core.paths import ROOT
from furoshiki.core.pictures.rules import palette
from furoshiki.core.pictures.values import Theme
from furoshiki.faces.cli.parser import build
from furoshiki.faces.dashboard import loops

_BEFORE = """# Schedules

Made from `schedules.json` by `make docs`. `memory/schedules.json` in the data directory overrides it job by job and
key by key, as in `{"jobs": [{"name": "backup", "when": "daily 03:00"}]}`; `"enabled": false` switches a job off. A
change is picked up within seconds; a mistake leaves the last good schedules in force, and `furoshiki schedules` says
which line it is in.

| job | when | zone | jitter | time limit | missed | what it does |
|---|---|---|---|---|---|---|"""

_AFTER = """
`when` is `every 5 minutes`, `daily 06:00`, `wednesday 10:00`, `cron: */10 * * * *` or `idle 600 s` (once, when nobody
has said anything for so long). `zone` is `UTC` or `user`. `jitter` moves a start by up to so much, later for a time of
day and either way for an interval; it may be a share of an interval (`30 %`). `timeout` is when a run is ended (10 min
unless said). `catch_up` is `none` or `once`: whether a run that was missed while the machine was off is made good.
Lengths are seconds, or text like `30 s`, `5 min`, `2 h`.
"""


_COMMANDS = """# Commands

Made from `furoshiki/faces/cli/commands.txt` and `furoshiki/conversation/commands/` by `make docs`.

Exit status: 0 ok, 1 failed, 2 used wrongly, 3 not configured, 4 unhealthy, 130 interrupted. `--json` prints JSON for
machines; `NO_COLOR` turns colours off. `furoshiki` alone starts everything when keys are set, and else a chat.

## On the command line"""

_RETENTION = """# How long data is kept

Every table of the database, and how long it keeps a row. `make docs` writes this page from
`furoshiki/core/database/tables.tsv`; a test fails for a table that is missing there. Each person has a database of
their own with the same tables. `/forget` and `furoshiki memory forget` remove words from all of them at once.

| table | kept | why, and what stays |
|---|---|---|"""

_LOOPS = """# Feedback loops

Made from `furoshiki/faces/dashboard/loops.toml` by `make docs`, up to the heading "With and without"; the page
Architecture of the dashboard shows each with how it stands.

What the companion measures of itself, what that changes, and the test in which a person would notice. Each of these
tests goes through the database: what was measured is a row, and a later message, prompt or answer is another because of
it. A loop without such a test has no place here, and a figure that nobody reads has none in the program
(`tests/docs/test_loops.py` looks whether the tests are there).
"""
_LOOPS_AFTER = "## With and without"

PICTURES = ROOT / "furoshiki" / "faces" / "dashboard" / "static" / "pictures.css"

_Help, _Verbs = argparse._HelpAction, argparse._SubParsersAction


def pages() -> dict[Path, str]:
    """Every generated file with its text."""
    return {
        ROOT / ".env.template": env_template(),
        ROOT / "docs" / "settings.md": settings.docs(),
        ROOT / "docs" / "providers.md": model_providers(),
        ROOT / "docs" / "schedules.md": schedules(),
        ROOT / "docs" / "commands.md": commands(),
        ROOT / "docs" / "retention.md": retention(),
        ROOT / "docs" / "loops.md": feedback_loops(),
        PICTURES: pictures(),
    }


_PROVIDERS = """# Model providers

Made from `config/providers.toml` by `make docs`.

Name a model as `provider:model` in `FUROSHIKI_MODEL_CHAT` (and `_DEEP`, `_REFLECT`, `_FAST`, `_MICRO`); several models,
separated by commas, are tried in order. `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` alone is enough; for any other provider
you must name the model, so that a key in the environment meant for another program is never used.
`<NAME>_BASE_URL` sets another address, `<NAME>_API_KEY` a key if your own server needs one. A model file on your
machine is written `local:file.gguf`.

| | for example | needs | answers at | price | paints, hears |
|---|---|---|---|---|---|"""

_TO_FETCH = """
## A model on your own machine

`furoshiki setup` looks for Ollama, llama.cpp, LM Studio and vLLM at their default addresses, or at the one you type,
and lists their models with size and context window. It tries the one you choose: an answer, a skill, a form, a
picture, whether it thinks. What the model cannot do is stored for 30 days and shown in `/status`. For a window below
8,192 tokens it explains how to widen it. Ollama can fetch these three
(`furoshiki setup --provider ollama --model NAME --pull`). The figures were published by others; none was measured here:

| memory | model | download | published figures |
|---|---|---|---|"""


def env_template() -> str:
    """The text of `.env.template`: every setting that a file may hold."""
    lines = [
        "# Copy this file to .env in the data directory (default ~/.furoshiki/.env) and fill in what you need.",
        "# Everything is optional: with no keys at all the companion runs on its built-in reflex mind.",
        "# Made from furoshiki/core/settings.py and config/settings.toml by `make docs`.",
    ]
    for name, field in settings.Settings.model_fields.items():
        if name == "furoshiki_data":
            continue
        default = field.default
        shown = "" if default is None else str(default)
        lines += ["", f"# {settings.describe(name)['help']}", f"#{name.upper()}={shown}"]
    return "\n".join(lines) + "\n"


def model_providers() -> str:
    """The text of docs/providers.md: the rows of the providers."""
    lines = [_PROVIDERS]
    for spec in providers.PROVIDERS:
        if not spec.by_net:
            continue
        model = spec.models.get("chat") or (spec.suggested[0].model if spec.suggested else "its-name")
        needs = f"`{spec.key_setting}` ([made here]({spec.keys_at}))" if spec.keys_at else ""
        needs = needs or (f"`{spec.address_setting}`" if not spec.address else "nothing")
        paid = "genai-prices" if spec.keys_at else "what it names, else by its model" if spec.prices else "none"
        row = (spec.title, f"`{spec.name}:{model}`", needs, spec.address or "yours", paid, _by_piece(spec))
        lines.append(f"| {' | '.join(row)} |")
    lines += [_TO_FETCH]
    ollama = providers.find("ollama")
    lines += [
        f"| {one.memory_gb} GB | `{one.model}` | {one.size_gb:g} GB | {one.measure} |" for one in ollama.suggested
    ]
    return "\n".join(lines) + "\n"


def _by_piece(spec: providers.ProviderSpec) -> str:
    """What paints and what hears there; "named" where a model has to be."""
    found = [one for one in (spec.paints, spec.hears) if one is not None]
    return ", ".join(f"`{one.model}`" if one.model else "what you name" for one in found)


def retention() -> str:
    """The text of docs/retention.md."""
    rows = [f"| `{table}` | {kept.time} | {kept.why} |" for table, kept in sorted(KEPT.items())]
    return "\n".join([_RETENTION, *rows]) + "\n"


def feedback_loops() -> str:
    """The text of docs/loops.md: new tables, and below them what was measured, as it stands there."""
    every = loops.load_loops()
    lines = [_LOOPS]
    for group, title in every.groups.items():
        lines += [f"## {title}", "", "| loop | what is measured | what it changes | the test |", "|---|---|---|---|"]
        for one in every.of(group):
            tests = ", ".join(f"`{test}`" for test in one.tests)
            lines.append(f"| {one.label} | {one.measured} | {one.changes} | {tests} |")
        lines.append("")
    _, _, measured = (ROOT / "docs" / "loops.md").read_text(encoding="utf-8").partition(_LOOPS_AFTER)
    return "\n".join([*lines, f"{_LOOPS_AFTER}{measured}"])


def pictures() -> str:
    """The text of pictures.css: the colours of pictures within a page, in both themes."""
    light, dark = (palette.css(theme).replace("}.", "}\n.") for theme in get_args(Theme))
    chosen = ':root[data-theme="dark"] '
    asked = ':root:not([data-theme="light"]) '
    dark_by_choice = "\n".join(chosen + line for line in dark.splitlines())
    dark_by_system = "\n".join(asked + line for line in dark.splitlines())
    head = "/* Made from furoshiki/core/pictures/rules/palette.py by `make docs`. */"
    return "\n".join([head, light, dark_by_choice, "@media (prefers-color-scheme: dark) {", dark_by_system, "}", ""])


def schedules() -> str:
    """The text of docs/schedules.md."""
    rows = [_row(entry) for entry in schedule_file.read(Path("/nowhere")).values()]
    return "\n".join([_BEFORE, *rows, _AFTER])


def commands() -> str:
    """The text of docs/commands.md."""
    lines = [_COMMANDS]
    for name, parser in _below(build()):
        arguments = [f"- {_argument(action)}" for action in parser._actions if not isinstance(action, _Help | _Verbs)]
        lines += ["", f"### `furoshiki {name}`", "", parser.description or "", *([""] if arguments else []), *arguments]
    lines += ["", "## In the chat", "", "The same in Telegram and in the terminal.", ""]
    lines += [f"- `/{name}` {what}" for name, what in list_commands()]
    return "\n".join(lines) + "\n"


def _below(parser: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command, and in place of one that has verbs its verbs."""
    for action in parser._actions:
        if isinstance(action, _Verbs):
            for name, below in action.choices.items():
                deeper = list(_below(below, f"{before}{name} "))
                yield from deeper or [(f"{before}{name}", below)]


def _argument(action: argparse.Action) -> str:
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else "")
    typed = " ".join(part for part in (", ".join(action.option_strings), str(value)) if part)
    return f"`{typed}` {action.help or ''}".strip()


def _row(entry: Entry) -> str:
    jitter = _length(entry.timing.jitter_s) if entry.timing.jitter_s else "—"
    missed = "made good once" if entry.timing.catch_up == "once" else "left out"
    cells = (f"`{entry.name}`", entry.when, entry.zone, jitter, _length(entry.timeout_s), missed, entry.about)
    return f"| {' | '.join(cells)} |"


def _length(seconds: float) -> str:
    return f"{seconds / 60:g} min" if seconds >= 60 else f"{seconds:g} s"


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
