"""The linked view of the explorer: cases, one case, and what speaks for its class, in one widget."""
