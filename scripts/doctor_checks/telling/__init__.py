"""What is done with what was found: when somebody is told, how, and in which words."""
