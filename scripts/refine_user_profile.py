"""Write down again who the user is, in short and in full, when something about it has changed."""

from furoshiki.app.run_job import script

script("refine_user_profile")
