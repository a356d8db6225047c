"""bubblewrap: the command for a process in separate namespaces that sees only the named files.

Measured on 0.8: the environment in which bubblewrap starts is readable inside despite `--clearenv`,
so it is empty. There is no /proc and no /tmp: scripts do not need them (`tempfile` uses the working
folder, which is counted), and Landlock has none either. The plugin is the first process inside
(`--as-pid-1`): otherwise its CPU time would not be reported. As PID 1 it ignores signals without a
handler, except SIGKILL and faults, which enforce the limits.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

_ASIDE = (
    *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--as-pid-1", "--hostname", "plugin", "--dir", "/dev"),
)


def program() -> str | None:
    """Return bubblewrap's path, or None. Also searched outside a service's short PATH."""
    return shutil.which("bwrap") or shutil.which("bwrap", path="/usr/bin:/usr/local/bin")


def command(bwrap: str, read: Iterable[Path], devices: Iterable[Path], written: Path) -> list[str]:
    """Return the command line before the program to run. System links such as /lib stay links."""
    line = [bwrap, *_ASIDE]
    for path in read:
        if path.is_symlink() and path.parent == Path("/"):
            line += ["--symlink", str(path.readlink()), str(path)]
        else:
            line += ["--ro-bind", str(path), str(path)]
    for path in devices:
        line += ["--dev-bind", str(path), str(path)]
    return [*line, "--bind", str(written), str(written), "--chdir", str(written), "--remount-ro", "/", "--"]
