"""Look into errors that came back: mend what is safe to mend, and lay the rest before the owner."""

from furoshiki.app.run_job import script

script("repair_dispatcher")
