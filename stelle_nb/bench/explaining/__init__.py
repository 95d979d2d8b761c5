"""The benchmark of explanations: its jobs, figures and tables."""
