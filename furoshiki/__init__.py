"""Furoshiki: a personal companion that lives in its owner's Telegram and remembers.

Every Furoshiki process imports this module first, so settings that libraries read at import time
are made here.
"""

import sys

from furoshiki.core import no_telemetry, paths
from furoshiki.core.process import compiled, threads

if not {"-h", "--help", "furoshiki.app.supervisor"} & {*sys.argv[1:], *sys.orig_argv[1:]}:
    compiled.begin()
no_telemetry.switch_off()
paths.keep_temporary_files()
threads.one_for_algebra()
