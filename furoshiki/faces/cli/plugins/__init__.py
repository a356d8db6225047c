"""`furoshiki plugins`: inspect, test, enable and disable programs that the owner allows."""
