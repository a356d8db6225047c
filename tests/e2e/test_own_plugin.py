"""The whole way of a plugin the companion writes: wished for in a conversation, written and reviewed by a model over
its real interface, read, applied, used, and undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.core.paths import version
from tests.emulators.llm import Answer, Call, LLMEmulator, Request
from tests.extensions.plugins.authoring.conftest import verdict
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

NAME = "next-full-moon"
FILES = {
    "PLUGIN.md": f"""---
name: {NAME}
version: "1.0"
description: Says when the next full moon is.
author: the companion
licence: MIT
min_furoshiki: {version()}
entry_points:
  - hook: callable
    script: scripts/moon.py
    tool: full_moon
    description: The day of the next full moon.
    when_to_use: Somebody asks for the moon.
    args_schema:
      type: object
      properties: {{}}
permissions: {{}}
---

# The moon
""",
    "scripts/moon.py": '''"""The next full moon."""

from furoshiki_plugin import answer

if __name__ == "__main__":
    answer(data={"day": "24 November"})
''',
}
BROKEN = {**FILES, "scripts/moon.py": FILES["scripts/moon.py"].replace('"24 November"', "undefined")}


def mind(request: Request) -> Answer:
    """An author whose first draft does not run, reviewers, and a companion that uses what it has."""
    said = [turn for turn in request.turns if turn.role == "assistant"]
    if "You write a plugin" in request.system:
        if len(said) == 0:
            return [Call("write_file", {"file": file, "text": text}) for file, text in BROKEN.items()]
        if len(said) == 2:
            return Call("write_file", {"file": "scripts/moon.py", "text": FILES["scripts/moon.py"]})
        return "It is done."
    if "You read it before its owner does" in request.system:
        if not said:
            return [Call("read_file", {"file": file}) for file in FILES]
        return Call("verdict", verdict())
    if "full moon" in request.words and any("full_moon" in name for name in request.tools):
        name = next(name for name in request.tools if "full_moon" in name)
        return Call(name, {}) if request.turns[-1].role != "tool" else "It is on the 24th."
    return "Mhm."


def test_from_a_wish_to_its_use_and_back(tmp_path: Path) -> None:
    with (
        LLMEmulator(mind) as llm,
        ForkedProgram(tmp_path / "data", llm=llm, provider="anthropic") as program,
    ):
        said = program.run("chat", input_text="could you learn to tell me when the next full moon is?\n")
        assert "Noted: tell me when the next full moon is" in said.stdout
        work = program.run("run", "plugin_author")
        assert "was laid before the owner" in work.stdout, work.stdout + work.stderr
        [job] = program.rows("SELECT * FROM plugin_jobs")
        assert (job["state"], job["name"], job["confidence"]) == ("proposed", NAME, 0.9)
        told = [turn.text for request in llm.requests for turn in request.turns if turn.role == "user"]
        assert any("scripts/moon.py, tried at its hook callable: failed" in text for text in told)
        assert not (program.data / "plugins" / NAME).exists()
        spent = {
            row["purpose"]: row["n"]
            for row in program.rows(
                "SELECT purpose, count(*) AS n FROM llm_calls WHERE turn_key='plugin_jobs:1' GROUP BY purpose"
            )
        }
        assert spent == {"plugin_create": 4, "plugin_review": 4}

        shown = program.run("plugins", "show", job["proposal"]).stdout
        assert "scripts/moon.py" in shown and "How to apply it" in shown
        applied = program.run("plugins", "apply", job["proposal"], "--yes")
        assert f"{NAME} is enabled" in applied.stdout and "nothing beyond its own folder" in applied.stderr
        assert program.value("SELECT origin FROM plugins") == "proposal"
        assert program.value("SELECT state FROM plugin_jobs") == "applied"
        assert "24 November" in program.run("plugins", "run", NAME).stdout
        assert "24th" in program.run("chat", input_text="when is the full moon?\n").stdout
        again = program.run("plugins", "apply", job["proposal"], "--yes")
        assert again.returncode and "no plugin is proposed" in again.stderr
        assert program.run("plugins", "remove", NAME, "--yes").returncode == 0
        assert not (program.data / "plugins" / NAME).exists()
        assert program.run("plugins", "rollback", NAME, "--yes").returncode == 0
        assert "24 November" in program.run("plugins", "run", NAME).stdout
