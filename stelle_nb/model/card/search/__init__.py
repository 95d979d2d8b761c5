"""The search for the formulas of a card: candidates, variants of them, and the choice among them."""
