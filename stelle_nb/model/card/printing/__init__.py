"""Score cards as text, JSON, tables and pages."""
