"""Commands that run for long or on much: load and soak."""
