"""Merge what was kept twice, promote what is needed, let the rest fade, and think over what was learned."""

from furoshiki.app.run_job import script

script("consolidate_memory")
