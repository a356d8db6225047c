"""How far along the companion is: the milestones of a newborn with what proves them, and how long it has lived."""
