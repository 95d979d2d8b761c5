"""Files and data frames read as series."""
