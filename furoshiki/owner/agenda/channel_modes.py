"""The mode of each channel: live, shadow (thinking only) or off; reloaded after changes."""

from functools import lru_cache
from pathlib import Path
from typing import Literal

from furoshiki.core.config_table import ConfigTable
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import read_toml_file
from furoshiki.messages.channels import CHANNELS, CONSOLE, TELEGRAM
from furoshiki.world import World

Mode = Literal["off", "shadow", "live"]
MODES: tuple[Mode, ...] = ("off", "shadow", "live")
FILE = "furoshiki.toml"


def mode(world: World, channel: str) -> Mode:
    """Return a channel's mode; the default is live. Raises BadSetting for a wrong file."""
    own = world.home / "config" / FILE
    modes = {**_load(world.config / FILE, 0)}
    if own.is_file():
        modes |= _load(own, own.stat().st_mtime_ns)
    return modes.get(channel, "live")


def live(world: World) -> tuple[str, ...]:
    """Return the channels to which messages can be sent; for a member, only theirs.

    The web page is not included: it shows the messages of all channels.
    """
    if world.who.place is not None:
        return (world.who.channel,) if mode(world, world.who.channel) == "live" else ()
    names = (TELEGRAM, CONSOLE) if world.settings.telegram_bot_token else (CONSOLE,)
    return tuple(name for name in names if mode(world, name) == "live")


def read(path: Path, strange: list[str]) -> dict[str, Mode]:
    """Read a file's channel modes; unknown names are ignored, with a sentence each in `strange`."""
    table = ConfigTable(read_toml_file(path), strange=strange)
    table.only(("channels",))
    try:
        section = table.table_or_empty("channels")
    except ValueError as error:
        raise BadSetting(f"{path}: {error}") from error
    section.only(CHANNELS)
    modes: dict[str, Mode] = {}
    for name in section:
        value = section.value(name)
        if value not in MODES:
            raise BadSetting(f'{path}: channel {name} must be "off", "shadow" or "live", not {value!r}')
        modes[name] = value
    return modes


@lru_cache(maxsize=8)
def _load(path: Path, _changed_at: int) -> dict[str, Mode]:
    return read(path, [])
