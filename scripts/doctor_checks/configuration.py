"""Settings files: an unreadable one stops the program, or leaves the last valid one in force."""

import json
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look
from doctor_checks.road import programs, road


def check(look: Look) -> Iterator[Finding]:
    """Check that every settings file has its format."""
    memory, config = look.place.data / "memory", look.place.data / "config"
    faults = list(look.place.mistakes)
    for path in (memory / "operator_settings.json", memory / "schedules.json"):
        faults += [f"{path} {fault}" for fault in _json_fault(path)]
    for path in sorted(config.rglob("*.toml")) if config.is_dir() else ():
        faults += [f"{path} {fault}" for fault in _toml_fault(path)]
    settings, unfit = look.place.settings, programs("credentials").unfit
    faults += [
        words
        for name, value in settings.items()
        if name.endswith(("_API_KEY", "_TOKEN")) and (words := unfit(name, value)) is not None
    ]
    try:
        for address in ("https://api.telegram.org", "http://example.org"):
            road(look.place).proxy(address)
    except OSError as error:
        faults.append(str(error))
    for fault in faults:
        yield wrong(f"settings.{fault.partition(' ')[0]}", fault, "correct the line, or take the file away")
    if not faults:
        for words in _passed_over(look):
            fix = "correct or remove it; a name of a newer release holds again with that release"
            yield note(f"settings.passed_over.{words}"[:200], words, fix)
        yield well("settings", "the files of settings can be read")


def _passed_over(look: Look) -> list[str]:
    """Return ineffective settings, by asking the program after changes of files or program."""
    place, kept = look.place, look.notebook.part("passed_over")
    memory, config = place.data / "memory", place.data / "config"
    files = (
        place.checkout / "pyproject.toml",
        place.data / ".env",
        memory / "operator_settings.json",
        memory / "schedules.json",
        *config.glob("*.toml"),
    )
    stamps = [[str(path), path.stat().st_mtime_ns] for path in sorted(files) if path.is_file()]
    if stamps == kept.get("stamps"):
        return [str(words) for words in kept.get("found", ())]
    command = [str(place.python), "-m", "furoshiki", "config", "check", "--offline", "--json"]
    environ = {**place.environ, "FUROSHIKI_DATA": str(place.data)}
    try:
        done = subprocess.run(
            command, cwd=place.checkout, env=environ, capture_output=True, timeout=look.left(), check=False
        )
        found = [str(words) for words in json.loads(done.stdout)["passed_over"]]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        return []  # what keeps the program from starting is found by other checks
    kept.update(stamps=stamps, found=found)
    return found


def _json_fault(path: Path) -> Iterator[str]:
    try:
        if not isinstance(json.loads(path.read_text(encoding="utf-8-sig")), dict):
            yield "holds no JSON object"
    except FileNotFoundError:
        return
    except OSError as error:
        yield f"cannot be read ({error.strerror})"
    except json.JSONDecodeError as error:
        yield f"line {error.lineno} is not valid JSON"
    except (ValueError, RecursionError):
        yield "is not valid JSON"


def _toml_fault(path: Path) -> Iterator[str]:
    try:
        tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        yield f"cannot be read ({error.strerror})"
    except (ValueError, RecursionError) as error:
        yield f"is not valid TOML ({error})"
