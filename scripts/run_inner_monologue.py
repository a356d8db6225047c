"""Write the day's journal entry: what was said, how it felt, what may be needed."""

from furoshiki.app.run_job import script

script("run_inner_monologue")
