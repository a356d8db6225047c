"""The schema's steps, run by Alembic."""
