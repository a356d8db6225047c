"""The grammar of the `furoshiki` command. Imports only the standard library: `--help` is fast."""

from __future__ import annotations

import argparse
import functools
from typing import TYPE_CHECKING

from furoshiki.core import numbers

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    Command = Callable[..., argparse.ArgumentParser]
    Verb = Callable[[str, str], argparse.ArgumentParser]

_DESCRIPTION = "A companion that lives in your Telegram (and in this terminal) and remembers."
_EPILOG = "Without a command: run everything when keys are set, else chat here. Files: $FUROSHIKI_DATA (~/.furoshiki)."

_RESETS = ("telegram", "pairing", "model", "name", "language", "zone", "quiet", "budget")
_IMPORT = "take in conversations: exports of Telegram, ChatGPT, Claude, or JSON Lines"
_EXPORT = "everything that is remembered, written and set, as a file that can be imported or read"

_TYPES = ("episodic", "semantic", "procedural", "preference", "reflection", "correction", "narrative", "tension")
_HOOKS = ("cron", "pre_conversation", "post_conversation", "pre_reflection", "post_reflection", "callable")
_LEVELS = ("debug", "info", "warning", "error")
_STATUSES = ("active", "superseded", "dormant", "archived")


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest valid word. `shows` is the verb used if none is given."""

    shows = ""

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
            near = difflib.get_close_matches(str(value), known, 1, 0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(known)}"
            raise argparse.ArgumentError(action, f"{value!r} is not known; {hint}")


GROUPS = {
    "Talk": ("setup", "chat", "pair", "people", "tasks", "journal"),
    "Look": (
        *("status", "why", "mood", "profile", "self", "questions", "commitments", "wanderings", "readiness", "cost"),
        *("schedules", "logs", "proposals", "repairs", "topics"),
    ),
    "Memory": ("memory", "forget", "export", "import"),
    "Run": ("up", "listen", "brain", "dashboard", "service", "host", "encoder", "run"),
    "Care": ("doctor", "backup", "restore", "config", "plugins", "tools", "migrate", "completion"),
}
"""The commands in the groups that `--help` shows."""


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
    """Build the whole grammar, once per process. `args.module` names the module of the command,
    below `furoshiki.faces.cli`."""
    parser = Program(prog="furoshiki", description=_DESCRIPTION, epilog=_EPILOG, allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--home", metavar="NAME", help="which of this machine's homes is meant (`furoshiki host`)")
    parser.set_defaults(module="services.start")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)

    def command(name: str, module: str, help_: str, *, json: bool = False) -> argparse.ArgumentParser:
        subparser = commands.add_parser(name, help=help_, description=help_)
        subparser.set_defaults(module=module, command=name)
        if json:
            _json(subparser)
        return subparser

    _setup(command)
    _host(command)
    _services(command)
    _add_talk(command)
    _tasks(command)
    _memory(command)
    _care(command)
    return parser


def _setup(command: Command) -> None:
    setup = command("setup", ".setup.main", "set everything up, step by step; again, to change it", json=True)
    setup.add_argument(
        "--non-interactive", action="store_true", help="ask nothing: take the flags, keep the rest (so does --json)"
    )
    for name, what in (("token", "the bot's token"), ("key", "the provider's key")):
        which = setup.add_mutually_exclusive_group()
        which.add_argument(f"--{name}", metavar="SECRET", help=f"{what}; others can see it in the list of processes")
        which.add_argument(f"--{name}-file", metavar="FILE", help=f'a file with {what}; "-" is a line of stdin')
    for flag, metavar, help_ in (
        ("owner", "ID", "your numeric Telegram id, in place of a pairing code"),
        (
            "provider",
            "NAME",
            "whose model it is: anthropic, openai, ollama, … (docs/providers.md), or none",
        ),
        ("base-url", "URL", "where the provider answers, if not at its own address"),
        ("model", "NAME", "one model for everything (else those that are proposed), or a GGUF file"),
        ("name", "NAME", "what the companion is called"),
        ("language", "CODE", "the language you write in, as de"),
        ("zone", "ZONE", "your time zone, as Europe/Lisbon"),
        ("quiet", "HOURS", "when it does not write first, as 23:00-08:00, or none"),
        ("budget", "USD", "what a day may cost at most (0: no limit)"),
    ):
        setup.add_argument(f"--{flag}", metavar=metavar, help=help_)
    setup.add_argument("--pull", action="store_true", help="have an Ollama fetch the model if it is not there")
    setup.add_argument("--delete-webhook", action="store_true", help="take away a webhook that is set for the bot")
    setup.add_argument(
        "--reset", action="append", default=[], choices=_RESETS, help="back to the default (may be given several times)"
    )
    setup.add_argument(
        "--service",
        action=argparse.BooleanOptionalAction,
        help="have it run as a service of your account, from the start of the machine on",
    )


def _services(command: Command) -> None:
    up = command("up", "services.up", "run listener, brain and doctor in the foreground")
    up.add_argument(
        "--single",
        action=argparse.BooleanOptionalAction,
        help="listener and brain in one process, as on a machine with less than 1 GB of memory; --no-single: in two",
    )
    listen = command("listen", "services.processes", "run the Telegram listener")
    listen.set_defaults(service="listen")
    listen.add_argument("--with-brain", action="store_true", help="and the scheduler, in the same process")
    command("brain", "services.processes", "run the scheduler").set_defaults(service="brain")
    run = command("run", "services.run", "run one scheduled script now", json=True)
    run.add_argument("script", metavar="SCRIPT", help="its name, as in schedules.json")
    run.add_argument("--now", metavar="ISO", help="pretend that it is this moment")
    run.add_argument("--dry-run", action="store_true", help="decide and report, change nothing")
    command("schedules", "services.schedules", "show what runs when, and how the last runs ended", json=True)
    logs = command("logs", "services.logs", "show what the processes wrote down, and what they add", json=True)
    logs.add_argument("name", nargs="?", metavar="NAME", help="which log (without it: all, in order of time)")
    logs.add_argument("--list", action="store_true", help="which logs there are")
    logs.add_argument("-n", "--lines", type=_positive, metavar="N", help="how many records (50; with --since all)")
    logs.add_argument("-f", "--follow", action="store_true", help="go on as they grow")
    logs.add_argument("--level", choices=_LEVELS, default="debug", help="only what is at least so severe")
    logs.add_argument("--since", metavar="WHEN", help="only since an ISO time, or so long ago: 30m, 2h, 3d")

    _dashboard(command)
    _service(command)
    _encoder(command)


def _verbs(command: argparse.ArgumentParser, shows: str = "") -> argparse._SubParsersAction[Parser]:
    """Add a command's verbs; `shows` is the verb used when none is given."""
    assert isinstance(command, Parser)
    command.shows = shows
    return command.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)


def _make_adder(verbs: argparse._SubParsersAction[Parser], *options: Callable[[argparse.ArgumentParser], None]) -> Verb:
    """Return a function that adds a verb with its help and these options."""

    def verb(name: str, help_: str) -> argparse.ArgumentParser:
        parser = verbs.add_parser(name, help=help_, description=help_)
        for option in options:
            option(parser)
        return parser

    return verb


def _encoder(command: Command) -> None:
    encoder = command("encoder", "services.encoder", "let this machine read texts for companions on other machines")
    verb = _make_adder(_verbs(encoder))
    serve = verb("serve", "serve it, and nothing else, in the foreground")
    serve.add_argument("address", metavar="HOST:PORT", help="where to listen; beyond this machine only with TLS")
    serve.add_argument("--certificate", metavar="FILE", help="its certificate (encoder/certificate.pem)")
    serve.add_argument("--key", metavar="FILE", help="the certificate's key (encoder/key.pem)")
    token = verb("token", "make a token for one companion or one host, which is shown once")
    listed = verb("tokens", "who has a token")
    for found in (token, listed):
        _json(found)
    for found in (token, verb("withdraw", "answer a client no more")):
        found.add_argument("name", metavar="NAME", help="what the client is called, as in attic-pi")


def _host(command: Command) -> None:
    host = command("host", "services.host", "look after many companions on one machine; without a verb: run them")
    verbs = host.add_subparsers(dest="verb", metavar="VERB", parser_class=Parser)

    def verb(name: str, help_: str, named: bool = True) -> argparse.ArgumentParser:
        parser = verbs.add_parser(name, help=help_, description=help_)
        _json(parser)
        if named:
            parser.add_argument("name", metavar="NAME", help="small letters, digits and hyphens, as in anna")
        return parser

    verb("list", "show the homes there are, and which rest", named=False)
    status = verb("status", "how the homes are: size, health, cost; nothing that anybody said", named=False)
    status.add_argument("name", nargs="?", metavar="NAME", help="only this one")
    looks = verb("doctor", "look after every home and what all share; 0 healthy, 1 repaired, 2 needs you", named=False)
    looks.add_argument("--dry-run", action="store_true", help="change nothing and tell nobody")
    looks.add_argument("--offline", action="store_true", help="mend, but tell nobody")
    pages = verb("dashboard", "the pages of all homes, and yours with their figures: run them, sign in", named=False)
    pages.add_argument("--open", action="store_true", help="sign in as the operator: open a one-time link, or print it")
    _doors(pages, "door")
    verb("listen", "only hear and answer, in the foreground", named=False)
    verb("brain", "only do the jobs of all homes, in the foreground", named=False)
    verb("invite", "make a link that lets one person into a home, on the bot that all share")
    added = verb("add", "make a home for one more companion")
    added.add_argument("--token-file", metavar="FILE", help='where the token of its bot stands; "-" is stdin')
    verb("pause", "have a home rest: nothing of it begins until it is resumed")
    verb("resume", "have a home that rests go on")
    limited = verb("limit", "what a home may use, or (without a name) every home; shows it when nothing is set", False)
    limited.add_argument("name", nargs="?", metavar="NAME", help="only this one; its limits come before those of every")
    for name, amount, help_ in (
        ("money", "USD", "dollars a day for models, as in 0.50"),
        ("calls", "N", "model calls a day"),
        ("at-once", "N", "models asked at the same moment"),
        ("disk", "SIZE", "room on the disk, as in 500M or 2G"),
        ("cpu", "TIME", "CPU of its jobs in an hour, as in 10m"),
    ):
        limited.add_argument(f"--{name}", metavar=amount, help=f"{help_}; none: no limit")
    verb("claim", "of several machines: have this older copy of a home go on, when the newer one is gone")
    verb("remove", "take a home away, after a backup that is read back").add_argument(
        "--yes", action="store_true", help="do not ask"
    )
    exported = verb("export", "write a verified backup of a home, from which it can be brought up anywhere")
    exported.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="where to (here)")
    adopted = verb("adopt", "take in a data directory that lived by itself; it is moved")
    adopted.add_argument("folder", metavar="DIR", help="the data directory")


def _dashboard(command: Command) -> None:
    dashboard = command("dashboard", "services.dashboard", "the pages for your browser: run them, sign in", json=True)
    dashboard.add_argument("--open", action="store_true", help="sign in: open a one-time link, or print it")
    dashboard.add_argument("--lan", metavar="ADDRESS", help=argparse.SUPPRESS)  # for phones
    _doors(dashboard, "verb")


def _doors(dashboard: argparse.ArgumentParser, dest: str) -> None:
    """Add the access options of a companion's or a host's dashboard."""
    _role(dashboard, "whom the link lets in")
    verb = _make_adder(dashboard.add_subparsers(dest=dest, metavar="VERB", parser_class=Parser), _json)
    token = verb("token", "make a token for a program that asks the API, as Prometheus does")
    token.add_argument("name", metavar="NAME", help="what it is for")
    _role(token, "what it may do")
    verb("tokens", "the API tokens there are")
    verb("revoke", "let a program in no more").add_argument("token", metavar="TOKEN", help="the token's id or name")
    verb("sessions", "who is signed in, since when, with which browser")
    out = verb("sign-out", "end a session, or all of them")
    out.add_argument("session", nargs="?", metavar="SESSION", help="its id (without it: everybody)")
    password = verb("password", "set a password to sign in with, beside the links")
    password.add_argument("--remove", action="store_true", help="let nobody in by password any more")
    _role(password, "whose password it is")


def _role(parser: argparse.ArgumentParser, help_: str) -> None:
    parser.add_argument(
        "--role",
        choices=("admin", "viewer"),
        default="admin",
        help=f"{help_}: admin (as it is) or viewer, who only looks",
    )


def _service(command: Command) -> None:
    service = command("service", "services.service", "run listener, brain and doctor as services of systemd")
    verbs = _verbs(service, shows="status")

    def verb(name: str, help_: str) -> argparse.ArgumentParser:
        parser = verbs.add_parser(name, help=help_, description=help_)
        _json(parser)
        parser.add_argument(
            "--host",
            action="store_true",
            help="those of the host of all homes; `--home NAME`: of one home that runs alone",
        )
        return parser

    install = verb("install", "write the units, start them now and with the machine")
    install.add_argument(
        "--single",
        action=argparse.BooleanOptionalAction,
        help="listener and brain as one service, as on a machine with less than 1 GB of memory; --no-single: as two "
        "(if not given, as it is)",
    )
    uninstall = verb("uninstall", "stop them and take the units away; what the companion knows stays")
    for changing in (install, uninstall):
        changing.add_argument("--yes", action="store_true", help="also where somebody edited a unit file")
    restart = verb("restart", "start them again, as after a change of settings")
    for changing in (install, uninstall, restart):
        changing.add_argument("--dry-run", action="store_true", help="show what would be done, and do nothing")
    verb("status", "how each of them is (exit 4 when one is not well)")
    logs = verb("logs", "what they told the system's journal: warnings, and why they ended")
    logs.add_argument("-n", "--lines", type=_positive, default=50, metavar="N", help="how many lines (50)")
    logs.add_argument("-f", "--follow", action="store_true", help="go on as it grows")


def _add_talk(command: Command) -> None:
    chat = command("chat", "talk.chat", "talk with the companion here", json=True)
    chat.add_argument("--once", metavar="TEXT", help="say this, print the reply, and leave ('-' reads all of stdin)")
    chat.add_argument("--timeout", type=_seconds, default=180.0, metavar="S", help="seconds to wait for a reply (180)")
    journal = command("journal", "talk.journal", "read what the companion writes for itself", json=True)
    journal.add_argument("day", nargs="?", metavar="DATE", help="only of this day, as in 2026-03-24")
    journal.add_argument("-n", "--limit", type=_positive, default=5, metavar="N", help="how many entries (5)")
    why = command("why", "look.why", "show why it said what it said last, or why it did not write", json=True)
    why.add_argument(
        "what",
        nargs="?",
        choices=("not", "outreach"),
        metavar="WHAT",
        help="not: what waits and what holds it; outreach: how it decided in the last days, and what it learned",
    )
    why.add_argument("--last", action="store_true", help="what was said last (the default)")
    why.add_argument("-n", "--limit", type=_positive, default=30, metavar="N", help="how many decisions (30)")
    pair = command("pair", "talk.pair", "say who may talk to the companion in Telegram", json=True)
    what = pair.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="who is paired")
    what.add_argument("--remove", metavar="ID", help="turn this Telegram id away from now on")
    what.add_argument("--code", action="store_true", help="make a new pairing code (the default)")
    people = command("people", "talk.people", "who else the companion talks with, and what it keeps of them", json=True)
    people.add_argument("--remove", metavar="PLACE", help="forget everything that was said there, for good")
    people.add_argument("--yes", action="store_true", help="do not ask")
    own = command("self", "look.self_description", "who the companion says it is, what changed and why", json=True)
    which = own.add_mutually_exclusive_group()
    which.add_argument(
        "--diff",
        type=_positive,
        nargs="?",
        const=0,
        metavar="LOOK",
        help="the last change and why (or that of a look of --history)",
    )
    which.add_argument("--history", action="store_true", help="every look at itself, and how much changed")
    which.add_argument("--accept", action="store_true", help="let the proposed change be so")
    which.add_argument("--decline", action="store_true", help="let the proposed change go")
    questions = command("questions", "look.questions", "what the companion asks itself, and what it found", json=True)
    questions.add_argument("--all", action="store_true", help="also what is answered, merged or let go")
    promised = command(
        "commitments", "look.commitments", "what the companion promised itself, and how it kept it", json=True
    )
    promised.add_argument("--all", action="store_true", help="also what became part of it, or was given up")
    topics = command("topics", "look.topics", "what was talked about, and where another subject began", json=True)
    topics.add_argument("--limit", type=_positive, default=20, metavar="N", help="how many of each (20)")
    wandered = command("wanderings", "look.wanderings", "what came to its mind when nobody spoke", json=True)
    wandered.add_argument("--last", type=_positive, default=10, metavar="N", help="how many (10)")


def _tasks(command: Command) -> None:
    tasks = command("tasks", "talk.tasks", "what is to be done: lists, reminders, long tasks")
    verbs = _verbs(tasks, shows="list")

    def in_list(found: argparse.ArgumentParser) -> None:
        found.add_argument("--list", metavar="L", help="which list, as in shopping or work")

    verb = _make_adder(verbs, _json, in_list)
    verb("list", "show what is open, on every list or on one")
    add = verb("add", "note something to do, on the to-do list, or as a reminder when it has a time")
    add.add_argument("title", nargs="+", metavar="TITLE")
    add.add_argument("--due", metavar="WHEN", help='an ISO time, or words: "sunday at six", "in 20 minutes"')
    add.add_argument("--repeat", metavar="HOW", help='"every monday at 9", or a rule: FREQ=WEEKLY;BYDAY=MO with --due')
    add.add_argument(
        "--priority", type=_positive, choices=range(1, 6), default=3, metavar="N", help="1 (urgent) to 5 (can wait); 3"
    )
    for name, help_ in (("done", "tick something off; what comes again, for this time"), ("rm", "take something away")):
        verb(name, help_).add_argument("task", nargs="+", metavar="TASK", help="its number, or words of its title")
    long = _make_adder(verbs, _json)("long", "how far the long tasks are; of one all there is, with what came of it")
    long.add_argument("task", nargs="*", metavar="TASK", help="its number, or words of its title")
    change = long.add_mutually_exclusive_group()
    for name, help_ in (
        ("accept", "begin what was proposed"),
        ("pause", "begin no further step of it"),
        ("resume", "go on with what was paused"),
        ("cancel", "call it off; what was found is kept"),
    ):
        change.add_argument(f"--{name}", dest="change", action="store_const", const=name, help=help_)


def _memory(command: Command) -> None:
    memory = command("memory", "memory.main", "search, look through, put right, import and export what is remembered")
    memory.add_argument("--person", metavar="PLACE", help="what is kept of somebody else, as `people` names them")
    command("profile", "look.profile", "who you are to the companion, and how it speaks to you", json=True)
    for name, help_, grammar in (("import", _IMPORT, _add_import_options), ("export", _EXPORT, _add_export_options)):
        found = command(name, "memory.main", help_, json=True)
        found.set_defaults(verb=name)
        grammar(found)
    verb = _make_adder(_verbs(memory, shows="stats"), _json)
    _memory_as_a_whole(verb)
    _memory_looked_through(verb)
    _add_memory_changes(verb)


def _memory_as_a_whole(verb: Verb) -> None:
    search = verb("search", "find what was said or concluded, best first")
    search.add_argument("text", nargs="?", metavar="TEXT")
    search.add_argument("-k", type=_positive, default=10, metavar="N", help="how many results (10)")
    search.add_argument("--now", metavar="ISO", help="search as if it were this moment")
    search.add_argument(
        "--rerank",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="let a second reader, where installed, read the first five again (on; 50 ms a question)",
    )
    search.add_argument("--batch", metavar="FILE", help='JSON Lines of {"query", "k", "now"}; "-" is stdin')
    _add_import_options(verb("import", _IMPORT))
    _add_export_options(verb("export", _EXPORT))
    reindex = verb("reindex", "build again what finds memories by their meaning")
    reindex.add_argument("--wait", action="store_true", help="come back when it is done")
    stats = verb("stats", "how much is remembered, of what kind and weight, and how much of it can be found by meaning")
    stats.add_argument("--disk", action="store_true", help="also of a large database: what each table takes")


def _add_import_options(imported: argparse.ArgumentParser) -> None:
    imported.add_argument("file", metavar="FILE", help="the export, or the folder or ZIP archive it came in")
    imported.add_argument(
        "--format", choices=("telegram", "chatgpt", "claude", "jsonl"), help="what it is (told by its content)"
    )
    imported.add_argument("--me", metavar="NAME", help="the speaker who is you (an export mostly says so itself)")
    imported.add_argument(
        "--session-gap",
        type=_seconds,
        default=3.0,
        metavar="HOURS",
        help="a silence after which a Telegram chat is a new conversation (3)",
    )
    imported.add_argument("--yes", action="store_true", help="let a model read what you said, at the price told")
    imported.add_argument("--no-wait", action="store_true", help="do not wait until all of it can be found by meaning")


def _add_export_options(exported: argparse.ArgumentParser) -> None:
    exported.add_argument(
        "file", nargs="?", metavar="FILE", help='where to; "-" is stdout (exports/ of the data directory)'
    )
    exported.add_argument(
        "--format", choices=("jsonl", "markdown"), default="jsonl", help="JSON Lines, or a text to read (jsonl)"
    )
    exported.add_argument("--yes", action="store_true", help="write over a file that is there")


def _memory_looked_through(verb: Verb) -> None:
    view = verb("view", "what is hot, contested, fading, newly understood, and unresolved")
    view.add_argument("-n", "--limit", type=_positive, default=6, metavar="N", help="how many of each (6)")
    listed = verb("list", "memories, newest first")
    listed.add_argument("--type", choices=_TYPES, help="only of this type")
    listed.add_argument("--status", choices=_STATUSES, help="only with this status")
    listed.add_argument("--about", metavar="WORDS", help="only about this subject, or with all these words")
    listed.add_argument("--since", metavar="ISO", help="only made since this moment")
    listed.add_argument("-n", "--limit", type=_positive, default=20, metavar="N", help="how many (20)")
    for name, help_ in (
        ("show", "one memory or turn, whole: weight, sources, links, history"),
        ("why", "the words a memory or turn rests on"),
    ):
        verb(name, help_).add_argument("id", metavar="ID", help="memory:3 (or 3) or turn:12")
    rejected = verb("rejected", "what was claimed about you and not believed, newest first, with the reason")
    rejected.add_argument("--kind", metavar="KIND", help="only of this kind: fact, follow_up, user_need, thought …")
    rejected.add_argument("-n", "--limit", type=_positive, default=20, metavar="N", help="how many (20)")


def _add_memory_changes(verb: Verb) -> None:
    edit = verb("edit", "put a memory right; the old version is kept, and both can say where they come from")
    edit.add_argument("id", metavar="ID", help="memory:3 (or 3)")
    edit.add_argument("text", metavar="TEXT", help="how it should read")
    edit.add_argument("--object", metavar="WORDS", help="which of the words are the new value of the fact")
    edit.add_argument("--changed", action="store_true", help="the old words were true until now (else: never)")
    for name, help_ in (
        ("pin", "make a memory immutable: always before the companion, at full weight"),
        ("unpin", "let a pinned memory change again, at the weight it had"),
        ("approve", "let a memory that is needed often be held nearly for certain"),
    ):
        verb(name, help_).add_argument("id", metavar="ID", help="memory:3 (or 3)")
    forget = verb("forget", "show what would go, ask once, and remove it everywhere, for good")
    forget.set_defaults(module="memory.forget")
    forget.add_argument("what", nargs="*", metavar="WHAT", help="words, a day, first..last day, or ids such as turn:12")
    forget.add_argument("--yes", action="store_true", help="do not ask")
    forget.add_argument("--dry-run", action="store_true", help="only show what would go")
    forget.add_argument(
        "--backups",
        action="store_true",
        help="also remove every backup from before, once a new one is made",
    )
    forget.add_argument("--resume", action="store_true", help="finish a forgetting that was cut off")


def _care(command: Command) -> None:
    mood = command("mood", "look.mood", "how it feels and why, and the curve of its last week", json=True)
    mood.add_argument("--plot", metavar="FILE", help="draw moods, emotions and needs into FILE.svg or FILE.png")
    mood.add_argument("--since", metavar="WHEN", help="how far back the picture goes: 24h, 7d (so, if not said), 4w")
    mood.add_argument(
        "--theme", choices=("light", "dark"), help="the picture's ground (light; an SVG follows its viewer)"
    )
    status = command(
        "status", "look.status", "how it is and whether everything works (exit 4 when it does not)", json=True
    )
    _offline(status)
    command(
        "readiness", "look.readiness", "how far along it is: ten milestones with their evidence, its age", json=True
    )
    cost = command("cost", "look.cost", "what the models have cost", json=True)
    cost.add_argument("--by", choices=("day", "purpose", "model"), default="day", help="how to group (day)")
    cost.add_argument("--days", type=_positive, default=30, metavar="N", help="how far back (30)")
    cost.add_argument("--plot", metavar="FILE", help="draw a bar for each day into FILE.svg or FILE.png")
    doctor = command("doctor", "care.doctor", "look after everything: mend what can be, say what needs you", json=True)
    doctor.add_argument("--dry-run", action="store_true", help="change nothing and tell nobody")
    doctor.add_argument("--offline", action="store_true", help="mend, but tell nobody in Telegram")
    _backups(command)
    config = command(
        "config", "care.config", "settings: what holds, whether it is right, what there is, changes", json=True
    )
    config.add_argument("verb", choices=("show", "check", "docs", "set", "unset"), nargs="?", default="show")
    config.add_argument("name", nargs="?", metavar="NAME", help="which setting, to show, set or unset")
    config.add_argument("value", nargs="?", metavar="VALUE", help="what it shall be")
    _offline(config)
    repairs = command("repairs", "look.repairs", "errors that came back, and what became of them", json=True)
    repairs.add_argument("verb", choices=("list", "show"), nargs="?", default="list")
    repairs.add_argument("id", nargs="?", type=_row, metavar="N", help="which, as `repairs` numbers them")
    proposals = command("proposals", "look.proposals", "what it would change to mend itself, if you let it", json=True)
    proposals.add_argument("verb", choices=("list", "show", "accept", "decline"), nargs="?", default="list")
    proposals.add_argument("id", nargs="?", type=_row, metavar="N", help="which, as `proposals` numbers them")

    _plugins(command)
    _tools(command)
    completion = command("completion", "care.completion", "print what makes your shell complete `furoshiki …` with Tab")
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="which shell")
    command("migrate", "services.migrate", "bring the database to the form this version reads", json=True)


def _plugins(command: Command) -> None:
    plugins = command(
        "plugins", "plugins.main", "programs that you allow: look at them, try them, switch them on and off"
    )
    verb = _make_adder(_verbs(plugins, shows="list"), _json)
    verb("list", "which there are, and whether they run")
    verb("info", "what one does, what it may, and what keeps it from running").add_argument("name", metavar="NAME")
    _add_plugin_verbs(verb)
    _own_plugins(verb)


def _add_plugin_verbs(verb: Verb) -> None:
    """Add the verbs with which the owner allows and creates plugins."""
    apply = verb("apply", "put one in place from a folder, once you have seen what it may and agreed")
    apply.add_argument(
        "what", metavar="WHAT", help="a folder with a PLUGIN.md, a proposal, or the name of one that comes along"
    )
    enable = verb("enable", "let one run, once you have seen what it may and agreed")
    rollback = verb("rollback", "bring back the version that was there before")
    remove = verb("remove", "take one away; a copy is kept")
    for asking in (apply, enable, remove, rollback):
        asking.add_argument("--yes", action="store_true", help="do not ask")
    disable = verb("disable", "let one not run any more")
    for about in (enable, remove, disable, rollback):
        about.add_argument("name", metavar="NAME")
    reload = verb("reload", "bring the schedule up to what is enabled")
    for allowing in (apply, enable, disable, remove, rollback, reload):
        allowing.set_defaults(module="plugins.allowing")
    set_ = verb("set", "give one a setting of its own")
    set_.set_defaults(module="plugins.setting")
    set_.add_argument("name", metavar="NAME")
    set_.add_argument("setting", metavar="SETTING", help="as its PLUGIN.md names it")
    set_.add_argument("value", nargs="?", metavar="VALUE", help="what it shall be (without it: asked for, unseen)")
    set_.add_argument("--unset", action="store_true", help="take it out again")
    check = verb(
        "check", "look at a folder before it is allowed: PLUGIN.md, and each of its scripts tried in the sandbox"
    )
    check.add_argument("folder", metavar="DIR", help="the folder with its PLUGIN.md")
    run = verb("run", "run one now, and show what came of it")
    run.add_argument("name", metavar="NAME")
    run.add_argument("--hook", choices=_HOOKS, help="only what it does at this hook")
    logs = verb("logs", "what its runs came to, newest first")
    logs.add_argument("name", metavar="NAME")
    logs.add_argument("-n", "--lines", type=_positive, default=20, metavar="N", help="how many (20)")
    for trying in (check, run, logs):
        trying.set_defaults(module="plugins.trying")
    new = verb("new", "begin one: a folder with a PLUGIN.md, a script and a test")
    new.set_defaults(module="plugins.making")
    new.add_argument("name", metavar="NAME")
    new.add_argument("--to", metavar="DIR", help="where the folder goes (here)")


def _own_plugins(verb: Verb) -> None:
    """Add the verbs for plugins that the companion writes itself."""
    about = {
        "wish": ("wish", "WORDS", "have a plugin written that does this; you get to read it before anything runs"),
        "show": ("proposal", "PROPOSAL", "all of a plugin that was written for you: what it may do, and every file"),
        "decline": ("proposal", "PROPOSAL", "let a proposed plugin be; it is not proposed again"),
    }
    for name, (argument, metavar, help_) in about.items():
        found = verb(name, help_)
        found.add_argument(argument, metavar=metavar, nargs="+" if name == "wish" else None)
        found.set_defaults(module="plugins.authoring")
    verb("wishes", "the plugins that were wished for, and what became of them").set_defaults(module="plugins.authoring")


def _tools(command: Command) -> None:
    tools = command("tools", "tools", "tools of MCP servers you named: look at them, allow or forbid each", json=True)
    verbs = ("servers", "list", "allow", "forbid", "call")
    tools.add_argument("verb", choices=verbs, nargs="?", default="servers")
    tools.add_argument("server", nargs="?", metavar="SERVER", help="its name in config/tool_servers.toml")
    tools.add_argument("tool", nargs="?", metavar="TOOL", help="as `tools list SERVER` names it")
    tools.add_argument("args", nargs="?", metavar="JSON", default="{}", help="what to call it with ({})")
    tools.add_argument("--ask", action="store_true", help="to allow it, but only with your button each time")


def _backups(command: Command) -> None:
    backup = command(
        "backup", "care.backup", "write a verified backup now, or list and verify those there are", json=True
    )
    backup.add_argument(
        "what", nargs="?", choices=("key",), metavar="key", help="make a key that backups are encrypted with"
    )
    which = backup.add_mutually_exclusive_group()
    which.add_argument("--list", action="store_true", help="the backups there are, and when each was last verified")
    which.add_argument(
        "--verify", nargs="?", const="", metavar="FILE", help="read a backup back and check all of it (the newest)"
    )
    backup.add_argument("--encrypt", action="store_true", help="refuse to make one that is not encrypted")
    backup.add_argument("--with-secrets", action="store_true", help="take tokens and keys (.env) along; with --encrypt")
    backup.add_argument("--keep", type=_positive, metavar="N", help="keep only the newest N")
    backup.add_argument("--to", metavar="DIR", help="put a copy of it into another folder as well, as on another disk")
    backup.add_argument("--identity", metavar="KEYFILE", help="the file with the secret key, to --verify what it opens")
    backup.add_argument("--yes", action="store_true", help="do not ask")
    restore = command("restore", "care.restore", "put a backup in place of what is there (which is kept)", json=True)
    restore.add_argument("file", metavar="FILE")
    restore.add_argument("--identity", metavar="KEYFILE", help="the file with the secret key, where it is encrypted")
    restore.add_argument("--yes", action="store_true", help="do not ask")
    restore.add_argument("--with-secrets", action="store_true", help="put its tokens and keys (.env) in place as well")
    restore.add_argument("--new-owner", action="store_true", help="also when it makes somebody else the owner")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for machines")


def _offline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--offline", action="store_true", help="do not ask the model providers and Telegram whether they answer"
    )


MOST_COUNTED = 350_000
"""The largest accepted number: of lines, of seconds, of days (back to the year 1068)."""


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
