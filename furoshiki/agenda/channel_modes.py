"""Which channels are live, only thinking, or off. Read again whenever the file changes, so no restart is needed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import read_toml_file
from furoshiki.messages.channels import CONSOLE, TELEGRAM, WEB
from furoshiki.world import World

Mode = Literal["off", "shadow", "live"]
MODES: tuple[Mode, ...] = ("off", "shadow", "live")
CHANNELS = (TELEGRAM, CONSOLE, WEB, "internal")
FILE = "furoshiki.toml"


def mode(world: World, channel: str) -> Mode:
    """How a channel is used now. Raises BadSetting when the owner's file is wrong; what is not named is live."""
    own = world.home / "config" / FILE
    modes = {**_read(world.config / FILE, 0)}
    if own.is_file():
        modes |= _read(own, own.stat().st_mtime_ns)
    return modes.get(channel, "live")


def live(world: World) -> tuple[str, ...]:
    """Names of the channels that words can be sent to: to somebody beside the owner, where they are.

    The web page is none of them: it shows what is said on any."""
    if world.who.place is not None:
        return (world.who.channel,) if mode(world, world.who.channel) == "live" else ()
    names = (TELEGRAM, CONSOLE) if world.settings.telegram_bot_token else (CONSOLE,)
    return tuple(name for name in names if mode(world, name) == "live")


@lru_cache(maxsize=8)
def _read(path: Path, _changed_at: int) -> dict[str, Mode]:
    table = read_toml_file(path)
    unknown = sorted(set(table) - {"channels"})
    if unknown:
        raise BadSetting(f"{path}: no section [{unknown[0]}]; there is [channels]")
    section = table.get("channels", {})
    if not isinstance(section, dict):
        raise BadSetting(f"{path}: channels must be a section, [channels], not {section!r}")
    modes: dict[str, Mode] = {}
    for name, value in section.items():
        if name not in CHANNELS:
            raise BadSetting(f"{path}: no channel {name}; there are {', '.join(CHANNELS)}")
        if value not in MODES:
            raise BadSetting(f'{path}: channel {name} must be "off", "shadow" or "live", not {value!r}')
        modes[name] = value
    return modes
