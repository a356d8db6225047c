"""Think one short thought about something fresh or open."""

from furoshiki.runtime import script

script("run_micro_contemplation")
