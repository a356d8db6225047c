"""See how messages were answered: move the router's numbers a little, or have somebody look back on its choices."""

from furoshiki.app.run_job import script

script("routing_review")
