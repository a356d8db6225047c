"""Write down how the companion works, from the real thing, and let it be found with the project's own documents."""

from furoshiki.app.run_job import script

script("embed_design_docs")
