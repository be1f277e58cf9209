"""Writes docs/README.md, a line for each page by its door, from tools/site/nav.yml and the titles of the pages."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HEAD = """# All pages

Every page by its door, with the task or the subject that it is about: tutorials to begin with, tasks, what to look up,
explanations, results. `make docs` makes a site of them, with search and pages for schedulers, environments and commands.

<!-- generated: python3 tools/site/map.py -->
"""


def title(page):
    with open(DOCS / f"{page}.md", encoding="utf-8") as f:
        return f.readline().lstrip("# ").strip()


def main():
    out = [HEAD]
    for line in (ROOT / "tools/site/nav.yml").read_text(encoding="utf-8").splitlines():
        door, group = re.match(r"(\w[^:]*):$", line), re.match(r"  ([^:]+): \[(.*)\]$", line)
        if door:
            out.append(f"\n## {door[1]}\n")
        pages = [p.strip() for p in group[2].split(",")] if group else []
        pages = [p for p in pages if (DOCS / f"{p}.md").exists()]  # others are of the site alone
        if pages:
            out.append(f"\n{group[1]}:\n\n" + "".join(f"- [{title(p)}]({p}.md)\n" for p in pages))
    (DOCS / "README.md").write_text("".join(out), encoding="utf-8")


if __name__ == "__main__":
    main()
