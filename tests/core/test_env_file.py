"""What is written into `.env`, and that nothing else of it changes."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core import env_file
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import ROOT, read_env_file

HELD = """\
# my notes
export ANTHROPIC_API_KEY=old   # the one of May

FUROSHIKI_TIMEZONE="Europe/Paris"  # till June
UNRELATED=1
ANTHROPIC_API_KEY=older
#OPENAI_API_KEY=
"""


def test_everything_else_stays_where_it_stands() -> None:
    values = {"ANTHROPIC_API_KEY": "new", "FUROSHIKI_TIMEZONE": None, "OPENAI_API_KEY": "sk", "TELEGRAM_OWNER_ID": "7"}
    assert env_file.render_changes(HELD, values) == (
        "# my notes\nANTHROPIC_API_KEY=new  # the one of May\n\nUNRELATED=1\nOPENAI_API_KEY=sk\nTELEGRAM_OWNER_ID=7\n"
    )


def test_a_value_set_to_what_it_is_changes_nothing_more() -> None:
    once = env_file.render_changes(HELD, {"ANTHROPIC_API_KEY": "new", "OPENAI_API_KEY": None})
    assert env_file.render_changes(once, {"ANTHROPIC_API_KEY": "new", "OPENAI_API_KEY": None}) == once


def test_the_template_s_own_line_is_used() -> None:
    template = (ROOT / ".env.template").read_text(encoding="utf-8")
    filled = env_file.render_changes(template, {"FUROSHIKI_COMPANION_NAME": "Miso"})
    assert filled == template.replace("#FUROSHIKI_COMPANION_NAME=Furo\n", "FUROSHIKI_COMPANION_NAME=Miso\n")


@given(st.text(st.characters(exclude_categories=("C", "Z")) | st.sampled_from(" #'\"="), min_size=1, max_size=30))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    file = tmp_path_factory.getbasetemp() / "read-back.env"
    try:
        file.write_text(env_file.render_changes("", {"FUROSHIKI_COMPANION_NAME": value}), encoding="utf-8")
    except BadSetting as refused:
        assert "'" in value and '"' in value, refused
        return
    assert read_env_file(file) == {"FUROSHIKI_COMPANION_NAME": value}


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    env_file.save(data, {"TELEGRAM_OWNER_ID": "7"})
    assert stat.S_IMODE((data / ".env").stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    (data / ".env").chmod(0o644)
    env_file.save(data, {"TELEGRAM_OWNER_ID": "7"})
    assert stat.S_IMODE((data / ".env").stat().st_mode) == 0o600


def test_a_file_that_is_not_understood_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("what is this\n", encoding="utf-8")
    with pytest.raises(BadSetting, match="line 1"):
        env_file.save(tmp_path, {"TELEGRAM_OWNER_ID": "7"})
    assert (tmp_path / ".env").read_text(encoding="utf-8") == "what is this\n"


def test_a_value_of_several_lines_is_refused() -> None:
    with pytest.raises(BadSetting, match="control characters"):
        env_file.render_changes("", {"FUROSHIKI_COMPANION_NAME": "a\nTELEGRAM_OWNER_ID=8"})
