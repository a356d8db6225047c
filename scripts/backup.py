"""Write a verified backup of everything the companion knows, and let old ones go."""

from furoshiki.app.run_job import script

script("backup")
