"""Elementary functions, one source for all engines."""
