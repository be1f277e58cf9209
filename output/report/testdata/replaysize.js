// Two runs of 10 000 jobs on 512 GPUs: each job takes the GPUs that are free first, up to five minutes after it came.
((draw) => ['one', 'two'].map((name, k) => {
  const rnd = draw(7), late = draw(k + 1), free = Array(512).fill(0), jobs = [], spans = [], models = ['BERT', 'VGG', 'ResNet50', 'GPT2', 'DLRM', 'T5'];
  const machines = Array.from({ length: 64 }, (_, i) => ({ rack: i >> 3, gpus: 8 }));
  let at = 0;
  for (let i = 0; i < 10000; i++) {
    at -= Math.log(1 - rnd()) * 60;
    const gpus = [1, 1, 2, 4, 8, 16][Math.floor(6 * rnd())], long = -Math.log(1 - rnd()) * 6000;
    jobs.push({ id: 'job-' + i, user: 'user' + Math.floor(14 * rnd()), model: models[Math.floor(6 * rnd())], gpus, submit_s: at });
    const picked = free.map((_, g) => g).sort((a, b) => free[a] - free[b] || a - b).slice(0, gpus).sort((a, b) => a - b);
    const start = Math.max(at + 300 * late(), ...picked.map((g) => free[g])), list = [];
    for (const g of picked) { free[g] = start + long; const last = list.at(-1); if (last && last[0] + last[1] === g) last[1]++; else list.push([g, 1]); }
    const machinesOf = new Set(picked.map((g) => g >> 3)), racks = new Set(picked.map((g) => g >> 6));
    spans.push({ job: i, start_s: start, end_s: start + long, gpus: list, level: machinesOf.size === 1 ? 'machine' : racks.size === 1 ? 'rack' : 'network' });
  }
  return { name, machines, jobs, spans };
}))((seed) => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648)
