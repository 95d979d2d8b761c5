"""The paper's network and its training."""
