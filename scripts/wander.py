"""Let an idle mind come upon something, and something become of it."""

from furoshiki.app.run_job import script

script("wander")
