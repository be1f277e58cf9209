// What a comparison gave, as elements: a sentence, a table, the seeds side by side.
const playResults = (() => {
  const shown = [['jct_mean_s', 'Completion time, UNIT: mean'], ['jct_p50_s', 'Completion time, UNIT: median'],
    ['jct_p95_s', 'Completion time, UNIT: 95th percentile'], ['queue_mean_s', 'Wait without GPUs, UNIT: mean'],
    ['queue_p99_s', 'Wait without GPUs, UNIT: 99th percentile'], ['comm_frac', 'Communication, % of running'],
    ['gpu_util_frac', 'GPUs held, %'], ['preemptions', 'Preemptions'], ['makespan_s', 'Makespan, UNIT'], ['finished', 'Jobs that finished']];

  // make gives an element with attributes and children.
  function make(name, attributes = {}, ...children) {
    const drawn = ['svg', 'g', 'line', 'circle', 'text', 'title'].includes(name);
    const e = drawn ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
  }

  // grouped writes a printed number with spaces between thousands.
  const grouped = (text) => text.replace('-', '−').replace(/\d{5,}/g, (d) => d.replace(/\B(?=(\d{3})+$)/g, '\u202f'));
  const difference = (text) => text.split(/(?<=[ [])/).map(grouped).join('').replace(/([[ ])-/g, '$1−');

  // time writes seconds in the answer's unit, as the command prints them.
  const time = (answer, seconds) => grouped((seconds / answer.unit.seconds).toFixed(answer.unit.decimals));

  // broken lets a policy with settings go on in the next line.
  const broken = (text) => text.split(/(?<=[:,])/).flatMap((part) => [part, make('wbr')]);

  // sentence puts the difference into words.
  function sentence(answer) {
    const [a, b] = answer.policies, cell = answer.cells[1], lo = Number(cell.jct_mean_diff_lo_s), hi = Number(cell.jct_mean_diff_hi_s);
    const by = Number(cell.jct_mean_diff_s), count = answer.over === 'jobs' ? cell.jobs_compared : cell.replicates, text = difference(answer.completion[1]);
    if (answer.completion[1] === '-') return 'No job finished under both: nothing can be compared.';
    if (by === 0 && lo === 0 && hi === 0) return `${b} and ${a} finish jobs at the same times.`;
    const sure = cell.jct_mean_diff_lo_s === '' ? 'Without an interval.'
      : lo > 0 || hi < 0 ? 'The interval leaves 0 out.' : 'The interval holds 0: these jobs do not tell them apart.';
    return `Jobs finish ${time(answer, Math.abs(by))} ${answer.unit.name} ${by < 0 ? 'sooner' : 'later'} in the mean under ${b} than under ${a}: ${text} ${answer.unit.name} over ${count} ${answer.over}. ${sure}`;
  }

  function table(answer) {
    const head = make('tr', {}, make('th', { scope: 'col' }, 'Mean over replicates'),
      ...answer.policies.map((p) => make('th', { scope: 'col' }, ...broken(p))), make('th', { scope: 'col' }, 'second − first, 95 % interval'));
    const between = { jct_mean_s: answer.completion, queue_mean_s: answer.wait };
    const body = shown.map(([name, label]) => {
      const of = answer.measures.find((m) => m.name === name);
      const row = make('tr', { 'data-name': name }, make('th', { scope: 'row', title: of.help.trim() }, label.replace('UNIT', answer.unit.name)),
        ...of.shown.map((text, p) => make('td', { 'data-digits': answer.cells[p][name] }, grouped(text))));
      row.append(make('td', { class: 'play-between' }, between[name] ? difference(between[name][1]) : ''));
      return row;
    });
    return make('div', { class: 'play-scroll', tabindex: '0', role: 'region', 'aria-label': 'Result' },
      make('table', {}, make('thead', {}, head), make('tbody', {}, ...body)));
  }

  // pairs draws one mean of each replicate under both policies, joined by a line.
  function pairs(answer, key, title) {
    const values = answer.seeds[0].map((s, r) => [s[key], answer.seeds[1][r][key]]).filter((p) => p.every((v) => v !== null));
    const most = Math.max(1, ...values.flat()), y = (v) => 150 - 125 * v / most;
    const svg = make('svg', { viewBox: '0 0 300 185', role: 'img', 'aria-label': `${title} of ${values.length} replicates under both policies` });
    for (const v of [0, most]) {
      svg.append(make('line', { x1: 70, x2: 260, y1: y(v), y2: y(v), class: 'play-axis' }),
        make('text', { x: 64, y: y(v) + 4, 'text-anchor': 'end' }, time(answer, v) + ' ' + answer.unit.name));
    }
    values.forEach(([a, b], r) => {
      svg.append(make('g', { class: b > a ? 'play-up' : 'play-down' }, make('line', { x1: 100, y1: y(a), x2: 230, y2: y(b) }),
        make('circle', { cx: 100, cy: y(a), r: 4 }), make('circle', { cx: 230, cy: y(b), r: 4 }),
        make('title', {}, `replicate ${r}: ${time(answer, a)} and ${time(answer, b)} ${answer.unit.name}`)));
    });
    svg.append(make('text', { x: 100, y: 176, 'text-anchor': 'middle' }, 'first'), make('text', { x: 230, y: 176, 'text-anchor': 'middle' }, 'second'));
    const later = (name, text) => make('span', { class: name }, text);
    return make('figure', {}, make('figcaption', {}, title + ' of each replicate: ', later('play-down', '● sooner'), ' or ',
      later('play-up', '● later'), ' under the second'), svg);
  }

  // seeds is a table of what the pictures draw.
  function seeds(answer) {
    const cell = (v) => make('td', {}, v === null ? '–' : time(answer, v));
    const rows = answer.seeds[0].map((a, r) => {
      const b = answer.seeds[1][r];
      return make('tr', {}, make('th', { scope: 'row' }, String(r)), cell(a.completion), cell(b.completion), cell(a.wait), cell(b.wait));
    });
    const head = ['Replicate', 'Completion, first', 'second', 'Wait, first', 'second'].map((h) => make('th', { scope: 'col' }, h));
    return make('details', {}, make('summary', {}, `The replicates in numbers, ${answer.unit.name}`),
      make('div', { class: 'play-scroll' }, make('table', {}, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows))));
  }

  // draw fills an element with an answer; the sentence is for the page to say.
  function draw(root, answer) {
    root.replaceChildren(...answer.warnings.map((w) => make('p', { class: 'play-warning' }, 'Careful: ' + w + '.')), table(answer),
      make('div', { class: 'play-pairs' }, pairs(answer, 'completion', 'Mean completion time'), pairs(answer, 'wait', 'Mean wait')),
      seeds(answer),
      make('details', {}, make('summary', {}, 'What the command prints'), make('pre', { tabindex: '0' }, answer.table)));
    if (answer.notes.length) {
      root.append(make('details', {}, make('summary', {}, `Notes (${answer.notes.length})`),
        make('ul', {}, ...answer.notes.map((n) => make('li', {}, n)))));
    }
  }

  return { make, draw, sentence };
})();
