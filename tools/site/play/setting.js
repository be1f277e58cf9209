// The setting of the page: its rows, the words of the command that has it, and the link that holds it.
const playSetting = (() => {
  const number = (key, label, min, max, step, start, more = {}) => ({ key, label, min, max, step, start, ...more });
  const choice = (key, label, start, choices, more = {}) => ({ key, label, choices, start, ...more });
  const any = ['dally', 'dally-manual', 'dally-nowait', 'dally-consolidated', 'dally-evict', 'delay', 'consolidate', 'scatter',
    'tiresias', 'gandiva', 'las', 'fifo', 'fifo-fit'];
  const clairvoyant = ['easy', 'conservative', 'sjf', 'srtf', 'srsf', 'gittins', 'qssf', 'tiresias-gittins'];
  const policies = [...any.map((p) => [p, p]), ...clairvoyant.map((p) => [p, p, 'Read the true run times, or their law'])];
  const timers = (of) => [
    number(`${of}_rack`, 'T_rack, leases of an hour', 0, 48, 1, 6, { when: (v) => v[of] === 'dally-manual' }),
    number(`${of}_net`, 'T_net, leases of an hour', 0, 48, 1, 12, { when: (v) => v[of] === 'dally-manual' }),
  ];
  const groups = [
    ['Cluster', [
      number('racks', 'Racks', 1, 16, 1, 4),
      number('machines', 'Machines per rack', 1, 16, 1, 2),
      number('gpus', 'GPUs per machine', 1, 8, 1, 8),
    ]],
    ['Network', [
      choice('network', 'Links', 'ethernet:', [['', 'NVLink, and 200 Gb/s per GPU between machines'],
        ['ethernet:', '100 Gb/s of Ethernet per machine'], ['paper:', "as in the Dally paper's simulator"]]),
      choice('speed', 'Jobs on the same link', 'contended', [['contended', 'share its speed'], ['collective', 'do not slow one another']]),
      number('rack', 'Other traffic on links of a rack, %', 0, 95, 5, 0, { when: (v) => v.speed === 'contended' }),
      number('core', 'Other traffic between racks, %', 0, 95, 5, 0, { when: (v) => v.speed === 'contended' }),
    ]],
    ['Jobs', [
      choice('workload', 'Law', 'demo', [['demo', 'demo: gangs, much communication'], ['poisson', 'poisson: gangs'],
        ['bursty', 'bursty: the same in bursts'], ['diurnal', 'diurnal: the same by day and night'], ['batch', 'batch: all at time 0'],
        ['philly', "philly: as in Microsoft's log"], ['recur', 'recur: users run the same again']]),
      number('jobs', 'Number of jobs', 20, 1000, 10, 200),
      number('load', 'Load', 0.3, 1.5, 0.05, 0.9),
      number('seed', 'Seed', 0, 999, 1, 1),
      number('replicates', 'Replicates', 1, 20, 1, 10),
    ]],
    ['First scheduler', [choice('a', 'Policy', 'dally-manual', policies), ...timers('a')]],
    ['Second scheduler', [choice('b', 'Policy', 'dally-nowait', policies), ...timers('b')]],
  ];
  const rows = groups.flatMap(([, of]) => of);

  // decimal writes a number without the dust of binary fractions.
  const decimal = (x) => String(Number(Number(x).toFixed(6)));

  // read makes a value of a row of any text: in its range and on its steps, or the start.
  function read(row, text) {
    if (row.choices) return row.choices.some(([value]) => value === text) ? text : row.start;
    const x = Number(text);
    if (text === null || text === '' || !Number.isFinite(x)) return row.start;
    const on = row.min + Math.round((x - row.min) / row.step) * row.step;
    return Number(decimal(Math.min(row.max, Math.max(row.min, on))));
  }

  // parse reads the fragment of an address; what it lacks is as at the start.
  function parse(fragment) {
    const given = new URLSearchParams(fragment.replace(/^#/, ''));
    return Object.fromEntries(rows.map((row) => [row.key, read(row, given.get(row.key))]));
  }

  // fragment holds the values that are not as at the start.
  function fragment(v) {
    return '#' + new URLSearchParams(rows.filter((row) => v[row.key] !== row.start).map((row) => [row.key, v[row.key]]));
  }

  const policy = (v, of) => (v[of] === 'dally-manual' ? `dally-manual:t_rack=${v[of + '_rack']},t_net=${v[of + '_net']}` : v[of]);

  // words stand behind "tarry compare".
  function words(v) {
    const taken = [['rack', v.rack], ['network', v.core]].filter(([, x]) => x > 0).map(([key, x]) => `${key}=${decimal(x / 100)}`);
    const speed = v.speed === 'contended' && taken.length ? `contended:${taken.join(',')}` : v.speed;
    return ['--trace', `synth:${v.workload},jobs=${v.jobs},load=${decimal(v.load)}`,
      '--cluster', `${v.network}${v.racks}x${v.machines}x${v.gpus}`, '--speed', speed,
      '--policy', policy(v, 'a'), '--policy', policy(v, 'b'), '--seed', String(v.seed), '--replicates', String(v.replicates)];
  }

  const command = (v) => 'tarry compare ' + words(v).join(' ');

  return { groups, rows, read, parse, fragment, words, command, clairvoyant };
})();
