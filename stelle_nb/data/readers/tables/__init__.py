"""Tables of any layout read as series: cells, columns, times, and ambiguities."""
