"""Walks the site as a newcomer: make walk, after make docs.

    python tools/site/walk/check.py [--pictures DIR]

Each question of questions.yml is answered by one search from the first page, or by two clicks. Every page fits 400 pixels,
pictures have texts, fields have names, and text stands out from its ground, in light and in dark.
"""
import pathlib
import re
import sys
import time

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from browser import Browser, served

ROOT = pathlib.Path(__file__).resolve().parents[3]
SITE = ROOT / "build" / "site"
HITS = 5  # results that a reader looks at
MADE_ALIKE = {"schedulers", "environment", "agent", "predictor", "command", "table", "python", "adr", "results/tables"}

SEARCH = """const [words] = arguments; const q = document.querySelector('[data-md-component=search-query]');
document.querySelector('[data-md-toggle=search]').checked = true; q.focus(); q.value = words;
q.dispatchEvent(new Event('input', {bubbles: true})); q.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));"""
FOUND = "return [...document.querySelectorAll('.md-search-result__item > a.md-search-result__link')].map((a) => a.href)"
TEXT = "return document.querySelector('.md-content').innerText"
LINKS = "return [...document.querySelectorAll('a[href]')].map((a) => a.href.split('#')[0])"
# Faults of the page that is open: what is wider than the window, pictures without a text, fields without a name, and text
# with less contrast than WCAG AA asks for: 4.5, or 3 where it is large.
FAULTS = """
const out = [], seen = (e) => e.checkVisibility({visibilityProperty: true, opacityProperty: true});
const wide = document.scrollingElement.scrollWidth - innerWidth;
if (wide > 1) out.push('is ' + wide + ' pixels wider than the window of ' + innerWidth);
for (const i of document.querySelectorAll('.md-content img')) if (!i.alt.trim()) out.push('picture without a text: ' + i.src);
for (const e of document.querySelectorAll('input, select, textarea, button, canvas, [role=slider]'))
  if (seen(e) && e.type !== 'hidden' && !(e.labels && e.labels.length) && !e.ariaLabel && !e.title && !e.textContent.trim() && !e.getAttribute('aria-labelledby'))
    out.push('no name: ' + e.outerHTML.slice(0, 80));
if (!document.documentElement.lang) out.push('no language');
if (document.querySelectorAll('.md-content h1').length !== 1) out.push('not one title');
const rgb = (text) => { const m = text.match(/[\\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
const light = (c) => { const f = (v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  return .2126 * f(c[0]) + .7152 * f(c[1]) + .0722 * f(c[2]); };
const known = new Map(), below = (e) => { // the ground of an element, and how far it is opaque
  if (!e) return [[255, 255, 255, 1], 1];
  if (!known.has(e)) { const [ground, opaque] = below(e.parentElement), s = getComputedStyle(e);
    known.set(e, [over(rgb(s.backgroundColor), ground), opaque * Number(s.opacity)]); }
  return known.get(e); };
const told = new Set(), alike = new Set();
for (const e of document.querySelectorAll('.md-content *, .md-tabs a, .md-nav a')) {
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !seen(e) || e.closest('svg, .headerlink, [disabled], [aria-hidden=true], .md-clipboard')) continue;
  const like = e.tagName + '.' + e.className + ' ' + e.parentElement.tagName + '.' + e.parentElement.className;
  if (alike.has(like)) continue; // rows of a table
  alike.add(like);
  const s = getComputedStyle(e), [back, alpha] = below(e), fore = rgb(s.color);
  const c = over([fore[0], fore[1], fore[2], fore[3] * alpha], back), [a, b] = [light(c), light(back)].sort((x, y) => y - x);
  const large = parseFloat(s.fontSize) >= 24 || (parseFloat(s.fontSize) >= 18.66 && Number(s.fontWeight) >= 700);
  const ratio = (a + .05) / (b + .05), key = e.tagName + e.className;
  if (ratio < (large ? 3 : 4.5) - .01 && !told.has(key)) { told.add(key);
    out.push('contrast ' + ratio.toFixed(1) + ' of <' + e.tagName.toLowerCase() + ' class="' + e.className + '"> ' + e.textContent.trim().slice(0, 40)); }
}
return out;"""


def searched(b, home, words):
    """The first pages that a search from the first page finds."""
    b.open(home)
    b.js(SEARCH, words)
    found, before = [], None
    for _ in range(200):
        time.sleep(0.05)
        found = b.js(FOUND)
        if found and found == before:
            break
        before = found
    return list(dict.fromkeys(re.split("[?#]", u)[0] for u in found))[:HITS]


def states(b, url, answer):
    b.open(url)
    return re.search(answer, b.js(TEXT)) is not None


def question(b, home, q):
    """How the question is answered; empty where it is not."""
    if any(states(b, url, q["answer"]) for url in searched(b, home, q["search"])):
        return "one search"
    b.open(home)
    first = sorted({u for u in b.js(LINKS) if u.startswith(home)})
    for url in [u for u in first if re.search(q.get("by", "$^"), u)]:
        if states(b, url, q["answer"]):
            return "a click"
        for u in sorted({u for u in b.js(LINKS) if u.startswith(home) and re.search(q["by"], u)}):
            if states(b, u, q["answer"]):
                return "two clicks"
    return ""


def walk(b, home):
    bad = []
    for q in yaml.safe_load((pathlib.Path(__file__).parent / "questions.yml").read_text(encoding="utf-8")):
        how = question(b, home, q)
        print(f"{how or 'NOT ANSWERED':12}  {q['question']}")
        if not how:
            bad.append(f"not answered: {q['question']} (search {q['search']!r}, expected {q['answer']!r})")
    return bad


def sized(b, width):
    """Gives the window a width in pixels."""
    b.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
        "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}})


def looked_at(b, home, page, pictures):
    """Faults of a page, at two widths, in light and in dark."""
    bad = []
    sized(b, 1280)
    b.open(home + page)
    b.js("document.head.insertAdjacentHTML('beforeend', '<style>* { transition: none !important; animation: none !important }</style>')")
    for width, scheme in ((1280, "default"), (1280, "slate"), (400, "default")):
        sized(b, width)
        b.js("document.body.setAttribute('data-md-color-scheme', arguments[0])", scheme)
        bad += [f"{page} at {width} px, {'light' if scheme == 'default' else 'dark'}: {fault}" for fault in b.js(FAULTS)]
        if pictures:
            time.sleep(0.3)
            b.picture(pictures / f"{page.replace('/', '-')}-{width}-{scheme}.png")
    return bad


def shown():
    """The pages, one for each kind of pages made alike."""
    kinds, n = {}, 0
    for f in sorted(SITE.rglob("*.html")):
        page = str(f.relative_to(SITE))
        if page == "404.html" or 'http-equiv="refresh"' in f.read_text(encoding="utf-8")[:300]:
            continue
        n += 1
        folder = page.rpartition("/")[0]
        kinds.setdefault(folder if folder in MADE_ALIKE and not page.endswith("index.html") else page, page)
    return list(kinds.values()), n


def main():
    pictures = pathlib.Path(sys.argv[sys.argv.index("--pictures") + 1]) if "--pictures" in sys.argv else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    pages, n = shown()
    with served(SITE) as home, Browser() as b:
        bad = walk(b, home)
        for page in pages:
            bad += looked_at(b, home, page, pictures)
    for fault in bad:
        print(fault, file=sys.stderr)
    print(f"walk: {len(pages)} of {n} pages looked at, {len(bad)} faults")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
