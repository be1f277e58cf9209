// Trials that run: a replay that grows, on the page of tarry watch.

class Running {
  constructor() {
    this.note = el('p', { class: 'note' });
    this.box = el('div', { class: 'card', id: 'running-card' });
    this.root = el('section', { class: 'running', id: 'running', hidden: true }, el('h2', {}, 'Running now'), this.note, this.box);
    this.streams = new Map(); // name -> {next, i, held, spans} of a trial that is shown
  }

  // ask fetches what is new; it starts over when a trial has begun or ended.
  async ask() {
    const after = [...this.streams].map(([name, s]) => 'after=' + encodeURIComponent(`${name}:${s.next}`)).join('&');
    const answer = await fetch('live.json?' + after, { cache: 'no-store' });
    if (answer.ok) this.take(await answer.json());
    else this.forget();
  }

  forget() {
    if (this.handle) this.handle.destroy();
    this.handle = null;
    this.streams.clear();
    this.root.hidden = true;
  }

  take(news) {
    const same = news.length === this.streams.size && news.every((n) => this.streams.has(n.name));
    if (!same && this.streams.size) { this.forget(); return; } // the next question has all of it
    news = news.filter((n) => this.streams.has(n.name) || n.lines.length);
    if (!this.streams.size && news.length) this.begin(news);
    for (const n of news) this.grow(this.streams.get(n.name), n);
    if (news.length) this.note.textContent = `Placements as the trials report them, last ${Math.max(0, Math.round(Math.min(...news.map((n) => n.age_s))))} s ago. Their tables appear below when they end.`;
  }

  begin(news) {
    const runs = news.map((n, i) => {
      const head = n.lines.shift();
      this.streams.set(n.name, { next: 0, i, open: new Map(), spans: 0 });
      return { name: `${head.policy}, replicate ${head.replicate}`, machines: head.machines, jobs: head.jobs, spans: [], from_s: head.from_s, until_s: head.from_s,
        note: head.from_s > 0 ? 'Reported from the time at which the watch began; jobs that had ended before are not counted.' : '' };
    });
    this.root.hidden = false;
    this.handle = this.box.tarryReplay = tarryReplay(this.box, runs, { live: true });
  }

  // grow hands the lines of a stream to the replay: spans that began, and ends of those begun before.
  grow(s, n) {
    s.next = n.next;
    const more = { spans: [], ends: [], gone: [] };
    const key = (x) => x.job + ' ' + x.start_s;
    for (const step of n.lines) {
      for (const x of step.ended || []) {
        const at = s.open.get(key(x));
        s.open.delete(key(x));
        if (at === undefined) { more.spans.push(x); s.spans++; } else if (at >= s.spans - more.spans.length) Object.assign(more.spans[at - (s.spans - more.spans.length)], x);
        else more.ends.push({ span: at, end_s: x.end_s, ended: x.ended });
      }
      for (const x of step.held || []) {
        if (s.open.has(key(x))) continue;
        s.open.set(key(x), s.spans++);
        more.spans.push({ ...x, end_s: null });
      }
      for (const [job, gone_s] of step.gone || []) more.gone.push({ job, gone_s });
      more.until_s = step.until_s;
    }
    if (n.lines.length) this.handle.append(s.i, more);
  }

  draw() { if (this.handle) this.handle.draw(); }
}
