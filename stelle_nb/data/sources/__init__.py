"""Where data sets come from: names, folders, the archives, and generated sets."""
