"""Local explanations as words, tables, HTML and JSON."""
