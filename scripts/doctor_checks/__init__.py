"""The doctor's checks, a module each. Standard library only: the program may be broken."""
