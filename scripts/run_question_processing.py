"""Look into the questions the companion asked itself: answer them from memory, or keep them to be asked."""

from furoshiki.app.run_job import script

script("run_question_processing")
