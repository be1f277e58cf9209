"""Moves a page of docs, or joins it with another, and rewrites every mention of it.

    python3 tools/site/move.py OLD.md NEW.md[#anchor]   # paths below docs; joins where NEW is there already
    python3 tools/site/move.py OLD.md#anchor NEW.md[#anchor]   # a section alone
    python3 tools/site/move.py                          # rewrites mentions of all old addresses again

docs/moved.csv keeps the old addresses: the site leads from each to the new one.
"""
import csv
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TABLE = DOCS / "moved.csv"
LINK = re.compile(r"(\]\()([^)\s#]*\.md)?(#[^)\s]*)?(\))")
NAMED = re.compile(r"\bdocs/([a-z0-9./_-]+\.md)(#[a-z0-9_-]+)?")
PAGE = re.compile(r'(\bPage: ")([a-z0-9./_-]+\.md)(")')
TEXT = (".md", ".go", ".py", ".yaml", ".yml", ".csv", ".sh", ".ipynb", ".toml", ".txt", ".cff", ".ini")


def read():
    if not TABLE.exists():
        return {}
    with open(TABLE, newline="", encoding="utf-8") as f:
        return {r["old"]: r["new"] for r in csv.DictReader(f)}


def write(moved):
    with open(TABLE, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["old", "new"])
        out.writerows(sorted(moved.items()))


def new_address(moved, page, anchor):
    """Where a page and an anchor (with its #, or empty) of docs are now; None if they did not move."""
    if page + anchor in moved:
        to = moved[page + anchor]
    elif page in moved and not (DOCS / page).exists():
        to = moved[page]
        if anchor and "#" not in to:
            to += anchor
    else:
        return None
    path, _, mark = to.partition("#")
    return path, "#" + mark if mark else ""


def relinked(text, path, moved, base=None):
    """The text of a file with each old address in it rewritten. base: the folder that its links are relative to."""
    in_cells = path.suffix == ".csv" and path.parent == DOCS  # as pages that are made from it, one folder below
    folder = DOCS / "schedulers" if in_cells else path.parent
    here = pathlib.Path(os.path.relpath(folder, DOCS))
    base = here if base is None else base

    def link(m):
        target, anchor = m[2] or "", m[3] or ""
        if not target or "://" in target:
            return m[0]
        whole = os.path.relpath(DOCS / base / target, DOCS)
        moved_to = new_address(moved, whole, anchor) or new_address(moved, os.path.basename(whole), anchor)
        if whole.startswith("..") and not moved_to:
            return m[0] if base == here else f"{m[1]}{os.path.relpath(DOCS / whole, folder)}{anchor}{m[4]}"
        if (DOCS / whole).exists() and whole + anchor not in moved:
            if base == here:
                return m[0]
            moved_to = whole, anchor
        if not moved_to:
            return m[0]
        page, mark = moved_to
        name = "" if DOCS / page == path and mark else os.path.relpath(DOCS / page, folder)
        return f"{m[1]}{name}{mark}{m[4]}"

    def named(m):
        to = new_address(moved, m[1], m[2] or "")
        return f"docs/{to[0]}{to[1]}" if to else m[0]

    if path.suffix == ".md" or in_cells:
        text = LINK.sub(link, text)
    if path.suffix == ".go":
        text = PAGE.sub(lambda m: m[1] + (new_address(moved, m[2], "") or (m[2],))[0] + m[3], text)
    return NAMED.sub(named, text)


def everywhere(moved, was=None):
    """Rewrites all files of the repository. was: the page that moved just now, as (new path, folder of before)."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if (path.suffix not in TEXT and name not in ("Makefile", ".ci/run")) or path == TABLE or not path.is_file():
            continue
        with open(path, newline="", encoding="utf-8") as f:
            before = f.read()
        after = relinked(before, path, moved, was[1] if was and path == was[0] else None)
        if after != before:
            with open(path, "w", newline="", encoding="utf-8") as f:
                f.write(after)


def main():
    moved, was = read(), None
    if len(sys.argv) == 3:
        old, new = sys.argv[1:]
        page, _, anchor = old.partition("#")
        to = DOCS / new.partition("#")[0]
        if not anchor and not (DOCS / page).exists():
            sys.exit(f"docs/{page}: no such page")
        if not anchor and not to.exists():
            to.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["git", "mv", DOCS / page, to], cwd=ROOT, check=True)
            was = to, pathlib.Path(page).parent
        elif not anchor:
            subprocess.run(["git", "rm", "-q", "-f", DOCS / page], cwd=ROOT, check=True)
        for k, v in moved.items():
            if v == page or v == old:
                moved[k] = new
        moved[old] = new
        moved.pop(new, None)
        write(moved)
    elif len(sys.argv) != 1:
        sys.exit(__doc__)
    everywhere(moved, was)


if __name__ == "__main__":
    main()
