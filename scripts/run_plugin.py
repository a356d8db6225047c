"""Run what a plugin does on schedule: its name, and the number of the entry point in its PLUGIN.md, from 1."""

from furoshiki.app.run_job import script

script("run_plugin")
