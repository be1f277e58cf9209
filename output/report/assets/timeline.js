// The timeline of the cluster: time across, GPUs down, a coloured span for who holds them.

class Timeline {
  constructor(data) {
    this.root = el('figure', { class: 'card timeline', id: 'timeline-card' });
    this.label = null; // of the trial that is shown
    this.kind = 0; // what the colour shows
    this.hidden = new Set();
    this.update(data);
    new ResizeObserver(() => { if (this.root.clientWidth !== this.width) this.draw(); }).observe(this.root);
  }

  // update takes new data and keeps the trial.
  update({ timelines: list, workloads }) {
    this.list = list;
    this.workloads = workloads;
    const i = Math.max(0, list.findIndex((t) => t.label === this.label));
    this.canvas = el('canvas', { class: 'plot', tabindex: 0, role: 'img', 'aria-label': 'timeline of the cluster: arrow keys move, + and − zoom, 0 resets' });
    this.legend = el('div', { class: 'legend', role: 'group', 'aria-label': 'kinds of spans' });
    this.remark = el('p', { class: 'note' });
    this.reset = el('button', { type: 'button', class: 'reset', onclick: () => this.whole() }, 'reset zoom');
    this.trials = chooser('trial', list.map((t) => t.label), i, (at) => this.load(at));
    this.root.replaceChildren(
      el('div', { class: 'controls' }, this.trials, chooser('colour', ['model', 'job', 'level'], this.kind, (at) => { this.kind = at; this.hidden.clear(); this.kinds(); this.draw(); }), this.reset),
      this.canvas, this.legend,
      el('p', { class: 'hint' }, 'Drag over a part to see it larger, or click and turn the wheel; double click resets. Thick lines part racks, thin ones machines.'), this.remark);
    this.listen();
    this.load(i);
  }

  // load unpacks a trial.
  load(i) {
    const t = this.list[i], view = this.label === t.label && this.view;
    this.t = t;
    this.w = this.workloads[t.workload];
    this.label = t.label;
    this.root.dataset.trial = t.label;
    this.spans = [];
    let start = 0, end = 1;
    for (let k = 0; k < t.spans.length; k += 7) {
      const [gap, long, job, level, why, gpu, count] = t.spans.slice(k, k + 7);
      start += gap;
      end = Math.max(end, start + long);
      this.spans.push({ start, end: start + long, job, level, why, gpu, count });
    }
    this.end = end;
    this.remark.textContent = t.note;
    this.view = view || { a: 0, b: end, g: 0, h: t.gpus };
    this.kinds();
    this.draw();
  }

  whole() {
    this.view = { a: 0, b: this.end, g: 0, h: this.t.gpus };
    this.draw();
  }

  kindOf(s) {
    return [this.w.models[this.w.jobModel[s.job]] || 'no model', this.w.jobs[s.job], this.t.levels[s.level] || 'no level'][this.kind];
  }

  // kinds gives each kind a number and fills the legend; jobs are too many to list.
  kinds() {
    const names = [...new Set(this.spans.map((s) => this.kindOf(s)))];
    if (this.kind !== 1) names.sort();
    this.number = new Map(names.map((n, i) => [n, i]));
    this.legend.replaceChildren(...(this.kind === 1 ? [] : names).map((name, i) => {
      const patch = el('i', { 'aria-hidden': 'true' });
      patch.style.background = paint(i);
      patch.style.opacity = this.pale(i);
      const b = el('button', { type: 'button', 'aria-pressed': String(!this.hidden.has(name)), onclick: () => {
        if (!this.hidden.delete(name)) this.hidden.add(name);
        b.setAttribute('aria-pressed', String(!this.hidden.has(name)));
        this.draw();
      } }, patch, name);
      return b;
    }));
  }

  // pale distinguishes the second and third twelve kinds from the first.
  pale(i) { return [1, 0.55, 0.3][Math.floor(i / colours) % 3]; }

  // colours resolves the palette, which depends on light and dark.
  colours() {
    const probe = el('span');
    this.root.append(probe);
    const read = (v) => { probe.style.color = v; return getComputedStyle(probe).color; };
    const out = { kinds: Array.from({ length: colours }, (_, i) => read(paint(i))), fg: read('var(--fg)'), soft: read('var(--soft)'), line: read('var(--line)'), bg: read('var(--panel)') };
    probe.remove();
    return out;
  }

  draw() {
    if (!this.root.isConnected) return; // it has no size and no colours yet
    this.width = this.root.clientWidth;
    const w = Math.max(200, this.canvas.clientWidth || this.width - 24);
    const h = Math.max(160, Math.min(560, this.t.gpus * 14)) + 34;
    const dpr = window.devicePixelRatio || 1, c = this.canvas;
    c.width = w * dpr; c.height = h * dpr;
    c.style.height = h + 'px';
    this.x = new Scale(this.view.a, this.view.b, 84, w - 8, false);
    this.y = new Scale(this.view.g, this.view.h, 4, h - 30, false);
    const ctx = c.getContext('2d'), col = this.colours();
    ctx.scale(dpr, dpr);
    ctx.font = '12px system-ui, sans-serif';
    ctx.fillStyle = col.bg;
    ctx.fillRect(this.x.a, this.y.a, this.x.b - this.x.a, this.y.b - this.y.a);
    ctx.save();
    ctx.beginPath();
    ctx.rect(this.x.a, this.y.a, this.x.b - this.x.a, this.y.b - this.y.a);
    ctx.clip();
    this.bars(ctx, col);
    this.walls(ctx, col);
    ctx.restore();
    this.labels(ctx, col, h);
    const v = this.view;
    this.reset.disabled = v.a === 0 && v.b === this.end && v.g === 0 && v.h === this.t.gpus;
    this.root.dataset.view = [v.a, v.b, v.g, v.h].map((n) => n.toFixed(1)).join(' ');
  }

  // bars draws the spans; one that is too short to see is still a pixel wide.
  bars(ctx, col) {
    const { x, y, view } = this;
    const row = y.px(view.g + 1) - y.px(view.g), gap = row > 4 ? 1 : 0;
    for (const s of this.spans) {
      if (s.end < view.a || s.start > view.b || s.gpu + s.count < view.g || s.gpu > view.h) continue;
      const kind = this.kindOf(s), i = this.number.get(kind);
      if (this.hidden.has(kind)) continue;
      const left = x.px(s.start), wide = Math.max(1, x.px(s.end) - left - (x.px(s.end) - left > 3 ? 0.7 : 0));
      ctx.globalAlpha = this.pale(i);
      ctx.fillStyle = col.kinds[i % colours];
      ctx.fillRect(left, y.px(s.gpu), wide, row * s.count - gap);
      const text = this.w.jobs[s.job];
      if (wide > text.length * 7 + 10 && row * s.count > 13) {
        ctx.globalAlpha = 1;
        ctx.fillStyle = this.ink(col.kinds[i % colours], this.pale(i) < 1, col);
        ctx.fillText(text, Math.max(left, x.a) + 4, y.px(s.gpu) + Math.min(row * s.count / 2 + 4, 14));
      }
    }
    ctx.globalAlpha = 1;
  }

  // ink is what can be read on a colour: dark on light ones, light on dark ones.
  ink(colour, pale, col) {
    if (pale) return col.fg;
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
    return 0.3 * r + 0.59 * g + 0.11 * b > 115 ? '#000' : '#fff';
  }

  // walls draws the borders of machines and racks.
  walls(ctx, col) {
    const per = (this.y.b - this.y.a) / (this.view.h - this.view.g);
    const line = (g, width, colour) => {
      ctx.strokeStyle = colour; ctx.lineWidth = width;
      ctx.beginPath(); ctx.moveTo(this.x.a, this.y.px(g) - 0.5); ctx.lineTo(this.x.b, this.y.px(g) - 0.5); ctx.stroke();
    };
    if (per * this.t.gpus / Math.max(1, this.t.machines.length) > 5) for (const g of this.t.machines) line(g, 1, col.line);
    for (const g of this.t.racks.slice(1)) line(g, 2, col.soft);
  }

  labels(ctx, col, h) {
    const { t, x, y, view } = this;
    ctx.fillStyle = col.fg;
    const from = t.start + view.a * t.tick, to = t.start + view.b * t.tick;
    ctx.textAlign = 'center';
    for (const [at, text] of timeTicks(from, to, Math.max(2, Math.floor((x.b - x.a) / 90)))) {
      const px = x.px((at - t.start) / t.tick);
      if (px < x.a - 1 || px > x.b - 8) continue;
      ctx.fillRect(px, h - 30, 1, 5);
      ctx.fillText(text, px, h - 12);
    }
    ctx.textAlign = 'right';
    let last = -100;
    const mark = (g, text, end) => {
      const py = (Math.max(y.px(g), y.a) + Math.min(y.px(end), y.b)) / 2;
      if (py < y.a || py > y.b || py - last < 13 || y.px(end) < y.a || y.px(g) > y.b) return;
      ctx.fillText(text, 78, py + 4);
      last = py;
    };
    const per = (y.b - y.a) / (view.h - view.g);
    const starts = t.machines.length ? t.machines : [0], perMachine = per * t.gpus / starts.length;
    if (per > 12) for (let g = Math.floor(view.g); g < Math.min(t.gpus, view.h); g++) mark(g, 'GPU ' + g, g + 1);
    else if (t.machines.length && perMachine > 12) starts.forEach((g, i) => mark(g, 'machine ' + i, starts[i + 1] || t.gpus));
    else if (t.racks.length) t.racks.forEach((g, i) => mark(g, 'rack ' + i, t.racks[i + 1] || t.gpus));
    else mark(view.g, `${t.gpus} GPUs`, view.h);
    ctx.textAlign = 'left';
  }

  // show moves the view, inside what there is.
  show(a, b, g, h) {
    const long = Math.min(Math.max(b - a, 20), this.end), high = Math.min(Math.max(h - g, 1), this.t.gpus);
    a = Math.min(Math.max(0, a), this.end - long);
    g = Math.min(Math.max(0, g), this.t.gpus - high);
    this.view = { a, b: a + long, g, h: g + high };
    this.draw();
  }

  zoomBy(f, around) {
    const { a, b, g, h } = this.view;
    this.show(around + (a - around) * f, around + (b - around) * f, g, h);
  }

  listen() {
    const c = this.canvas;
    let start = null;
    const at = (e) => {
      const r = c.getBoundingClientRect();
      return [Math.min(Math.max(e.clientX - r.left, this.x.a), this.x.b), Math.min(Math.max(e.clientY - r.top, this.y.a), this.y.b)];
    };
    c.addEventListener('pointerdown', (e) => { if (!e.button) { start = at(e); c.setPointerCapture(e.pointerId); } });
    c.addEventListener('pointermove', (e) => {
      const p = at(e);
      if (start && Math.abs(p[0] - start[0]) > 3) {
        this.draw();
        const ctx = c.getContext('2d');
        ctx.globalAlpha = 0.25;
        ctx.fillStyle = this.colours().fg;
        const [y0, y1] = this.rows(start, p);
        ctx.fillRect(Math.min(start[0], p[0]), y0, Math.abs(p[0] - start[0]), y1 - y0);
        ctx.globalAlpha = 1;
      } else this.hover(p, e);
    });
    c.addEventListener('pointerup', (e) => {
      const from = start, to = at(e);
      start = null;
      if (!from || Math.abs(to[0] - from[0]) < 6) return;
      const [y0, y1] = this.rows(from, to), v = (p) => this.x.value(p);
      this.show(v(Math.min(from[0], to[0])), v(Math.max(from[0], to[0])), Math.floor(this.y.value(y0) + 0.01), Math.ceil(this.y.value(y1) - 0.01));
    });
    c.addEventListener('pointercancel', () => { start = null; this.draw(); });
    c.addEventListener('pointerleave', hideTip);
    c.addEventListener('dblclick', () => this.whole());
    c.addEventListener('wheel', (e) => {
      if (document.activeElement !== c && !e.ctrlKey) return;
      e.preventDefault();
      this.zoomBy(e.deltaY > 0 ? 1.25 : 0.8, this.x.value(at(e)[0]));
    }, { passive: false });
    c.addEventListener('keydown', (e) => this.key(e));
  }

  // rows is the height of a drag: all rows unless it goes down far enough.
  rows(p, q) {
    return Math.abs(p[1] - q[1]) < 24 ? [this.y.a, this.y.b] : [Math.min(p[1], q[1]), Math.max(p[1], q[1])];
  }

  key(e) {
    const { a, b, g, h } = this.view, dx = (b - a) / 5, dy = Math.max(1, (h - g) / 5);
    const keys = {
      ArrowLeft: () => this.show(a - dx, b - dx, g, h), ArrowRight: () => this.show(a + dx, b + dx, g, h),
      ArrowUp: () => this.show(a, b, g - dy, h - dy), ArrowDown: () => this.show(a, b, g + dy, h + dy),
      '+': () => this.zoomBy(0.7, (a + b) / 2), '=': () => this.zoomBy(0.7, (a + b) / 2), '-': () => this.zoomBy(1 / 0.7, (a + b) / 2),
      0: () => this.whole(), Escape: () => this.whole(),
    };
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  }

  // hover shows who holds the GPU under the pointer; several when they share it.
  hover(p, e) {
    const tick = this.x.value(p[0]), gpu = Math.floor(this.y.value(p[1])), near = (this.x.value(p[0] + 1) - tick);
    const hit = this.spans.filter((s) => gpu >= s.gpu && gpu < s.gpu + s.count && tick >= s.start - near && tick <= s.end + near && !this.hidden.has(this.kindOf(s))).slice(0, 4);
    if (!hit.length) { hideTip(); return; }
    const { t, w } = this, time = (k) => withUnit(t.start + k * t.tick, 's');
    const type = t.types && t.types[t.machines.findLastIndex((g) => g <= gpu)];
    showTip(e.clientX, e.clientY, ...hit.map((s) => el('div', {}, el('strong', {}, 'job ' + w.jobs[s.job]), ` · ${w.models[w.jobModel[s.job]] || 'no model'} · level ${t.levels[s.level] || '–'}`,
      el('br'), `GPU ${gpu}${type ? ` (${type})` : ''} of ${s.gpu}–${s.gpu + s.count - 1}`, el('br'), t.every ? `about ${time(s.start)} to ${time(s.end)}, sampled every ${withUnit(t.every, 's')}` : `${time(s.start)} to ${time(s.end)}, ${withUnit((s.end - s.start) * t.tick, 's')}`, `, ended: ${t.ends[s.why] || '–'}`)));
  }
}
