"""Look into the questions the companion asked itself: answer them from memory, or keep them to be asked."""

from furoshiki.runtime import script

script("run_question_processing")
