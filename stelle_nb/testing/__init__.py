"""Means to test formulas: a slow textbook oracle, and hypothesis strategies.

:mod:`stelle_nb.testing.oracle` is plain Python; :mod:`stelle_nb.testing.strategies` needs the
package ``hypothesis`` (``pip install stelle_nb[test]``) and is therefore not imported here.
"""
