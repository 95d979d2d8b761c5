"""Parts of single panels: views, runs and examples."""
