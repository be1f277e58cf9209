// A table that is sorted by clicking a column's head.

class SortTable {
  constructor(spec) {
    this.root = el('section', { class: 'table', id: 'table-' + spec.id });
    this.sort = null; // {column, down}
    this.filter = '';
    this.update(spec);
  }

  update(spec) {
    this.spec = spec;
    const head = el('div', { class: 'tablehead' }, el('h3', {}, spec.title));
    if (spec.rows.length > 12) {
      const input = el('input', { type: 'search', placeholder: 'only rows with …', 'aria-label': 'filter rows of ' + spec.title, oninput: () => { this.filter = input.value; this.rows(); } });
      input.value = this.filter;
      head.append(input);
    }
    const time = Math.max(0, spec.columns.findIndex((c) => c.unit === 's')); // the first column of times decides for all
    const most = spec.longest || spec.rows.reduce((m, r) => Math.max(m, Math.abs((r[time] && r[time].v) || 0)), 0);
    this.units = spec.columns.map((c) => unitFor(c.unit, most));
    this.heads = spec.columns.map((c, i) => el('th', { scope: 'col', class: c.num ? 'num' : '', title: c.help },
      el('button', { type: 'button', onclick: () => this.by(i) }, c.name, this.units[i][1] ? el('small', {}, this.units[i][1]) : null)));
    this.body = el('tbody');
    this.root.replaceChildren(head,
      el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': spec.title }, el('table', {}, el('thead', {}, el('tr', {}, this.heads)), this.body)),
      el('p', { class: 'note' }, spec.note));
    this.rows();
  }

  // by sorts by a column: up, then down, then as it was.
  by(i) {
    if (!this.sort || this.sort.column !== i) this.sort = { column: i, down: false };
    else if (!this.sort.down) this.sort.down = true;
    else this.sort = null;
    this.rows();
  }

  rows() {
    const want = this.filter.toLowerCase();
    let list = this.spec.rows.filter((r) => !want || r.some((c) => (c.t || '').toLowerCase().includes(want)));
    if (this.sort) {
      const { column, down } = this.sort;
      const has = (c) => c.v !== null && c.v !== undefined;
      list = list.slice().sort((a, b) => {
        const x = a[column], y = b[column];
        if (this.spec.columns[column].num) {
          if (!has(x) || !has(y)) return has(y) - has(x); // what is missing comes last
          return down ? y.v - x.v : x.v - y.v;
        }
        const order = (x.t || '').localeCompare(y.t || '', 'en', { numeric: true });
        return down ? -order : order;
      });
    }
    this.heads.forEach((h, i) => {
      if (this.sort && this.sort.column === i) h.setAttribute('aria-sort', this.sort.down ? 'descending' : 'ascending');
      else h.removeAttribute('aria-sort');
    });
    this.body.replaceChildren(...list.map((r) => el('tr', {}, r.map((c, i) => this.cell(c, this.spec.columns[i], this.units[i][0])))));
  }

  cell(c, column, per) {
    if (!column.num) return el('td', {}, el('div', { class: 'text' }, c.t || ''));
    const mark = c.sign ? (c.sign < 0 ? '▼ ' : '▲ ') : '', show = (v) => plain(v === null || v === undefined ? v : v / per);
    const range = c.lo !== undefined ? el('small', {}, `[${show(c.lo)}, ${show(c.hi)}]`) : null;
    return el('td', { class: 'num' + (c.sign ? ' sure' : ''), title: withUnit(c.v, column.unit) }, mark + show(c.v), range);
  }
}
