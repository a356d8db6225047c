"""Judge what was said and waits in the scratch buffer: it is kept as a moment, confirmed, or let go."""

from furoshiki.app.run_job import script

script("flush_scratch")
