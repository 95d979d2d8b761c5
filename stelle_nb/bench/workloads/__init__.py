"""What benchmarks measure on, and what they compare with."""
