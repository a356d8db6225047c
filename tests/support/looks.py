"""A companion that has looked at itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.mind.inner_life.rules import self_description
from furoshiki.mind.inner_life.store import drift, monologue
from furoshiki.mind.inner_life.store.drift import Ground, NewDrift
from furoshiki.mind.inner_life.store.monologue import Passage

NOW = datetime.now(UTC)


SHIPPED = (ROOT / "config" / "identity" / "SELF.md").read_text(encoding="utf-8").strip()


NEW = "I leave more room than I did."


WHY = "I ask less and leave more room."


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def looked(database: Database, text: str, state: drift.State = "applied", at: datetime = NOW, **more: Any) -> int:
    """A look after which it would say `text` too."""
    after = f"{SHIPPED}\n\n{text}" if text else SHIPPED
    with database.write() as db:
        entry = monologue.add(db, "journal", f"{at:%Y-%m-%d}", [Passage("They went quiet.", (1,))], "s", 1, at)
        new = NewDrift(
            before=SHIPPED,
            text=after,
            diff=self_description.diff(SHIPPED, after),
            similarity=self_description.similarity(SHIPPED, after),
            changed_share=self_description.measure_change(SHIPPED, after),
            themes=(Ground("Room.", (f"entry:{entry}",)),) if text else (),
            reasons=(Ground(WHY, (f"entry:{entry}",), (), "shift"), Ground(text, (f"entry:{entry}",))) if text else (),
            provider="scripted",
            seen_entry=entry or 0,
            state=state,
            **more,
        )
        return drift.add(db, new, at)
