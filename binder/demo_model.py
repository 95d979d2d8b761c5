"""Fit the model that the explorer shows first, and save it."""

import sys

import stelle_nb as st

ds = st.load_dataset("BasicMotions", may_download=False)
words = {"channel_names": ds.channel_names, "step": ds.step, "unit": ds.unit}
clf = st.StelleClassifier(random_state=0, **words).fit(ds.X_train, ds.y_train)
clf.explain_local(ds.X_test[:1])
print(clf.save(sys.argv[1]))
