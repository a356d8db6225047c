"""Write down anew who the user is, in short and in full, when something about it has changed."""

from furoshiki.runtime import script

script("refine_user_profile")
