"""Work on the long task that comes next: plan it, or do up to three steps of its plan."""

from furoshiki.app.run_job import script

script("persistent_task_worker")
