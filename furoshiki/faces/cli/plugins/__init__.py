"""`furoshiki plugins`: programs the owner allows, looked at, tried out, switched on and off."""
