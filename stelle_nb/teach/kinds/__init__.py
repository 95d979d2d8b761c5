"""The kinds of exercises, one module each."""
