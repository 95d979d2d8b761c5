"""Writes the account that hosts this copy into the README: ``python binder/links.py [ACCOUNT[/REPOSITORY]]``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOST = "https://mybinder.org"
PAGES = {
    "The quick start": "lab/tree/notebooks/00_quick_start.ipynb",
    "The explorer": "voila/render/notebooks/app/explorer.ipynb",
}
_PLACE = re.compile(r"(?<=<!-- binder -->\n).*?(?=<!-- /binder -->)", re.S)
_CLONE = re.compile(r"(?<=git clone https://github\.com/)\S+?/\S+?(?=\.git)")
_REMOTE = re.compile(r".*\bgithub\.com[:/]([^/]+/[^/]+?)(?:\.git)?/?")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[\w.-]+")


def with_account(readme: str, name: str) -> str:
    """The README with links that open the repository ``name``, such as ``ada/stelle_nb``.

    What was written for another account is replaced, so a fork of a fork needs nothing else.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"A repository on GitHub is ACCOUNT/NAME of letters, digits and hyphens, got {name!r}. "
            "Write for example: make links ACCOUNT=ada"
        )
    address = f"{HOST}/v2/gh/{name}/HEAD?urlpath="
    links = [f"[![{text}]({HOST}/badge_logo.svg)]({address}{page}) {text}" for text, page in PAGES.items()]
    return _CLONE.sub(name, _PLACE.sub("\n".join(["", *(f"- {link}" for link in links), "", ""]), readme))


def name_of(remote: str) -> str:
    """Account and repository of a remote on GitHub, however git writes it."""
    found = _REMOTE.fullmatch(remote.strip())
    if found is None:
        raise ValueError(
            f"The remote origin must be a repository on GitHub, got {remote.strip() or 'none'!r}. "
            "Name the account instead: make links ACCOUNT=ada"
        )
    return found[1]


def main(arguments: list[str]) -> int:
    """Write the README of this copy; without an argument, git says who hosts it."""
    try:
        if arguments and arguments[0]:
            name = arguments[0] if "/" in arguments[0] else f"{arguments[0]}/stelle_nb"
        else:
            asked = ["git", "-C", str(ROOT), "remote", "get-url", "origin"]
            name = name_of(subprocess.run(asked, capture_output=True, text=True, check=False).stdout)
        path = ROOT / "README.md"
        text = with_account(path.read_text(encoding="utf-8"), name)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    draft = path.with_name(".README.md.tmp")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
    print(f"README.md links to {name}. Commit and push it.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
