// A chart: what the reader chose, and how it answers to mouse, touch and keys. chartdraw.js draws.

class Chart {
  constructor(spec) {
    this.root = el('figure', { class: 'card chart', id: 'chart-' + spec.id });
    this.pick = spec.picks.map(() => 0);
    this.hidden = new Set(); // names of series
    this.zoom = null; // [from, to] on the x axis
    this.logX = this.logY = null; // null = as the view says
    this.at = null; // value under the cursor
    this.update(spec);
    new ResizeObserver(() => { if (this.root.clientWidth !== this.width) this.draw(); }).observe(this.root);
  }

  // update takes new data and keeps what the reader chose.
  update(spec) {
    this.spec = spec;
    this.pick = spec.picks.map((p, i) => Math.min(this.pick[i] || 0, p.options.length - 1));
    this.plot = svg('svg', { class: 'plot', tabindex: 0, role: 'group', 'aria-label': spec.title + ': arrow keys read values, + and − zoom, 0 resets' });
    this.listen();
    this.controls = el('div', { class: 'controls' });
    this.legend = el('div', { class: 'legend', role: 'group', 'aria-label': 'series' });
    this.root.replaceChildren(el('h3', {}, spec.title), this.controls, this.plot, this.legend,
      spec.small ? '' : el('p', { class: 'note' }, spec.note));
    this.choose();
  }

  view() {
    return this.spec.views.find((v) => v.pick.every((p, i) => p === this.pick[i])) || this.spec.views[0];
  }

  // choose builds the controls of the view and draws it.
  choose() {
    const v = this.view();
    const picks = this.spec.picks.map((p, i) => chooser(p.label, p.options, this.pick[i], (at) => {
      this.pick[i] = at;
      this.zoom = this.at = null;
      this.logX = this.logY = null;
      this.choose();
    }));
    const logs = [];
    if (!this.spec.small) logs.push(toggle('log x', this.logX === null ? v.x.log : this.logX, (on) => { this.logX = on; this.zoom = null; this.draw(); }));
    if (v.mark !== 'points') logs.push(toggle('log y', this.logY === null ? v.y.log : this.logY, (on) => { this.logY = on; this.draw(); }));
    this.reset = el('button', { type: 'button', class: 'reset', onclick: () => this.zoomTo(null) }, 'reset zoom');
    this.controls.replaceChildren(...picks, ...logs, this.reset);
    const named = v.series.filter((s) => !s.thin);
    this.legend.hidden = v.mark === 'points' || this.spec.small && named.length < 2;
    this.legend.replaceChildren(...named.map((s) => this.entry(s)));
    this.draw();
  }

  // entry is a series in the legend.
  entry(s) {
    const b = el('button', { type: 'button', 'aria-pressed': String(!this.hidden.has(s.name)), 'data-series': s.name, onclick: () => {
      if (!this.hidden.delete(s.name)) this.hidden.add(s.name);
      b.setAttribute('aria-pressed', String(!this.hidden.has(s.name)));
      this.draw();
    } }, this.swatch(s), s.name);
    return b;
  }

  swatch(s) {
    const line = svg('line', { x1: 1, y1: 6, x2: 25, y2: 6, 'stroke-width': 2.5, 'stroke-dasharray': dashes(s.colour) });
    line.style.stroke = paint(s.colour);
    return svg('svg', { width: 26, height: 12, 'aria-hidden': 'true' }, line);
  }

  zoomTo(range) {
    this.zoom = range;
    this.draw();
  }

  // zoomBy widens or narrows the x axis around a value.
  zoomBy(factor, around) {
    const s = this.x;
    if (!s) return;
    const f = s.f(around), g = (v) => (s.log ? Math.pow(10, v) : v);
    const from = f + (s.f0 - f) * factor, to = f + (s.f1 - f) * factor;
    if (to - from < (this.full.f1 - this.full.f0) * 1e-6) return;
    if (from <= this.full.f0 && to >= this.full.f1) this.zoomTo(null);
    else this.zoomTo([g(Math.max(from, this.full.f0)), g(Math.min(to, this.full.f1))]);
  }

  listen() {
    const p = this.plot;
    let start = null;
    const local = (e) => e.clientX - p.getBoundingClientRect().left;
    const clamp = (x) => Math.min(Math.max(x, this.x.a), this.x.b);
    p.addEventListener('pointerdown', (e) => {
      if (e.button || !this.x) return;
      start = clamp(local(e));
      p.setPointerCapture(e.pointerId);
    });
    p.addEventListener('pointermove', (e) => {
      if (!this.x) return;
      if (start !== null && Math.abs(local(e) - start) > 3) this.selecting(start, clamp(local(e)));
      this.hover(this.x.value(clamp(local(e))), e.clientX, e.clientY);
    });
    p.addEventListener('pointerup', (e) => {
      const from = start;
      start = null;
      this.selecting(null);
      if (from === null || Math.abs(local(e) - from) < 6) return;
      const to = clamp(local(e));
      this.zoomTo([this.x.value(Math.min(from, to)), this.x.value(Math.max(from, to))]);
    });
    p.addEventListener('pointercancel', () => { start = null; this.selecting(null); });
    p.addEventListener('pointerleave', () => { if (start === null) this.leave(); });
    p.addEventListener('blur', () => this.leave());
    p.addEventListener('dblclick', () => this.zoomTo(null));
    p.addEventListener('wheel', (e) => {
      if (!this.x || (document.activeElement !== p && !e.ctrlKey)) return; // else the page could not be scrolled
      e.preventDefault();
      this.zoomBy(e.deltaY > 0 ? 1.25 : 0.8, this.x.value(clamp(local(e))));
    }, { passive: false });
    p.addEventListener('keydown', (e) => this.key(e));
  }

  key(e) {
    if (!this.x) return;
    const middle = this.at === null ? this.x.value((this.x.a + this.x.b) / 2) : this.at;
    switch (e.key) {
      case 'ArrowLeft': case 'ArrowRight': this.step(e.key === 'ArrowRight' ? 1 : -1); break;
      case '+': case '=': this.zoomBy(0.7, middle); break;
      case '-': this.zoomBy(1 / 0.7, middle); break;
      case '0': case 'Escape': this.zoomTo(null); this.leave(); break;
      default: return;
    }
    e.preventDefault();
  }

  // step moves the cursor to the next place at which a line has a point.
  step(way) {
    const xs = [...new Set(this.shown().flatMap((s) => s.x))].filter((x) => x >= this.x.from && x <= this.x.to).sort((a, b) => a - b);
    if (!xs.length) return;
    let i = way > 0 ? xs.findIndex((x) => this.at === null || x > this.at) : xs.findLastIndex((x) => this.at !== null && x < this.at);
    if (i < 0) i = way > 0 ? xs.length - 1 : 0;
    const box = this.plot.getBoundingClientRect();
    this.hover(xs[i], box.left + this.x.px(xs[i]), null);
  }

  shown() { return this.view().series.filter((s) => !this.hidden.has(s.name)); }
}
