"""A small set with two events and a model of it: the first cell of notebooks that are opened often."""

EVENTS = """import numpy as np
import stelle_nb as st
from stelle_nb import panels
rng = np.random.default_rng(0)
X, y = rng.normal(size=(32, 2, 40)), np.array(["calm", "burst", "drop", "both"] * 8)
X[np.isin(y, ["burst", "both"]), 0, 10:15] += 6
X[np.isin(y, ["drop", "both"]), 1, 20:30] -= 6
ds = st.SeriesDataset.from_arrays(X[:16], y[:16], X[16:], y[16:], name="events", step=0.1, unit="s")
small = st.DenseConfig(n_drawn=300, n_pilot=20)
clf = st.StelleClassifier("dense", n_concepts=60, config=small, random_state=0, step=0.1, unit="s")
clf.fit(ds.X_train, ds.y_train)
session = panels.Session(ds, clf)"""
