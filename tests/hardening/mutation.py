"""Ways to spoil text, bytes, JSON and tensors, each drawn from a seeded generator."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from random import Random
from typing import Any

BOUNDARY = (
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\x00\x00\x00\x00",
    b"\xff\xff\xff\xff",
    b"\n",
    b",",
    b":",
    b'"',
)
WORDS = (
    "G",
    "F",
    "U",
    "always",
    "eventually",
    "until",
    "not",
    "and",
    "or",
    "implies",
    "true",
    "false",
    "inf",
    "nan",
    "x0",
    "x1",
    "x99999999999999999999",
    "x_1",
    "`a b`",
    '"',
    "`",
    "\\",
    "(",
    ")",
    "[",
    "]",
    "[0,3]",
    "[3,1]",
    "[0,inf)",
    "[0,inf]",
    "[1e3,2]",
    ",",
    ";",
    "@",
    "@5",
    "~",
    "+-",
    "+/-",
    "tube",
    "atleast(",
    "2;",
    "sum(",
    "-0.5*",
    "*",
    "·",
    "rel(",
    "mean(",
    "diff(",
    "abs(",
    "step",
    ">=",
    "<=",
    ">",
    "<",
    "==",
    "!=",
    "!",
    "&",
    "&&",
    "|",
    "||",
    "->",
    "=>",
    "-",
    "−",
    "0",
    "1",
    "1e308",
    "1e309",
    "-0.0",
    "5e-324",
    "0x10",
    "1_0",
    "9" * 30,
    ".",
    "1.",
    ".5",
    "1e",
    "∞",
    "□",
    "◇",
    "¬",
    "∧",
    "∨",
    "→",
    "≥",
    "≤",
    "±",
    "⊤",
    "⊥",
    "𝒰",
    "x₀",
    "é",
    "🙂",
    "\u202e",
    "\u0000",
    "\ud800",
    "\n",
    "\t",
    "\u2028",
    " ",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2**31,
    2**63,
    10**400,
    0.5,
    -0.0,
    1e308,
    "",
    "x0 >= 1",
    "\ud800",
    "../../etc",
    "__import__('os').system('true')",
    "<script>alert(1)</script>",
    [],
    {},
    [[]],
    [None],
    {"": None},
    "9" * 5000,
)
RAW_JSON = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "-1e400",
    "[" * 3000 + "]" * 3000,
    '{"a":1,"a":2}',
    "01",
    "'a'",
)


def spoil_bytes(content: bytes, random: Random) -> bytes:
    """Cut, flip, overwrite, repeat or insert, once to four times."""
    spoilt = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(spoilt) + 1)
        end = min(len(spoilt), at + random.choice((1, 2, 8, 64, 1000)))
        match random.randrange(6):
            case 0:
                del spoilt[at:]
            case 1:
                for _ in range(random.choice((1, 1, 3))):
                    if spoilt:
                        spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
            case 2:
                spoilt[at : at + 1] = random.choice(BOUNDARY)
            case 3:
                del spoilt[at:end]
            case 4:
                spoilt[at:at] = spoilt[at:end] * random.choice((1, 2, 5))
            case _:
                spoilt[at:at] = random.randbytes(random.choice((1, 4, 16)))
    return bytes(spoilt)


def spoil_text(text: str, random: Random, words: tuple[str, ...] = WORDS) -> str:
    """Cut, repeat, exchange or insert parts of a text."""
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(text) + 1)
        end = min(len(text), at + random.choice((1, 1, 3, 20)))
        match random.randrange(5):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + random.choice(words) + text[at:]
            case 2:
                text = text[:at] + random.choice(words) + text[end:]
            case 3:
                text = text[:end] + text[at:end] * random.choice((1, 2, 30)) + text[end:]
            case _:
                text = (
                    text[:at]
                    + chr(random.choice((random.randrange(128), random.randrange(0x3000))))
                    + text[end:]
                )
    return text


def random_text(random: Random, words: tuple[str, ...] = WORDS) -> str:
    """Words of the language in no order."""
    return random.choice(("", " ")).join(random.choices(words, k=random.randrange(1, 15)))


def random_formula(random: Random, depth: int = 5) -> str:
    """A formula as it may be written, of every kind of node and spelling."""
    if depth <= 0 or random.random() < 0.25:
        return _random_leaf(random)
    inner = random_formula(random, depth - 1)
    match random.randrange(5):
        case 0:
            return f"{random.choice(('!', 'not ', '¬', '~'))}({inner})"
        case 3:
            parts = [inner, *(random_formula(random, depth - 3) for _ in range(random.randrange(3)))]
            return f"atleast({random.randint(1, len(parts))}; {', '.join(parts)})"
        case 1 | 2:
            return (
                f"{random.choice(('G', 'F', '□', '◇', 'always', 'eventually '))}{_window(random)} ({inner})"
            )
        case _:
            sign = random.choice(("&", "|", "->", "U" + _window(random), "and", "∨", "→"))
            return f"({inner}) {sign} ({random_formula(random, depth - 1)})"


def _random_leaf(random: Random) -> str:
    channel, number = f"x{random.randrange(12)}", _number(random)
    change = random.choice((channel, channel, f"{channel} - {channel}@{random.randrange(1, 9)}"))
    signal = random.choice((change, f"diff({channel})", f"mean({change}, {random.randrange(1, 9)})"))
    match random.randrange(8):
        case 0:
            return random.choice(("true", "false", "⊤", "⊥"))
        case 1:
            points = " ".join(_number(random) for _ in range(random.randrange(1, 6)))
            track = random.choice((channel, f"rel({channel})")) + f" ~ {points} +- {random.random():.3g}"
            return f"tube{_window(random)}({track}; step {random.randrange(1, 9)})"
        case 2:
            return f"{number} {random.choice(('<', '<=', '>', '≥'))} {signal}"
        case 3:
            terms = (
                f"{random.choice(('', '-', '0.5*', '-2e-3·'))}({signal})"
                for _ in range(random.randrange(1, 4))
            )
            return f"sum({', '.join(terms)}@{random.randrange(9)}) {random.choice(('<', '≥'))} {number}"
        case _:
            return f"{signal} {random.choice(('<', '≤', '>', '>='))} {number}"


def _number(random: Random) -> str:
    return random.choice(("0", "-0.0", "1e-300", f"{random.gauss(0, 3):.3g}", repr(random.gauss(0, 1e9))))


def _window(random: Random) -> str:
    start = random.choice((0, 1, random.randrange(50), 10**9))
    end = random.choice((start, start + random.randrange(50), 10**12))
    return random.choice(("", f"[{start},inf)", f"[{start},{end}]", f"[{start}, {end}]"))


def spoil_json(content: bytes, random: Random) -> bytes:
    """Exchange, drop, double or rename one part of a document, which stays JSON; at times not even that."""
    document = json.loads(content)
    for _ in range(random.choice((1, 1, 1, 3))):
        places = list(_places(document))
        if not places:
            break
        # The long lists of formulas would take every draw, so the kind of place is drawn first.
        kind = random.choice(sorted({type(holder).__name__ for holder, _ in places}))
        holder, key = random.choice([place for place in places if type(place[0]).__name__ == kind])
        match random.randrange(6):
            case 0 | 1:
                holder[key] = random.choice(VALUES)
            case 2:
                del holder[key]
            case 3 if isinstance(holder[key], str):
                holder[key] = spoil_text(holder[key], random)
            case 4 if isinstance(holder, dict):
                holder[key + random.choice(("_", " ", "\u0000", "x" * 1000))] = holder.pop(key)
            case _:
                holder[key] = f"RAW{random.randrange(len(RAW_JSON))}"
    text = json.dumps(document)
    for number, raw in enumerate(RAW_JSON):
        text = text.replace(f'"RAW{number}"', raw)
    return text.encode()


def _places(node: Any) -> Any:
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in inner:
        yield node, key
        yield from _places(value)


def spoil_tensors(content: bytes, random: Random) -> bytes:
    """Change what the header of a safetensors file announces, or the numbers behind it."""
    (size,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    name = random.choice([key for key in header if key != "__metadata__"])
    match random.randrange(9):
        case 0:
            header[name]["shape"] = random.choice(
                ([2**40, 2**40], [2**63], [-1], [0], [], [1] * 70, "x", None)
            )
        case 1:
            header[name]["dtype"] = random.choice(
                ("F64", "I64", "U8", "F16", "BF16", "BOOL", "X9", "", None, 3)
            )
        case 2:
            header[name]["data_offsets"] = random.choice(
                ([0, 2**62], [-4, 0], [8, 4], [0], [0, 0], "a", None)
            )
        case 3:
            header[random.choice(("", "codes", "model.weights", "../evil", "x" * 1000))] = header.pop(name)
        case 4:
            del header[name]
        case 5:
            header["extra"] = dict(header[name])
        case 6:
            data = data[: random.randrange(len(data) + 1)]
        case 7:
            at = random.randrange(max(1, len(data) // 4)) * 4
            data = (
                data[:at]
                + random.choice((b"\x00\x00\xc0\x7f", b"\x00\x00\x80\x7f", b"\xff" * 4))
                + data[at + 4 :]
            )
        case _:
            data = spoil_bytes(data, random)
    text = json.dumps(header).encode()
    size = random.choice((len(text), len(text), len(text), len(text), 2**40, 2**63 - 1, 0))
    return struct.pack("<Q", size) + text + data


def zipped(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive, with whatever names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, how)
    return buffer.getvalue()


def members_of(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}
