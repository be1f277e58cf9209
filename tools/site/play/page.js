// The page: controls, the simulator in a worker, results and the replay. It works in pages opened as files too: the
// simulator is a script (simulator.js) and its worker is made of a text, since browsers let no file fetch another.
(() => {
  const root = document.getElementById('play'), folder = new URL('.', document.currentScript.src);
  if (!root) return;
  const { make, draw, sentence } = playResults, find = (name) => root.querySelector('#play-' + name);
  const quick = 1500; // a comparison of so many milliseconds runs again when a control changes
  let values = playSetting.parse(location.hash), worker = null, running = false, again = false, took = 0, handle = null, result = '';

  // control gives the label and the element of a row.
  function control(row) {
    const id = 'play-' + row.key;
    if (!row.choices) {
      const input = make('input', { id, type: 'range', min: row.min, max: row.max, step: row.step });
      return make('div', { class: 'play-row' }, make('label', { for: id }, row.label), make('output', { for: id }), input);
    }
    const groups = new Map();
    for (const [value, label, group] of row.choices) groups.set(group, [...(groups.get(group) || []), make('option', { value }, label)]);
    const select = make('select', { id }, ...[...groups].flatMap(([label, of]) => (label ? [make('optgroup', { label }, ...of)] : of)));
    return make('div', { class: 'play-row' }, make('label', { for: id }, row.label), select);
  }

  // build makes the form, once.
  function build() {
    const form = make('form', { id: 'play-form', 'aria-label': 'Setting' });
    for (const [title, rows] of playSetting.groups) {
      form.append(make('fieldset', {}, make('legend', {}, title), ...rows.map(control)));
    }
    const size = root.dataset.size;
    const button = (id, text, type = 'button') => make('button', { id: 'play-' + id, type, class: 'md-button' }, text);
    const run = button('run', `Load the simulator (${size})`, 'submit');
    run.classList.add('md-button--primary');
    form.append(make('div', { class: 'play-buttons' }, run, button('stop', 'Stop'), button('link', 'Copy the link'), button('reset', 'Reset'),
      make('progress', { id: 'play-progress', max: 1, value: 0, 'aria-label': 'Jobs that have ended' })));
    root.replaceChildren(form, make('p', { id: 'play-state', role: 'status' }),
      make('p', { class: 'play-title' }, 'The same by the command ', button('copy', 'Copy')),
      make('pre', { tabindex: '0' }, make('code', { id: 'play-command' })),
      make('p', { id: 'play-sentence', 'aria-live': 'polite' }),
      make('div', { id: 'play-result' }), make('div', { id: 'play-again' }));
    find('stop').hidden = find('progress').hidden = true;
    form.addEventListener('input', changed);
    form.addEventListener('change', () => { changed(); if (worker && took < quick) start(); });
    form.addEventListener('submit', (e) => { e.preventDefault(); if (worker) start(); else load(); });
    find('stop').addEventListener('click', () => { stop(); say('Stopped.'); });
    find('link').addEventListener('click', () => copy(location.href, 'The link is copied.'));
    find('copy').addEventListener('click', () => copy(playSetting.command(values), 'The command is copied.'));
    find('reset').addEventListener('click', () => set(playSetting.parse('')));
    addEventListener('hashchange', () => { if (location.hash.includes('=')) set(playSetting.parse(location.hash)); });
  }

  const say = (text) => { find('state').textContent = text; };

  async function copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch {
      say('The browser did not let the page copy: ' + text);
    }
  }

  // set shows values in the controls.
  function set(next) {
    values = next;
    for (const row of playSetting.rows) find(row.key).value = values[row.key];
    show();
    if (worker && took < quick) start();
  }

  function changed() {
    for (const row of playSetting.rows) values[row.key] = playSetting.read(row, find(row.key).value);
    show();
    history.replaceState(null, '', playSetting.fragment(values) === '#' ? location.pathname + location.search : playSetting.fragment(values));
  }

  // show updates what follows from the values.
  function show() {
    for (const row of playSetting.rows) {
      const input = find(row.key), line = input.parentElement, out = line.querySelector('output');
      if (out) out.textContent = String(values[row.key]);
      input.disabled = line.hidden = Boolean(row.when && !row.when(values));
    }
    find('command').textContent = playSetting.command(values);
    for (const part of ['sentence', 'result']) find(part).classList.toggle('play-old', result !== '' && result !== playSetting.command(values));
  }

  // load fetches the simulator and starts its thread, then runs the setting.
  function load() {
    busy(true, 'Loading the simulator …');
    const made = () => {
      const text = new Blob([tarrySimulator.worker], { type: 'text/javascript' });
      worker = new (window.ownWorker || Worker)(URL.createObjectURL(text));
      worker.onmessage = (e) => receive(e.data);
      worker.onerror = (e) => receive({ broken: e.message });
      worker.postMessage({ wasm: tarrySimulator.wasm });
    };
    if (window.tarrySimulator) return made();
    const script = make('script', { src: new URL('simulator.js', folder) });
    script.onload = made;
    script.onerror = () => { busy(false, 'The simulator could not be loaded: play/simulator.js is not beside the page.'); };
    document.head.append(script);
  }

  function start() {
    if (running) { again = true; return; }
    running = playSetting.command(values);
    find('progress').value = 0;
    busy(true, 'Running …');
    worker.postMessage({ run: playSetting.words(values) });
  }

  // stop ends the thread; the next run has a new one.
  function stop() {
    if (worker) worker.terminate();
    worker = null;
    running = again = false;
    busy(false, '');
  }

  function busy(on, text) {
    find('stop').hidden = find('progress').hidden = !on;
    find('run').textContent = worker || window.tarrySimulator ? 'Run' : `Load the simulator (${root.dataset.size})`;
    root.setAttribute('aria-busy', String(on));
    say(text);
  }

  function receive(m) {
    if (m.ready) { start(); return; }
    if (m.progress !== undefined) { find('progress').value = m.progress; return; }
    if (m.schedules) { replay(m.schedules); return; }
    const was = running;
    running = false;
    if (m.broken) { stop(); say('The simulator stopped: ' + m.broken); return; }
    busy(false, m.error || `Done in ${(m.ms / 1000).toFixed(2)} s.`);
    if (m.answer) {
      took = m.ms;
      result = was;
      find('sentence').textContent = sentence(m.answer);
      draw(find('result'), m.answer);
      offer(m.answer.seeds[0].length);
    }
    show();
    if (again) { again = false; start(); }
  }

  // offer asks which replicate to replay.
  function offer(replicates) {
    if (handle) handle.destroy();
    handle = null;
    const which = make('select', { id: 'play-which' }, ...Array.from({ length: replicates }, (_, r) => make('option', { value: r }, String(r))));
    const button = make('button', { type: 'button', id: 'play-replay', class: 'md-button' }, 'Replay');
    button.addEventListener('click', () => worker && worker.postMessage({ replay: Number(which.value) }));
    find('again').replaceChildren(make('p', { class: 'play-title' }, make('label', { for: 'play-which' }, 'Replay of replicate '), which, button),
      make('div', { id: 'play-schedule' }));
  }

  function replay(schedules) {
    if (handle) handle.destroy();
    handle = tarryReplay(find('schedule'), schedules, { left: 0, right: 1, autoplay: true });
  }

  build();
  set(values);
})();
