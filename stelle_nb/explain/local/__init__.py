"""Local explanations: the formulas that decide a case, and their share of the decision."""
