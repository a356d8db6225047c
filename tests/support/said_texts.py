"""The texts that the program says through its catalogues, found in its source."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import get_args

from jinja2.nodes import Call

from furoshiki.core.catalogue import ENGLISH, NUMBER, languages, load_words
from furoshiki.core.network.providers import PROVIDERS
from furoshiki.core.settings import load_subjects
from furoshiki.faces.dashboard.frame import PAGES
from furoshiki.faces.dashboard.rendering import TEMPLATES, environment
from furoshiki.faces.setup.companion import LANGUAGES
from furoshiki.language.requests.lines import read_lines
from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.messages.store.accounts import Role
from furoshiki.mind.readiness.rules import milestones
from tests.architecture.source import ROOT, modules, nodes

OTHERS = sorted(languages() - {ENGLISH})
SAYING = {"say", "say_number", "say_each", "later", "Sentence"}
OPTIONS = {"one", "unused"}
"""Methods of `Wording` whose first argument are ways to say it."""

NAMES = {name.capitalize() for name in (*WEEKDAYS, *MONTHS)} | {f"every {day.capitalize()}" for day in WEEKDAYS}
FEELINGS = tomllib.loads((ROOT / "config" / "inner_life.toml").read_text(encoding="utf-8"))
FELT = {name: one for name, one in FEELINGS["emotions"].items() if isinstance(one, dict) and "natural" in one}
NAMES |= {
    *FEELINGS["mood"]["words"],
    *FELT,
    *(one[way] for one in FELT.values() for way in ("above", "below") if way in one),
}
NAMES |= {text for page in PAGES for text in (page.label, page.group) if text}
NAMES |= {*LANGUAGES.values(), *get_args(Role), NUMBER}
JOBS = json.loads((ROOT / "schedules.json").read_text(encoding="utf-8"))["jobs"]
NAMES |= {one[text] for one in JOBS for text in ("title", "about")}
NAMES |= {text for one in milestones().values() for text in (one.title, one.proof, one.none, one.some) if text}
OUTREACH = tomllib.loads((ROOT / "config" / "outreach_words.toml").read_text(encoding="utf-8"))
NAMES |= {*OUTREACH["kinds"].values(), *OUTREACH["outcomes"].values()}
for gate in OUTREACH["gates"].values():
    NAMES |= {*gate.pop("bare", {}).values(), *gate.values()}
CHARTS = tomllib.loads((ROOT / "config" / "charts.toml").read_text(encoding="utf-8")).values()
NAMES |= {chart[text] for chart in CHARTS for text in ("label", "about")}
for plugin in tomllib.loads((ROOT / "config" / "plugin_setup.toml").read_text(encoding="utf-8")).values():
    NAMES |= {plugin["title"], plugin["offer"], *plugin.get("asks", {}).values()}
    NAMES |= {text for choices in plugin.get("choices", {}).values() for text in choices.values()}
MANIFESTS = (path.read_text(encoding="utf-8") for path in ROOT.glob("plugins/*/PLUGIN.md"))
NAMES |= {line for text in MANIFESTS for line in re.findall(r"^description: (.+)$", text, re.MULTILINE)}
NAMES |= {text for one in load_subjects().values() for text in (one.title, one.about)}
NAMES |= {line for table in OUTREACH["ways"].values() for lines in table.values() for line in lines}
TOLD = (read_lines(name).values() for name in ("news", "attachments", "instead", "said_small", "said_felt", "agreed"))
NAMES |= {line for table in TOLD for lines in table for line in lines}
NAMES |= {spec.about for spec in PROVIDERS if "127.0.0.1" not in spec.address}
NAMES |= {spec.wider for spec in PROVIDERS if spec.wider}
NAMES |= {text for table in load_words().values() for text in table.values()}
NAMES |= {name.replace("_", " ") for name in load_words()["user_needs"]}
NAMES |= {name.removesuffix("_need").replace("_", "-") for name in load_words()["needs_about"]} | {"amber", "rose"}
PLACEHOLDER = re.compile(r"\{(\w+)\}")


@cache
def said() -> dict[str, frozenset[str]]:
    """Every text that is said through a catalogue, with the values it is given."""
    found = {name: frozenset(PLACEHOLDER.findall(name)) for name in NAMES | _of_characters()}
    constants = dict(one for tree in modules("core.catalogue").values() for node in nodes(tree) for one in _named(node))
    for tree in (modules("core.catalogue") | modules("@Command(")).values():
        for text, values in (one for node in nodes(tree) for one in _texts(node, constants)):
            found[text] = found.get(text, frozenset()) | values | frozenset(PLACEHOLDER.findall(text))
    for text, values, _many in _of_pages():
        found[text] = found.get(text, frozenset()) | values | frozenset(PLACEHOLDER.findall(text))
    return found


@cache
def _of_pages() -> tuple[tuple[str, frozenset[str], str], ...]:
    """What the templates of pages say, with the values it is given, and the text for several where there is one."""
    found = []
    for path in sorted(TEMPLATES.rglob("*.j2")):
        for call in environment().parse(path.read_text(encoding="utf-8")).find_all(Call):
            name, words = getattr(call.node, "name", ""), [getattr(one, "value", None) for one in call.args]
            if name in SAYING and isinstance(words[0], str):
                values = {one.key for one in call.kwargs} | ({"number"} if name == "say_number" else set())
                found.append((words[0], frozenset(values), str(words[1]) if name == "say_number" else ""))
    return tuple(found)


def _of_characters() -> set[str]:
    """What the characters to choose from say of themselves."""
    file = ROOT / "config" / "identity" / "characters.toml"
    found = tomllib.loads(file.read_text(encoding="utf-8")).values()
    return {one[key] for one in found for key in ("title", "about")}


@cache
def plurals() -> dict[str, str]:
    """The text for several by the text for one."""
    calls = (node for tree in modules("core.catalogue").values() for node in nodes(tree) if isinstance(node, ast.Call))
    pairs = (node.args[:2] for node in calls if getattr(node.func, "id", "") == "say_number")
    found = {
        one.value: many.value for one, many in pairs if isinstance(one, ast.Constant) and isinstance(many, ast.Constant)
    }
    return found | {one: many for one, _values, many in _of_pages() if many}


def _named(node: ast.AST) -> Iterator[tuple[str, str]]:
    """NAME = later("…")"""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        yield from ((node.targets[0].id, text) for text, _ in _texts(node.value, {}))


def _texts(node: ast.AST, constants: Mapping[str, str]) -> Iterator[tuple[str, frozenset[str]]]:
    if not isinstance(node, ast.Call):
        return
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    values = frozenset(one.arg for one in node.keywords if one.arg)
    if name in OPTIONS:
        inside = (one for part in node.args for one in ast.walk(part) if isinstance(one, ast.Call))
        yield from ((text, given | values | {"name"}) for one in inside for text, given in _texts(one, constants))
    if name == "Command" and len(node.args) > 1:
        yield from ((one.value, frozenset()) for one in node.args[1:2] if isinstance(one, ast.Constant))
    if name == "later" and not isinstance(node.args[0], ast.Constant):
        yield from ((text, frozenset()) for text in _in_table(node.args[0]))
    elif name in SAYING and isinstance(node.func, ast.Name):
        for one in node.args[: {"say_number": 2, "say_each": None}.get(name, 1)]:
            text = constants.get(one.id) if isinstance(one, ast.Name) else getattr(one, "value", None)
            if isinstance(text, str):
                yield text, values | ({"number"} if name == "say_number" else set())


def _in_table(node: ast.AST) -> Iterator[str]:
    """The texts of a table: its strings, those that are keys or names left out."""
    keys = set(node.keys) if isinstance(node, ast.Dict) else set()
    for below in ast.iter_child_nodes(node):
        if isinstance(below, ast.Constant) and isinstance(below.value, str) and below not in keys:
            if below.value and (" " in below.value or "/" not in below.value):  # an address is said to nobody
                yield below.value
        elif below not in keys:
            yield from _in_table(below)
