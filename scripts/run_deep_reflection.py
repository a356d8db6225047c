"""Once a week a long look at oneself: what was this week about, and what of it belongs into SELF.md."""

from furoshiki.app.run_job import script

script("run_deep_reflection")
