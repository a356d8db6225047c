"""Let the companion's feelings drift, take in what happened, and write the day down."""

from furoshiki.app.run_job import script

script("soul_engine")
