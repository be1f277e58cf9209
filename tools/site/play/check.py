"""Holds the page to play with against the command that it shows, in a real browser: make play-check, after make docs.

    python tools/site/play/check.py

The numbers of the page and of the command are equal in every digit. Every choice of the controls runs; the link holds
the setting; nothing is fetched before the reader asks, and nothing from elsewhere; the page works as a file too.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from browser import Browser, served

ROOT = pathlib.Path(__file__).resolve().parents[3]
SITE = ROOT / "build" / "site"
TARRY = ROOT / "build" / "tarry"
SMALL = "jobs=20&replicates=2"
STATE = "return document.getElementById('play-state').textContent"


def expect(fact, what):
    if not fact:
        sys.exit(f"play-check: {what}")


def ended(b):
    """Waits until the page has run the setting that it shows; gives what it states."""
    for _ in range(600):
        busy, state = b.js("return [document.getElementById('play').getAttribute('aria-busy'), document.getElementById('play-state').textContent]")
        if busy == "false" and state:
            return state
        time.sleep(0.05)
    sys.exit(f"play-check: the page does not end: {state}")


def run(b, fragment):
    """Runs a setting, given as the end of a link."""
    b.js("document.getElementById('play-state').textContent = ''; location.hash = arguments[0]", fragment)
    b.js("return new Promise((ok) => setTimeout(ok, 0))")
    if not b.js("return document.getElementById('play').getAttribute('aria-busy') === 'true'"):
        b.js("if (!document.getElementById('play-state').textContent) document.getElementById('play-run').click()")
    return ended(b)


def shown(b):
    """The command and the numbers of the page."""
    return b.js("""const text = (e) => e && e.textContent;
        return { command: text(document.getElementById('play-command')), table: text(document.querySelector('#play-result pre')),
          policies: [...document.querySelectorAll('#play-result thead th')].slice(1, 3).map(text),
          between: [...document.querySelectorAll('#play-result .play-between')].slice(0, 1).map(text)[0],
          cells: Object.fromEntries([...document.querySelectorAll('#play-result tr[data-name]')].map((r) =>
            [r.dataset.name, [...r.querySelectorAll('[data-digits]')].map((e) => e.dataset.digits)])) }""")


def compared(page):
    """Runs the command that the page shows and compares every number; gives how many."""
    words = shlex.split(page["command"])
    expect(words[:2] == ["tarry", "compare"], f"the command is {page['command']}")
    command = [TARRY, *words[1:], "--columns", "all"]
    rows = [json.loads(line, parse_float=str, parse_int=str) for line in
            subprocess.run([*command, "--format", "json"], check=True, capture_output=True, text=True).stdout.splitlines()]
    expect(len(page["cells"]) >= 8 and len(rows) == 2, f"the page shows {page['cells']}")
    for name, of in page["cells"].items():
        expect(of == [r[name] for r in rows], f"{name} is {of}; {page['command']} prints {[r[name] for r in rows]}")
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    expect(page["table"] == text, f"the page has\n{page['table']}\n{page['command']} prints\n{text}")
    plain = page["between"].replace("−", "-").replace("\u202f", "")
    expect(plain in text, f"the difference is {plain}; the command prints\n{text}")
    return 2 * len(page["cells"])


def same_numbers(b):
    """Settings that differ in all that the page can set."""
    n = 0
    for fragment in ("", "racks=2&machines=3&gpus=4&network=&rack=30&core=55&workload=bursty&jobs=120&load=1.15&seed=42&replicates=3"
                     "&a=dally&b=srtf", "network=paper:&speed=collective&workload=philly&jobs=90&replicates=1&a=gandiva&b=dally-manual"
                     "&b_rack=0&b_net=48", "core=90&workload=recur&jobs=100&load=0.55&replicates=12&a_rack=1&a_net=0&b=easy"):
        state = run(b, fragment or "seed=1")
        expect(state.startswith("Done"), f"{fragment}: {state}")
        n += compared(shown(b))
    return n


def every_choice(b):
    """Each value of each list, and both ends of each slider, runs; gives how many. Clairvoyant policies stand in their group."""
    rows = b.js("return playSetting.rows.map(({ key, choices, min, max }) => ({ key, values: choices ? choices.map((c) => c[0]) : [min, max] }))")
    blind = set(b.js("return playSetting.clairvoyant"))
    n = 0
    for row in rows:
        for value in row["values"]:
            if row["key"] in ("jobs", "replicates") and value == row["values"][1]:
                continue  # long; the words are the same
            of = {"jobs": 20, "replicates": 2, row["key"]: value}
            if row["key"].startswith("b"):
                of |= {"a": "scatter", "b": value if row["key"] == "b" else "dally-manual"}
            if of.get("a") == of.get("b", "dally-nowait"):
                of["b"] = "scatter" if of["a"] != "scatter" else "fifo"
            state = run(b, "&".join(f"{k}={v}" for k, v in of.items()))
            expect(state.startswith("Done"), f"{of}: {state}")
            if row["key"] == "b":
                starred = b.js("return document.querySelectorAll('#play-result thead th')[2].textContent").endswith("*")
                expect(starred == (value in blind), f"{value}: clairvoyant {starred}")
            n += 1
    return n


def stated(b):
    """What the page states of its examples is what they give; gives how many there are."""
    links = b.js("return [...document.querySelectorAll('a.play-try')].map((a) => [a.getAttribute('href'), a.textContent])")
    for href, text in links:
        state = run(b, href[1:])
        between = b.js("return document.querySelector('#play-result .play-between').textContent").replace("\u202f", "")
        expect(state.startswith("Done") and between in text.replace("\n", " "), f"{href} gives {between}, the page states {text}")
    expect(links, "the page has no example")
    return len(links)


def quiet(b, base):
    """Nothing was fetched from elsewhere, and no script failed."""
    for entry in b.log("performance"):
        m = json.loads(entry["message"])["message"]
        url = m.get("params", {}).get("request", {}).get("url", base)
        expect(url.startswith((base, "blob:", "data:", "chrome")), f"the page asked for {url}")
    bad = [e["message"] for e in b.log("browser") if e["level"] == "SEVERE" and "search-in-files" not in e["message"]]
    expect(not bad, f"the page failed: {bad}")


def asked(b):
    """Whether the simulator was fetched."""
    return b.js("return performance.getEntriesByType('resource').some((e) => e.name.endsWith('simulator.js'))")


def controls(b):
    """The keyboard moves a slider, the link follows, and opened it has the same command; faults are shown; Stop stops."""
    b.js("document.getElementById('play-load').focus()")
    b.key("\ue014")  # right
    command, link = b.js("return [document.getElementById('play-command').textContent, location.href]")
    expect("load=0.95" in command and "load=0.95" in link, f"the slider gives {command}, {link}")
    expect("given twice" in run(b, SMALL + "&a=fifo&b=fifo"), "two equal policies are no fault")
    b.js("location.hash = 'racks=16&machines=16&jobs=1000&load=1.5&replicates=20&a=gandiva'")
    b.js("document.getElementById('play-run').click()")
    time.sleep(0.5)
    b.js("document.getElementById('play-stop').click()")
    expect(b.js(STATE) == "Stopped.", f"stopped: {b.js(STATE)}")
    b.open("about:blank")
    b.open(link)
    expect(b.js("return document.getElementById('play-command').textContent") == command, "the link has another setting")
    expect(not asked(b), "the simulator is fetched before the reader asks")
    missing = b.js("return [...document.querySelectorAll('#play :is(input, select)')].filter((e) => !e.labels.length).map((e) => e.id)")
    expect(not missing, f"controls without a label: {missing}")


def narrow(b):
    """A page of 400 pixels does not scroll to the side."""
    b.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                                         "params": {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": False}})
    width = b.js("return document.documentElement.scrollWidth")
    expect(width <= 400, f"the page is {width} pixels wide on 400")


def replayed(b):
    """The replay shows both schedules."""
    b.js("document.getElementById('play-replay').click()")
    for _ in range(100):
        text = b.js("return document.getElementById('play-schedule').textContent")
        if text.count("GPUs busy") >= 2:
            return
        time.sleep(0.05)
    sys.exit(f"play-check: the replay shows {text!r}")


def main():
    if not shutil.which("chromedriver"):
        expect(not os.environ.get("TARRY_NEED_BROWSER"), "chromedriver is absent and TARRY_NEED_BROWSER is set")
        print("play-check: skipped, chromedriver is absent (Debian: apt-get install chromium chromium-driver)")
        return
    expect((SITE / "play.html").exists(), "build/site/play.html is absent: make docs")
    began = time.monotonic()
    with served(SITE) as base, Browser() as b:
        b.open(base + "play.html")
        expect(not asked(b), "the simulator is fetched before the reader asks")
        b.js("document.getElementById('play-run').focus()")
        b.key("\ue007")  # Enter
        expect(ended(b).startswith("Done"), b.js(STATE))
        numbers, choices = same_numbers(b), every_choice(b)
        examples = stated(b)
        replayed(b)
        controls(b)
        quiet(b, base)
    with Browser() as b:
        page = SITE / "play.html"
        b.open(page.as_uri() + "#" + SMALL)
        b.js("document.getElementById('play-run').click()")
        expect(ended(b).startswith("Done"), b.js(STATE))
        numbers += compared(shown(b))
        replayed(b)
        narrow(b)
        quiet(b, page.parent.as_uri())
    print(f"play-check: {numbers} numbers are the command's, {choices} choices run, {examples} examples are as stated; {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
