"""What a formula requires of a signal, computed once for every drawing: rows, regions, words, pages."""
