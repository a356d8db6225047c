"""Merge what was kept twice, promote what is needed, let the rest fade, and think over what was learned."""

from furoshiki.runtime import script

script("consolidate_memory")
