"""Runs notebooks from their first cell to their last, all in one kernel: notebooks.py FOLDER NAME...

A kernel takes two seconds of processor time to start and to import pandas, more than most notebooks do. Before each
notebook every name is forgotten and every picture closed, so that none finds what an earlier one left behind. With
TARRY_LONG=1 each has a kernel of its own. Prints "ok NAME SECONDS" for each; a failing cell is shown, and the exit code is 1.
"""

import os
import sys
import time
from pathlib import Path

import nbclient
import nbformat
from jupyter_client.manager import KernelManager

FORGET = "%reset -f\nfrom matplotlib import pyplot\npyplot.close('all')\npyplot.rcdefaults()\n%reset -f"


def main(folder, names):
    apart = os.environ.get("TARRY_LONG") == "1"
    resources = {"metadata": {"path": folder}}
    manager, bad = None, False
    for name in names:
        book = nbformat.read(Path(folder, name + ".ipynb"), as_version=4)
        if manager is None or apart:
            manager = KernelManager(kernel_name="python3")
            manager.start_kernel(cwd=folder)
        book.cells.insert(0, nbformat.v4.new_code_cell(FORGET))
        start = time.monotonic()
        try:
            nbclient.NotebookClient(book, km=manager, timeout=300, resources=resources).execute()
            print(f"ok {name} {time.monotonic() - start:.1f}", flush=True)
        except nbclient.exceptions.CellExecutionError as error:
            bad = True
            print(f"FAIL {name}\n{error}", flush=True)
        if apart:
            manager.shutdown_kernel(now=True)
    if not apart:
        manager.shutdown_kernel(now=True)
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
