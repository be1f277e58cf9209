// Scales from values to pixels and back, with their ticks.

class Scale {
  // from..to in values becomes a..b in pixels. Values are of a unit; ticks are round in that which suits the largest of them.
  constructor(from, to, a, b, log, unit, most) {
    this.unit = unit || '';
    [this.per, this.name] = unitFor(this.unit, most === undefined ? Math.max(Math.abs(from), Math.abs(to)) : most);
    this.log = log && from > 0 && to > 0;
    this.f = this.log ? Math.log10 : (v) => v;
    this.from = from; this.to = to; this.a = a; this.b = b;
    this.f0 = this.f(from); this.f1 = this.f(to);
    if (this.f1 === this.f0) { this.f0 -= 0.5; this.f1 += 0.5; }
  }
  px(v) {
    if (this.log && v <= 0) return this.a;
    return this.a + (this.f(v) - this.f0) / (this.f1 - this.f0) * (this.b - this.a);
  }
  value(px) {
    const f = this.f0 + (px - this.a) / (this.b - this.a) * (this.f1 - this.f0);
    return this.log ? Math.pow(10, f) : f;
  }
  // ticks gives about n round values in the range with their texts.
  ticks(n) {
    if (!this.log) return this.named(roundTicks(this.value(this.a) / this.per, this.value(this.b) / this.per, n));
    if (this.unit === 's' && this.to / this.from > 100) return clockTicks(this.from, this.to, n);
    return this.named(logTicks(this.from / this.per, this.to / this.per, n));
  }
  named(list) {
    const most = list.reduce((m, t) => Math.max(m, Math.abs(t)), 0);
    return list.map((t) => [t * this.per, tickText(t, most)]);
  }
  // title is an axis's label with the unit of its ticks; ticks of a clock have their own.
  title(label) {
    const clock = this.log && this.unit === 's' && this.to / this.from > 100;
    return label + (this.name && !clock ? ` (${this.name})` : '');
  }
}

// clockTicks are times that are round on a clock, for an axis from seconds to months.
function clockTicks(lo, hi, n) {
  const all = [[1, '1 s'], [10, '10 s'], [60, '1 min'], [600, '10 min'], [3600, '1 h'], [6 * 3600, '6 h'], [86400, '1 d'], [10 * 86400, '10 d'], [100 * 86400, '100 d'], [1000 * 86400, '1000 d']]
    .filter(([v]) => v >= lo * 0.9999 && v <= hi * 1.0001);
  if (all.length < 2) return logTicks(lo, hi, n).map((t) => [t, tickText(t) + ' s']);
  const every = Math.ceil(all.length / (n + 1));
  return all.filter((t, i) => i % every === 0);
}

function roundTicks(lo, hi, n) {
  const raw = (hi - lo) / Math.max(1, n);
  if (!(raw > 0)) return [lo];
  const unit = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => s >= raw * 0.999);
  const out = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9 && out.length < 100; i++) out.push(Number((i * step).toPrecision(12)));
  return out;
}

// logTicks takes whole powers of ten, every second or third of them when there are many, and 1, 2
// and 5 times them when there are few.
function logTicks(lo, hi, n) {
  const a = Math.floor(Math.log10(lo)), b = Math.ceil(Math.log10(hi));
  const powers = (every, times) => {
    const out = [];
    for (let e = Math.ceil(a / every) * every; e <= b; e += every) for (const m of times) out.push(m * Math.pow(10, e));
    return out.filter((v) => v >= lo * 0.9999 && v <= hi * 1.0001);
  };
  const whole = powers(1, [1]);
  if (whole.length >= 3) {
    let every = 1;
    while (powers(every, [1]).length > n + 1) every++;
    return powers(every, [1]);
  }
  for (const times of [[1, 2, 5], [1, 3], [1]]) {
    const out = powers(1, times);
    if (out.length >= 2 && out.length <= n + 2) return out;
  }
  return roundTicks(lo, hi, n);
}

// tickText is short, 1k, 20M, and in one form along an axis, of which most is the largest tick.
function tickText(v, most) {
  const a = Math.abs(v), m = Math.max(a, most || 0);
  if (a >= 1e9 || (a > 0 && a < 1e-3)) return v.toExponential(0).replace('-', '−');
  if (v !== 0 && m >= 1e6 && a >= 1e5) return plain(v / 1e6) + 'M';
  if (v !== 0 && m >= 1e4 && a >= 100) return plain(v / 1e3) + 'k';
  return plain(v);
}

// timeTicks gives ticks of a time axis in the unit that suits its length.
function timeTicks(lo, hi, n) {
  const long = hi - lo;
  const [per, unit] = long > 3 * 86400 ? [86400, 'd'] : long > 3 * 3600 ? [3600, 'h'] : long > 300 ? [60, 'min'] : [1, 's'];
  return roundTicks(lo / per, hi / per, n).map((v) => [v * per, plain(v) + ' ' + unit]);
}
