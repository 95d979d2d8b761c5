"""The part of the classifier that edits its card."""
