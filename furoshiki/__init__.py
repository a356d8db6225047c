"""Furoshiki: a personal companion that lives in its owner's Telegram and remembers.

Every process of ours comes through here before it imports anything else, so what must be said to libraries beforehand
is said here.
"""

import sys

from furoshiki.core import no_telemetry, paths
from furoshiki.core.process import compiled, threads

if not {"-h", "--help"} & {*sys.argv[1:]}:
    compiled.begin()
no_telemetry.switch_off()
paths.keep_temporary_files()
threads.one_for_algebra()
