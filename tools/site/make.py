"""Makes the site of the pages: make docs, or make docs-serve to read it while it is written.

build/site-pages gets the pages of docs, pages made from the program (a page for each scheduler, environment, agent
and command) and from CSV beside docs; then mkdocs makes build/site of them, without a network. Any warning is an error: a link
or an anchor that leads nowhere, a page that no door has.

    python tools/site/make.py [--serve]
"""
import csv
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

import names
import rules
import simulator

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "build" / "site-pages"
TARRY = ROOT / "build" / "tarry"


def listed(kind, *name):
    """The entries of tarry list KIND as dictionaries."""
    out = subprocess.run([TARRY, "list", kind, *name, "--format", "json"], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def rows(name):
    """The rows of docs/NAME.csv."""
    with open(ROOT / "docs" / (name + ".csv"), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def cell(text):
    """A text as it may stand in a cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ") or " "


def stars(text):
    """A text in which each single * is one, not emphasis: names of clairvoyant schedulers end in it."""
    parts = text.split("`")
    return "`".join(re.sub(r"(?<![*\\])\*(?!\*)", r"\\*", p) if i % 2 == 0 else p for i, p in enumerate(parts))


def table(head, body):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(cell(str(c)) for c in row) + " |" for row in body]) + "\n"


def settings(entry):
    """The table of an entry's settings."""
    if not entry.get("settings"):
        return "It has no settings.\n"
    return table(["setting", "default", "values", "meaning"],
                 [[f"`{s['key']}`", f"`{s['default']}`" if s["default"] else "", s["range"], s["meaning"]]
                  for s in entry["settings"]])


def slug(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def scheduler(e, about, flips, where):
    """The page of one scheduler."""
    name = e["name"]
    text = [f"# {name}\n", e["doc"][:1].upper() + e["doc"][1:] + ".\n", f"**Paper.** {e['paper']}\n",
            f"**Reads of jobs.** {e['knows']} ([what that means](../explain/knows.md))\n"]
    if e.get("decides"):
        text.append(f"**Decides.** {e['decides']}\n")
    if a := about.get(name):
        text += [f"**Checked against.** {a['checked']}\n", f"**Ours.** {a['ours']}\n"]
    steps, package = rules.rule(name, where), where[name][0].relative_to(ROOT)
    if not steps and "fidelity" not in str(package):
        sys.exit(f"{name}: the comments of {package} have no numbered steps, neither at its constructor nor at its package")
    text += ["## Rule\n", steps or rules.habits(name, where), ""]
    notes = PAGES / "schedulers" / f"{name}.md"
    if notes.exists():
        text += ["## Measured here\n", notes.read_text(encoding="utf-8").split("\n", 2)[2]]
    if ours := rules.ours(name, where):
        text += ["## Theirs and ours\n", ours, ""]
    text.append(f"Code: `{package}`.\n")
    other = "fifo" if name == "dally" else "dally"
    text += [f"```sh\ntarry compare --trace synth:demo --policy {name} --policy {other}\n```\n", "## Settings\n", settings(e)]
    mine = [f for f in flips if f["scheduler"] == name]
    if mine:
        text += ["## What each choice of ours changes\n", "Mean completion time with the setting against the default, %, 95 % "
                 "intervals over replicates ([how](../reference/defaults.md)):\n",
                 table(["setting", "jobs", "change, %", "interval"], [[f"`{f['flip']}`", f["workload"], f["change_percent"],
                       f"[{f['lo_percent']}, {f['hi_percent']}]"] for f in mine])]
    for note in e.get("notes", []):
        text.append(note + "\n")
    return "\n".join(text)


# The packages of environments whose names are not their folders'.
PACKAGES = {"order-v1": "pairs", "delaytimerdiscrete": "delaytimer"}


def explained(env_id):
    """What an environment decides, sees and rewards: the package comment of its folder, as Markdown."""
    family, name = env_id.lower().split("/")
    folder = PACKAGES.get(name) or PACKAGES.get(name.split("-")[0]) or (name.split("-")[0] if family == "tarry" else family)
    path = ROOT / "env" / folder / "doc.go"
    if not path.exists():
        return ""
    out, block = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            continue
        text = line[2:].removeprefix(" ")
        if text.startswith("\t"):
            block.append(text[1:].replace("\t", "    "))
            continue
        if block:
            out, block = out + ["", "```text", *block, "```", ""], []
        out.append("##" + text[1:] if text.startswith("# ") else html.escape(text, quote=False))
    if block:
        out += ["", "```text", *block, "```"]
    return "\n".join(out) + "\n"


def example(path, begin="", end=""):
    """The text of an example between two marks, without the indentation of a function's body."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if begin:
        text = text.split(begin, 1)[1].split(end, 1)[0]
        text = re.sub(r"^\t", "", text, flags=re.M)
    return text.strip("\n") + "\n"


def place(row):
    """Which numbers of an observation have a feature."""
    if row["items"] == 1:
        return str(row["first"])
    return f"{row['first']} + {row['step']} i" if row["step"] > 1 else f"{row['first']} + i"


def words(e):
    """What an environment shows, does and rewards, and how it is stepped: tables and examples."""
    text = ["## Numbers of an observation\n", "The tables here are of the environment with its default options; "
            f"`tarry list envs {e['name']}:KEY=VALUE,...` prints them with others, `env.layout` has them in Python. "
            "*Squashed* is x / (1 + x).\n"]
    segments = {}
    for row in e["observation"]:
        segments.setdefault(row["segment"], []).append(row)
    for name, all_ in segments.items():
        first = all_[0]
        what = f": {first['item']}" if first.get("item") else ""
        text += [f"### {name}\n", (f"Entries {first['first']} to {first['first'] + len(all_) * first['items'] - 1}, for each of "
                 f"{first['items']} items, i = 0..{first['items'] - 1}{what}.\n" if first["items"] > 1 else
                 f"Entries {first['first']} to {all_[-1]['first']}{what}.\n"),
                 table(["entry", "name", "range", "unit", "meaning"], [[place(r), f"`{r['name']}`", r["range"], r["unit"], r["meaning"]] for r in all_])]
    masked = " The mask in the info states which are legal." if e["masked"] else ""
    if e["action"][0].get("range"):
        text += ["## Numbers of an action\n", masked + "\n", table(["number", "range", "unit", "meaning"],
                 [[a["name"], a["range"], a["unit"], a["meaning"]] for a in e["action"]])]
    else:
        text += ["## Choices of an action\n", masked + "\n", table(["choice", "meaning"], [[a["name"], a["meaning"]] for a in e["action"]])]
    text += [f"## Rewards and ends\n\n**Reward.** {cell(e['reward'])}\n\n**Episode.** {cell(e['episode'])}\n",
             "## Examples\n\nAn episode with random legal actions, in Go (in this module, with the imports `tarry/catalogue/envs`, "
             "`tarry/catalogue/simulation` and `tarry/sim/rng`) and in Python:\n",
             "```go\n" + example("catalogue/envs/example_test.go", "func Example() {\n", "\t// Output").replace("probe/Masked-v0", e["name"]) + "```\n",
             "```python\n" + example("python/examples/step.py").replace("probe/Masked-v0", e["name"]) + "```\n"]
    return "\n".join(text)


def column(c):
    """The row of a column, which links lead to by its name."""
    return [f'<a id="{c["name"]}"></a>`{c["name"]}`'] + [cell(c.get(k, "")) for k in ("type", "unit", "meaning", "missing")]


def dictionary():
    """A page for each table of results, from tarry list tables; gives the page that lists them."""
    (PAGES / "table").mkdir()
    head = ["column", "type", "unit", "meaning", "missing"]
    entries = [listed("tables", e["name"])[0] for e in listed("tables")]
    for e in entries:
        own = [c for c in e["columns"] if not c.get("shared")]
        by = next(c["name"] for c in own if c["type"] != "text" and c["name"] != "job")
        text = [f"# Table {e['name']}\n", f"A row is {e['doc']}; {e['more']}. [The tables](../reference/tables.md) states how missing values, "
                "units and times add up.\n", f"```python\nimport pandas\n\n{e['name']} = pandas.read_parquet(\"OUT/{e['name']}\")  # OUT as in --out OUT\n"
                f"print({e['name']}.groupby(\"policy\")[\"{by}\"].describe())\n```\n"]
        for title, shared in (("Columns of its own", ""), ("Columns of trials, too", "trials"), ("Columns of every table", "keys")):
            some = [column(c) for c in e["columns"] if c.get("shared", "") == shared]
            if some:
                lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(r) + " |" for r in some)]
                text += [f"## {title}\n", "\n".join(lines) + "\n"]
        (PAGES / "table" / f"{e['name']}.md").write_text("\n".join(text), encoding="utf-8")
    (PAGES / "table" / "index.md").write_text("# Tables of results, one by one\n\n" + table(["table", "a row is", "written by"], [
        [f"[{e['name']}]({e['name']}.md)", e["doc"], e["more"].removeprefix("written by ")] for e in entries]), encoding="utf-8")
    return "table/index.md"


def ranked():
    """States which pages a search puts first: tasks and tutorials, then what was made for reading, tables of numbers last."""
    for page in PAGES.rglob("*.md"):
        place = str(page.relative_to(PAGES))
        boost = next((b for of, b in (("howto/", 8), ("tutorials/", 6), ("index.md", 4), ("reference/", 3), ("explain/", 2), ("environment/tarry", 4),
                                      ("environment/", 0.5), ("results/tables/", 0.2), ("adr/", 0.5)) if place.startswith(of)), 1)
        text = page.read_text(encoding="utf-8")
        head = f"search:\n  boost: {boost}\n"
        text = "---\n" + head + text[4:] if text.startswith("---\n") else f"---\n{head}---\n" + text
        page.write_text(text, encoding="utf-8")


def generated(pages):
    """Writes the pages that are made from the program; gives their part of the navigation."""
    about = {r["name"]: r for r in rows("schedulers")}
    flips = rows("defaults")
    where = rules.places()
    nav = {}
    for page in (PAGES / "schedulers").glob("*.md"):
        if page.stem not in where:
            sys.exit(f"docs/schedulers/{page.name}: no scheduler has this name")
    for kind, folder, title in [("policies", "schedulers", "A page for each scheduler"), ("envs", "environment", "Environments"),
                                ("agents", "agent", "Agents"), ("predictors", "predictor", "A page for each predictor")]:
        (PAGES / folder).mkdir(exist_ok=True)
        # python: is a class of the user's, with docs/howto/own-policy.md for a page
        entries = [listed(kind, e["name"])[0] for e in listed(kind) if (kind, e["name"]) != ("policies", "python")]
        for e in entries:
            if kind == "policies":
                text = scheduler(e, about, flips, where)
            else:
                what = "\n\n".join(line for line in (e.get("more") or "").split("\n") if line)
                text = "\n".join([f"# {e['name']}\n", e["doc"][:1].upper() + e["doc"][1:] + ".\n", what + "\n", explained(e["name"]) if kind == "envs" else "",
                                  words(e) if kind == "envs" else "",
                                  "## Settings\n", settings(e), *(n + "\n" for n in e.get("notes", []))])
            (PAGES / folder / (slug(e["name"]) + ".md")).write_text(text, encoding="utf-8")
        index = f"# {title}\n\n" + table(["name", "what"], [[f"[{e['name']}]({slug(e['name'])}.md)", e["doc"]] for e in entries])
        (PAGES / folder / "index.md").write_text(index, encoding="utf-8")
        nav[title] = f"{folder}/index.md"
    lines = names.write(PAGES / "python")
    (PAGES / "python" / "index.md").write_text("# Python names\n\nThe public names of the package `tarry`, each with a page from its docstring.\n\n"
                                               + table(["name", "what"], [[f"[tarry.{n}]({n.lower()}.md)", d] for n, d in lines]), encoding="utf-8")
    nav["Tables, one by one"] = dictionary()
    nav["Python names"] = "python/index.md"
    nav["Commands"] = commands()
    return nav


def shown(path):
    """The head and the rows of a table's CSV; NAME, NAME low and NAME high become one column, value [low, high]."""
    with open(path, newline="", encoding="utf-8") as f:
        head, *body = list(csv.reader(f))
    columns, i = [], 0
    while i < len(head):
        wide = head[i + 1:i + 3] == [head[i] + " low", head[i] + " high"]
        columns.append((i, wide))
        i += 3 if wide else 1
    text = [[f"{r[i]} [{r[i + 1]}, {r[i + 2]}]" if wide and r[i + 1] else r[i] for i, wide in columns] for r in body]
    return [stars(cell(head[i])) for i, _ in columns], [[stars(c) for c in row] for row in text]


def result_tables():
    """A page for each question, with each CSV of docs/results/tables as a table; gives the page that lists them."""
    folder = PAGES / "results" / "tables"
    titles = {q["name"]: q["doc"] for q in listed("questions")} | {"examples": "Sweeps of examples, and other measurements"}
    files = {p.stem for p in folder.glob("*.csv")} - {"captions"}
    pages = {}
    for r in rows("results/tables/captions"):
        name, caption = f"{r['question']}-{r['table']}", cell(r["caption"])
        if not r["table"]:
            linked = re.sub(r"docs/results/([a-z0-9-]+)\.md", r"[\1](../\1.md)", caption)
            pages[r["question"]] = [f"# Tables: {r['question']}\n", titles[r["question"]] + "\n", linked + "\n"]
            notes = rows(f"results/tables/notes/{r['question']}") if r["question"] != "examples" else []
            continue
        if name not in files:
            sys.exit(f"docs/results/tables/captions.csv: {name}.csv is not there")
        files.remove(name)
        pages[r["question"]] += [f"## {r['table']}\n", f"{caption}. [CSV]({name}.csv)\n", table(*shown(folder / f"{name}.csv")),
                                 *(n["note"].replace("<", "&lt;") + "\n" for n in notes if n["table"] == r["table"])]
    if files:
        sys.exit(f"docs/results/tables/captions.csv: no caption for {', '.join(sorted(files))}")
    for question, text in pages.items():
        (folder / f"{question}.md").write_text("\n".join(text), encoding="utf-8")
    index = "# Tables of all questions\n\nEvery table that stored rows or a full sweep gave, as a page and as CSV.\n\n" + table(
        ["question", "asked", "tables"], [[f"[{q}]({q}.md)", titles[q], sum(t.startswith("## ") for t in text)] for q, text in pages.items()])
    (folder / "index.md").write_text(index, encoding="utf-8")
    return {"Tables": "results/tables/index.md"}


def commands():
    """A page for each command, from its help."""
    (PAGES / "command").mkdir()
    text = subprocess.run([TARRY, "--help"], check=True, capture_output=True, text=True).stdout
    names = re.findall(r"^  ([a-z]+) {2,}", text.split("Commands:")[1].split("Options:")[0], re.M)
    for name in names:
        full = subprocess.run([TARRY, name, "--help-all"], check=True, capture_output=True, text=True).stdout
        below = re.findall(r"^  ([a-z]+) {2,}", full.split("Commands:")[1].split("Options:")[0], re.M) if "Commands:" in full else []
        parts = ["---\nhide: [toc]\n---\n", f"# tarry {name}\n", "```text\n" + full + "```\n"]
        for sub in below if name != "list" else []:
            help_ = subprocess.run([TARRY, name, sub, "--help-all"], check=True, capture_output=True, text=True).stdout
            parts += [f"## tarry {name} {sub}\n", "```text\n" + help_ + "```\n"]
        (PAGES / "command" / f"{name}.md").write_text("\n".join(parts), encoding="utf-8")
    return [f"command/{name}.md" for name in names]


def copied():
    """Copies docs, with links out of it to the files of the repository as plain names; gives the names of the pages."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("README.md"))  # the map: the site has a navigation
    for page in PAGES.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        text = re.sub(r"\[([^\]]+)\]\((\.\./\.\./[^)]*)\)", r"\1", text)
        text = re.sub(r"(?s)<!-- table \S+/\S+ -->.*?<!-- end -->", lambda m: stars(m[0]), text)
        page.write_text(text.replace("](tables)", "](tables/index.md)"), encoding="utf-8")
    shutil.copy(ROOT / "tools" / "site" / "site.css", PAGES)
    for page in (ROOT / "tools" / "site").glob("*.md"):
        (PAGES / page.name).write_text(page.read_text(encoding="utf-8").replace("](../../docs/", "]("), encoding="utf-8")
    return {str(p.relative_to(PAGES).with_suffix("")) for p in PAGES.rglob("*.md")}


def moved(site):
    """Writes a page at each old address, docs/moved.csv, which leads to the new one."""
    for r in rows("moved"):
        old, new = pathlib.PurePath(r["old"]), r["new"]
        if "#" in r["old"]:
            continue
        page, _, anchor = new.partition("#")
        if not (site / page).with_suffix(".html").exists():
            sys.exit(f"docs/moved.csv: {old} leads to {new}, which is not a page")
        to = "../" * (len(old.parts) - 1) + str(pathlib.PurePath(page).with_suffix(".html")) + ("#" + anchor if anchor else "")
        out = (site / old).with_suffix(".html")
        out.parent.mkdir(exist_ok=True)
        out.write_text(f'<!doctype html><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url={to}">'
                       f'<p>This page is at <a href="{to}">{to}</a>.\n', encoding="utf-8")


def main():
    pages = copied()
    simulator.add(PAGES)
    doors = yaml.safe_load((ROOT / "tools" / "site" / "nav.yml").read_text(encoding="utf-8"))
    nav = [{"Start": "index.md"}]
    for door, parts in doors.items():
        nav.append({door: [{part: [f"{p}.md" for p in names]} for part, names in parts.items()]})
    made = generated(pages)
    next(d for d in nav if "Look something up" in d)["Look something up"] += [{k: v} for k, v in made.items()]
    next(d for d in nav if "Results" in d)["Results"].append(result_tables())
    ranked()
    config = yaml.safe_load((ROOT / "tools" / "site" / "mkdocs.yml").read_text(encoding="utf-8"))
    config |= {"nav": nav, "docs_dir": str(PAGES), "site_dir": str(ROOT / "build" / "site")}
    path = ROOT / "build" / "mkdocs.yml"
    path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    if "--serve" not in sys.argv:
        return build(path)
    return subprocess.run([sys.executable, "-m", "mkdocs", "serve", "--config-file", path], check=False).returncode


def build(config):
    """Builds the site. Its pages refer to nothing outside: the script with which search runs in files is copied into it."""
    code = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", config], check=False).returncode
    shim = pathlib.Path(sys.prefix) / "package" / "shim" / "index.js"
    site = ROOT / "build" / "site"
    if shim.exists():
        shutil.copy(shim, site / "assets" / "search-in-files.js")
    script = re.compile(r'<script src="https://[^"]*iframe-worker[^"]*"></script>')
    for page in site.rglob("*.html"):
        own = "../" * (len(page.relative_to(site).parts) - 1) + "assets/search-in-files.js"
        # in files it takes the place of Worker, which the page to play with needs
        tag = f'<script>window.ownWorker = window.Worker</script><script src="{own}"></script>' if shim.exists() else ""
        page.write_text(script.sub(tag, page.read_text(encoding="utf-8")), encoding="utf-8")
    moved(site)
    return code


if __name__ == "__main__":
    sys.exit(main())
