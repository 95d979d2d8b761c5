"""Measurements: each module with a ``main`` is a subcommand of ``python -m stelle_nb.bench``."""
