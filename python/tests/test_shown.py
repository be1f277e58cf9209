"""What Jupyter shows of results: tables with the numbers of the command, and the figure of tarry figures; and its stop button."""

from __future__ import annotations

import base64
import pathlib
import re
import time
from typing import Any

import pytest
import tarry
from tarry import _shown

pytest.importorskip("pyarrow")
pytest.importorskip("pandas")

SMALL = {"trace": "synth:demo,jobs=30", "cluster": "2x2x4"}
ENV = {"cluster": "2x2x4", "warm": 2, "horizon": 12}


def cells(shown: str) -> list[list[str]]:
    """The cells of all tables in a text of HTML."""
    return [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<t[hd]>.*?</t[hd]>", row)] for row in re.findall(r"<tr>.*?</tr>", shown)]


def pictures(shown: str) -> list[str]:
    return [base64.b64decode(data).decode() for data in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", shown)]


def test_the_command_s_table_and_figure(tmp_path: pathlib.Path) -> None:
    both = tarry.compare(**SMALL, policies=["dally", "fifo"], replicates=2, out=tmp_path / "run")
    head, *rows = cells(both._repr_html_())
    lines = str(both).split("\n")
    assert [re.sub(r"\s+", " ", " ".join(row)) for row in (head, *rows)] == [re.sub(r"\s+", " ", line.strip()) for line in lines[:3]]
    assert all(len(row) == len(head) for row in rows) and lines[3] in both._repr_html_().replace("&#x27;", "'")
    (svg,) = pictures(both._repr_html_())
    assert svg == tarry.figures(tmp_path / "run", format="svg")["jct_cdf"].svg
    assert pictures(tarry.simulate(**SMALL, policy="dally", tables=("trials",))._repr_html_()) == []


def test_blank_cells_of_a_table() -> None:
    shown = _shown.printed("  policy  JCT mean  own\n   dally      8154     \n    fifo     17478    3\n* a <remark>\n", 2)
    assert cells(shown) == [["policy", "JCT mean", "own"], ["dally", "8154", ""], ["fifo", "17478", "3"]] and "<pre>* a &lt;remark&gt;</pre>" in shown


def test_an_evaluation() -> None:
    found = tarry.evaluate(lambda obs: 1, "tarry/Offer-v1", ENV, trained_on=(), count=2, name="mine<b>")
    shown = found._repr_html_()
    assert len(pictures(shown)) == 1 and "mine&lt;b&gt;" in shown and "<b>" not in shown


def test_folders(tmp_path: pathlib.Path) -> None:
    few = {"name": "few", "kind": "simulate", "base": SMALL, "axes": [{"name": "policy", "values": ["dally", "fifo"]}], "seeds": 2}
    agent = tarry.train({"tarry/Offer-v1": ENV}, "ppo", steps=2048, out=tmp_path / "agent")
    rule = tarry.tune("dally-manual", {"t_rack": (0.1, 100, "log")}, {"tarry/DelayTimer-v1": {"cluster": "2x2x4", "horizon": 12}}, budget=3, windows=2, validation=2, out=tmp_path / "rule")
    for run, rows in (
        (agent, ["seed", "updates", "steps"]), (rule, ["stage", "params", "windows"]),
        (tarry.sweep(few, out=tmp_path / "few"), ["policy", "trials", "JCT mean (s)"]),
    ):  # fmt: skip
        shown = run._repr_html_()
        assert run.text.split("\n")[0] in shown and len(pictures(shown)) == 1, shown
        assert any(row[: len(rows)] == rows for row in cells(shown))
    swept = {row[0]: row for row in cells(tarry.read(tmp_path / "few")._repr_html_())}
    trials = tarry.read(tmp_path / "few").to_pandas("trials")
    assert swept["fifo"][2] == f"{trials[trials.policy == 'fifo'].jct_mean_s.mean():.0f}"
    assert "few" in tarry.read(tmp_path)._repr_html_()


def test_a_notebook(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results show themselves, and the stop button leaves a training that continues."""
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    manager = pytest.importorskip("jupyter_client.manager")
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(__file__).parents[1] / "src"))
    book = nbformat.v4.new_notebook()
    book.cells = [nbformat.v4.new_code_cell(f"import tarry\ntarry.compare(**{SMALL!r}, policies=['dally', 'fifo'])")]
    NotebookClient(book, timeout=300, kernel_name="python3").execute()
    (data,) = [out["data"] for out in book.cells[0].outputs if "data" in out]
    assert "<table>" in data["text/html"] and len(pictures(data["text/html"])) == 1 and "JCT mean" in data["text/plain"]

    kernel, client = manager.start_new_kernel(kernel_name="python3")
    try:
        out = tmp_path / "agent"
        asked = client.execute(f"import tarry; tarry.train({{'tarry/Offer-v1': {ENV!r}}}, 'ppo', total_steps=10**7, set={{'steps': 128}}, checkpoint_every=1, out={str(out)!r})")
        until = time.monotonic() + 120
        while not (out / "checkpoints" / "last.ckpt").exists():
            assert time.monotonic() < until
            time.sleep(0.1)
        kernel.interrupt_kernel()
        while (reply := client.get_shell_msg(timeout=120))["parent_header"]["msg_id"] != asked:
            pass
        said: Any = reply["content"]
        assert said["ename"] == "KeyboardInterrupt" and "resume=True) continues it" in said["evalue"]
        assert tarry.read(out).status == "interrupted"
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
