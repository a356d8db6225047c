"""The grammar of the `furoshiki` command. Imports only the standard library: `--help` is fast."""

from __future__ import annotations

import argparse
import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from furoshiki.core import numbers

_DESCRIPTION = "A companion that lives in your Telegram (and in this terminal) and remembers."
_EPILOG = "Without a command: run everything when keys are set, else chat here. Files: $FUROSHIKI_DATA (~/.furoshiki)."

_MARKS = ("( ", "| ", "= ")  # what an option may begin with in `commands.txt`

# a value as `commands.txt` writes it: NAME:type{choices}=default, perhaps in brackets or of any
# number
_VALUE = re.compile(
    r"(?P<maybe>\[)?(?P<metavar>[^{\[=]*?)(?::(?P<type>positive|row|seconds))?(?:\{(?P<choices>[^}]+)\})?"
    r"(?:=(?P<default>.+?))?(?P<many>\.\.\.|\*)?\]?"
)


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest valid word. `shows` is the verb used if none is given, `dest`
    where the verb is kept."""

    shows = ""
    dest = "verb"
    required = True
    verbs: argparse._SubParsersAction[Parser] | None = None

    def error(self, message: str) -> NoReturn:
        """Print the error in one line and exit with status 2."""
        self.exit(2, f"{self.prog}: {message} (see `{self.prog} --help`)\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse like argparse, but report unknown arguments for the verb itself."""
        if self.shows and set(args) <= {"--json"}:
            args = [self.shows, *args]
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._nearest_option(unknown[0])}")
        return found, unknown

    def _nearest_option(self, typed: str) -> str:
        if not typed.startswith("-"):
            return ""
        import difflib

        near = difflib.get_close_matches(typed.partition("=")[0], self._option_string_actions, 1, 0.6)
        return f"; did you mean {near[0]!r}?" if near else ""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            import difflib

            known = [str(choice) for choice in action.choices]
            near = difflib.get_close_matches(str(value), known, 1, 0.6)
            hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(known)}"
            raise argparse.ArgumentError(action, f"{value!r} is not known; {hint}")


# the commands in the groups that `--help` shows
GROUPS = {
    "Talk": ("setup", "chat", "pair", "people", "tasks", "journal"),
    "Look": (
        *("status", "why", "mood", "profile", "self", "readiness", "cost"),
        *("schedules", "logs", "proposals", "repairs"),
    ),
    "Memory": ("memory", "forget", "export", "import"),
    "Run": ("up", "listen", "brain", "dashboard", "service", "host", "run"),
    "Care": ("doctor", "backup", "restore", "config", "plugins", "tools", "migrate", "completion"),
}


class Program(Parser):
    """The parser of the whole program: its help shows the commands in groups."""

    def format_help(self) -> str:
        """Return the help: usage, description, commands by group, options."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        [verbs] = [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        commands = {action.dest: action for action in verbs._choices_actions}
        grouped = {name for names in GROUPS.values() for name in names}
        for title, names in {**GROUPS, "More": tuple(commands.keys() - grouped)}.items():
            formatter.start_section(title)
            formatter.add_arguments([commands[name] for name in names if name in commands])
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments([action for action in self._actions if action is not verbs])
        formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()


@functools.cache
def build() -> Program:
    """Build the whole grammar (`commands.txt`), once per process. `args.module` names the module of
    the command, below `furoshiki.faces.cli`."""
    parser = Program(prog="furoshiki", description=_DESCRIPTION, epilog=_EPILOG, allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--home", metavar="NAME", help="which of this machine's homes is meant (`furoshiki host`)")
    parser.set_defaults(module="services.start")
    below: list[Parser] = [parser]
    options: dict[str, list[tuple[str, str, str]]] = {}
    group: argparse._ActionsContainer = parser
    for text in Path(__file__).with_name("commands.txt").read_text(encoding="utf-8").splitlines():
        line = text.lstrip()
        if not line or line.startswith("#"):
            continue
        del below[(len(text) - len(line)) // 4 + 1 :]
        mark = line[:2] if line[:2] in _MARKS else ""
        spec, _, told = line.removeprefix(mark).partition("  ")
        if not mark and spec[0].islower():
            below.append(_add_command(below[-1], *spec.split(), help_=told.strip() or None))
            continue
        same = options[f"furoshiki {spec}"] if mark == "= " else [(mark, spec, told.strip())]
        for begins, option, help_ in same:
            if not begins:
                group = below[-1]
            elif begins == "( ":
                group = below[-1].add_mutually_exclusive_group()
            _add_option(group, option, help_ or None)
        options.setdefault(below[-1].prog, []).extend(same)
    return parser


def _add_command(parent: Parser, name: str, *words: str, help_: str | None) -> Parser:
    """Add a command or a verb; `words` are its module, `--json` and defaults ("key=value")."""
    if parent.verbs is None:
        if isinstance(parent, Program):
            parent.verbs = parent.add_subparsers(metavar="COMMAND", parser_class=Parser)
        else:
            parent.verbs = parent.add_subparsers(
                dest=parent.dest, metavar="VERB", required=parent.required, parser_class=Parser
            )
    made: Parser = parent.verbs.add_parser(name, help=help_, description=help_)
    if isinstance(parent, Program):
        made.set_defaults(command=name)
    for word in words:
        key, _, value = word.partition("=")
        if word == "--json":
            made.add_argument("--json", action="store_true", help="print JSON for machines")
        elif not value:
            made.set_defaults(module=word)
        elif key == "shows":
            made.shows = value
        elif key == "verbs":
            made.required = False
        elif key == "dest":
            made.dest = value
        else:
            made.set_defaults(**{key: value})
    return made


def _add_option(parser: argparse._ActionsContainer, spec: str, help_: str | None) -> None:
    """Add an option or an argument as `commands.txt` writes it."""
    spec, _, dest = spec.partition(" as ")
    *names, value = spec.split()
    options: dict[str, Any] = {"help": argparse.SUPPRESS if help_ == "-" else help_}
    if value.startswith("--[no-]"):
        name, _, said = value.replace("[no-]", "").partition("=")
        parser.add_argument(name, action=argparse.BooleanOptionalAction, default=bool(said) or None, **options)
    elif value.startswith("-") and dest:
        parser.add_argument(value, dest=dest, action="store_const", const=value.lstrip("-"), **options)
    elif value.startswith("-"):
        parser.add_argument(*names, value, action="store_true", **options)
    else:
        options |= _read_value(value, bool(names))
        parser.add_argument(*(names or [dest or options["metavar"].lower()]), **options)


def _read_value(text: str, named: bool) -> dict[str, Any]:
    """Return how argparse takes a value: of an option when `named`, else an argument of its own."""
    parts = _VALUE.fullmatch(text)
    assert parts is not None, text
    convert, alone = _TYPES[parts["type"]]
    read: dict[str, Any] = {"metavar": parts["metavar"] or None, "type": convert}
    if parts["default"]:
        read["default"] = convert(parts["default"])
    if parts["choices"]:
        read["choices"] = tuple(map(convert, parts["choices"].split(",")))
    if parts["many"] == "*":
        return read | {"action": "append", "default": []}
    if parts["many"] or parts["maybe"]:
        read["nargs"] = _NUMBERS[bool(parts["maybe"]), bool(parts["many"])]
    if parts["maybe"] and named:
        read["const"] = alone
    return read


_NUMBERS = {(True, True): "*", (False, True): "+", (True, False): "?"}


# the largest accepted number: of lines, of seconds, of days (back to the year 1068)
MOST_COUNTED = 350_000


def _positive(text: str) -> int:
    value = numbers.whole(text, 1, MOST_COUNTED)
    if value is None:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST_COUNTED:,}")
    return value


def _row(text: str) -> int:
    value = numbers.row(text)
    if value is None:
        raise argparse.ArgumentTypeError("must be a number, as they are listed")
    return value


def _seconds(text: str) -> float:
    value = numbers.decimal(text, 0, MOST_COUNTED)
    if not value:
        raise argparse.ArgumentTypeError(f"must be a number above 0 and at most {MOST_COUNTED:,}")
    return value


# what reads a value, and the value of an option given without one
_TYPES: dict[str | None, tuple[Callable[[str], Any], str | int]] = {
    None: (str, ""),
    "positive": (_positive, 0),
    "row": (_row, 0),
    "seconds": (_seconds, 0),
}
