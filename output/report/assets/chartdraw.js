// How a chart is drawn, and what is under the cursor.

Object.assign(Chart.prototype, {
  // extent is the range of what is shown: x of all series, y inside the zoom. Intervals count as far as twice the range of the
  // values, and not below 0 where no value is: those of two or three runs can be so wide that nothing else is seen.
  extent(v, list, logX, logY) {
    const across = v.mark === 'points', log = across ? logX : logY; // intervals of points lie along x
    const r = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity }, values = [], ends = [];
    for (const s of list) {
      s.x.forEach((x, i) => {
        if (x === null || s.y[i] === null) return;
        if (!across && !(logX && x <= 0)) { r.x0 = Math.min(r.x0, x); r.x1 = Math.max(r.x1, x); }
        if (!across && this.zoom && (x < this.zoom[0] || x > this.zoom[1])) return;
        const ok = (w) => typeof w === 'number' && !(log && w <= 0);
        values.push(...[across ? x : s.y[i]].filter(ok));
        ends.push(...[s.lo && s.lo[i], s.hi && s.hi[i]].filter(ok));
      });
    }
    const min = (l) => l.reduce((a, b) => Math.min(a, b), Infinity), max = (l) => l.reduce((a, b) => Math.max(a, b), -Infinity);
    let lo = min(values), hi = max(values), cut = false;
    if (ends.length && values.length) {
      const room = log ? 10 : Math.max(2 * (hi - lo), lo < 0 && hi > 0 ? 0 : Math.max(Math.abs(lo), Math.abs(hi)));
      const least = log ? lo / room : lo >= 0 ? Math.max(0, lo - room) : lo - room, most = log ? hi * room : hi <= 0 && lo < 0 ? Math.min(0, hi + room) : hi + room;
      cut = min(ends) < least || max(ends) > most;
      lo = Math.min(lo, Math.max(least, min(ends)));
      hi = Math.max(hi, Math.min(most, max(ends)));
    }
    this.cut = cut;
    if (across) { r.x0 = lo; r.x1 = hi; } else { r.y0 = lo; r.y1 = hi; }
    return r;
  },

  // scales sets this.x and this.y; false when there is nothing to draw.
  scales(v, list, box) {
    const points = v.mark === 'points';
    const logX = this.logX === null ? v.x.log : this.logX;
    const logY = !points && (this.logY === null ? v.y.log : this.logY);
    const r = this.extent(v, list, logX, logY);
    const widen = (lo, hi) => {
      const pad = (hi - lo) * 0.06 || Math.abs(hi) * 0.06 || 1;
      return [lo === 0 ? 0 : lo > 0 && lo < pad * 4 ? 0 : lo - pad, hi === 0 ? 0 : hi + pad];
    };
    if (points) {
      if (!logX) [r.x0, r.x1] = widen(Math.min(0, r.x0), Math.max(0, r.x1));
      else { r.x0 *= 0.9; r.x1 *= 1.1; }
      r.y0 = v.y.ticks.length - 0.5; r.y1 = -0.5; // from top to bottom
    }
    if (v.mark === 'step' && !logY) { // shares, else from 0
      if (v.y.unit) { r.y0 = Math.min(0, r.y0); r.y1 *= 1.05; } else { r.y0 = 0; r.y1 = 1; }
    }
    if (!(r.x1 >= r.x0)) return false;
    if (!points && !(r.y1 >= r.y0)) { r.y0 = logY ? 0.1 : 0; r.y1 = 1; }
    if (!logY && v.mark === 'line') [r.y0, r.y1] = widen(r.y0, r.y1);
    if (logY) { r.y0 *= 0.9; r.y1 *= 1.1; }
    if (r.x0 === r.x1 && logX) { r.x0 *= 0.9; r.x1 *= 1.1; }
    const most = Math.max(Math.abs(r.x0), Math.abs(r.x1));
    this.full = new Scale(r.x0, r.x1, box.l, box.r, logX, v.x.unit, most);
    this.x = this.zoom ? new Scale(this.zoom[0], this.zoom[1], box.l, box.r, logX, v.x.unit, most) : this.full;
    this.y = new Scale(r.y0, r.y1, box.b, box.t, logY, v.y.unit);
    return true;
  },

  draw() {
    if (!this.root.isConnected) return; // it has no size yet
    const v = this.view(), list = this.shown();
    this.width = this.root.clientWidth;
    const w = Math.max(200, this.plot.clientWidth || this.width - 24);
    let h = this.spec.small ? 200 : w < 480 ? 250 : 320;
    const box = { l: 58, r: w - 14, t: 10, b: h - 46 };
    if (v.mark === 'points') { // as high as the names need
      this.names = v.y.ticks.map((n) => wrap(n, Math.max(90, w * 0.42)));
      this.row = Math.max(26, 14 * Math.max(...this.names.map((n) => n.length)) + 8);
      box.l = 14 + Math.max(...this.names.flat().map(measure));
      box.b = box.t + this.row * this.names.length;
      h = box.b + 46;
    } else if (this.scales(v, list, box)) { // once more with room for the longest number
      box.l = (this.spec.small ? 12 : 30) + Math.max(21, ...this.y.ticks(6).map(([, text]) => measure(text)));
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
    if (this.cut) this.plot.append(this.spec.small ? svg('text', { class: 'soft', x: 2, y: h - 8 }, 'bands cut') : svg('text', { class: 'soft', x: box.r, y: h - 8, 'text-anchor': 'end' }, 'intervals reach beyond the frame'));
    this.overlay = svg('g', {});
    this.plot.append(inside, svg('rect', { class: 'frame', x: box.l, y: box.t, width: box.r - box.l, height: box.b - box.t }), this.overlay);
    this.box = box;
  },

  axes(v, box, w, h) {
    const g = svg('g', {});
    if (v.mark === 'points') this.categories(g, box);
    else {
      for (const [t, text] of this.y.ticks(this.spec.small ? 4 : 6)) {
        const y = this.y.px(t);
        g.append(svg('line', { class: 'grid', x1: box.l, x2: box.r, y1: y, y2: y }), svg('text', { x: box.l - 6, y: y + 4, 'text-anchor': 'end' }, text));
      }
      if (!this.spec.small) g.append(svg('text', { class: 'ylabel', transform: `translate(13 ${(box.t + box.b) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, this.y.title(v.y.label)));
    }
    let free = -Infinity; // texts do not overlap
    for (const [t, text] of this.x.ticks(Math.max(2, Math.min(7, Math.floor((box.r - box.l) / 75))))) {
      const x = this.x.px(t), half = measure(text) / 2;
      g.append(svg('line', { class: 'grid', x1: x, x2: x, y1: box.t, y2: box.b }));
      if (x - half < free || x + half > w) continue;
      free = x + half + 6;
      g.append(svg('text', { x, y: box.b + 17, 'text-anchor': 'middle' }, text));
    }
    g.append(svg('text', { class: 'xlabel', x: (box.l + box.r) / 2, y: h - 8, 'text-anchor': 'middle' }, this.x.title(v.x.label)));
    this.plot.append(g);
  },

  // categories writes the names beside their rows, in as many lines as they need.
  categories(g, box) {
    this.names.forEach((lines, i) => {
      const y = this.y.px(i);
      g.append(svg('line', { class: 'grid', x1: box.l, x2: box.r, y1: y, y2: y }));
      lines.forEach((line, k) => g.append(svg('text', { x: box.l - 6, y: y + 4 + 14 * (k - (lines.length - 1) / 2), 'text-anchor': 'end' }, line)));
    });
  },

  // line draws a series and its band; a missing value parts it.
  line(s, mark) {
    let d = '', open = false;
    const top = [], bottom = [], bands = [];
    let before = null; // bounds of the last point
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
      if (typeof lo === 'number' && typeof hi === 'number' && !(this.y.log && lo <= 0)) {
        if (mark === 'step' && top.length) { // as high as before until here
          top.push(place(x, before[1]));
          bottom.push(place(x, before[0]));
        }
        top.push(place(x, hi));
        bottom.push(place(x, lo));
        before = [lo, hi];
      } else flush();
    });
    flush();
    const out = bands.map((b) => { const p = svg('path', { class: 'band', d: b }); p.style.fill = paint(s.colour); return p; });
    const path = svg('path', { class: s.thin ? 'series thin' : 'series', d, 'stroke-dasharray': s.thin ? '' : dashes(s.colour), 'data-series': s.name });
    path.style.stroke = paint(s.colour);
    out.push(path);
    if (mark === 'line' && !s.thin && s.x.length <= 40) s.x.forEach((x, i) => { if (s.y[i] !== null) out.push(this.dot(x, s.y[i], s.colour, 3)); });
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
        const cy = this.y.px(s.y[i]), lo = this.x.px(s.lo[i]), hi = this.x.px(s.hi[i]);
        const bar = svg('path', { d: `M${lo} ${cy}H${hi}M${lo} ${cy - 6}v12M${hi} ${cy - 6}v12` });
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

  // nearest finds in each shown series the step's height or the point that is nearest to a place.
  nearest(v, x) {
    const found = [];
    for (const s of this.shown()) {
      let best = -1;
      s.x.forEach((sx, i) => {
        if (s.y[i] === null || sx === null) return;
        if (v.mark === 'step') { if (sx <= x) best = i; } else if (best < 0 || Math.abs(this.x.px(sx) - this.x.px(x)) < Math.abs(this.x.px(s.x[best]) - this.x.px(x))) best = i;
      });
      if (best >= 0) found.push({ s, i: best, away: v.mark === 'step' ? 0 : Math.abs(this.x.px(s.x[best]) - this.x.px(x)) });
    }
    return found;
  },

  // hover reads the series at a place: of points those in the row under the pointer.
  hover(x, clientX, clientY) {
    const v = this.view(), points = v.mark === 'points';
    let found = this.nearest(v, x);
    if (points && clientY !== null) {
      const row = Math.round(this.y.value(clientY - this.plot.getBoundingClientRect().top));
      found = found.filter((f) => f.s.y[f.i] === row).map((f) => ({ ...f, away: 0 }));
    }
    if (!found.length) { this.leave(); return; }
    const near = Math.min(...found.map((f) => f.away));
    const list = found.filter((f) => f.away <= near + 6).sort((a, b) => b.s.y[b.i] - a.s.y[a.i]);
    this.at = v.mark === 'step' ? x : list[0].s.x[list[0].i];
    const px = this.x.px(this.at);
    this.overlay.querySelectorAll('.cursor, circle').forEach((n) => n.remove());
    this.overlay.append(svg('line', { class: 'cursor', x1: px, x2: px, y1: this.box.t, y2: this.box.b }));
    for (const f of list) this.overlay.append(this.dot(this.at, f.s.y[f.i], f.s.colour, 4));
    const [per, name] = [points ? this.x.per : this.y.per, points ? this.x.name : this.y.name];
    const show = (n) => plain(n / per) + (name ? ' ' + name : '');
    const head = points ? v.x.label : `${v.x.label}: ${withUnit(this.at, v.x.unit)}`, box = this.plot.getBoundingClientRect();
    showTip(clientX, clientY === null ? box.top + 40 : clientY, el('div', {}, head), el('table', {}, list.slice(0, 20).map(({ s, i }) => el('tr', {}, el('td', {}, this.swatch(s)), el('td', {}, s.name),
      el('td', { class: 'num' }, show(points ? s.x[i] : s.y[i]), s.lo && s.lo[i] !== null && s.lo[i] !== undefined ? ` [${plain(s.lo[i] / per)}, ${plain(s.hi[i] / per)}]` : '')))),
      list.length > 20 ? el('div', {}, `and ${list.length - 20} more`) : '');
  },

  leave() {
    this.at = null;
    hideTip();
    if (this.overlay) this.overlay.querySelectorAll('.cursor, circle').forEach((n) => n.remove());
  },
});
