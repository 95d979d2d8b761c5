"""Tables and reports of the benchmarks."""
