"""The rule of each scheduler, from the comments of the code: the numbered steps of its constructor, else of its package."""
import html
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUES = sorted(p for folder in ("policies", "schedulers") for p in (ROOT / "catalogue" / folder).glob("*.go")
                    if not p.name.endswith("_test.go"))


def places():
    """The package folder and constructor of each scheduler of the catalogue, by its name."""
    out = {}
    for path in CATALOGUES:
        text = path.read_text(encoding="utf-8")
        folders = {p.rsplit("/", 1)[-1]: p for p in re.findall(r'"tarry/([^"]+)"', text)}
        for entry in re.split(r"\n\t\t(?=policy\(|variant\(|\{)|(?<=append\(all, )", text)[1:]:
            name = re.match(r'\w*\(?\{?"([a-z0-9-]+)"', entry) or re.search(r'Name: "([a-z0-9-]+)"', entry)
            made = [(p, f) for p, f in re.findall(r"\b([a-z0-9]+)\.(New\w*|Planned|Policy|Params)\b", entry.split("\n\t}\n")[0]) if p in folders]
            if name and made:
                makers = [m for m in made if m[1].startswith("New") or m[1] == "Policy"] or made
                out[name[1]] = ROOT / folders[makers[-1][0]], makers[-1][1]
    return out


def comment(lines):
    return "\n".join(line[2:].removeprefix(" ") for line in lines)


def package_comment(folder):
    for path in sorted(folder.glob("*.go"), key=lambda p: p.name != "doc.go"):
        if m := re.search(r"((?:^//.*\n)+)package ", path.read_text(encoding="utf-8"), re.M):
            if m[1].startswith("// Package"):
                return comment(m[1].splitlines())
    return ""


def function_comment(folder, name):
    for path in sorted(folder.glob("*.go")):
        if m := re.search(rf"((?:^//.*\n)+)func {name}\(", path.read_text(encoding="utf-8"), re.M):
            return comment(m[1].splitlines())
    return ""


def steps(text):
    """The first numbered list of a comment, as Markdown; empty where it has none."""
    out = []
    for line in text.splitlines():
        if re.match(r" *\d+\. ", line):
            out.append(line.strip())
        elif out and line.startswith((" ", "\t")) and line.strip():
            out[-1] += " " + line.strip()
        elif out and line.strip():
            break
    return "\n".join(html.escape(line, quote=False) for line in out)


def rule(name, where):
    folder, maker = where[name]
    return steps(function_comment(folder, maker)) or steps(package_comment(folder))


def ours(name, where):
    """What is theirs and what is ours: the parts of the package comment below such a heading, as Markdown."""
    text, out, on = package_comment(where[name][0]), [], False
    for line in text.splitlines():
        if line.startswith("# "):
            on = bool(re.search(r"\bours\b|theirs", line, re.I))
            if on:
                out.append("\n###" + line[1:] + "\n")
        elif re.match(r"Reading guide|Params describes", line):
            on = False
        elif on:
            out.append(html.escape(line, quote=False))
    return "\n".join(out).strip()


def habits(name, where):
    """The comment of the package of a variant, which states the habits of the simulator that it follows."""
    return html.escape(re.split(r"\n\n?Reading guide|\nParams describes", package_comment(where[name][0]))[0], quote=False)
