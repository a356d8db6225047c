"""Look back at the day so far."""

from furoshiki.runtime import script

script("run_afternoon_reflection")
