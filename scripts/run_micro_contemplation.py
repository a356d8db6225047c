"""Think one short thought about something fresh or open."""

from furoshiki.app.run_job import script

script("run_micro_contemplation")
