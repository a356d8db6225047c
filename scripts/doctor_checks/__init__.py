"""What the doctor looks at, one module a matter. Standard library alone: it must work when nothing else does."""
