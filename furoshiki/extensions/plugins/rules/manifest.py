"""Validation of a manifest: every problem with its line and what to write instead."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, get_args

from cronsim import CronSim, CronSimError

from furoshiki.extensions.plugins.rules import names
from furoshiki.extensions.plugins.rules.front_matter import Node, Unreadable, read, unknown
from furoshiki.extensions.plugins.values import EntryPoint, Hook, Manifest, Permissions, PluginSetting, Target, Urgency

MOST_ENTRY_POINTS, MOST_SETTINGS, MOST_HOSTS, MOST_REQUIREMENTS = 16, 20, 20, 20
LONGEST_RUN_S = 300.0

_HEAD = ("name", "version", "description", "author", "licence", "min_furoshiki", "entry_points")
_REST = ("permissions", "settings", "requirements")
_COMMON = ("hook", "script", "priority", "timeout")
_OF_HOOK: Mapping[str, tuple[str, ...]] = {
    "cron": ("when",),
    "pre_reflection": ("targets",),
    "post_reflection": ("targets",),
    "callable": ("tool", "description", "when_to_use", "args_schema", "urgency", "acts", "by_tap"),
}
_FLAGS = ("read_db", "write_mind_queue", "write_db", "llm", "read_mail", "send_mail")
_EXAMPLES = {
    "version": "1.0",
    "min_furoshiki": "0.1.0",
    "when": '"0 7 * * *"',
    "script": "scripts/main.py",
    "tool": "roll_dice",
}


def judge(content: bytes, ours: str) -> tuple[Manifest | None, tuple[tuple[int, str], ...]]:
    """Parse and validate a PLUGIN.md; returns the manifest (None if there is any problem) and the
    problems (line, words), sorted by line. `ours` is Furoshiki's version."""
    try:
        head = read(content)
    except Unreadable as error:
        return None, ((error.line, str(error)),)
    reading = _Reading()
    manifest = reading.manifest(head, ours)
    problems = tuple(sorted(set(reading.problems)))
    return (None if problems else manifest), problems


class _Reading:
    """Validation of one manifest; collects problems so that all are reported at once."""

    def __init__(self) -> None:
        self.problems: list[tuple[int, str]] = []

    def manifest(self, head: Node, ours: str) -> Manifest:
        self._check_names(head, (*_HEAD, *_REST))
        for name in _HEAD:
            if name not in head.value:
                self._wrong(1, f"{name} is missing; write a line `{name}: {_EXAMPLES.get(name, '…')}`")
        settings = tuple(self._read_setting(node) for node in self._list(head, "settings", MOST_SETTINGS))
        self._twice(head, "settings", [setting.name.upper() for setting in settings])
        entries = tuple(self._entry(node) for node in self._list(head, "entry_points", MOST_ENTRY_POINTS))
        if "entry_points" in head.value and not entries:
            self._wrong(head.value["entry_points"].line, "it does nothing; write at least one entry point, `- hook: …`")
        self._twice(head, "entry_points", [entry_point.tool for entry_point in entries if entry_point.tool])
        needed = self._text(head, "min_furoshiki", names.VERSION, longest=30)
        if needed and names.release(needed) > names.release(ours):
            line = head.value["min_furoshiki"].line
            self._wrong(line, f"it needs Furoshiki {needed} and this is {ours}; upgrade, or write {ours}")
        return Manifest(
            name=self._text(head, "name", names.PLUGIN, "two to 31 small letters, digits and -, a letter first"),
            version=self._text(head, "version", names.VERSION, "numbers with dots, as 1.0", 30),
            description=self._text(head, "description"),
            author=self._text(head, "author", longest=100),
            licence=self._text(head, "licence", longest=60),
            min_furoshiki=needed,
            entry_points=entries,
            permissions=self._permissions(head, {setting.name for setting in settings}),
            settings=settings,
            requirements=tuple(
                self._require_match(node, names.REQUIREMENT, "a requirement", "a pinned package, as icalendar==6.3.1")
                for node in self._list(head, "requirements", MOST_REQUIREMENTS)
            ),
        )

    def _entry(self, node: Node) -> EntryPoint:
        if not isinstance(node.value, dict):
            self._wrong(node.line, "an entry point is a mapping; write `- hook: cron` and its other keys below")
            return EntryPoint("cron", "")
        hook = self._one_of(node, "hook", get_args(Hook))
        if hook:  # the allowed keys depend on the hook
            self._check_names(node, (*_COMMON, *_OF_HOOK.get(hook, ())))
        if "script" not in node.value:
            self._wrong(node.line, "script is missing; write `script: scripts/main.py`, the file that is run")
        fields: dict[str, Any] = {
            "script": self._text(node, "script", names.SCRIPT, "a file below scripts/, as scripts/main.py"),
            "priority": int(self._number(node, "priority", 50, 0, 100)),
            "timeout_s": self._number(node, "timeout", 20.0, 1, LONGEST_RUN_S),
        }
        if hook == "cron":
            fields["when"] = self._when(node)
        elif hook in ("pre_reflection", "post_reflection"):
            fields["targets"] = self._targets(node)
        elif hook == "callable":
            fields |= self._callable(node)
        return EntryPoint(hook or "cron", **fields)

    def _callable(self, node: Node) -> dict[str, Any]:
        for name in ("tool", "description", "when_to_use"):
            if name not in node.value:
                self._wrong(node.line, f"{name} is missing; write `{name}: {_EXAMPLES.get(name, '…')}`")
        schema = node.value.get("args_schema")
        if schema is not None:
            self.problems += problems(schema)
        return {
            "tool": self._text(node, "tool", names.TOOL, "small letters, digits and _, as roll_dice"),
            "description": self._text(node, "description", longest=500),
            "when_to_use": self._text(node, "when_to_use", longest=500),
            "args_schema": schema.plain if schema is not None else {"type": "object", "properties": {}},
            "urgency": self._one_of(node, "urgency", get_args(Urgency)) or "normal",
            "acts": self._flag(node, "acts"),
            "by_tap": self._flag(node, "by_tap"),
        }

    def _when(self, node: Node) -> str:
        found = node.value.get("when")
        if found is None:
            self._wrong(
                node.line, f"when is missing; write `when: {_EXAMPLES['when']}`, a cron expression of five fields"
            )
            return ""
        if not isinstance(found.value, str) or len(found.value.split()) != 5:
            self._wrong(found.line, f"when is no cron expression of five fields; write {_EXAMPLES['when']}, in quotes")
            return ""
        try:
            next(CronSim(found.value, datetime(2026, 1, 1, tzinfo=UTC)))
        except (CronSimError, StopIteration, IndexError):
            self._wrong(found.line, f"{found.value!r} is no cron expression that ever comes; write {_EXAMPLES['when']}")
        return " ".join(found.value.split())

    def _targets(self, node: Node) -> tuple[Target, ...]:
        known = get_args(Target)
        targets = self._list(node, "targets", len(known))
        if not targets:
            self._wrong(node.line, f"targets is missing; write `targets: [deep]`, or others of {', '.join(known)}")
        for one in targets:
            if one.plain not in known:
                self._wrong(one.line, unknown(str(one.plain), known))
        return tuple(one.plain for one in targets if one.plain in known)

    def _permissions(self, head: Node, settings: set[str]) -> Permissions:
        node = head.value.get("permissions")
        if node is None or node.value is None:
            return Permissions()
        if not isinstance(node.value, dict):
            self._wrong(node.line, "permissions is a mapping; write `read_db: true` and such below it")
            return Permissions()
        self._check_names(node, (*_FLAGS, "network"))
        hosts = []
        for one in self._list(node, "network", MOST_HOSTS):
            host = self._require_match(one, names.HOST, "a host", 'a name without "https://", as api.example.org')
            if host.startswith("setting:") and host.removeprefix("setting:") not in settings:
                self._wrong(one.line, f"there is no setting {host[8:]!r}; write it below `settings:` as well")
            hosts.append(host)
        return Permissions(network=tuple(hosts), **{name: self._flag(node, name) for name in _FLAGS})

    def _read_setting(self, node: Node) -> PluginSetting:
        if not isinstance(node.value, dict):
            self._wrong(node.line, "a setting is a mapping; write `- name: PLACE` and `about: …` below it")
            return PluginSetting("", "")
        self._check_names(node, ("name", "about", "secret", "required", "default"))
        for name in ("name", "about"):
            if name not in node.value:
                self._wrong(node.line, f"{name} is missing; write `{name}: …`")
        default = node.value.get("default")
        return PluginSetting(
            name=self._text(node, "name", names.SETTING, "letters, digits and _, as PLACE"),
            about=self._text(node, "about"),
            secret=self._flag(node, "secret"),
            required=self._flag(node, "required"),
            default=self._text(node, "default", longest=1000) if default is not None and default.raw else "",
        )

    def _text(
        self, node: Node, name: str, form: re.Pattern[str] | None = None, wanted: str = "", longest: int = 300
    ) -> str:
        found = node.value.get(name)
        if found is None:
            return ""
        text = " ".join(found.raw.split())
        if not text or found.value is None or len(text) > longest or not text.isprintable():
            self._wrong(found.line, f"{name} is one line of words; write 1 to {longest} characters")
            return ""
        if form is not None and form.fullmatch(found.raw) is None:
            self._wrong(found.line, f"{name} {text!r} does not do; write {wanted or 'it as ' + _EXAMPLES[name]}")
            return ""
        return text

    def _require_match(self, node: Node, form: re.Pattern[str], what: str, wanted: str) -> str:
        if form.fullmatch(node.raw) is not None:
            return node.raw
        self._wrong(node.line, f"{node.raw or node.plain!r} is not {what}; write {wanted}")
        return ""

    def _number(self, node: Node, name: str, default: float, least: float, most: float) -> float:
        found = node.value.get(name)
        if found is None:
            return default
        value = found.value
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            unit = " (seconds)" if name == "timeout" else ""
            self._wrong(found.line, f"{name} is a number{unit}; write one from {least:g} to {most:g}")
            return default
        return float(value)

    def _flag(self, node: Node, name: str) -> bool:
        found = node.value.get(name)
        if found is None:
            return False
        if not isinstance(found.value, bool):
            self._wrong(found.line, f"{name} is yes or no; write true or false")
        return found.value is True

    def _one_of(self, node: Node, name: str, known: tuple[str, ...]) -> Any:
        found = node.value.get(name)
        if found is None:
            if name == "hook":
                self._wrong(node.line, f"hook is missing; write `hook:` and one of {', '.join(known)}")
            return None
        if found.plain not in known:
            self._wrong(found.line, f"{name}: {unknown(str(found.plain), known)}")
            return None
        return found.plain

    def _list(self, node: Node, name: str, most: int) -> list[Node]:
        found = node.value.get(name)
        if found is None or found.value is None:
            return []
        if not isinstance(found.value, list):
            self._wrong(found.line, f"{name} is a list; write each on a line of its own that begins with -")
            return []
        if len(found.value) > most:
            self._wrong(found.line, f"{name} has {len(found.value)} entries; write at most {most}")
        return found.value[:most]

    def _check_names(self, node: Node, known: Iterable[str]) -> None:
        for name, value in node.value.items():
            if name not in known:
                self._wrong(value.line, unknown(name, known))

    def _twice(self, head: Node, name: str, found: list[str]) -> None:
        for one in {one for one in found if one and found.count(one) > 1}:
            self._wrong(head.value[name].line, f"{one!r} is there twice below {name}; write each once")

    def _wrong(self, line: int, words: str) -> None:
        self.problems.append((line, words))


# -- the argument schema of a callable: a subset of JSON Schema --


DEEPEST = 4  # maximum nesting of objects and lists

MOST_ARGUMENTS = 20

_TYPES = ("string", "integer", "number", "boolean", "array", "object")
_KEYS: dict[str, dict[str, Any]] = {
    "": {"type": str, "description": str, "enum": list, "default": object, "examples": list},
    "string": {"minLength": int, "maxLength": int},
    "integer": {"minimum": (int, float), "maximum": (int, float)},
    "number": {"minimum": (int, float), "maximum": (int, float)},
    "boolean": {},
    "array": {"items": dict, "minItems": int, "maxItems": int},
    "object": {"properties": dict, "required": list, "additionalProperties": bool},
}
_WORDS = {
    str: "a text",
    list: "a list",
    int: "a whole number",
    (int, float): "a number",
    dict: "a mapping",
    bool: "true or false",
}


def problems(schema: Node) -> Iterator[tuple[int, str]]:
    """Yield the problems of a schema: the line, and what to write."""
    if not isinstance(schema.value, dict) or schema.plain.get("type") != "object":
        yield schema.line, "args_schema is no object; write `type: object` and `properties:` below it"
        return
    yield from _problems(schema, 1)


def _problems(schema: Node, depth: int) -> Iterator[tuple[int, str]]:
    if not isinstance(schema.value, dict):
        yield schema.line, "a schema is a mapping; write `type: string`, for example"
        return
    if depth > DEEPEST:
        yield schema.line, f"arguments nested more than {DEEPEST} levels deep; write them flatter"
        return
    kind = schema.plain.get("type")
    if kind not in _TYPES:
        yield schema.line, f"a schema needs a type; write `type:` and one of {', '.join(_TYPES)}"
        return
    known: dict[str, Any] = {**_KEYS[""], **_KEYS[kind]}
    for name, node in schema.value.items():
        wanted = known.get(name)
        if wanted is None:
            yield node.line, f"in a schema of type {kind}, {unknown(name, known)}"
        elif not isinstance(node.value, wanted) or (
            wanted is not bool and isinstance(node.value, bool) and wanted is not object
        ):
            yield node.line, f"{name} is no {_WORDS[wanted].removeprefix('a ')}; write {_WORDS[wanted]}"
    if kind == "array":
        if "items" not in schema.value:
            yield schema.line, "a list needs `items:`; write the schema of one of them below it"
        else:
            yield from _problems(schema.value["items"], depth + 1)
    if kind == "object":
        yield from _object(schema, depth)


def _object(schema: Node, depth: int) -> Iterator[tuple[int, str]]:
    named = schema.value.get("properties")
    properties = named.value if named is not None and isinstance(named.value, dict) else {}
    if len(properties) > MOST_ARGUMENTS:
        yield schema.line, f"more than {MOST_ARGUMENTS} arguments; write fewer"
    for node in properties.values():
        yield from _problems(node, depth + 1)
    required = schema.value.get("required")
    for node in required.value if required is not None and isinstance(required.value, list) else ():
        if node.plain not in properties:
            yield node.line, f"{node.plain!r} is required, but no property; write it below `properties:` as well"
