"""Facts stated in a sentence: subject, predicate, object, and how they were stated."""
