"""Exercises that check themselves: generated without end, judged by meaning, with named misconceptions."""
