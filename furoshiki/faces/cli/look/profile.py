"""`furoshiki profile`: the companion's picture of you, its evidence, your preferred style."""

import argparse
from collections.abc import Iterable
from dataclasses import asdict, replace

from furoshiki.core import refs
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, markdown
from furoshiki.owner.user_model.rules import profile, style_summary
from furoshiki.owner.user_model.store import profiles, style


def run(args: argparse.Namespace) -> int:
    """Print the current profile: summary, full text, gaps, and the preferred style."""
    _settings, database = context.storage()
    with database.read() as db:
        now = context.clock().now()
        found = profiles.current(db, now)
        manner = style.traits(db), style.wishes(db), now
    if args.json:
        as_json({**asdict(found), "style": style_summary.to_data(*manner)})
        return 0
    parts = [
        profile.mini_text(_phrase_statements(found.mini)),
        profile.reference_text(_phrase_statements(found.reference)),
    ]
    if found.gaps:
        missing = [f"- {gap.question}{_of(gap)}" for gap in found.gaps]
        parts.append("\n".join(["## Not known, or not for certain", "", *missing]))
    told = "\n\n".join(part for part in parts if part)
    markdown(told or "There is no profile yet: it is written after a conversation that says something about you.")
    how = style_summary.section(*manner)
    if how is not None:
        markdown(f"\n{how}")
    return 0


def _phrase_statements(statements: Iterable[profile.Statement]) -> list[profile.Statement]:
    return [replace(statement, text=context.phrase(statement.text)) for statement in statements]


def _of(gap: profile.Gap) -> str:
    return f" [{', '.join(refs.names('memory', gap.facts))}]" if gap.facts else ""
