"""The report: one file that holds all it says, and nothing of the user's as markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import ExplanationError, StelleError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.estimator.report_content import Part, choose_cases, gather
from stelle_nb.explain.local.printing.local_words import reason_sentences
from stelle_nb.explain.local.printing.reasons_html import sheet_html
from tests.small import CARD, DENSE

HOSTILE = "</script><img src=x onerror=alert(1)>"


class Page(HTMLParser):
    """Elements, attributes, text and embedded data of a page, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.data: list[Any] = []
        self.words = ""
        self._is_json = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._is_json = tag == "script" and ("type", "application/json") in attrs

    def handle_data(self, data: str) -> None:
        if self._is_json:
            self.data.append(json.loads(data))
            self._is_json = False
        else:
            self.words += data


@pytest.fixture(scope="module")
def dataset() -> SeriesDataset:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2, 30)), np.array(["calm", HOSTILE] * 20)
    X[y == HOSTILE, 0, 10:15] += 5
    names = ["<b>bend</b>", "turn"]
    return SeriesDataset.from_arrays(
        X[:24], y[:24], X[24:], y[24:], channel_names=names, step=0.5, unit="<s>", name="<i>set</i>"
    )


@pytest.fixture(scope="module")
def classifier(dataset: SeriesDataset) -> StelleClassifier:
    names = {"channel_names": dataset.channel_names, "step": 0.5, "unit": "<s>"}
    found = StelleClassifier("dense", config=DENSE, n_concepts=30, random_state=7, **names)
    return found.fit(dataset.X_train, dataset.y_train)


@pytest.fixture(scope="module")
def text(classifier: StelleClassifier, dataset: SeriesDataset, tmp_path_factory: Any) -> str:
    path = classifier.report(tmp_path_factory.mktemp("report") / "report.html", dataset)
    assert [found.name for found in path.parent.iterdir()] == ["report.html"]
    return path.read_text(encoding="utf-8")


def test_it_says_what_the_model_says(text: str, classifier: StelleClassifier, dataset: SeriesDataset) -> None:
    words = Page(text).words
    explanations = [*classifier.explain_global().values()]
    content = gather(classifier, dataset)
    explanations += [*content.cases.values()]
    assert len(content.cases) >= 2
    for found in explanations:
        for said in (
            found.to_english(),
            found.to_latex(),
            found.to_rtamt(),
            found.wording.ascii(found.formula),
        ):
            assert said in words
    accuracy = classifier.score(dataset.X_test, dataset.y_test)
    assert f"accuracy on unseen cases: {st.explain.explanation.percent(accuracy)} of 16" in words
    assert "separates from unseen cases of other classes" in words and "covers unseen cases of" in words
    assert "predictions that change without the shown formulas" in words and "there are none" not in words


@pytest.fixture(scope="module")
def card_classifier(dataset: SeriesDataset) -> StelleClassifier:
    return StelleClassifier(n_formulas=2, n_concepts=60, config=CARD, random_state=0).fit(dataset)


def test_the_report_of_a_card_shows_card_sheets_and_faithfulness(
    card_classifier: StelleClassifier, dataset: SeriesDataset, tmp_path: Path
) -> None:
    text = card_classifier.report(tmp_path / "card.html", dataset).read_text(encoding="utf-8")
    words, card = Page(text).words, card_classifier.card_
    content = gather(card_classifier, dataset)
    assert content.cases and all(sentence in words for sentence in card.sentences)
    for number, why in content.cases.items():
        share = st.explain.explanation.percent(why.probability)
        assert f"Predicted: {why.prediction} ({share}). True class: {content.judged.y[number]}" in words
        assert why.sheet is not None and f"Lead of {why.target}" in words
        assert all(sentence in words for sentence in reason_sentences(why))
    assert words.count("Every case starts with") == 1 + len(content.cases)  # the card and the sheets
    assert words.count("What the score card says about this class") == len(card_classifier.classes_)
    percent = st.explain.explanation.percent
    assert set(content.carried) == {"training", "unseen"}
    assert "predictions that change without the shown formulas" in words
    assert f"unseen cases unlike all training cases{percent(content.n_foreign / 16)} of 16" in words
    seen = Page(text)
    assert not {"img", "i", "link", "iframe"} & set(seen.tags)
    assert "<b>bend</b>" not in text and HOSTILE not in text


def test_bars_of_a_sheet_begin_where_the_one_above_ends(
    card_classifier: StelleClassifier, dataset: SeriesDataset
) -> None:
    [why] = card_classifier.explain_local(dataset.X_test[:1])
    sheet = why.sheet
    assert sheet is not None
    html = sheet_html(why, sheet)
    steps = [sheet.start(), *sorted(sheet.against().tolist(), reverse=True)]
    sums = [0.0, *np.cumsum(steps).tolist()]
    low, span = min(sums), max(sums) - min(sums)
    bars = re.findall(r'class="(pro|con)" style="left: ([\d.]+)%; width: ([\d.]+)%"', html)
    assert len(bars) == len(steps) + 1  # the last one is the lead
    for i, (kind, left, width) in enumerate([*bars]):
        begin, end = (sums[i], sums[i + 1]) if i < len(steps) else (0.0, sheet.margin)
        assert kind == ("pro" if end >= begin else "con")
        assert float(left) == pytest.approx(100 * (min(begin, end) - low) / span, abs=0.02)
        assert float(width) == pytest.approx(100 * abs(end - begin) / span, abs=0.02)
    assert html.count('<tr class="shown">') == len(why.shown)


def test_it_says_where_it_comes_from(text: str, dataset: SeriesDataset) -> None:
    words = Page(text).words
    assert "stelle_nb" in words and "torch" in words and "Python 3." in words
    assert "n_concepts = 30" in words and re.search(r"seed\s*7", words)
    assert dataset.source in words and re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", words)
    assert re.search(r"[0-9a-f]{64}", words)


def test_nothing_is_markup_and_nothing_is_fetched(text: str) -> None:
    seen = Page(text)
    assert not {"img", "b", "i", "link", "iframe", "object"} & set(seen.tags)
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name in ("src", "srcset")]
    assert all(value and value.startswith("#") for name, value in seen.attributes if name == "href")
    assert set(re.findall(r"https?://[\w.]+", text)) <= {"http://www.w3.org"}
    assert "default-src 'none'" in text and "prefers-color-scheme: dark" in text
    assert "<b>bend</b>" in seen.words and HOSTILE in seen.words


def test_figures_find_the_cases_behind_them(text: str, classifier: StelleClassifier) -> None:
    *figures, lines = Page(text).data
    assert len(figures) >= 1 + len(classifier.classes_)
    for figure in figures:
        for channel in figure["channels"]:
            assert len(lines["channels"][str(channel["channel"])]) == len(lines["labels"])
    shown = np.array([lines["channels"][str(c)] for c in range(2)])
    np.testing.assert_allclose(shown.transpose(1, 0, 2), classifier.background_.cases, rtol=1e-4)


def test_without_the_data_set_it_speaks_of_training_cases(
    classifier: StelleClassifier, tmp_path: Path
) -> None:
    path = classifier.report(tmp_path / "short.html", cases=[3], title="On <b>bends</b>")
    words = Page(path.read_text(encoding="utf-8")).words
    assert "On <b>bends</b>" in words and "Training case 3" in words and "unseen cases:" not in words
    assert "There are no unseen cases to measure on." in words and "there are none" in words


@pytest.mark.parametrize("cases", [[99], [-1], [True], ["a"]])
def test_a_case_that_is_not_there_is_refused_and_nothing_written(
    classifier: StelleClassifier, dataset: SeriesDataset, cases: Any, tmp_path: Path
) -> None:
    with pytest.raises(ExplanationError, match=r"from 0 to 15|cases must be a list of an integer"):
        classifier.report(tmp_path / "report.html", dataset, cases=cases)
    assert list(tmp_path.iterdir()) == []


def test_other_data_are_refused(classifier: StelleClassifier, tmp_path: Path) -> None:
    other = SeriesDataset.from_arrays(np.zeros((4, 3, 30)), ["a", "b", "a", "b"])
    with pytest.raises(StelleError):
        classifier.report(tmp_path / "report.html", other)


def test_cases_of_every_class_come_first_then_mistakes() -> None:
    y = ["a", "a", "a", "b", "b"]
    probabilities = np.array([[0.9, 0.1], [0.7, 0.3], [0.8, 0.2], [0.4, 0.6], [0.6, 0.4]])
    part = Part(np.zeros((5, 1, 2)), y, probabilities, ["a", "a", "a", "b", "a"])
    assert choose_cases(part, ["a", "b"]) == [2, 3, 4]
    assert part.accuracy == 0.8
