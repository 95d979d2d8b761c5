"""Tables as people have them: each is read as it is meant, or refused with the cause and the choice."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stelle_nb.data import load_dataset
from stelle_nb.errors import DataError

CORPUS = Path(__file__).parent / "corpus"
TABLE: dict[str, dict[str, Any]] = tomllib.loads((CORPUS / "corpus.toml").read_text(encoding="utf-8"))
GOOD = [name for name, said in TABLE.items() if "error" not in said]
BAD = [name for name, said in TABLE.items() if "error" in said]


@pytest.mark.parametrize("name", GOOD)
def test_a_table_is_read_as_it_is_meant(name: str) -> None:
    said = TABLE[name]
    ds = load_dataset(path=CORPUS / name, **said.get("options", {}))
    assert list(ds.X_train.shape) == said["shape"]
    assert ds.y_train.tolist() == said["labels"]
    assert list(ds.channel_names) == said.get("channels", list(ds.channel_names))
    assert ds.step == pytest.approx(said["step"], rel=1e-3) if "step" in said else ds.step is None
    assert ds.unit == said.get("unit")
    if "first" in said:
        np.testing.assert_allclose(ds.X_train[0], said["first"], rtol=0, atol=1e-9)
    assert ds.reading is not None
    assert said.get("reading", "") in ds.reading


@pytest.mark.parametrize("name", BAD)
def test_a_table_is_refused_with_the_cause(name: str) -> None:
    said = TABLE[name]
    with pytest.raises(DataError) as caught:
        load_dataset(path=CORPUS / name, **said.get("options", {}))
    for words in said["error"]:
        assert words in str(caught.value)


def test_every_table_is_in_the_corpus_and_has_its_say() -> None:
    there = {path.name for path in CORPUS.iterdir()} - {"corpus.toml"}
    assert there == set(TABLE)
    assert len(TABLE) >= 30
