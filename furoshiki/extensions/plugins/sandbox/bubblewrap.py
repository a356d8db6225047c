"""bubblewrap: the command that puts a process into namespaces of its own, with nothing in its file system but what is
named.

Measured on 0.8: an environment that bubblewrap is started with can be read in there whatever `--clearenv` says, so it
is started with an empty one. There is no /proc and no /tmp: a script needs neither (`tempfile` takes the folder it
stands in, which is counted), and under Landlock there are none either. The plugin is the first process in there
(`--as-pid-1`): with one of bubblewrap's in between, its time of processor is not told to us. In that place a signal
that nobody handles does nothing, but the kernel's SIGKILL and faults do, which is what limits come down to.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

_ASIDE = (
    *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--as-pid-1", "--hostname", "plugin", "--dir", "/dev"),
)


def program() -> str | None:
    """Where bubblewrap is, None when it is not installed. A service may have been started with a short PATH."""
    return shutil.which("bwrap") or shutil.which("bwrap", path="/usr/bin:/usr/local/bin")


def command(bwrap: str, read: Iterable[Path], devices: Iterable[Path], written: Path) -> list[str]:
    """The command up to what is started inside. A link of the system (/lib) stays a link."""
    line = [bwrap, *_ASIDE]
    for path in read:
        if path.is_symlink() and path.parent == Path("/"):
            line += ["--symlink", str(path.readlink()), str(path)]
        else:
            line += ["--ro-bind", str(path), str(path)]
    for path in devices:
        line += ["--dev-bind", str(path), str(path)]
    return [*line, "--bind", str(written), str(written), "--chdir", str(written), "--remount-ro", "/", "--"]
