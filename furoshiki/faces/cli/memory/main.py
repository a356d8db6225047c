"""`furoshiki memory`: search, import, explain and reindex what is remembered."""

import argparse
import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from furoshiki.core.catalogue import later, say, say_each
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import answer, as_json, end_progress, make_countdown, show_list
from furoshiki.language.humanize import shorten
from furoshiki.recall.retrieval.client import Vectors, spawner

# the module in this folder and the function that run each verb; imported on demand
_VERBS = {
    "search": "main.search",
    "reindex": "main.reindex",
    "import": "transfer.take_in",
    "export": "transfer.take_out",
    "list": "inspect.list_",
    "show": "inspect.show",
    "why": "inspect.why_",
    "rejected": "inspect.list_rejected",
    "stats": "inspect.stats",
    "view": "inspect.view",
    "edit": "edit.edit",
    "pin": "edit.pin",
    "unpin": "edit.unpin",
    "approve": "edit.approve",
}


# verbs for the owner's memory only: other persons have no imports and no index
_OWN_ALONE = frozenset({"import", "reindex"})


def run(args: argparse.Namespace) -> int:
    """Dispatch on the verb. Raises Misused."""
    if context.person is not None and args.verb in _OWN_ALONE:
        raise context.Misused(say("memory {verb} is for your own memory: leave out --person", verb=args.verb))
    module, _, name = _VERBS[args.verb].partition(".")
    return int(getattr(importlib.import_module(f"{__package__}.{module}"), name)(args))


def search(args: argparse.Namespace) -> int:
    """Run `memory search`."""
    if (args.text is None) == (args.batch is None):
        raise context.Misused(say('what is searched for? Type some words, as in `furoshiki memory search "the café"`'))
    if args.text is not None and not args.text.strip():
        raise context.Misused(say("the search is empty: type some words; `furoshiki memory list` shows all"))
    from furoshiki.recall.retrieval import search as searching

    if args.batch not in (None, "-"):
        Path(args.batch).open().close()  # report a missing file before loading the encoder
    settings, database = context.storage()
    now = context.moment(args.now) if args.now else context.clock().now()
    encoder = searching.encoder_of(settings)
    if args.batch is not None:
        judge = searching.reranker_of(args.rerank)
        for found in searching.search_batch(database, encoder, _lines(args.batch), now, judge):
            as_json(found)
        return 0
    results = searching.search_one(database, encoder, args.text, args.k, now, searching.reranker_of(args.rerank))
    rows = [(one["at"][:10], one["id"], _what(one)) for one in results]
    headers = say_each("when", "id", "what")
    return show_list(args.json, results, headers, rows, say("Nothing like that is remembered."))


def _what(one: dict[str, Any]) -> str:
    """Return the text; of a fact that has ended, with its last day."""
    until = f" ({say('until {day}', day=one['valid_to'][:10])})" if "valid_to" in one else ""
    text = context.phrase(one["text"]) if one["kind"] == "memory" else one["text"]
    return shorten(text, 300) + until


def _lines(name: str) -> Iterable[str]:
    if name == "-":
        yield from sys.stdin
        return
    try:
        with Path(name).open(encoding="utf-8") as file:
            yield from file
    except UnicodeDecodeError as error:
        raise context.Misused(say("{path} is not UTF-8 text: --batch takes JSON Lines", path=name)) from error


def reindex(args: argparse.Namespace) -> int:
    """Run `memory reindex`."""
    from furoshiki.recall.retrieval import reindex as indexing

    settings, database = context.storage()
    memoryd = Vectors(settings.data, spawner(settings.data))
    countdown = make_countdown(say("texts cannot be found by meaning yet"))
    try:
        left = indexing.reindex(database, memoryd, args.wait, countdown)
    finally:
        end_progress(sys.stderr)
    being_built = later("It is being built; meanwhile, everything is found by its words.")
    words = say("All can be found by meaning again.") if args.wait else say(being_built)
    return answer(args.json, {"rebuilding": left > 0, "pending": left}, words)
