"""The companion's knowledge of how it works: a generated document and the shipped ones.

`memory/design_architecture_reality.md` and the shipped documents are split into parts, stored in
`design_docs` and embedded by memoryd; an unchanged part keeps its row and vector. Nothing from
conversations is included. Equal inputs give an equal document, so a run can be repeated.
"""

import ast
import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files, paths
from furoshiki.core.database import kv, migrate
from furoshiki.core.network import providers
from furoshiki.core.process.crash_points import point
from furoshiki.core.settings import Settings, describe
from furoshiki.extensions.plugins import descriptions, schedules
from furoshiki.mind.inner_life import knowledge_sources
from furoshiki.mind.inner_life.knowledge_sources import REALITY
from furoshiki.mind.inner_life.rules import documents
from furoshiki.mind.inner_life.self_model import own_models
from furoshiki.mind.inner_life.store import design_docs
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import Report, World

COLLECTION_WORDS = {
    "turns": "everything said",
    "memories": "what was made of it",
    "sessions": "finished conversations",
    "design_docs": "my documents about myself, this page among them",
}

NOTHING_OUTSIDE = (
    "I have no plugins that give me anything to do. Plugins, and tools of servers, are there when my owner allows them."
)

# settings shown only as "set", because their values are personal
PRIVATE = frozenset({"telegram_owner_id", "furoshiki_data", "furoshiki_voice_model", "furoshiki_speech_voice"})

OWN_SCHEDULE = "memory/schedules.json"

Named = Sequence[tuple[str, str]]  # names in order, each with its description


def keep(world: World, skills: Named, commands: Named, outside: Named) -> Report:
    """Update the document and the stored parts of all documents. Raises OSError."""
    with world.database.read() as db:
        inputs = knowledge_sources.digest(
            db, world.settings.data
        )  # taken before reading, so that later changes are seen next time
    page, written = _page(world, skills, commands, outside)
    point("design.file_written")
    parts = {REALITY: documents.chunks(page)} | {
        name: documents.chunks(text) for name, text in _read(knowledge_sources.documents())
    }
    with world.database.write() as db:
        changes = design_docs.keep(db, parts, world.now)
        kv.put(db, knowledge_sources.INPUTS, inputs, world.now)
        point("design.before_commit")
    point("design.kept")
    changed = bool(changes.new or changes.gone)
    if changed:
        with contextlib.suppress(VectorsAway):
            world.vectors.nudge()
    counts = {"new": changes.new, "gone": changes.gone, "kept": changes.kept, "documents": len(parts)}
    if not changed and not written:
        return Report(False, "the documents say what they said", counts)
    return Report(True, f"{changes.new} parts are new, {changes.gone} are gone, {changes.kept} stayed", counts)


def begin(world: World, skills: Named, commands: Named, outside: Named) -> None:
    """Write the document if there is none yet, for the first conversation. Raises OSError.

    The shipped documents are left to the script: embedding their 200 parts takes minutes on a small
    machine, while the first conversation is going on.
    """
    if not (world.settings.data / REALITY).is_file():
        page, _ = _page(world, skills, commands, outside)
        with world.database.write() as db:
            design_docs.keep(db, {REALITY: documents.chunks(page)}, world.now)


def _page(world: World, skills: Named, commands: Named, outside: Named) -> tuple[str, bool]:
    """Render and write the document; return it and whether it changed."""
    with world.database.read() as db:
        values = _values(world, tables=design_docs.tables(db), encoder=vectors.model(db))
    values |= {
        "skills": _describe_named(skills),
        "commands": _describe_named(commands),
        "outside": _describe_named(outside),
    }
    values["plugins"] = descriptions.lines(world) or ([] if outside else [NOTHING_OUTSIDE])
    page = world.prompts.render("self_knowledge/reality", **values) + "\n"
    return page, _write(world.settings.data / REALITY, page)


def _write(path: Path, text: str) -> bool:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if path.read_text(encoding="utf-8") == text:
            return False
    atomic_files.write_text(path, text)
    return True


def _read(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the readable documents; a damaged one is skipped."""
    for name in names:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            yield name, (paths.ROOT / name).read_text(encoding="utf-8")


def _values(world: World, *, tables: Sequence[str], encoder: str | None) -> dict[str, Any]:
    settings, laws = world.settings, world.laws
    listed = world.prompts.render("self_knowledge/tables", tables=list(tables))
    entries, owner_file = _schedule(settings.data)
    return {
        "companion": settings.furoshiki_companion_name,
        "plain": own_models.plain(world),
        **own_models.models(settings),
        "telegram": settings.telegram_bot_token is not None,
        "owner_file": owner_file,
        "wandering": settings.furoshiki_wandering,
        "boundaries": settings.furoshiki_boundaries,
        "jobs": [_job(name, entry) for name, entry in entries.items()],
        "scripts": list(_scripts({schedules.SCRIPT, *(str(entry["script"]) for entry in entries.values())})),
        "encoder": encoder,
        "embedder": _embedder(settings.furoshiki_embedder),
        "collections": [
            {"name": name, "about": COLLECTION_WORDS.get(name, "more")} for name in vectors.TABLES.values()
        ],
        "table_count": len(tables),
        "schema": migrate.HEAD,
        "tables": listed,
        "emotions": [
            {"name": name, "natural": f"{natural:g}", "drift": f"{laws.emotions.drift_per_hour[name]:g}"}
            for name, natural in laws.emotions.natural.items()
        ],
        "needs": ", ".join(name.removesuffix("_need").replace("_", " ") for name in laws.needs.each),
        "settings": list(_settings(settings)),
        "prompts": list(_prompts(world.prompts.folder)),
        "documents": [REALITY, *knowledge_sources.documents()],
    }


def _schedule(data: Path) -> tuple[dict[str, dict[str, Any]], str]:
    """Return every job with its schedule in force, and a sentence about the owner's own file.

    The scheduler checks that file line by line and keeps the last valid one; here an unreadable
    file is reported and ignored.
    """
    found = {name: entry for name, entry in _jobs(paths.ROOT / "schedules.json").items() if "when" in entry}
    own = data / OWN_SCHEDULE
    if not own.is_file():
        return found, ""
    try:
        theirs = _jobs(own)
    except (OSError, ValueError, TypeError, KeyError):
        return found, "The owner's own schedule cannot be read; these are the times that came with me."
    for name, entry in theirs.items():
        if "when" in {**found.get(name, {}), **entry} and "script" in {**found.get(name, {}), **entry}:
            found[name] = {**found.get(name, {}), **entry}
    return found, "The owner changed some of these times; they are told as they are now."


def _jobs(path: Path) -> dict[str, dict[str, Any]]:
    return {str(one["name"]): dict(one) for one in json.loads(path.read_text(encoding="utf-8"))["jobs"]}


def _job(name: str, entry: Mapping[str, Any]) -> dict[str, str]:
    when = str(entry["when"])
    if when.startswith("cron:"):
        when = f"at the times of the cron expression `{when.removeprefix('cron:').strip()}`"
    if not when.startswith("every"):
        when += " in the user's time zone" if entry.get("zone") == "user" else " UTC"
    if entry.get("enabled") is False:
        when = f"switched off by the owner, otherwise {when}"
    return {"name": name, "when": when[:1].upper() + when[1:], "about": str(entry.get("about", ""))}


def _scripts(names: set[str]) -> Iterator[dict[str, str]]:
    for name in sorted(names):
        about = None
        with contextlib.suppress(OSError, UnicodeDecodeError, SyntaxError):
            about = ast.get_docstring(ast.parse((paths.ROOT / "scripts" / name).read_text(encoding="utf-8")))
        yield {"name": name.removesuffix(".py"), "about": about or "It says nothing of itself."}


def _describe_named(listed: Named) -> list[dict[str, str]]:
    return [{"name": name, "about": about} for name, about in listed]


def _settings(settings: Settings) -> Iterator[dict[str, str]]:
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if value is None and name.upper() in providers.list_setting_names():
            continue
        hidden = field.secret or name in PRIVATE or name.endswith("_url")
        shown = "set" if hidden else _describe_value(value)
        if value in (None, ""):
            shown = "not set"
        if name == "furoshiki_embedder":
            shown = f"`{_embedder(str(value))}`"
        yield {"name": name.upper(), "value": shown, "about": describe(name)["help"]}


def _describe_value(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else f"`{value}`"


def _embedder(name: str) -> str:
    return "a folder of the owner's" if "/" in name and Path(name).exists() else name


def _prompts(folder: Path) -> Iterator[dict[str, str]]:
    for use in sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("_")):
        if files := sorted(path.name.removesuffix(".md.j2") for path in use.glob("*.md.j2")):
            yield {"name": use.name, "files": ", ".join(files)}
