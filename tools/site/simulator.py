"""The page to play with: puts the simulator (build/play, from make play) and its scripts into the pages of the site.

A page that is opened as a file can fetch no other file, but it can load a script. So the simulator is a script: the
program, gzip in base64, and the text of its worker. It is loaded when the reader asks.
"""
import base64
import gzip
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "play"


def add(pages):
    """Writes the folder play of the pages, and the size of the simulator into the page."""
    program = BUILT / "tarry.wasm"
    if not program.exists():
        sys.exit("tools/site: build/play/tarry.wasm is absent: make play")
    to, own = pages / "play", ROOT / "tools" / "site" / "play"
    to.mkdir()
    for part in ("setting.js", "results.js", "page.js", "play.css"):
        shutil.copy(own / part, to)
    shutil.copy(ROOT / "output" / "report" / "assets" / "replay.js", to)
    worker = (BUILT / "wasm_exec.js").read_text(encoding="utf-8") + (own / "worker.js").read_text(encoding="utf-8")
    packed = base64.b64encode(gzip.compress(program.read_bytes(), 9, mtime=0)).decode()
    script = f"window.tarrySimulator = {{worker: {json.dumps(worker)}, wasm: \"{packed}\"}};\n"
    (to / "simulator.js").write_text(script, encoding="utf-8")
    page = pages / "play.md"
    page.write_text(page.read_text(encoding="utf-8").replace("SIZE", f"{len(script) / 1e6:.1f} MB"), encoding="utf-8")
