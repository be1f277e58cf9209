"""A page for each public name of the Python package tarry, from its docstrings; one that has none is an error.

The package is read, not imported: the site is built without numpy and without the library.
"""
import ast
import inspect
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "python" / "src" / "tarry"


def module(name):
    """The syntax tree of tarry.NAME."""
    return ast.parse((SOURCE / f"{name}.py").read_text(encoding="utf-8"))


def all_of(tree):
    """The names that a module lists in __all__."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return [ast.literal_eval(e) for e in node.value.elts]
    return []


def public():
    """Where each public name is: its module and its name there, which is empty for a module."""
    tree = module("__init__")
    at = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "tarry":
            at |= {a.name: (a.name, "") for a in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tarry."):
            at |= {a.name: (node.module.removeprefix("tarry."), a.name) for a in node.names if a.name != "*"}
    at |= {name: ("lists", name) for name in all_of(module("lists"))}
    return {name: at[name] for name in all_of(tree) + all_of(module("lists"))} | {"SB3VecEnv": ("sb3", "SB3VecEnv")}


def markdown(node, name, missing):
    """The docstring of a node; what is indented below Example: is code, and Raises: begins a paragraph of its own."""
    text = ast.get_docstring(node)
    if not text:
        missing.append(f"tarry.{name} has no docstring")
        return ""
    text, _, example = text.partition("\nExample:\n")
    text = re.sub(r"\nRaises: ", "\n\n**Raises** ", text).replace("<", "&lt;")
    text = re.sub(r"`?docs/([a-z0-9/-]+)\.md`?", r"[\1](../\1.md)", text)
    if example:
        text += "\n\n```python\n" + inspect.cleandoc(example) + "\n```"
    return text + "\n"


def signature(node, name):
    """How a function is called, an argument on each line where they are long."""
    args, kept = node.args, []
    if args.args and args.args[0].arg in ("self", "cls"):
        args.args = args.args[1:]
    after = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"{name}({ast.unparse(args)}){after}"
    if len(line) <= 90:
        return line
    first = len(args.args) - len(args.defaults)
    for i, a in enumerate(args.args):
        kept.append(ast.unparse(a) + (f" = {ast.unparse(args.defaults[i - first])}" if i >= first else ""))
    if args.kwonlyargs and not args.vararg:
        kept.append("*")
    kept += [ast.unparse(a) + (f" = {ast.unparse(d)}" if d else "") for a, d in zip(args.kwonlyargs, args.kw_defaults)]
    if args.kwarg:
        kept.append("**" + ast.unparse(args.kwarg))
    return f"{name}(\n" + "".join(f"    {a},\n" for a in kept) + f"){after}"


def methods(node):
    """The public methods and properties of a class, and its constructor."""
    made = [n for n in node.body if isinstance(n, ast.FunctionDef)]
    return [n for n in made if n.name == "__init__"], [n for n in made if not n.name.startswith("_")]


def inherited(base):
    """The public methods of a base class that is the package's own and not public itself."""
    for path in SOURCE.glob("_*.py"):
        for n in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(n, ast.ClassDef) and n.name == getattr(base, "id", ""):
                return methods(n)[1]
    return []


def part(node, name, level, missing):
    """The signature and the words of a function or class, with its methods below."""
    text = ["#" * level + f" {name.rsplit('.', 1)[-1] if level > 1 else 'tarry.' + name}\n"]
    if isinstance(node, ast.FunctionDef):
        marks = [ast.unparse(d) for d in node.decorator_list]
        call = name if "property" in marks else signature(node, name)
        return text + [f"```python\n{call}\n```\n", markdown(node, name, missing)]
    made, called = methods(node)
    for base in node.bases:
        called = inherited(base) + called
    if made:
        text.append(f"```python\n{signature(made[0], name)}\n```\n")
    text.append(markdown(node, name, missing))
    for m in called:
        text += part(m, f"{name}.{m.name}", level + 1, missing)
    return text


def write(folder):
    """Writes the pages and their index; gives the index's lines: name and first sentence."""
    folder.mkdir()
    missing, lines = [], []
    for name, (where, inside) in sorted(public().items(), key=lambda p: p[0].lower()):
        tree = module(where)
        if inside:
            node = next(n for n in tree.body if getattr(n, "name", "") == inside)
            text = part(node, name, 1, missing)
        else:
            node = tree
            text = [f"# tarry.{name}\n", markdown(tree, name, missing)]
            for n in tree.body:
                if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_"):
                    text += part(n, f"{name}.{n.name}", 2, missing)
        doc = ast.get_docstring(node) or ""
        if inside and "\nExample:\n" not in doc:
            missing.append(f"tarry.{name} has no example in its docstring")
        (folder / f"{name.lower()}.md").write_text("\n".join(text), encoding="utf-8")
        lines.append((name, re.split(r"(?<=[.:]) |\n", doc)[0].rstrip(":")))
    if missing:
        sys.exit("tools/site: " + "; ".join(missing))
    return lines
