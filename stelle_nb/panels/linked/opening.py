"""What an explorer is given: data, perhaps a model of them, perhaps a classifier to imitate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.panels.parts.chosen_data import as_dataset

if TYPE_CHECKING:
    from stelle_nb.panels.session import Session


def given_to(
    dataset: SeriesDataset | str | Session, classifier: Any
) -> tuple[SeriesDataset, Session | None, Any]:
    """The data, the session if there is a model of them already, and a classifier that is to be imitated."""
    if classifier is None and isinstance(dataset, SeriesDataset | str):
        return as_dataset(dataset), None, None
    from stelle_nb.estimator.classifier import StelleClassifier
    from stelle_nb.estimator.imitation import check_other
    from stelle_nb.panels.session import Session

    session = dataset if isinstance(dataset, Session) else None
    found = dataset.dataset if isinstance(dataset, Session) else as_dataset(dataset)
    if isinstance(classifier, StelleClassifier):
        return found, session or Session(found, classifier), None
    if classifier is None:
        return found, session, None
    check_other(classifier, found)
    return found, session, classifier
