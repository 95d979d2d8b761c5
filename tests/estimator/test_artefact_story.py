"""The story of notebook 12: an artefact leads the card, is struck out, and clean cases are told again."""

from __future__ import annotations

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.data.sources.artefact import CHANNELS, make_artefact

TEMPERATURE = CHANNELS.index("temperature")


@pytest.mark.slow
@pytest.mark.long
def test_an_artefact_leads_the_card_and_striking_it_out_helps() -> None:
    ds = make_artefact(random_state=0)
    clf = st.StelleClassifier(n_formulas=3, random_state=0, device="cpu").fit(ds)
    card = clf.card_
    lead = int(np.abs(card.points).max(axis=1).argmax())
    assert card.formulas[lead].channels == {TEMPERATURE}
    better = clf.without(lead, X=ds.X_test, y=ds.y_test)
    told = better.edits_[-1].unseen
    assert told is not None and told.after - told.before >= 0.2
    assert told.after == better.score(ds.X_test, ds.y_test)
    assert len(told.changed) >= 0.2 * ds.n_test
    filled = better.refit(1, channels=["flow", "pressure"]).card_
    assert all(TEMPERATURE not in formula.channels for formula in filled.formulas[better.card_.n_formulas :])


def test_only_the_training_recordings_have_the_artefact() -> None:
    ds = make_artefact(400, 400, random_state=1)
    for X, y, expected in ((ds.X_train, ds.y_train, 20.0), (ds.X_test, ds.y_test, 0.0)):
        rise = X[:, TEMPERATURE, -10:].mean(axis=1) - X[:, TEMPERATURE, :10].mean(axis=1)
        gap = rise[y == "leak"].mean() - rise[y == "sound"].mean()
        assert abs(gap - 0.9 * expected) < 3
