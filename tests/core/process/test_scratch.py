"""Folders to try something in: gone afterwards, and those of killed processes after an hour."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from furoshiki.core.process import scratch

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def test_what_a_killed_trial_left_is_swept_by_the_next(tmp_path: Path) -> None:
    run = tmp_path / "run"
    for name, age in (("plugin-old", 2), ("draft-old", 2), ("repair-old", 2), ("plugin-new", 0), ("spool-old", 2)):
        (run / name / "data").mkdir(parents=True)
        at = (NOW - timedelta(hours=age)).timestamp()
        os.utime(run / name, (at, at))
    (run / "plugin-file").write_text("no folder")
    with scratch.folder(tmp_path, "draft", NOW) as made:
        assert made.is_dir() and made.name.startswith("draft-")
        (made / "kept").write_text("x")
    assert {path.name for path in run.iterdir()} == {"plugin-new", "spool-old", "plugin-file"}
