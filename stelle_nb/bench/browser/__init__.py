"""JupyterLab and its server, driven for measurements and pictures."""
