// Replay of schedules: racks, machines and GPUs as cells over time, the queue beside them.
// One file without dependencies: no request, no style sheet, no global but tarryReplay.
//
// tarryReplay(root, runs, options) fills the element root and returns a handle.
//
// runs: an array of
//   name      text
//   group     text; only runs of the same group (the same jobs) stand side by side; absent = ''
//   machines  [{rack, gpus, type}] in order; GPUs are numbered from 0 through all machines; type
//             may be absent
//   jobs      [{id, user, model, gpus, submit_s, gone_s}]; user, model may be ''; gone_s = when it
//             left without finishing (refused, rejected), absent or null = never
//   spans     [{job, start_s, end_s, gpus | machines, level, ended, share}]: one allocation each
//             job       number of the job in jobs, from 0
//             end_s     null = the GPUs are still held
//             gpus      [[first, count], ...]: exactly these GPUs; or
//             machines  [[machine, count], ...]: so many cells of these machines, the first free
//             level     finest level that holds them: gpu, slot, machine, rack, network; '' = unknown
//             ended     why it ended; absent, '' and 'finish' = the job is done; else = back to the
//                       queue
//             share     part of each GPU; absent = 1
//   waits     [{job, from_s, to_s, why}]: recorded reasons; to_s null = still; why is timer, gpus,
//             quota, order or any text. Where none is recorded the component derives a reason from
//             the free GPUs and calls it derived.
//   timers    true = the policy may wait for a closer placement (only used to derive reasons)
//   quotas    true = quotas of users may hold jobs back (only used to derive reasons)
//   from_s, until_s  the time shown; absent = first submit or start, last end
//   note      text under the run; may be absent
//   load      () => run: called when the run is first shown, for all fields but name and group
//
// options, all may be absent:
//   left, right  numbers of the runs shown at first; right -1 = none. Absent: 0 and the next of its
//                group.
//   colour       model, user, job or level
//   autoplay     play at once; ignored where the reader prefers reduced motion
//   live         the clock follows until_s of runs that grow, until the reader takes it
//   speed        simulated seconds per second; absent = all of it in about a minute
//
// handle:
//   append(i, {machines, jobs, spans, ends: [{span, end_s, ended}], gone: [{job, gone_s}], waits,
//              until_s})  adds to run i; all fields may be absent; ends closes spans given with
//              end_s null
//   show(left, right), seek(seconds), play(), pause(), draw()
//   state()    {time, from, until, playing, speed, colour, frames, busy_ms, runs: [{name, gpus,
//              busy, running, waiting: [job ids], finished, events}]} of the runs shown; busy_ms =
//              time spent on all frames, events = how many were applied
//   describe(id)  the texts that hovering the job with this id shows: of the job, and of each run
//   destroy()  stops the clock and empties root
const tarryReplay = (() => {
  const END = 0, GONE = 1, SUBMIT = 2, START = 3;
  const LEVELS = { gpu: 'one machine', slot: 'one machine', machine: 'one machine', rack: 'one rack', network: 'across racks' };
  const COLOURS = 12;

  // clock writes a time as days, hours, minutes and seconds.
  function clock(s) {
    if (!isFinite(s)) return '–';
    const sign = s < 0 ? '−' : '', a = Math.round(Math.abs(s)), two = (v) => String(v).padStart(2, '0');
    const day = Math.floor(a / 86400), rest = a % 86400;
    return `${sign}${day ? day + ' d ' : ''}${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  }

  // long writes a duration with one unit.
  function long(s) {
    const [by, unit] = s >= 86400 ? [86400, 'd'] : s >= 3600 ? [3600, 'h'] : s >= 60 ? [60, 'min'] : [1, 's'];
    return `${(s / by).toFixed(s / by < 10 ? 1 : 0).replace(/\.0$/, '')} ${unit}`;
  }

  const gpusText = (n) => `${n} GPU${n === 1 ? '' : 's'}`;

  // Cluster is the state of one run at one time.
  class Cluster {
    constructor(run) {
      this.run = { machines: [], jobs: [], spans: [], waits: [], ...run };
      this.applied = 0;
      this.reshape();
    }

    // reshape numbers the GPUs and puts the events in order; it is called again when the run has grown.
    reshape() {
      const { machines, jobs, spans, waits } = this.run;
      this.first = []; // first GPU of each machine
      this.machineOf = [];
      machines.forEach((m, i) => { this.first.push(this.machineOf.length); for (let k = 0; k < m.gpus; k++) this.machineOf.push(i); });
      this.gpus = this.machineOf.length;
      const rackGPUs = new Map();
      machines.forEach((m) => rackGPUs.set(m.rack, (rackGPUs.get(m.rack) || 0) + m.gpus));
      this.rackGPUs = rackGPUs;
      this.mostMachine = Math.max(0, ...machines.map((m) => m.gpus));
      this.mostRack = Math.max(0, ...rackGPUs.values());
      this.recorded = new Map();
      for (const w of waits) this.recorded.set(w.job, [...(this.recorded.get(w.job) || []), w]);
      this.events(jobs, spans);
      this.rewind();
    }

    events(jobs, spans) {
      const n = 2 * (jobs.length + spans.length), at = new Float64Array(n), what = new Uint8Array(n), ref = new Int32Array(n);
      let k = 0, until = -Infinity;
      const add = (t, kind, i) => { at[k] = t; what[k] = kind; ref[k++] = i; };
      jobs.forEach((j, i) => {
        if (Number.isFinite(j.submit_s)) add(j.submit_s, SUBMIT, i);
        if (Number.isFinite(j.gone_s)) add(j.gone_s, GONE, i);
      });
      spans.forEach((s, i) => {
        add(s.start_s, START, i);
        until = Math.max(until, s.start_s);
        if (s.end_s === null || s.end_s === undefined) return;
        until = Math.max(until, s.end_s);
        if (s.end_s > s.start_s) add(s.end_s, END, i);
      });
      const order = Array.from({ length: k }, (_, i) => i).sort((a, b) => at[a] - at[b] || what[a] - what[b] || ref[a] - ref[b]);
      this.at = Float64Array.from(order, (i) => at[i]);
      this.what = Uint8Array.from(order, (i) => what[i]);
      this.ref = Int32Array.from(order, (i) => ref[i]);
      this.from = this.run.from_s ?? (k ? this.at[0] : 0);
      this.until = Math.max(this.from, this.run.until_s ?? (k ? Math.max(until, this.at[k - 1]) : 0));
      const byCome = jobs.map((_, i) => i).sort((a, b) => jobs[a].submit_s - jobs[b].submit_s || a - b);
      this.byRank = byCome; // job of each place in the order of submits
      this.rank = new Int32Array(jobs.length);
      byCome.forEach((j, r) => { this.rank[j] = r; });
    }

    // rewind goes before the first event.
    rewind() {
      const n = this.run.jobs.length;
      this.time = -Infinity;
      this.next = 0;
      this.holders = Array.from({ length: this.gpus }, () => []); // spans that hold each GPU, last one on top
      this.freeIn = this.run.machines.map((m) => m.gpus);
      this.busy = this.finished = this.running = 0;
      this.came = new Uint8Array(n);
      this.done = new Uint8Array(n);
      this.active = new Int32Array(n); // spans that the job has now
      this.span = new Int32Array(n).fill(-1); // its last span
      this.since = new Float64Array(n); // since when it waits
      this.queued = new Uint8Array(n);
      this.queue = []; // places of the jobs that wait, in order
    }

    // to plays to a time, with everything that happens at it; going back starts over.
    to(t) {
      if (t < this.time) this.rewind();
      while (this.next < this.at.length && this.at[this.next] <= t) this.event(this.next++);
      this.time = t;
    }

    event(e) {
      this.applied++;
      const i = this.ref[e], t = this.at[e];
      if (this.what[e] === SUBMIT) { this.came[i] = 1; this.since[i] = t; this.settle(i); return; }
      if (this.what[e] === GONE) { this.done[i] = this.done[i] || 2; this.settle(i); return; }
      const s = this.run.spans[i];
      if (this.what[e] === START) this.start(i, s);
      if (this.what[e] === END || (s.end_s !== null && s.end_s !== undefined && s.end_s <= s.start_s)) this.end(i, s, t);
      this.settle(s.job);
    }

    start(i, s) {
      for (const g of this.cells(s)) {
        if (!this.holders[g].length) { this.busy++; this.freeIn[this.machineOf[g]]--; }
        this.holders[g].push(i);
      }
      if (!this.active[s.job]++) this.running++;
      this.span[s.job] = i;
      this.came[s.job] = 1;
    }

    end(i, s, t) {
      for (const g of s.cells) {
        const at = this.holders[g].indexOf(i);
        if (at < 0) continue;
        this.holders[g].splice(at, 1);
        if (!this.holders[g].length) { this.busy--; this.freeIn[this.machineOf[g]]++; }
      }
      if (!--this.active[s.job]) this.running--;
      this.since[s.job] = t;
      if (!s.ended || s.ended === 'finish') { this.done[s.job] = 1; this.finished++; }
    }

    // cells gives the GPUs of a span; those of machines are taken as they are free.
    cells(s) {
      if (s.gpus && s.cells) return s.cells;
      const out = [];
      for (const [first, count] of s.gpus || []) for (let g = first; g < Math.min(first + count, this.gpus); g++) out.push(g);
      for (const [m, count] of s.gpus ? [] : s.machines || []) {
        let left = count;
        for (let k = 0; k < this.run.machines[m].gpus && left; k++) if (!this.holders[this.first[m] + k].length) { out.push(this.first[m] + k); left--; }
      }
      return s.cells = out;
    }

    // settle puts a job into the queue or takes it out.
    settle(j) {
      const want = this.came[j] && !this.active[j] && !this.done[j] ? 1 : 0;
      if (want === this.queued[j]) return;
      this.queued[j] = want;
      let a = 0, b = this.queue.length;
      while (a < b) { const m = (a + b) >> 1; if (this.queue[m] < this.rank[j]) a = m + 1; else b = m; }
      this.queue.splice(a, want ? 0 : 1, ...(want ? [this.rank[j]] : []));
    }

    // why gives the reason for which a job waits: the recorded one, or one derived from the free GPUs.
    why(j) {
      const w = (this.recorded.get(j) || []).find((x) => x.from_s <= this.time && (x.to_s === null || x.to_s === undefined || this.time < x.to_s));
      if (w) return { timer: 'its timer for a closer placement has not run out', gpus: 'lack of GPUs', quota: 'the quota of its user', order: 'other jobs come first' }[w.why] || w.why;
      const need = this.run.jobs[j].gpus, free = this.gpus - this.busy;
      if (need > this.gpus) return 'asks for more GPUs than the cluster has (derived)';
      if (free < need) return `lack of GPUs: ${free} free of ${gpusText(need)} asked for (derived)`;
      if (this.fits(need)) return `enough GPUs are free as close as it can have them; the order${this.run.quotas ? ', a quota' : ''} or the next round of the policy holds it (derived)`;
      const spread = `${gpusText(free)} free and ${need} asked for, but not on one ${need <= this.mostMachine ? 'machine' : 'rack'}`;
      return this.run.timers ? `${spread}: its timer for a closer placement, or the order (derived)` : `${spread}: a closer placement, or the order (derived)`;
    }

    // fits reports whether the closest level that can hold so many GPUs has them free now.
    fits(need) {
      if (need <= this.mostMachine) return this.freeIn.some((f) => f >= need);
      if (need > this.mostRack) return true;
      const free = new Map();
      this.run.machines.forEach((m, i) => free.set(m.rack, (free.get(m.rack) || 0) + this.freeIn[i]));
      return [...free.values()].some((f) => f >= need);
    }

    // tell describes what a job does now.
    tell(j) {
      const job = this.run.jobs[j], s = this.run.spans[this.span[j]];
      if (this.active[j]) {
        const on = [...new Set(s.cells.map((g) => this.machineOf[g]))], end = s.end_s === null || s.end_s === undefined ? 'still' : 'until ' + clock(s.end_s);
        const racks = new Set(on.map((m) => this.run.machines[m].rack));
        const types = [...new Set(on.map((m) => this.run.machines[m].type).filter(Boolean))].join('+');
        return `runs on ${gpusText(s.cells.length)}${types ? ` (${types})` : ''}${s.share < 1 ? `, ${Math.round(100 * s.share)} % of each` : ''} of ${on.length === 1 ? 'machine ' + on[0] : on.length + ' machines'}`
          + `, ${racks.size === 1 ? 'rack ' + [...racks][0] : racks.size + ' racks'}, from ${clock(s.start_s)} ${end}`;
      }
      if (this.queued[j]) {
        return `waits ${long(this.time - this.since[j])}${s ? ` after it lost its GPUs (${s.ended})` : ''}, place ${this.queue.indexOf(this.rank[j]) + 1} of ${this.queue.length}: ${this.why(j)}`;
      }
      if (this.done[j]) return this.done[j] === 2 ? 'left without finishing' : `finished at ${clock(this.since[j])}`;
      return `comes at ${clock(job.submit_s)}`;
    }
  }

  // layout places the GPUs in a width: the largest cells with which all racks fit into a height.
  function layout(c, width, most) {
    const racks = new Map();
    c.run.machines.forEach((m, i) => racks.set(m.rack, [...(racks.get(m.rack) || []), i]));
    const across = Math.max(1, Math.min(8, c.mostMachine)), down = Math.max(1, Math.ceil(c.mostMachine / across));
    const deep = Math.max(1, ...[...racks.values()].map((r) => r.length));
    let best = null;
    for (let cell = 20; cell >= 3 && !(best && best.h <= most); cell--) {
      best = null;
      const mw = across * (cell + 1) + 3, mh = down * (cell + 1) + 2;
      for (let side = 1; side <= deep; side++) { // machines beside one another in a rack
        const rw = side * mw + 6, rh = Math.ceil(deep / side) * mh + 17;
        if (rw > width && side > 1) break;
        const columns = Math.max(1, Math.min(racks.size, Math.floor((width + 6) / (rw + 6)))), h = Math.ceil(racks.size / columns) * (rh + 6);
        if (!best || h < best.h) best = { cell, mw, mh, side, rw, rh, columns, h, across };
      }
    }
    const b = best, x = new Float32Array(c.gpus), y = new Float32Array(c.gpus), boxes = [];
    [...racks].forEach(([rack, list], r) => {
      const left = (r % b.columns) * (b.rw + 6), top = Math.floor(r / b.columns) * (b.rh + 6);
      boxes.push({ rack, x: left, y: top });
      list.forEach((m, k) => {
        for (let g = 0; g < c.run.machines[m].gpus; g++) {
          x[c.first[m] + g] = left + 4 + (k % b.side) * b.mw + (g % b.across) * (b.cell + 1);
          y[c.first[m] + g] = top + 15 + Math.floor(k / b.side) * b.mh + Math.floor(g / b.across) * (b.cell + 1);
        }
      });
    });
    return { ...b, x, y, boxes, w: Math.min(b.columns, racks.size) * (b.rw + 6) - 6 };
  }

  const css = `
.replay { position: relative; --r-bg: var(--panel, light-dark(#f5f7f8, #1d2125)); --r-fg: var(--fg, light-dark(#1a1d20, #e8eaec)); --r-soft: var(--soft, light-dark(#5a6268, #a3abb2)); --r-line: var(--line, light-dark(#d5d9dd, #3a4046)); --r-accent: var(--accent, light-dark(#005a8c, #7cc4f2));
  color: var(--r-fg); min-width: 0; }
.replay-bar { display: flex; flex-wrap: wrap; gap: .35rem .6rem; align-items: center; margin: .4rem 0; }
.replay-bar label { font-size: .85rem; color: var(--r-soft); display: inline-flex; gap: .3rem; align-items: center; max-width: 100%; min-width: 0; }
.replay select { min-width: 0; max-width: 100%; flex-shrink: 1; text-overflow: ellipsis; }
.replay button, .replay select { font: inherit; font-size: .85rem; }
.replay-play { min-width: 5.5em; }
.replay-time { font-variant-numeric: tabular-nums; font-size: .9rem; min-width: 9em; }
.replay-scrub { width: 100%; margin: .2rem 0; accent-color: var(--r-accent); display: block; }
.replay-panes { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
.replay-pane { min-width: 0; }
.replay-pane h3 { font-size: .95rem; margin: .3rem 0 0; overflow-wrap: anywhere; }
.replay-live { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }
.replay-pane p, .replay-help { color: var(--r-soft); font-size: .85rem; margin: .1rem 0 .3rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.replay-pane canvas { display: block; width: 100%; touch-action: pan-y; }
.replay-pane canvas:focus-visible { outline: 2px solid var(--r-accent); outline-offset: 2px; }
.replay-keys { display: flex; flex-wrap: wrap; gap: .1rem .9rem; list-style: none; padding: 0; margin: .4rem 0; font-size: .82rem; max-height: 6.5rem; overflow: auto; }
.replay-keys i { display: inline-block; width: .9em; height: .9em; border-radius: 2px; margin-right: .35em; vertical-align: -.08em; }
.replay-tip { position: fixed; z-index: 6; pointer-events: none; background: var(--r-bg); color: var(--r-fg); border: 1px solid var(--r-soft); border-radius: 4px; padding: .35rem .55rem; font-size: .82rem; max-width: min(26rem, calc(100vw - 16px)); overflow-wrap: anywhere; box-shadow: 0 2px 8px #0004; }
.replay-tip[hidden] { display: none; }
.replay-tip div + div { margin-top: .2rem; }
@media (min-width: 900px) { .replay-panes.two { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media print { .replay-bar, .replay-scrub, .replay-help { display: none; } }`;
  let sheet = null;

  // make makes an element; texts among the children stay texts.
  function make(tag, attrs, ...children) {
    const node = document.createElement(tag);
    for (const [k, v] of Object.entries(attrs || {})) {
      if (k.startsWith('on')) node.addEventListener(k.slice(2), v);
      else if (v !== false && v !== null && v !== undefined) node.setAttribute(k, v === true ? '' : v);
    }
    node.append(...children.flat().filter((x) => x !== null && x !== undefined));
    return node;
  }

  // palette resolves the colours, which depend on light and dark: twelve, and each twice paler.
  function palette(root) {
    const own = [['#0072b2', '#678eee'], ['#d55e00', '#f75200'], ['#009e73', '#44eba2'], ['#cc79a7', '#c29ab8'], ['#e69f00', '#ecba5c'], ['#56b4e9', '#94cfff'],
      ['#000000', '#f4f4f4'], ['#4c005c', '#ad58a8'], ['#6d5864', '#717c6f'], ['#506b31', '#abea01'], ['#7700ff', '#805eff'], ['#591200', '#bd5d3c']];
    const probe = make('span');
    root.append(probe);
    const read = (v) => { probe.style.color = v; return getComputedStyle(probe).color; };
    const parts = (v) => v.match(/[\d.]+/g).map(Number);
    const bg = read('var(--r-bg)'), ground = parts(bg), full = own.map(([l, d], i) => read(`var(--c${i}, light-dark(${l}, ${d}))`));
    const mix = (v, a) => { const p = parts(v); return `rgb(${[0, 1, 2].map((i) => Math.round(a * p[i] + (1 - a) * ground[i])).join(' ')})`; };
    const out = { bg, fg: read('var(--r-fg)'), soft: read('var(--r-soft)'), line: read('var(--r-line)'),
      kinds: [...full, ...full.map((v) => mix(v, 0.6)), ...full.map((v) => mix(v, 0.35))] };
    probe.remove();
    return out;
  }

  // Pane is one run on the page: a heading, what it counts, and the canvas.
  class Pane {
    constructor(app, name, cluster) {
      this.app = app;
      this.c = cluster;
      this.state = make('p', { class: 'replay-count' });
      this.canvas = make('canvas', { tabindex: 0, role: 'img' }, 'The state of the cluster at the time shown stands as text above and below.');
      this.root = make('section', { class: 'replay-pane', 'aria-label': name }, make('h3', {}, name), this.state, this.canvas,
        cluster.run.note ? make('p', {}, cluster.run.note) : null);
      this.canvas.addEventListener('pointermove', (e) => { const j = this.under(e); app.pick(j < 0 ? null : cluster.run.jobs[j].id, e.clientX, e.clientY); });
      this.canvas.addEventListener('pointerleave', () => app.pick(null));
      this.canvas.addEventListener('keydown', (e) => this.walk(e));
      this.canvas.addEventListener('blur', () => app.pick(null));
    }

    // size fits the canvas to the width that it has; the queue stands beside the racks, or below.
    size() {
      const w = Math.max(160, this.canvas.clientWidth || this.root.clientWidth), beside = w >= 420, list = beside ? Math.min(230, w * 0.36) : w;
      this.grid = layout(this.c, beside ? w - list - 14 : w, 360);
      const h = beside ? Math.max(140, this.grid.h) : this.grid.h + 150, dpr = window.devicePixelRatio || 1;
      this.list = beside ? { x: Math.min(w - list, this.grid.w + 14), y: 0, w: list, h } : { x: 0, y: this.grid.h + 4, w: list, h: 146 };
      Object.assign(this, { w, h, dpr });
      Object.assign(this.canvas, { width: Math.round(w * dpr), height: Math.round(h * dpr) });
      this.canvas.style.height = h + 'px';
    }

    counts() {
      const c = this.c;
      return `${c.busy} of ${gpusText(c.gpus)} busy · ${c.running} running · ${c.queue.length} waiting · ${c.finished} finished`;
    }

    draw(col) {
      const { c, grid, canvas } = this, ctx = canvas.getContext('2d'), picked = this.app.pickedIn(this);
      ctx.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
      ctx.clearRect(0, 0, this.w, this.h);
      ctx.font = '11px system-ui, "Segoe UI", "Liberation Sans", Arial, sans-serif';
      ctx.textBaseline = 'alphabetic';
      for (const b of grid.boxes) {
        ctx.strokeStyle = col.line;
        ctx.strokeRect(b.x + 0.5, b.y + 0.5, grid.rw - 1, grid.rh - 1);
        ctx.fillStyle = col.soft;
        ctx.fillText('rack ' + b.rack, b.x + 4, b.y + 11, grid.rw - 6);
      }
      const n = grid.cell;
      for (let g = 0; g < c.gpus; g++) {
        const held = c.holders[g], x = grid.x[g], y = grid.y[g];
        ctx.fillStyle = held.length ? col.kinds[this.app.kind(this, c.run.spans[held[held.length - 1]].job)] : col.line;
        if (!held.length && n > 4) { ctx.globalAlpha = 0.45; ctx.fillRect(x, y, n, n); ctx.globalAlpha = 1; continue; }
        ctx.fillRect(x, y, n, n);
        if (held.length > 1) { // a shared GPU has a second colour in its lower half
          ctx.fillStyle = col.kinds[this.app.kind(this, c.run.spans[held[0]].job)];
          ctx.fillRect(x, y + n / 2, n, n / 2);
        }
        if (picked >= 0 && held.some((s) => c.run.spans[s].job === picked)) {
          ctx.strokeStyle = col.fg;
          ctx.lineWidth = 2;
          ctx.strokeRect(x, y, n, n);
          ctx.lineWidth = 1;
        }
      }
      this.drawQueue(ctx, col, picked);
      this.state.textContent = this.counts();
    }

    drawQueue(ctx, col, picked) {
      const { c, list } = this, row = 15, room = Math.floor((list.h - 17) / row), many = c.queue.length;
      ctx.fillStyle = col.soft;
      ctx.fillText(many ? `queue: ${many} waiting` : 'queue: none waiting', list.x, list.y + 11);
      const shown = Math.max(0, Math.min(many, many > room ? room - 1 : room));
      this.rows = [];
      for (let k = 0; k < shown; k++) {
        const j = c.byRank[c.queue[k]], job = c.run.jobs[j], y = list.y + 17 + k * row;
        this.rows.push(j);
        ctx.fillStyle = this.app.colour === 'level' ? col.line : col.kinds[this.app.kind(this, j)];
        ctx.fillRect(list.x, y + 2, 10, 10);
        if (j === picked) { ctx.strokeStyle = col.fg; ctx.strokeRect(list.x - 0.5, y + 0.5, list.w - 1, row - 1); }
        ctx.fillStyle = col.fg;
        ctx.fillText(`${gpusText(job.gpus)} · ${long(c.time - c.since[j])} · ${String(job.id).slice(0, 40)}`, list.x + 15, y + 11, list.w - 18);
      }
      ctx.fillStyle = col.soft;
      if (many > shown) ctx.fillText(`and ${many - shown} more`, list.x + 15, list.y + 17 + shown * row + 11);
    }

    // under gives the job under the pointer, -1 = none.
    under(e) {
      const r = this.canvas.getBoundingClientRect(), x = e.clientX - r.left, y = e.clientY - r.top, { grid, list, c } = this;
      if (x >= list.x && y >= list.y + 17) return this.rows[Math.floor((y - list.y - 17) / 15)] ?? -1;
      for (let g = 0; g < c.gpus; g++) {
        if (x < grid.x[g] - 0.5 || y < grid.y[g] - 0.5 || x > grid.x[g] + grid.cell + 0.5 || y > grid.y[g] + grid.cell + 0.5) continue;
        const held = c.holders[g];
        if (!held.length) return -1;
        return c.run.spans[held[held.length > 1 && y > grid.y[g] + grid.cell / 2 ? 0 : held.length - 1]].job;
      }
      return -1;
    }

    // placeOf gives the point of a job on the canvas: its first cell, or its row in the queue.
    placeOf(j) {
      const g = this.c.active[j] ? this.c.run.spans[this.c.span[j]].cells[0] : -1, row = this.rows.indexOf(j);
      if (g >= 0) return [this.grid.x[g] + this.grid.cell, this.grid.y[g]];
      return [this.list.x, this.list.y + 17 + 15 * (row < 0 ? this.rows.length : row)];
    }

    // walk goes through the jobs with the arrow keys: the running ones by GPU, then the queue.
    walk(e) {
      if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp' && e.key !== 'Escape') return;
      e.preventDefault();
      e.stopPropagation();
      const c = this.c, all = [...new Set([...c.holders.flat().map((s) => c.run.spans[s].job), ...c.queue.map((r) => c.byRank[r])])];
      if (e.key === 'Escape' || !all.length) { this.app.pick(null); return; }
      const at = all.indexOf(this.app.pickedIn(this)), to = at < 0 ? 0 : (at + (e.key === 'ArrowDown' ? 1 : all.length - 1)) % all.length;
      const r = this.canvas.getBoundingClientRect(), [x, y] = this.placeOf(all[to]);
      this.app.pick(c.run.jobs[all[to]].id, r.left + x, r.top + y, true);
    }
  }

  // Replay is the component: the clock, the controls and one or two panes.
  class Replay {
    constructor(root, runs, options) {
      this.root = root;
      this.runs = runs;
      this.options = options || {};
      this.clusters = new Map(); // run number -> Cluster
      this.colour = this.options.colour || 'model';
      this.playing = false;
      this.frames = this.busy = 0;
      this.still = matchMedia('(prefers-reduced-motion: reduce)');
      this.panes = [];
      if (!sheet) { sheet = new CSSStyleSheet(); sheet.replaceSync(css); }
      if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      this.build();
      this.recolour = () => { this.col = null; this.draw(); };
      this.scheme = matchMedia('(prefers-color-scheme: dark)');
      this.scheme.addEventListener('change', this.recolour);
      this.observer = new ResizeObserver(() => { if (this.panesBox.clientWidth !== this.width) this.resize(); });
      this.observer.observe(this.panesBox);
      const left = this.options.left || 0, other = this.options.right;
      this.show(left, other === undefined ? this.partners(left)[0] ?? -1 : other);
      if (this.options.autoplay && !this.still.matches) this.play();
    }

    build() {
      const button = (text, label, act) => make('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, text);
      this.playButton = make('button', { type: 'button', class: 'replay-play', onclick: () => (this.playing ? this.pause() : this.play()) }, '▶ play');
      this.timeText = make('span', { class: 'replay-time' });
      this.scrub = make('input', { type: 'range', class: 'replay-scrub', min: 0, max: 1000, step: 'any', value: 0, 'aria-label': 'time' });
      this.scrub.addEventListener('input', () => { this.follow = false; this.seek(this.from + this.scrub.value / 1000 * (this.until - this.from)); });
      this.speedBox = make('select', { 'aria-label': 'speed', onchange: () => { this.speed = +this.speedBox.value; } });
      this.leftBox = make('select', { 'aria-label': 'run', onchange: () => this.show(+this.leftBox.value, this.right) });
      this.rightBox = make('select', { 'aria-label': 'beside it', onchange: () => this.show(this.left, +this.rightBox.value) });
      this.colourBox = make('select', { 'aria-label': 'colour', onchange: () => { this.colour = this.colourBox.value; this.legend(); this.draw(); } },
        ['model', 'user', 'job', 'level'].map((k) => make('option', { value: k, selected: k === this.colour }, k)));
      this.live = make('p', { class: 'replay-live', role: 'status', 'aria-live': 'polite' });
      this.panesBox = make('div', { class: 'replay-panes' });
      this.keys = make('ul', { class: 'replay-keys', 'aria-label': 'colours' });
      this.tip = make('div', { class: 'replay-tip', hidden: true });
      this.help = make('details', { class: 'replay-help' }, make('summary', {}, 'How to read the replay'), this.helpText());
      this.root.classList.add('replay');
      this.root.replaceChildren(
        make('div', { class: 'replay-bar' }, make('label', {}, 'run', this.leftBox), make('label', {}, 'beside it', this.rightBox), make('label', {}, 'colour', this.colourBox)),
        make('div', { class: 'replay-bar' }, button('|◀', 'to the start', () => this.seek(this.from)), this.playButton, button('▶|', 'to the end', () => this.seek(this.until)),
          make('label', {}, 'speed', this.speedBox), this.timeText),
        this.scrub, this.panesBox, this.keys, this.live, this.help, this.tip);
      this.onkey = (e) => this.key(e);
      this.root.addEventListener('keydown', this.onkey);
    }

    helpText() {
      return ['A small square is a GPU, a row of squares a machine, a box a rack. A coloured square is held by a job; a pale one is free, or out of service. Two colours in one square: two jobs share the GPU.',
        'Keys: space plays and stops; left and right go 1 % of the time, with shift to the change before and the next one; page up and down 10 %; home and end. On a picture, up and down go through its jobs.',
        'Point at a square or at a row of the queue to see the job. The reason why it waits is derived from the GPUs that are free at that moment and marked so, unless the run recorded it: '
        + 'lack of GPUs; enough GPUs, but spread (a timer for a closer placement, where the policy has timers); or enough GPUs as close as can be (order, quota, next round).']
        .map((text) => make('p', {}, text));
    }

    // partners are the runs that may stand beside one.
    partners(i) {
      const group = (k) => this.runs[k].group || '';
      return this.runs.map((_, k) => k).filter((k) => k !== i && group(k) === group(i));
    }

    cluster(i) {
      if (!this.clusters.has(i)) {
        const r = this.runs[i];
        this.clusters.set(i, new Cluster(r.load ? { ...r.load(), name: r.name } : r));
      }
      return this.clusters.get(i);
    }

    // show puts one run or two in step on the page.
    show(left, right) {
      const may = this.partners(left);
      Object.assign(this, { left, right: may.includes(right) ? right : -1 });
      const option = (k, at) => make('option', { value: k, selected: k === at }, this.runs[k].name);
      this.leftBox.replaceChildren(...this.runs.map((_, k) => option(k, left)));
      this.rightBox.replaceChildren(make('option', { value: -1, selected: this.right < 0 }, 'nothing'), ...may.map((k) => option(k, this.right)));
      this.panes = [left, this.right].filter((k) => k >= 0).map((k) => new Pane(this, this.runs[k].name, this.cluster(k)));
      this.panesBox.className = 'replay-panes' + (this.panes.length > 1 ? ' two' : '');
      this.panesBox.replaceChildren(...this.panes.map((p) => p.root));
      this.picked = null;
      this.follow = !!this.options.live;
      this.span();
      this.legend();
      this.resize();
      this.seek(this.time ?? this.from);
    }

    // span sets the times of the scrubber and the speeds.
    span() {
      const c = this.panes.map((p) => p.c);
      this.from = Math.min(...c.map((x) => x.from));
      this.until = Math.max(this.from + 1, ...c.map((x) => x.until));
      const steps = [1, 10, 60, 300, 600, 1800, 3600, 10800, 21600, 43200, 86400, 259200, 604800], whole = this.until - this.from;
      let may = steps.filter((s) => whole / s >= 4 && whole / s <= 7200);
      if (!may.length) may = [Math.max(1, whole / 60)];
      if (!this.speed) this.speed = this.options.speed || may.reduce((a, b) => (Math.abs(Math.log(whole / b / 60)) < Math.abs(Math.log(whole / a / 60)) ? b : a));
      if (!may.includes(this.speed)) may = [...may, this.speed].sort((a, b) => a - b);
      this.speedBox.replaceChildren(...may.map((s) => make('option', { value: s, selected: s === this.speed }, `${long(s)} per second`)));
    }

    resize() {
      if (!this.root.isConnected) return;
      this.width = this.panesBox.clientWidth;
      this.panes.forEach((p) => p.size());
      this.draw();
    }

    // kind gives the colour of a job in a pane.
    kind(pane, j) {
      const run = pane.c.run, job = run.jobs[j];
      if (this.colour === 'job') return j % (3 * COLOURS);
      const name = this.colour === 'level' ? LEVELS[(run.spans[pane.c.span[j]] || {}).level] || 'no level' : job[this.colour] || `no ${this.colour}`;
      return (this.numbers.get(name) || 0) % (3 * COLOURS);
    }

    // legend gives each kind its number, the same in both panes.
    legend() {
      const names = new Set();
      if (this.colour === 'level') ['one machine', 'one rack', 'across racks'].forEach((n) => names.add(n));
      else if (this.colour !== 'job') for (const p of this.panes) for (const j of p.c.run.jobs) names.add(j[this.colour] || `no ${this.colour}`);
      const list = this.colour === 'level' ? [...names] : [...names].sort();
      this.numbers = new Map(list.map((n, i) => [n, this.colour === 'level' ? [2, 4, 1][i] : i]));
      if (this.colour === 'level') this.numbers.set('no level', 8);
      this.keyNames = list.slice(0, 36);
      this.keys.replaceChildren(...this.keyNames.map((n) => make('li', {}, make('i', { 'aria-hidden': 'true' }), n)), ...(list.length > 36 ? [make('li', {}, `and ${list.length - 36} more, whose colours repeat`)] : []));
      this.col = null;
    }

    colours() {
      if (this.col && this.col.scheme === getComputedStyle(this.root).colorScheme) return this.col;
      this.col = palette(this.root);
      this.col.scheme = getComputedStyle(this.root).colorScheme;
      this.keyNames.forEach((n, i) => { this.keys.children[i].firstChild.style.background = this.col.kinds[this.numbers.get(n) % (3 * COLOURS)]; });
      return this.col;
    }

    draw() {
      if (!this.root.isConnected || !this.panes.length) return;
      if (!this.width) { this.resize(); return; }
      const begun = performance.now(), col = this.colours();
      for (const p of this.panes) { p.c.to(this.time); p.draw(col); }
      this.timeText.textContent = `${clock(this.time)} of ${clock(this.until)}`;
      this.scrub.value = 1000 * (this.time - this.from) / (this.until - this.from);
      this.scrub.setAttribute('aria-valuetext', clock(this.time));
      this.root.dataset.time = this.time;
      if (this.picked !== null) this.tipText();
      this.frames++;
      this.busy += performance.now() - begun;
    }

    // say writes the state for readers of the text; while it plays only now and then.
    say(now) {
      if (!now && performance.now() - (this.said || 0) < 10000) return;
      this.said = performance.now();
      const text = this.panes.map((p) => `${p.root.getAttribute('aria-label')} at ${clock(this.time)}: ${p.counts()}.`);
      this.live.textContent = (this.picked !== null ? this.describe(this.picked).join(' ') + ' ' : '') + text.join(' ');
      this.panes.forEach((p, i) => p.canvas.setAttribute('aria-label', `cells of the cluster, ${text[i]} Up and down go through its jobs.`));
    }

    seek(t) {
      this.time = Math.min(Math.max(t, this.from), this.until);
      this.draw();
      clearTimeout(this.soon);
      if (!this.playing) this.soon = setTimeout(() => this.say(true), 250);
    }

    play() {
      if (this.playing) return;
      if (this.time >= this.until && !this.options.live) this.time = this.from;
      this.playing = true;
      this.playButton.textContent = '❚❚ pause';
      this.last = undefined;
      this.request = requestAnimationFrame((now) => this.frame(now));
    }

    pause() {
      this.playing = false;
      this.follow = false;
      this.playButton.textContent = '▶ play';
      cancelAnimationFrame(this.request);
      this.say(true);
    }

    // frame moves the clock; where the reader prefers reduced motion it goes in steps of a second.
    frame(now) {
      if (!this.playing) return;
      const least = this.still.matches ? 1000 : 0, gone = now - (this.last ?? now);
      if (this.last === undefined || gone >= least) {
        this.last = now;
        this.seek(this.time + Math.min(gone, Math.max(least, 250)) / 1000 * this.speed);
        this.say(false);
        if (this.time >= this.until && !this.options.live) { this.pause(); return; }
      }
      this.request = requestAnimationFrame((next) => this.frame(next));
    }

    key(e) {
      if (e.target.tagName === 'SELECT' || e.ctrlKey || e.metaKey || e.altKey || (e.target.tagName === 'BUTTON' && e.key === ' ')) return;
      const long = this.until - this.from, go = (d) => () => this.seek(this.time + d);
      const acts = { ' ': () => (this.playing ? this.pause() : this.play()), Home: () => this.seek(this.from), End: () => this.seek(this.until),
        ArrowLeft: e.shiftKey ? () => this.change(-1) : go(-long / 100), ArrowRight: e.shiftKey ? () => this.change(1) : go(long / 100),
        PageUp: go(-long / 10), PageDown: go(long / 10) };
      if (!acts[e.key]) return;
      e.preventDefault();
      this.follow = false;
      acts[e.key]();
    }

    // change goes to the event before or after.
    change(way) {
      let to = way > 0 ? this.until : this.from;
      for (const { c } of this.panes) {
        let a = 0, b = c.at.length; // first event after now, or not before it
        while (a < b) { const m = (a + b) >> 1; if (way > 0 ? c.at[m] <= this.time : c.at[m] < this.time) a = m + 1; else b = m; }
        const t = c.at[way > 0 ? a : a - 1];
        if (t !== undefined) to = way > 0 ? Math.min(to, t) : Math.max(to, t);
      }
      this.seek(to);
    }

    // numberOf finds a job by its id in a pane, -1 = it has none.
    numberOf(pane, id) {
      const c = pane.c;
      if (!c.byID || c.byID.size < c.run.jobs.length) c.byID = new Map(c.run.jobs.map((j, i) => [j.id, i]));
      return c.byID.get(id) ?? -1;
    }

    pickedIn(pane) { return this.picked === null ? -1 : this.numberOf(pane, this.picked); }

    // pick shows a job in both panes, beside a point of the window.
    pick(id, x, y, speak) {
      if (id === null && this.picked === null) return;
      Object.assign(this, { picked: id, tipX: x, tipY: y });
      if (id === null) this.tip.hidden = true;
      if (!this.playing || id === null) this.draw();
      else this.tipText();
      if (speak) this.say(true);
    }

    describe(id) {
      const out = [];
      for (const p of this.panes) {
        const j = this.numberOf(p, id);
        if (j < 0) continue;
        const job = p.c.run.jobs[j];
        if (!out.length) out.push(`job ${job.id} · ${job.model || 'no model'} · ${job.user ? 'user ' + job.user : 'no user'} · ${gpusText(job.gpus)}`);
        out.push(`${this.panes.length > 1 ? p.root.getAttribute('aria-label') + ': ' : ''}${p.c.tell(j)}`);
      }
      return out;
    }

    tipText() {
      const lines = this.describe(this.picked), tip = this.tip;
      tip.replaceChildren(...lines.map((text, i) => make('div', {}, i ? text : make('strong', {}, text))));
      tip.hidden = !lines.length;
      const w = tip.offsetWidth, h = tip.offsetHeight, x = this.tipX, y = this.tipY;
      tip.style.left = Math.max(4, Math.min(x + 14 + w > innerWidth - 4 ? x - w - 14 : x + 14, innerWidth - w - 4)) + 'px';
      tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - h - 4)) + 'px';
    }

    append(i, more) {
      const c = this.cluster(i), run = c.run;
      for (const part of ['machines', 'jobs', 'spans', 'waits']) run[part] = [...run[part], ...(more[part] || [])];
      for (const e of more.ends || []) Object.assign(run.spans[e.span], { end_s: e.end_s, ended: e.ended });
      for (const g of more.gone || []) run.jobs[g.job] = { ...run.jobs[g.job], gone_s: g.gone_s };
      if (more.until_s !== undefined) run.until_s = more.until_s;
      c.reshape();
      this.span();
      this.legend();
      if (more.machines) this.resize();
      if (this.follow) this.time = this.until;
      this.seek(this.time);
    }

    state() {
      return { time: this.time, from: this.from, until: this.until, playing: this.playing, speed: this.speed, colour: this.colour, frames: this.frames, busy_ms: this.busy,
        runs: this.panes.map((p) => ({ name: p.root.getAttribute('aria-label'), gpus: p.c.gpus, busy: p.c.busy, running: p.c.running, finished: p.c.finished, events: p.c.applied,
          waiting: p.c.queue.map((r) => p.c.run.jobs[p.c.byRank[r]].id) })) };
    }

    destroy() {
      this.playing = false;
      cancelAnimationFrame(this.request);
      clearTimeout(this.soon);
      this.observer.disconnect();
      this.scheme.removeEventListener('change', this.recolour);
      this.root.removeEventListener('keydown', this.onkey);
      this.root.replaceChildren();
    }
  }

  return (root, runs, options) => {
    const r = new Replay(root, runs, options);
    const handle = {};
    for (const name of ['append', 'show', 'seek', 'play', 'pause', 'draw', 'state', 'describe', 'destroy']) handle[name] = r[name].bind(r);
    return handle;
  };
})();
