"""Parts of the panel that edits a score card."""
