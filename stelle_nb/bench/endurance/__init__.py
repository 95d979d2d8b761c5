"""Commands that run for a long time or on many cases: load and soak."""
