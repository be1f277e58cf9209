// Elements, texts of numbers, the palette and the tooltip.

const byId = (id) => document.getElementById(id);

// set puts attributes on an element: on* are listeners, false and null leave one out.
function set(node, attrs) {
  for (const [k, v] of Object.entries(attrs || {})) {
    if (k.startsWith('on')) node.addEventListener(k.slice(2), v);
    else if (v !== false && v !== null && v !== undefined) node.setAttribute(k, v === true ? '' : v);
  }
  return node;
}

// el makes an HTML element; texts among the children stay texts, never markup.
function el(tag, attrs, ...children) {
  const node = set(document.createElement(tag), attrs);
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined));
  return node;
}

function svg(tag, attrs, ...children) {
  const node = set(document.createElementNS('http://www.w3.org/2000/svg', tag), attrs);
  node.append(...children.flat(Infinity));
  return node;
}

// plain writes a number with four digits that count, all of them before the point.
function plain(v) {
  if (v === null || v === undefined || !isFinite(v)) return '–';
  const a = Math.abs(v);
  if (a !== 0 && (a < 1e-3 || a >= 1e12)) return v.toExponential(2).replace('-', '−');
  const digits = a >= 1000 ? 0 : a >= 100 ? 1 : a >= 10 ? 2 : a >= 1 ? 3 : 4;
  let s = v.toFixed(digits);
  if (digits) s = s.replace(/\.?0+$/, '');
  const [whole, part] = s.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (part ? grouped + '.' + part : grouped).replace('-', '−');
}

// withUnit adds the unit, and to long times the same in hours or days.
function withUnit(v, unit) {
  if (v === null || v === undefined || !isFinite(v)) return '–';
  let s = plain(v) + (unit ? ' ' + unit : '');
  const a = Math.abs(v);
  if (unit === 's' && a >= 172800) s += ` (${plain(v / 86400)} d)`;
  else if (unit === 's' && a >= 3600) s += ` (${plain(v / 3600)} h)`;
  return s;
}

// timeUnit is the unit in which times up to a number of seconds are read best: its seconds and its name. Tables
// of the commands have the same bounds (run/printed).
function timeUnit(most) {
  const a = Math.abs(most);
  return a >= 5 * 86400 ? [86400, 'd'] : a >= 3 * 3600 ? [3600, 'h'] : a >= 600 ? [60, 'min'] : [1, 's'];
}

// unitFor gives [divisor, name] for values of a unit of which the largest is known; only seconds change.
const unitFor = (unit, most) => (unit === 's' ? timeUnit(most) : [1, unit]);

// Twelve colours and five dash patterns are prime to each other, so 60 lines differ; the same number is the same look in the figures.
const colours = 12;
const paint = (i) => `var(--c${((i % colours) + colours) % colours})`;
const dashes = (i) => ['', '7 3', '2 2.5', '10 2.5 2 2.5', '4 2'][((i % 5) + 5) % 5];

// measure is the width of a text in a chart, in pixels.
const measure = (() => {
  const ctx = document.createElement('canvas').getContext('2d');
  return (text) => { ctx.font = '12px ' + getComputedStyle(document.body).fontFamily; return ctx.measureText(text).width; };
})();

// wrap breaks a text into lines of a width, behind commas, colons and the like where it can; nothing is cut.
function wrap(text, room) {
  const lines = [];
  let line = '';
  for (let part of text.split(/(?<=[,:;=\/ +&-])/)) {
    if (line && measure(line + part) > room) { lines.push(line); line = ''; }
    while (measure(part) > room && part.length > 1) {
      let n = part.length - 1;
      while (n > 1 && measure(part.slice(0, n)) > room) n--;
      lines.push(part.slice(0, n));
      part = part.slice(n);
    }
    line += part;
  }
  if (line || !lines.length) lines.push(line);
  return lines.map((l) => l.trimEnd());
}

// showTip puts the tooltip beside a point of the window, inside it.
function showTip(x, y, ...children) {
  const tip = byId('tip');
  tip.replaceChildren(...children);
  tip.hidden = false;
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(4, Math.min(x + 14 + w > innerWidth - 4 ? x - w - 14 : x + 14, innerWidth - w - 4)) + 'px';
  tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - h - 4)) + 'px';
}

function hideTip() { byId('tip').hidden = true; }

// chooser is a labelled select.
function chooser(label, options, at, change) {
  const s = el('select', { 'aria-label': label, onchange: () => change(s.selectedIndex) }, options.map((o) => el('option', {}, o || 'all')));
  s.selectedIndex = at;
  return el('label', {}, label, s);
}

// toggle is a button that is on or off.
function toggle(label, on, change) {
  const b = el('button', { type: 'button', class: 'option', 'aria-pressed': String(on), onclick: () => {
    const now = b.getAttribute('aria-pressed') !== 'true';
    b.setAttribute('aria-pressed', String(now));
    change(now);
  } }, label);
  return b;
}
