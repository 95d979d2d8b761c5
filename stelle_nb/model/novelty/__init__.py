"""Is a case like the training cases, or is it foreign to them."""
