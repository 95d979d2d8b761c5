"""How a bank computes many formulas at once: a graph, a plan, and the steps that carry it out."""
