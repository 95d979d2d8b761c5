"""What is fuzzed: good inputs of each reader, how they are spoilt, and what must hold of the result."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import stelle_nb as st
from stelle_nb.errors import ParseError
from stelle_nb.experiments.jobs import Job
from stelle_nb.experiments.ledger import Entry, Ledger, read_entries
from tests.hardening.card_calls import card
from tests.hardening.hostile import good_labels, good_series
from tests.hardening.mutation import (
    members_of,
    random_formula,
    random_text,
    spoil_bytes,
    spoil_json,
    spoil_tensors,
    spoil_text,
    zipped,
)
from tests.small import TINY_CONFIGS

MANIFEST, TENSORS = "manifest.json", "tensors.safetensors"
FORMULAS = (
    "G[0,20] F[5,10] (x0 >= 0.3) & (x1 <= 2 U[0,5] x2 > 1)",
    "tube[0,9](x0 ~ 0.1 0.5 0.9 +- 0.2, rel(x1) ~ 0.5 0.9 +- 0.3; step 3)",
    "!(mean(abs(x0 - x0@5), 3) < -1e-3) -> true | false",
    "□[0,3] ◇ ¬(x₀ ≥ 1 ∧ `a b` ≤ 2)",
    "diff(x0) >= 0 U (3 < x1 & !F[2,inf) x1 <= 2.5)",
    "atleast(2; x0 > 1, F[0,5] (x1 < 0 | x0 < 1), !atleast(1; x2 > 3, mean(x0, 3) > 1))",
    "G[9,9] (sum(0.6*mean(x0, 3)@2, -0.4*(x1 - x1@5), x0) >= 0.2) | (1 > sum(-x0@3, 2·`a b`))",
)
DEEP = 100_000
PATHOLOGICAL = (
    "(" * DEEP + "x0 > 1" + ")" * DEEP,
    "!" * DEEP + "x0 > 1",
    "G" * DEEP,
    "G[0,1] " * 30_000 + "x0 > 1",
    "x0 > 1 -> " * 20_000 + "x0 > 1",
    "x0 > 1 & " * 20_000 + "x0 > 1",
    "x0 > 1 U (" * 20_000,
    "mean(" * 40_000,
    "x0 > " + "9" * DEEP,
    "x0 > 0." + "1" * DEEP,
    "x0 > 1e" + "9" * DEEP,
    f"G[0,{'9' * DEEP}] x0 > 1",
    "x" + "9" * DEEP + " > 1",
    "`" * DEEP,
    '"' + "\\" * DEEP,
    "tube(x0 ~ " + "1 " * DEEP,
    "-" * DEEP,
    "atleast(1; " * 30_000,
    "atleast(1; " + "x0 > 1, " * 30_000 + "x0 > 1)",
    f"atleast({'9' * DEEP}; x0 > 1)",
    "sum(" * 60_000,
    "sum(" + "x0, " * 60_000 + "x0) > 1",
    f"sum({'9' * DEEP}*x0@{'9' * DEEP}) > 1",
    "\x00" * DEEP,
    "\u0301" * DEEP,
    "🙂" * DEEP,
    "\n" * DEEP + "x0",
    "x0 > 1" + " " * DEEP,
    "x0@" * 50_000,
    "a" * 1_000_000,
)


@dataclass(frozen=True)
class Target:
    """A reader under test.

    ``make`` spoils a good input, the first ones in ways that were thought of. ``read`` reads it and raises if
    what comes back is not sound. It gets the path of a file that is called ``name``; readers of text, which
    have no name, get the text.
    """

    make: Callable[[Random, int], bytes]
    read: Callable[[Any], None]
    name: str | None
    warm: Callable[[], bytes]


def text_of(random: Random, i: int) -> bytes:
    if i < len(PATHOLOGICAL):
        return _encoded(PATHOLOGICAL[i])
    match random.randrange(5):
        case 0:
            return _encoded(random_text(random))
        case 1:
            return _encoded(spoil_text(random.choice(FORMULAS), random))
        case 2:
            return _encoded(random_formula(random))
        case 3:
            return _encoded(spoil_text(random_formula(random), random))
        case _:
            return _encoded("".join(chr(random.randrange(0x110000)) for _ in range(random.randrange(20))))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def read_formula(text: str) -> None:
    try:
        formula = st.parse(text)
    except ParseError as error:
        if not (1 <= error.line <= text.count("\n") + 1 and 1 <= error.column <= len(text) + 1):
            raise ValueError(f"no place: line {error.line}, column {error.column}") from error
        if len(str(error)) > 1000:
            raise ValueError("an error must be short") from error
        raise
    written = str(formula)
    assert st.parse(written) == formula and str(st.parse(written)) == written
    for said in (formula.to_english(), formula.to_latex(), formula.to_unicode()):
        assert said


def read_data(path: Path) -> None:
    data = st.load_dataset(path=path, missing="interpolate", unequal="hold", max_bytes=2**24)
    for X in (data.X_train, data.X_test):
        assert np.isfinite(X).all()
    data._repr_html_()


def ts_file() -> bytes:
    lines = [
        "@problemName a",
        "@timestamps false",
        "@univariate false",
        "@equalLength true",
        "@classLabel true low high",
        "@data",
    ]
    for case, label in zip(good_series()[:4, :, :6], good_labels(), strict=False):
        lines.append(":".join(",".join(f"{v:.3g}" for v in row) for row in case) + f":{label}")
    return "\n".join(lines).encode()


def wide_csv() -> bytes:
    rows = ["label,split,0,1,2,3"]
    rows += [f"{label},train,1.5,2,{i},-3e-2" for i, label in enumerate(good_labels()[:6])]
    return "\n".join(rows).encode()


def long_csv() -> bytes:
    rows = ["case;time;channel;value;label;split"]
    for case in range(3):
        rows += [f"{case};{t / 10};{c};{case + t};{case % 2};train" for t in range(4) for c in "ab"]
    return "\n".join(rows).encode()


def tidy_csv() -> bytes:
    rows = [";case;time;acc x;acc y;Label"]
    for case in range(4):
        for t in range(5):
            cells = f"{5 * case + t};shot {case};2024-05-0{case + 1}T10:00:0{t}.5;{t * t % 7};-0,{case + t}"
            rows.append(f"{cells};{'ab'[case % 2]}")
    return "\n".join(rows).encode()


@cache
def npz_file() -> bytes:
    buffer = BytesIO()
    X, y = good_series()[:4, :, :5], good_labels()[:4]
    np.savez_compressed(buffer, X_train=X, y_train=y, X_test=X, y_test=y, channel_names=["a", "b"], step=0.5)
    return buffer.getvalue()


def spoil_npz(random: Random, i: int) -> bytes:
    members, hostile = members_of(npz_file()), hostile_archives(npz_file(), "X_train.npy")
    if i < len(hostile):
        return hostile[i]
    if random.random() < 0.4:
        return spoil_bytes(npz_file(), random)
    name = random.choice(list(members))
    if random.random() < 0.5:  # the header of the array, which says its type and shape
        head = members[name][:128].decode("latin-1")
        words = (
            "(4, 2, 5)",
            "(9999999999, 9999999999)",
            "(-1,)",
            "()",
            "|O",
            "<f8",
            "<U999999999",
            "True",
            "0",
            "'",
        )
        members[name] = spoil_text(head, random, words).encode("latin-1", "replace") + members[name][128:]
    else:
        members[name] = spoil_bytes(members[name], random)
    return zipped(members, random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))


@cache
def hostile_archives(archive: bytes, big: str) -> list[bytes]:
    """Names that lead elsewhere, links, more than was announced, and bombs."""
    members = members_of(archive)
    names = (
        "../evil",
        "/evil",
        "..\\evil",
        "a/../../evil",
        "C:\\evil",
        "",
        ".",
        "evil\x00.npy",
        "X_train.npy/../b",
    )
    found = [zipped({**members, name: b"evil"}) for name in names]
    found += [zipped({name: content for name, content in members.items() if name != big})]
    link = zipfile.ZipInfo(big)
    link.external_attr = 0o120777 << 16  # a symbolic link
    for content, entry in ((b"../../evil", link), (b"\x00" * 2**27, zipfile.ZipInfo(big))):
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
            opened.writestr(entry, content, zipfile.ZIP_DEFLATED)
            for name, other in members.items():
                if name != big:
                    opened.writestr(name, other)
        found.append(buffer.getvalue())
    bomb = bytearray(found[-1])  # the same, with a small size announced
    at = bomb.rfind(b"PK\x01\x02", 0, bomb.rfind(big.encode()))
    bomb[at + 24 : at + 28] = (100).to_bytes(4, "little")
    return [*found, bytes(bomb), b"", b"PK", b"PK\x05\x06" + b"\x00" * 18, b"\x80\x04c__builtin__\neval\n."]


@cache
def saved(kind: str, folder: Path) -> bytes:
    """A bundle of each kind, as the bytes of its zip."""
    path = folder / f"{kind}.zip"
    if kind == "concepts":
        st.default_concepts().for_data(1, 20, 6).save(path)
    else:
        clf = st.StelleClassifier(kind, n_concepts=6, config=TINY_CONFIGS[kind], random_state=0)
        clf.fit(good_series(), good_labels()).save(path)
    return path.read_bytes()


def spoil_bundle(archive: bytes, random: Random, i: int) -> bytes:
    members, hostile = members_of(archive), hostile_archives(archive, MANIFEST)
    if i < len(hostile):
        return hostile[i]
    if (kind := random.randrange(4)) == 0:
        return spoil_bytes(archive, random)
    if kind == 1 and TENSORS in members:
        members[TENSORS] = spoil_tensors(members[TENSORS], random)
    elif kind == 2:
        members[MANIFEST] = spoil_bytes(members[MANIFEST], random)
    else:
        members[MANIFEST] = spoil_json(members[MANIFEST], random)
    return zipped(members)


def read_concepts(path: Path) -> None:
    concepts = st.ConceptSet.load(path)
    # evaluated on a short signal, whatever length the file claims
    assert len(concepts.formulas) >= 1
    assert not np.isnan(st.robustness(list(concepts.formulas), good_series()[:2, :1])).any()


def read_classifier(path: Path) -> None:
    clf = st.StelleClassifier.load(path)
    shape = (2, clf.metadata_["n_channels"], clf.metadata_["n_timepoints"])
    assert np.prod(shape) < 10_000, f"a model of shape {shape}"
    shares = clf.predict_proba(np.resize(good_series(), shape))
    assert np.isfinite(shares).all() and np.allclose(shares.sum(1), 1)


@cache
def of_case(folder: Path) -> str:
    return _loaded(folder).explain_local(good_series()[:1])[0].to_json()


@cache
def of_class(folder: Path) -> str:
    return _loaded(folder).explain_global(method="paper")["high"].to_json()


@cache
def _loaded(folder: Path) -> st.StelleClassifier:
    saved("dense", folder)
    return st.StelleClassifier.load(folder / "dense.zip")


@cache
def progress() -> str:
    each = st.teach.Attempt("choose", 1, 0, "a", True)
    return st.teach.Progress((each, each)).to_json()


@cache
def ledger(folder: Path) -> bytes:
    path = folder / "ledger.sqlite"
    jobs = [Job.of("kind", "module:function", {"n": n}) for n in range(3)]
    with Ledger(path) as opened:
        opened.record(*(Entry(job.hash, job.kind, job.content, "finished", '{"r": 1}') for job in jobs))
    return path.read_bytes()


def _either(content: str, random: Random) -> bytes:
    spoil = random.choice((spoil_json, spoil_json, spoil_bytes))
    return spoil(content.encode(), random)


def _read_page(read: Callable[[str], Any]) -> Callable[[bytes], None]:
    def read_page(content: bytes) -> None:
        found = read(content.decode("utf-8", "replace"))
        written = found.to_json()
        assert repr(found) and read(written).to_json() == written

    return read_page


def read_card_text(content: bytes) -> None:
    found = st.Scorecard.from_text(content.decode("utf-8", "replace"))
    assert st.Scorecard.from_text(found.to_text()) == found


def targets(folder: Path) -> dict[str, Target]:
    """All of them; what they need to begin with is made in the folder."""

    def spoilt(make: Callable[[], bytes]) -> Callable[[Random, int], bytes]:
        return lambda random, i: spoil_bytes(make(), random)

    def bundle(kind: str) -> Callable[[Random, int], bytes]:
        return lambda random, i: spoil_bundle(saved(kind, folder), random, i)

    return {
        "formula": Target(
            text_of,
            lambda content: read_formula(content.decode("utf-8", "surrogatepass")),
            None,
            lambda: FORMULAS[0].encode(),
        ),
        "ts": Target(spoilt(ts_file), read_data, "input.ts", ts_file),
        "wide csv": Target(spoilt(wide_csv), read_data, "input.csv", wide_csv),
        "long csv": Target(spoilt(long_csv), read_data, "input.csv", long_csv),
        "tidy csv": Target(spoilt(tidy_csv), read_data, "input.csv", tidy_csv),
        "npz": Target(spoil_npz, read_data, "input.npz", npz_file),
        "concepts": Target(bundle("concepts"), read_concepts, "input.zip", lambda: saved("concepts", folder)),
        "model": Target(bundle("dense"), read_classifier, "input.zip", lambda: saved("dense", folder)),
        "paper model": Target(bundle("paper"), read_classifier, "input.zip", lambda: saved("paper", folder)),
        "local explanation": Target(
            lambda random, i: _either(of_case(folder), random),
            _read_page(st.LocalExplanation.from_json),
            None,
            lambda: of_case(folder).encode(),
        ),
        "class explanation": Target(
            lambda random, i: _either(of_class(folder), random),
            _read_page(st.ClassExplanation.from_json),
            None,
            lambda: of_class(folder).encode(),
        ),
        "card": Target(
            lambda random, i: _either(card().to_json(), random),
            _read_page(st.Scorecard.from_json),
            None,
            lambda: card().to_json().encode(),
        ),
        "card text": Target(
            lambda random, i: spoil_text(card().to_text(), random).encode("utf-8", "replace"),
            read_card_text,
            None,
            lambda: card().to_text().encode(),
        ),
        "progress": Target(
            lambda random, i: _either(progress(), random),
            _read_page(st.teach.Progress.from_json),
            None,
            lambda: progress().encode(),
        ),
        "ledger": Target(
            lambda random, i: spoil_bytes(ledger(folder), random),
            lambda path: (read_entries(path), None)[1],
            "input.sqlite",
            lambda: ledger(folder),
        ),
    }
