"""Runs the sh and python blocks of pages in their order, as a reader would.

    python tools/pages.py PAGE...

Neighbouring sh blocks are one script of bash, which ends at the first command that fails. The python blocks of a page
share their names, as cells of a notebook do; the interpreter is this one. Blocks of other languages are not run.
"""
import re
import subprocess
import sys
import time

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pieces(text):
    """The blocks of a page as (language, text, line), neighbouring sh blocks joined."""
    out = []
    for m in BLOCK.finditer(text):
        language, body, line = m[1], m[2], text.count("\n", 0, m.start()) + 2
        if language == "sh" and out and out[-1][0] == "sh":
            out[-1] = ("sh", out[-1][1] + body, out[-1][2])
        elif language in ("sh", "python"):
            out.append((language, body, line))
    return out


def run(page):
    """Runs a page; the first error ends the program, and a traceback names the line of the page."""
    with open(page, encoding="utf-8") as f:
        found = pieces(f.read())
    if not found:
        sys.exit(f"{page}: no sh or python block")
    names = {"__name__": "__main__"}
    for language, body, line in found:
        print(body, flush=True)
        if language == "sh":
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", body], check=False)
            if done.returncode:
                sys.exit(f"{page}:{line}: the commands from here on ended with {done.returncode}")
        else:
            exec(compile("\n" * (line - 1) + body, page, "exec"), names)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for page in sys.argv[1:]:
        began = time.monotonic()
        run(page)
        print(f"{page}: {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
