"""Look at the day ahead: what is expected of it, and what was thought at night."""

from furoshiki.app.run_job import script

script("run_morning_reflection")
