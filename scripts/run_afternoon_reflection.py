"""Look back at the day so far."""

from furoshiki.app.run_job import script

script("run_afternoon_reflection")
