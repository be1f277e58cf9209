// The page: sections from the data, and new data while a sweep runs.

const parts = new Map(); // id -> Chart, SortTable or Timeline that is on the page
const states = ['done', 'running', 'requeue', 'failed', 'cancelled', 'waiting'];

// reuse gives the part with this id new data, or makes it.
function reuse(id, make, data) {
  const key = JSON.stringify(data);
  let p = parts.get(id);
  if (!p) parts.set(id, p = make(data));
  else if (p.made !== key) p.update(data);
  p.made = key;
  return p.root;
}

function section(id, title, ...children) {
  const list = children.flat().filter(Boolean);
  return list.length ? el('section', { id }, el('h2', {}, title), list) : null;
}

function progressPart(p, live) {
  const line = live ? el('p', { class: 'note', id: 'live', role: 'status' }) : null;
  if (!p.total) return line ? [line] : [];
  const bar = el('div', { class: 'progress', role: 'img', 'aria-label': `${p.done} of ${p.total} cells done` }, states.filter((s) => p[s]).map((s) => {
    const part = el('span', { class: 's-' + s, title: `${p[s]} ${s}` });
    part.style.width = 100 * p[s] / p.total + '%';
    return part;
  }));
  const counts = el('ul', { class: 'counts' }, el('li', {}, `${p.total} cells`), states.filter((s) => p[s] || s === 'done' || s === 'failed')
    .map((s) => el('li', { 'data-state': s }, el('i', { class: 's-' + s, 'aria-hidden': 'true' }), `${p[s]} ${s}`)));
  return [bar, counts, line];
}

function failurePart(list) {
  return list.map((f) => el('details', { class: 'failure' },
    el('summary', {}, `${f.id}: exit code ${f.exit}, ${f.attempts} attempt${f.attempts === 1 ? '' : 's'}${f.error ? ': ' + f.error : ''}`),
    el('pre', { tabindex: 0 }, f.log || 'no log')));
}

// cards lists charts; the notes of small ones, which are the same, stand once.
function cards(list, kind) {
  if (!list.length) return null;
  const notes = new Set(list.filter((c) => c.small).map((c) => c.note));
  return [el('p', { class: 'hint' }, 'Drag to zoom, or click a chart and turn the wheel; double click resets. Click a name in a legend to hide its line.'),
    el('div', { class: kind }, list.map((c) => reuse('chart ' + c.id, (x) => new Chart(x), c))), [...notes].map((n) => el('p', { class: 'note' }, n))];
}

// show builds the page from data. Parts stay when their data change: they keep what was chosen.
function show(d, live) {
  document.title = d.title;
  byId('title').textContent = d.title;
  const focus = document.activeElement;
  const open = new Set([...document.querySelectorAll('details[open] > summary')].map((s) => s.textContent));
  const drawn = { timelines: d.timelines, workloads: d.workloads };
  const timelines = d.timelines.length ? [reuse('timelines', (x) => new Timeline(x), drawn)] : [];
  const replay = Replaying.playable(d).length ? [reuse('replay', (x) => new Replaying(x), drawn)] : [];
  const sections = [
    section('asked', 'What was asked', d.asked.length ? el('dl', {}, d.asked.map((e) => [el('dt', {}, e.name), el('dd', {}, e.text)])) : null),
    section('progress', 'Progress', progressPart(d.progress, live)),
    section('failures', 'Failed cells', failurePart(d.failures)),
    section('remarks', 'Remarks', d.notes.length ? el('ul', { class: 'remarks' }, d.notes.map((n) => el('li', {}, n))) : null),
    section('results', 'Results', d.tables.map((t) => reuse('table ' + t.id, (x) => new SortTable(x), t))),
    section('training', 'Training', cards(d.charts.filter((c) => c.small), 'charts small')),
    section('charts', 'Charts', cards(d.charts.filter((c) => !c.small), 'charts')),
    section('replay', 'Replay', replay),
    section('timeline', 'Timeline of the cluster', timelines),
    section('configuration', 'Configuration', d.config.map((e) => el('details', {}, el('summary', {}, e.name), el('pre', { tabindex: 0 }, e.text))),
      d.hashes.map((t) => reuse('table ' + t.id, (x) => new SortTable(x), t))),
  ].filter(Boolean);
  byId('main').replaceChildren(...sections);
  byId('nav').replaceChildren(...sections.map((s) => el('a', { href: '#' + s.id }, s.querySelector('h2').textContent)));
  document.querySelectorAll('details > summary').forEach((s) => { if (open.has(s.textContent)) s.parentNode.open = true; });
  redraw();
  if (focus && focus.isConnected) focus.focus({ preventScroll: true });
}

function redraw() { for (const p of parts.values()) if (p.draw) p.draw(); }

// follow asks for new data every two seconds, and less often while the server is away.
async function follow(tag) {
  let wait = 2000;
  const running = new Running();
  byId('main').before(running.root);
  parts.set('running', running);
  running.ask().catch(() => {}); // the loop reports a server that is away
  for (;;) {
    await new Promise((done) => setTimeout(done, wait));
    let said = '';
    try {
      await running.ask();
      const answer = await fetch('data.json', { headers: { 'If-None-Match': tag }, cache: 'no-store' });
      if (answer.status === 200) {
        const d = await answer.json();
        tag = answer.headers.get('ETag');
        const y = scrollY;
        show(d, true);
        scrollTo(0, y);
      } else if (answer.status !== 304) said = 'The folder cannot be read: ' + await answer.text();
      wait = 2000;
    } catch {
      said = 'The server has ended; the page shows its last answer.';
      wait = Math.min(30000, wait * 2);
    }
    const line = byId('live');
    if (line) line.textContent = said || 'Live: new results appear by themselves.';
  }
}

(function start() {
  const mode = document.documentElement.dataset.mode, live = mode === 'live';
  byId('theme').addEventListener('click', () => {
    const root = document.documentElement, chosen = root.style.colorScheme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    root.style.colorScheme = chosen === 'dark' ? 'light' : 'dark';
    redraw();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  matchMedia('print').addEventListener('change', redraw); // paper is light and has another width
  document.addEventListener('keydown', (e) => { if (e.key === 'Escape') hideTip(); });
  show(JSON.parse(byId('data').textContent), live);
  if (live) follow(`"${document.documentElement.dataset.tag}"`);
})();
