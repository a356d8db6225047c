"""`furoshiki import` and `export`, also verbs of `memory`: conversations in, everything out."""

from __future__ import annotations

import argparse
import contextlib
import sys
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core import numbers
from furoshiki.core.errors import FuroshikiError, in_words
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, end_progress, make_countdown, note, progress
from furoshiki.language.humanize import join_items, plural

if TYPE_CHECKING:
    from furoshiki.archive.import_export.formats.values import Bad
    from furoshiki.archive.import_export.importing import Imported
    from furoshiki.core.database.connection import Database
    from furoshiki.core.settings import Settings
    from furoshiki.recall.retrieval.client import Vectors

BAD_SHOWN = 20  # bad records shown on the screen; `--json` lists up to a thousand

_FORMAT_NAMES = {
    "telegram": "A Telegram export",
    "chatgpt": "A ChatGPT export",
    "claude": "A Claude export",
    "jsonl": "JSON Lines",
}


def take_in(args: argparse.Namespace) -> int:
    """Run `memory import FILE`, behind everything else: somebody may be talking meanwhile."""
    from furoshiki.archive.import_export import importing
    from furoshiki.core.process.priority import giving_way
    from furoshiki.recall.retrieval.client import Vectors, VectorsAway, spawner

    settings, database = context.storage()
    wish = importing.Wish(args.format, args.me, timedelta(hours=args.session_gap), settings.zone)
    show = progress(sys.stderr)

    def shown(read: int, share: float | None) -> None:
        show(f"{read:,} records" + (f", {share:.0%} of the file" if share is not None else ""))

    _ensure_room(settings, Path(args.file))
    vectors = Vectors(settings.data, spawner(settings.data))
    if not args.no_wait:
        with contextlib.suppress(VectorsAway):
            vectors.nudge()  # started now, it does not inherit the lower priority
    try:
        with giving_way():
            done = importing.import_file(database, Path(args.file), shown, wish)
    except OSError as error:
        raise FuroshikiError(in_words(error)) from error
    finally:
        end_progress(sys.stderr)
    from furoshiki.faces.cli.memory import imported

    read = imported.read(done, settings, database, yes=args.yes, quiet=args.json)
    if not args.no_wait:
        _wait_for_vectors(database, vectors)
    if args.json:
        as_json({**asdict(done), "bad": list(map(_bad, done.bad)), "reading": read.as_value})
    else:
        _tell(done, args.file)
        for line in read.lines:
            print(line)
    return 1 if done.bad_count and not done.added and not done.known else 0


def _ensure_room(settings: Settings, file: Path | None = None) -> None:
    """Raise FuroshikiError if a hosted home's disk limit would be exceeded."""
    from furoshiki.models.limits import room

    more = file.stat().st_size if file is not None and file.is_file() else 0
    if (full := room.refusal(settings.data, settings.furoshiki_host_free_gb, more)) is not None:
        raise FuroshikiError(f"{settings.data.name}: {full} (`furoshiki host limit {settings.data.name} --disk …`)")


def _bad(bad: Bad) -> dict[str, object]:
    """Return a bad record as data, with its line number where there is one."""
    before, _, number = bad.place.partition("line ")
    line = {"line": row} if not before and (row := numbers.row(number)) is not None else {}
    return {**line, "place": bad.place, "reason": bad.reason}


def _tell(done: Imported, name: str) -> None:
    for bad in done.bad[:BAD_SHOWN]:
        note(f"{name}, {bad.place}: {bad.reason}")
    if done.bad_count > BAD_SHOWN:
        note(f"… and {done.bad_count - BAD_SHOWN:,} more (--json lists them)")
    if done.format == "telegram":
        note(
            f"Your words are those of {done.owner.name} ({done.owner.how}); --me NAME says otherwise."
            if done.owner
            else "I cannot tell which of them you are, so everybody keeps their name; --me NAME says who you are."
        )
    parts = [f"{done.added:,} taken in", f"{done.known:,} known already"]
    if done.edited:
        parts.append(f"{done.edited:,} with newer words")
    if done.forgotten:
        parts.append(f"{done.forgotten:,} kept away because you had me forget them")
    parts.append(plural(done.bad_count, "bad record"))
    print(f"{_FORMAT_NAMES[done.format]}: {', '.join(parts)}.")
    if done.restored:
        print("Put back: " + ", ".join(f"{count:,} {what}" for what, count in done.restored.items()) + ".")
    if done.left_out:
        print(f"Not put back, because it belongs to the companion it was: {_describe_left_out(done)}.")
    if done.passed_over:
        print("Left out: " + ", ".join(f"{count:,} {what}" for what, count in done.passed_over.items()) + ".")


def _describe_left_out(done: Imported) -> str:
    """Describe by kind which parts of our own export are not restored."""
    from furoshiki.archive.import_export.store.exports import LEFT_OUT

    return join_items([plural(count, *LEFT_OUT[kind]) for kind, count in done.left_out.items()])


def _wait_for_vectors(database: Database, memoryd: Vectors) -> None:
    from furoshiki.recall.retrieval import reindex
    from furoshiki.recall.retrieval.client import VectorsAway

    try:
        reindex.wait_for_vectors(database, memoryd, make_countdown("texts cannot be found by meaning yet"))
    except VectorsAway as error:
        note(f"What is new is found by its words for now: {error}")
    finally:
        end_progress(sys.stderr)


def take_out(args: argparse.Namespace) -> int:
    """Run `memory export [FILE|-]`."""
    from furoshiki.archive.import_export import exporting, settings_and_files
    from furoshiki.archive.import_export.store import exports

    settings, database = context.storage()
    now = context.clock().now()
    beside = list(settings_and_files.records(settings, own=context.person is None))
    if args.file == "-":
        with database.read() as db:
            for line in exporting.render_pieces(db, args.format, now, settings.zone, beside):
                sys.stdout.write(line)
        return 0
    path = Path(args.file) if args.file else exporting.usual_path(settings.data, args.format, now)
    if path.is_dir():
        path = path / exporting.usual_path(settings.data, args.format, now).name
    there = f"{path} is there already"
    unasked = f"{there}: name another file, or give --yes to write over it"
    if path.exists() and not args.yes and not context.agreed(f"{there}. Write over it?", unasked):
        note("Nothing was written.")
        return 1
    if path.absolute().is_relative_to(settings.data):
        _ensure_room(settings)
    try:
        count = exporting.to_file(database, path, args.format, now, settings.zone, beside)
    except OSError as error:
        raise FuroshikiError(f"{path} cannot be written: {in_words(error)}") from error
    if args.json:
        size = path.stat().st_size
        left_out = dict(exports.NOT_EXPORTED)
        as_json(
            {"file": str(path), "format": args.format, "records": count, "bytes": size, "tables_left_out": left_out}
        )
    else:
        print(f"{plural(count, 'record')} in {path}.")
    return 0
