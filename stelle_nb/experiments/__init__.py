"""Experiments: jobs, a ledger of results, clusters, tuning, and data larger than memory."""
