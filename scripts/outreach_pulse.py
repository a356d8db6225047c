"""Say what is due: reminders, at their time or as soon as possible after it."""

from furoshiki.app.run_job import script

script("outreach_pulse")
