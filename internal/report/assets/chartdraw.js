// How a chart is drawn, and what is under the cursor.

Object.assign(Chart.prototype, {
  // extent is the range of what is shown: x of all series, y inside the zoom, bands included.
  extent(v, list, logX, logY) {
    const r = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    for (const s of list) {
      s.x.forEach((x, i) => {
        if (x === null || s.y[i] === null) return;
        if (!(logX && x <= 0)) { r.x0 = Math.min(r.x0, x); r.x1 = Math.max(r.x1, x); }
        if (this.zoom && (x < this.zoom[0] || x > this.zoom[1])) return;
        for (const y of [s.y[i], s.lo && s.lo[i], s.hi && s.hi[i]]) {
          if (typeof y === 'number' && !(logY && y <= 0)) { r.y0 = Math.min(r.y0, y); r.y1 = Math.max(r.y1, y); }
        }
      });
    }
    return r;
  },

  // scales sets this.x and this.y; false when there is nothing to draw.
  scales(v, list, box) {
    const logX = v.mark !== 'points' && (this.logX === null ? v.x.log : this.logX);
    const logY = this.logY === null ? v.y.log : this.logY;
    const r = this.extent(v, list, logX, logY);
    if (v.mark === 'points') { r.x0 = -0.6; r.x1 = v.x.ticks.length - 0.4; }
    if (v.mark === 'step' && !logY) { r.y0 = 0; r.y1 = 1; }
    if (!(r.x1 >= r.x0)) return false;
    if (!(r.y1 >= r.y0)) { r.y0 = logY ? 0.1 : 0; r.y1 = 1; }
    if (!logY && v.mark === 'points') { r.y0 = Math.min(0, r.y0); r.y1 = Math.max(0, r.y1); }
    if (!logY && v.mark !== 'step') {
      const pad = (r.y1 - r.y0) * 0.06 || Math.abs(r.y1) * 0.06 || 1;
      if (r.y0 !== 0) r.y0 = r.y0 > 0 && r.y0 < pad * 4 ? 0 : r.y0 - pad;
      r.y1 += pad;
    }
    if (logY) { r.y0 *= 0.9; r.y1 *= 1.1; }
    if (r.x0 === r.x1 && logX) { r.x0 *= 0.9; r.x1 *= 1.1; }
    this.full = new Scale(r.x0, r.x1, box.l, box.r, logX);
    this.x = this.zoom ? new Scale(this.zoom[0], this.zoom[1], box.l, box.r, logX) : this.full;
    this.y = new Scale(r.y0, r.y1, box.b, box.t, logY);
    return true;
  },

  draw() {
    if (!this.root.isConnected) return; // it has no size yet
    const v = this.view(), list = this.shown();
    this.width = this.root.clientWidth;
    const w = Math.max(200, this.plot.clientWidth || this.width - 24), h = w < 480 ? 250 : 320;
    const box = { l: 58, r: w - 12, t: 10, b: h - 46 };
    if (this.scales(v, list, box)) { // once more with room for the longest number
      box.l = 30 + 7 * Math.max(3, ...this.y.ticks(6).map((t) => tickText(t).length));
    }
    set(this.plot, { viewBox: `0 0 ${w} ${h}`, height: h });
    this.plot.replaceChildren();
    this.reset.disabled = !this.zoom;
    this.root.dataset.zoom = this.zoom ? this.zoom.map((z) => z.toPrecision(6)).join(' ') : '';
    if (!this.scales(v, list, box)) {
      this.x = null;
      this.plot.append(svg('text', { x: w / 2, y: h / 2, 'text-anchor': 'middle' }, 'nothing to draw'));
      return;
    }
    const clip = 'clip-' + this.spec.id;
    this.plot.append(svg('clipPath', { id: clip }, svg('rect', { x: box.l - 4, y: box.t - 4, width: box.r - box.l + 8, height: box.b - box.t + 8 })));
    this.axes(v, box, w, h);
    const inside = svg('g', { 'clip-path': `url(#${clip})` });
    for (const s of list) inside.append(...(v.mark === 'points' ? this.point(s) : this.line(s, v.mark)));
    this.overlay = svg('g', {});
    this.plot.append(inside, svg('rect', { class: 'frame', x: box.l, y: box.t, width: box.r - box.l, height: box.b - box.t }), this.overlay);
    this.box = box;
  },

  axes(v, box, w, h) {
    const g = svg('g', {});
    for (const t of this.y.ticks(6)) {
      const y = this.y.px(t);
      g.append(svg('line', { class: 'grid', x1: box.l, x2: box.r, y1: y, y2: y }), svg('text', { x: box.l - 6, y: y + 4, 'text-anchor': 'end' }, tickText(t)));
    }
    if (v.x.ticks) this.categories(g, v.x.ticks, box);
    else {
      for (const t of this.x.ticks(w < 480 ? 4 : 7)) {
        const x = this.x.px(t);
        g.append(svg('line', { class: 'grid', x1: x, x2: x, y1: box.t, y2: box.b }), svg('text', { x, y: box.b + 17, 'text-anchor': 'middle' }, tickText(t)));
      }
    }
    const unit = (a) => a.label + (a.unit ? ` (${a.unit})` : '');
    g.append(svg('text', { x: (box.l + box.r) / 2, y: h - 8, 'text-anchor': 'middle' }, v.x.ticks ? '' : unit(v.x)),
      svg('text', { transform: `translate(13 ${(box.t + box.b) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, unit(v.y)));
    this.plot.append(g);
  },

  // categories writes names below their places, cut to the room that they have.
  categories(g, names, box) {
    const room = Math.floor((box.r - box.l) / names.length / 6.6);
    names.forEach((name, i) => {
      const x = this.x.px(i);
      if (x < box.l || x > box.r) return;
      const text = name.length > room ? name.slice(0, Math.max(1, room - 1)) + '…' : name;
      g.append(svg('text', { x, y: box.b + 17, 'text-anchor': 'middle' }, svg('title', {}, name), text));
    });
  },

  // line draws a series and its band; a missing value parts it.
  line(s, mark) {
    let d = '', open = false;
    const top = [], bottom = [], bands = [];
    const flush = () => {
      if (top.length > 1) bands.push('M' + top.concat(bottom.slice().reverse()).join('L') + 'Z');
      top.length = bottom.length = 0;
    };
    const place = (x, y) => `${this.x.px(x).toFixed(1)} ${this.y.px(y).toFixed(1)}`;
    s.x.forEach((x, i) => {
      const y = s.y[i];
      if (y === null || (this.y.log && y <= 0) || (this.x.log && x <= 0 && mark !== 'step')) { open = false; flush(); return; }
      d += !open ? 'M' + place(x, y) : mark === 'step' ? `H${this.x.px(x).toFixed(1)}V${this.y.px(y).toFixed(1)}` : 'L' + place(x, y);
      open = true;
      const lo = s.lo && s.lo[i], hi = s.hi && s.hi[i];
      if (typeof lo === 'number' && typeof hi === 'number' && !(this.y.log && lo <= 0)) { top.push(place(x, hi)); bottom.push(place(x, lo)); } else flush();
    });
    flush();
    const out = bands.map((b) => { const p = svg('path', { class: 'band', d: b }); p.style.fill = paint(s.colour); return p; });
    const path = svg('path', { class: 'series', d, 'stroke-dasharray': dashes(s.colour), 'data-series': s.name });
    path.style.stroke = paint(s.colour);
    out.push(path);
    if (mark === 'line' && s.x.length <= 40) s.x.forEach((x, i) => { if (s.y[i] !== null) out.push(this.dot(x, s.y[i], s.colour, 3)); });
    return out;
  },

  dot(x, y, colour, r) {
    const c = svg('circle', { cx: this.x.px(x), cy: this.y.px(y), r });
    c.style.fill = paint(colour);
    return c;
  },

  // point draws a value with its interval.
  point(s) {
    const out = svg('g', { class: 'series', 'data-series': s.name });
    s.x.forEach((x, i) => {
      if (s.y[i] === null) return;
      if (s.lo && s.lo[i] !== null && s.hi[i] !== null) {
        const cx = this.x.px(x), lo = this.y.px(s.lo[i]), hi = this.y.px(s.hi[i]);
        const bar = svg('path', { d: `M${cx} ${lo}V${hi}M${cx - 6} ${lo}h12M${cx - 6} ${hi}h12` });
        bar.style.stroke = paint(s.colour);
        out.append(bar);
      }
      out.append(this.dot(x, s.y[i], s.colour, 5));
    });
    return [out];
  },

  // selecting shows what a drag covers; null = nothing.
  selecting(from, to) {
    if (!this.overlay) return;
    this.overlay.querySelectorAll('.select').forEach((n) => n.remove());
    if (from !== null) this.overlay.append(svg('rect', { class: 'select', x: Math.min(from, to), width: Math.abs(to - from), y: this.box.t, height: this.box.b - this.box.t }));
  },

  // hover reads all shown series at a place: a step's height, or the point that is nearest.
  hover(x, clientX, clientY) {
    const v = this.view(), found = [];
    for (const s of this.shown()) {
      let best = -1;
      s.x.forEach((sx, i) => {
        if (s.y[i] === null) return;
        if (v.mark === 'step') { if (sx <= x) best = i; } else if (best < 0 || Math.abs(this.x.px(sx) - this.x.px(x)) < Math.abs(this.x.px(s.x[best]) - this.x.px(x))) best = i;
      });
      if (best >= 0) found.push({ s, i: best, away: v.mark === 'step' ? 0 : Math.abs(this.x.px(s.x[best]) - this.x.px(x)) });
    }
    if (!found.length) { this.leave(); return; }
    const near = Math.min(...found.map((f) => f.away));
    const list = found.filter((f) => f.away <= near + 6).sort((a, b) => b.s.y[b.i] - a.s.y[a.i]);
    this.at = v.mark === 'step' ? x : list[0].s.x[list[0].i];
    const px = this.x.px(this.at);
    this.overlay.querySelectorAll('.cursor, circle').forEach((n) => n.remove());
    this.overlay.append(svg('line', { class: 'cursor', x1: px, x2: px, y1: this.box.t, y2: this.box.b }));
    for (const f of list) this.overlay.append(this.dot(this.at, f.s.y[f.i], f.s.colour, 4));
    const head = v.x.ticks ? '' : `${v.x.label}: ${withUnit(this.at, v.x.unit)}`;
    showTip(clientX, clientY, el('div', {}, head), el('table', {}, list.slice(0, 20).map(({ s, i }) => el('tr', {}, el('td', {}, this.swatch(s)), el('td', {}, s.name),
      el('td', { class: 'num' }, withUnit(s.y[i], v.y.unit), s.lo && s.lo[i] !== null && s.lo[i] !== undefined ? ` [${plain(s.lo[i])}, ${plain(s.hi[i])}]` : '')))),
      list.length > 20 ? el('div', {}, `and ${list.length - 20} more`) : '');
  },

  leave() {
    this.at = null;
    hideTip();
    if (this.overlay) this.overlay.querySelectorAll('.cursor, circle').forEach((n) => n.remove());
  },
});
