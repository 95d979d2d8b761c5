"""Whether a case is like the training cases or foreign to them."""
