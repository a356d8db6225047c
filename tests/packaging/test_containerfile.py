"""The Containerfile, as far as it can be judged without an engine: who runs what, from where, and what is left out."""

from __future__ import annotations

import fnmatch
import json
import re
import subprocess

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.core.settings import Settings
from furoshiki.faces.cli.parser import build
from tests.packaging.image import TEXT, instructions, last_stage


def test_every_base_is_the_same_one_pinned_by_version_and_digest_and_fits_the_python_we_support() -> None:
    bases = [words.partition(" AS ")[0] for name, words in instructions() if name == "FROM"]
    assert len(bases) == 2 and len(set(bases)) == 1
    found = re.fullmatch(r"docker\.io/library/python:3\.(\d+)\.\d+-slim-\w+@sha256:[0-9a-f]{64}", bases[0])
    assert found and 11 <= int(found[1]) < 14
    assert "--platform" not in TEXT, "it is for amd64 and arm64 alike"


def test_it_runs_up_as_nobody_in_particular_with_one_volume() -> None:
    stage = last_stage()
    [user], [volume] = stage["USER"], stage["VOLUME"]
    assert all(int(number) > 0 for number in user.split(":"))
    assert json.loads(volume) == ["/data"] and "FUROSHIKI_DATA=/data" in stage["ENV"][0]
    assert json.loads(stage["CMD"][-1]) == ["up"] and build().parse_args(["up"]).module == "services.up"
    assert stage["STOPSIGNAL"] == ["SIGTERM"]
    [entry] = json.loads(stage["ENTRYPOINT"][0])
    assert f"> {entry}" in stage["RUN"][0] and f"chmod 755 {entry}" in stage["RUN"][0]
    assert "--chown" not in stage["COPY"][0], "the program is not its own to change"


def test_the_doctor_says_whether_it_is_well() -> None:
    [words] = last_stage()["HEALTHCHECK"]
    shell, option, line = json.loads(words.partition("CMD ")[2])
    script = re.search(r"/app/(\S+\.py)", line)
    assert script and (ROOT / script[1]).is_file() and "--dry-run" in line
    command = line.replace(f"python3 -I -S /app/{script[1]} --dry-run", "(exit $STATUS)")
    for status, well in ((0, True), (1, True), (2, False)):
        done = subprocess.run([shell, option, command], env={"STATUS": str(status)}, timeout=20)
        assert (done.returncode == 0) is well


def test_no_secret_is_in_it() -> None:
    assert not re.findall(r"^(?:ARG|ENV)\b.*(?:TOKEN|KEY|SECRET|PASSWORD)", TEXT, re.MULTILINE)
    secrets = [name for name, field in Settings.model_fields.items() if field.secret]
    assert secrets and not [name for name in secrets if name.upper() in TEXT]
    assert "ADD" not in {name for name, _ in instructions()}, "nothing is fetched past the lock"


def allowed() -> set[str]:
    """What .dockerignore lets in."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*", "everything stays out that is not named"
    return {rule[1:] for rule in rules if rule.startswith("!")}


@pytest.mark.parametrize(
    "name", [".git", ".env", ".venv", "data", "tests", ".hypothesis", "backups", "longmemory.sqlite"]
)
def test_what_is_somebodys_own_stays_out(name: str) -> None:
    assert not any(fnmatch.fnmatch(name, one) for one in allowed())


def test_what_it_needs_comes_along() -> None:
    assert all((ROOT / name).exists() for name in allowed())
    needed = {"furoshiki", "config", "prompts", "scripts", "schedules.json", "requirements.txt", "requirements"}
    assert needed <= allowed()
    tracked = subprocess.run(
        ["git", "ls-files", *sorted(allowed())], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    outside = [name for name in tracked.stdout.split() if name.endswith((".env", ".sqlite"))]
    assert tracked.returncode != 0 or (tracked.stdout and not outside)
