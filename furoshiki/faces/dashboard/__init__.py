"""The pages and the API that show and change the companion's data. No lower layer imports it."""
