"""Let unused memories fade, bring together what was of use together, and look at one pair for a contradiction."""

from furoshiki.app.run_job import script

script("consolidate_light")
