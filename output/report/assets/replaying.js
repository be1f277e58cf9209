// The replay on the page: runs for replay.js from the timelines and the workloads.

// spansOf unpacks the spans of a timeline; blocks of one allocation become one span. A span that the end of the record cut is still held.
function spansOf(t) {
  const spans = [], open = new Map(); // allocations that begin at the tick
  let start = 0;
  for (let k = 0; k < t.spans.length; k += 7) {
    const [gap, ticks, job, level, why, gpu, count] = t.spans.slice(k, k + 7);
    start += gap;
    if (gap) open.clear();
    const key = job + ' ' + ticks, known = open.get(key);
    if (known) { known.gpus.push([gpu, count]); continue; }
    const cut = t.ends[why] === 'horizon';
    const s = { job, start_s: t.start + start * t.tick, end_s: cut ? null : t.start + (start + ticks) * t.tick, gpus: [[gpu, count]], level: t.levels[level], ended: t.ends[why] };
    open.set(key, s);
    spans.push(s);
  }
  return spans;
}

// runOf makes the run of a timeline.
function runOf(t, w) {
  const firsts = t.machines.length ? t.machines : [0];
  const machines = firsts.map((g, i) => ({ rack: Math.max(0, t.racks.findLastIndex((r) => r <= g)), gpus: (firsts[i + 1] ?? t.gpus) - g, type: t.types ? t.types[i] : '' }));
  const jobs = w.jobs.map((id, i) => ({ id, gpus: w.gpus[i], submit_s: w.submit[i], model: w.models[w.jobModel[i]], user: w.users[w.jobUser[i]] }));
  const gone = t.gone || [];
  for (let k = 0; k < gone.length; k += 2) jobs[gone[k]].gone_s = t.start + gone[k + 1] * t.tick;
  return { machines, jobs, spans: spansOf(t), timers: t.timers, quotas: t.quotas, until_s: t.start + t.until * t.tick };
}

class Replaying {
  constructor(data) {
    this.root = el('div', { class: 'card', id: 'replay-card' });
    this.update(data);
  }

  // playable are the timelines of which all jobs and all spans are known.
  static playable(d) { return d.timelines.filter((t) => !t.every && d.workloads[t.workload].whole); }

  // update takes new data and keeps what was chosen.
  update(d) {
    const list = Replaying.playable(d), old = this.handle && this.handle.state();
    const runs = list.map((t) => ({ name: t.label, group: t.window + ' ' + t.workload, load: () => runOf(t, d.workloads[t.workload]) }));
    const at = (i) => (old && old.runs[i] ? list.findIndex((t) => t.label === old.runs[i].name) : -1);
    if (this.handle) this.handle.destroy();
    const left = at(0);
    const options = left < 0 ? {} : { left, right: old.runs.length > 1 ? at(1) : -1, colour: old.colour, speed: old.speed };
    this.handle = this.root.tarryReplay = tarryReplay(this.root, runs, options);
    if (left >= 0) this.handle.seek(old.time);
    if (left >= 0 && old.playing) this.handle.play();
  }

  draw() { this.handle.draw(); }
}
