"""Charts: ``plot_*`` for the screen (Altair), ``figure_*`` for print (matplotlib)."""
