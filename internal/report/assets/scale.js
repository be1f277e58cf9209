// Scales from values to pixels and back, with their ticks.

class Scale {
  // from..to in values becomes a..b in pixels.
  constructor(from, to, a, b, log) {
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
  // ticks gives about n round values in the range.
  ticks(n) {
    return this.log ? logTicks(this.from, this.to, n) : roundTicks(this.value(this.a), this.value(this.b), n);
  }
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

// tickText is short: 1k, 20M; times of days stay seconds, the tooltip says more.
function tickText(v) {
  const a = Math.abs(v);
  if (a >= 1e9 || (a > 0 && a < 1e-3)) return v.toExponential(0).replace('-', '−');
  if (a >= 1e6) return plain(v / 1e6) + 'M';
  if (a >= 1e4) return plain(v / 1e3) + 'k';
  return plain(v);
}

// timeTicks gives ticks of a time axis in the unit that suits its length.
function timeTicks(lo, hi, n) {
  const long = hi - lo;
  const [per, unit] = long > 3 * 86400 ? [86400, 'd'] : long > 3 * 3600 ? [3600, 'h'] : long > 300 ? [60, 'min'] : [1, 's'];
  return roundTicks(lo / per, hi / per, n).map((v) => [v * per, plain(v) + ' ' + unit]);
}
