"""Checks of the owner's own files: unknown names, spelling mistakes and bad values."""

from collections.abc import Callable, Mapping
from pathlib import Path

from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.extensions.tool_servers import configured
from furoshiki.extensions.tool_servers.rules import configuration
from furoshiki.feelings.rules.laws import InnerLife
from furoshiki.maintenance import job_file
from furoshiki.mind.outreach.rules.laws import OutreachLaws
from furoshiki.models.llm import catalogue
from furoshiki.owner.agenda import channel_modes


def _overlaid(read: Callable[..., object]) -> Callable[[Path, list[str]], object]:
    """Return the check for a file that is merged over the shipped default of the same name."""
    return lambda own, strange: read(read_toml_file(ROOT / "config" / own.name), read_toml_file(own), strange)


# for each file, a function that reads it and appends the names it ignores to the list
_LOOKS: Mapping[str, Callable[[Path, list[str]], object]] = {
    "config/inner_life.toml": _overlaid(InnerLife.from_mapping),
    "config/outreach.toml": _overlaid(OutreachLaws.from_mapping),
    f"config/{channel_modes.FILE}": channel_modes.read,
    configured.FILE: lambda own, strange: configuration.servers(read_toml_file(own), strange),
    "config/models.toml": lambda own, strange: strange.extend(catalogue.unknown(read_toml_file(own))),
    "memory/schedules.json": lambda own, strange: strange.extend(job_file.load_jobs(own).strange),
}


def list_faults(data: Path) -> list[str]:
    """Return one sentence for each problem, with its file and the correct form. All other entries
    of the file are in force, unless it contains a wrong value: the sentence is then about that
    value."""
    found: list[str] = []
    for name, look in _LOOKS.items():
        own = data / name
        strange: list[str] = []
        if own.is_file():
            try:
                look(own, strange)
            except (BadSetting, ValueError) as error:
                strange.append(str(error))
        found += [words if words.startswith(str(own)) else f"{own}: {words}" for words in dict.fromkeys(strange)]
    return found
