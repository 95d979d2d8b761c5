"""Score cards: models that are a short list of formulas with points for every class."""
