"""Formula text split into tokens, with the position of each for error messages."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from stelle_nb.errors import ParseError

MAX_LENGTH = 250_000  # characters: far longer than any real formula, short enough to parse at once

_SYMBOLS = {
    "□": "G", "◻": "G", "◇": "F", "◊": "F", "⋄": "F", "¬": "!", "∧": "&", "&&": "&", "∨": "|", "||": "|",
    "→": "->", "⇒": "->", "=>": "->", "≥": ">=", "⩾": ">=", "≤": "<=", "⩽": "<=", "∞": "inf", "−": "-",
    "±": "+-", "+/-": "+-", "⊤": "true", "⊥": "false", "·": "*", "⋅": "*", "×": "*",
}  # fmt: skip
_WORDS = {
    "G": "G", "always": "G", "globally": "G", "F": "F", "eventually": "F", "finally": "F",
    "U": "U", "until": "U", "not": "!", "and": "&", "or": "|", "implies": "->",
    "true": "true", "false": "false", "inf": "inf", "infinity": "inf", "nan": "nan",
}  # fmt: skip
_FUNCTIONS = {"abs", "atleast", "diff", "mean", "rel", "step", "sum", "tube"}

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<quoted>`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*")
    |(?P<name>[^\W\d]\w*)
    |(?P<symbol>\+/-|\+-|->|=>|<=|>=|!=|==|&&|\|\||[□◻◇◊⋄¬∧∨→⇒≥⩾≤⩽∞−±⊤⊥·⋅×<>=!&|~()\[\],;@*+-])""",
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A word, number, name or symbol; ``kind`` is the same for all spellings of one symbol."""

    kind: str
    text: str
    at: int

    def __str__(self) -> str:
        return f"{self.text[:40]!r}" if self.text else "the end of the text"


def tokenize(text: str) -> list[Token]:
    """All tokens, closed by one of kind ``end``."""
    if len(text) > MAX_LENGTH:
        raise error_at(
            f"The text of a formula may have at most {MAX_LENGTH} characters, got {len(text)}.", text[:80], 0
        )
    tokens, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _no_token(text, at)
        kind, word = match.lastgroup, match.group()
        if kind == "symbol":
            tokens.append(Token(_SYMBOLS.get(word, word), word, at))
        elif kind == "name":
            tokens.append(Token(_WORDS.get(plain(word), "name"), word, at))
        elif kind != "space":
            tokens.append(Token(str(kind), word, at))
        at = match.end()
    tokens.append(Token("end", "", len(text.rstrip())))
    return tokens


def plain(name: str) -> str:
    """The name with subscript digits and mathematical letters as ordinary ones."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def quoted(name: str) -> str:
    """The name of a channel as text that is read back as such: in backticks unless it can do without."""
    is_word = re.fullmatch(r"[^\W\d]\w*", name) is not None
    if is_word and plain(name) not in _WORDS and name not in _FUNCTIONS:
        return name
    return "`" + re.sub(r"([\\`])", r"\\\1", name) + "`"


def unquoted(token: Token) -> str:
    """The name that a token of kind ``name`` or ``quoted`` stands for."""
    return (
        re.sub(r"\\(.)", r"\1", token.text[1:-1], flags=re.DOTALL) if token.kind == "quoted" else token.text
    )


def error_at(message: str, text: str, at: int) -> ParseError:
    """The error about the character at index ``at``."""
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return ParseError(message, text, line, column)


def _no_token(text: str, at: int) -> ParseError:
    if text[at] in '`"':
        return error_at(f"A quoted name must end with the quote it began with, {text[at]}.", text, at)
    return error_at(
        f"Unexpected character {text[at]!r}. Put a name with such a character in `backticks`.", text, at
    )
