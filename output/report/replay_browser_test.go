package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// byHand are two runs of the same four jobs on two racks of one machine with four GPUs. In the
// first "a" has machine 0 from 0 to 100, b waits from 10 to 50 for half of machine 1, which c has
// until then, and d waits for all GPUs and never starts. In the second b starts at once.
const byHand = "testdata/replay.js"

// openReplay opens a page of the component alone; runs is a file, or the text itself.
func openReplay(t *testing.T, b *browser, runs, options string) {
	t.Helper()
	if text, err := os.ReadFile(runs); err == nil {
		runs = string(text)
	}
	script, err := assets.ReadFile("assets/replay.js")
	if err != nil {
		t.Fatal(err)
	}
	page := fmt.Sprintf("<!DOCTYPE html><meta charset=utf-8><style>:root { color-scheme: light dark; }</style><body>"+
		"<div id=r></div><script>%s\nwindow.handle = tarryReplay(document.getElementById('r'), %s, %s);</script>", script,
		strings.ReplaceAll(runs, "</script>", `<\/script>`), options)
	path := filepath.Join(t.TempDir(), "replay.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	b.open("file://" + path)
	b.settle()
}

// TestReplayStates compares the states at hand-made times, forwards and backwards.
func TestReplayStates(t *testing.T) {
	b := startBrowser(t)
	openReplay(t, b, byHand, "{left: 0, right: 1}")
	state := "handle.seek(arguments[0]); return handle.state().runs.map((r) => [r.busy, r.running, r.finished, " +
		"r.waiting.join(' ')].join(' '))"
	want := map[int][]string{
		0: {"7 2 0 ", "4 1 0 "}, 10: {"7 2 0 b<i>", "6 2 0 "},
		35: {"7 2 0 b<i> d e", "6 2 0 "}, 40: {"7 2 0 b<i> d", "6 2 0 "},
		50: {"6 2 0 c d", "6 2 0 "}, 60: {"6 2 0 c d", "4 1 1 "}, 110: {"2 1 1 c d", "0 0 2 "}, 150: {"3 1 2 d", "0 0 2 "},
	}
	for _, at := range []int{0, 10, 35, 40, 50, 60, 110, 150, 60, 10, 150, 0} {
		var got []string
		for _, s := range b.js(state, at).([]any) {
			got = append(got, s.(string))
		}
		if !slices.Equal(got, want[at]) {
			t.Errorf("at %d: %q, want %q", at, got, want[at])
		}
	}
	tell := "handle.seek(arguments[0]); return handle.describe(arguments[1]).join('\\n')"
	for _, one := range []struct {
		at   int
		job  string
		want []string
	}{
		{20, "b<i>", []string{"job b<i> · VGG · user w · 2 GPUs",
			"waits 10 s, place 1 of 2: lack of GPUs: 1 free of 2 GPUs asked for (derived)",
			"two: runs on 2 GPUs of machine 1, rack 1, from 00:00:10 until 00:01:00"}},
		{50, "c", []string{"waits 0 s after it lost its GPUs (preempt), place 1 of 2: lack of GPUs: 2 free of 3"}},
		{110, "c", []string{"enough GPUs are free as close as it can have them"}},
		{65, "d", []string{"the quota of its user"}},
		{75, "d", []string{"lack of GPUs: 2 free of 8"}},
		{35, "e", []string{"asks for more GPUs than the cluster has"}},
		{45, "e", []string{"left without finishing"}},
		{150, "c", []string{"runs on 3 GPUs (v100+k80) of 2 machines, 2 racks, from 00:02:00 still"}},
		{150, "b<i>", []string{"finished at 00:02:00"}},
		{5, "b<i>", []string{"comes at 00:00:10"}},
	} {
		got := b.js(tell, one.at, one.job).(string)
		for _, w := range one.want {
			if !strings.Contains(got, w) {
				t.Errorf("job %s at %d: %q lacks %q", one.job, one.at, got, w)
			}
		}
	}
	if b.count("#broken") != 0 {
		t.Error("a name became an element")
	}
	if got := b.js("handle.show(2, 0); return handle.state().runs.map((r) => r.name).join()"); got != "three" {
		t.Errorf("a run of another group stands beside: %v", got)
	}
	if said := b.complaints(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// TestReplayGrows appends to a run, as a page with a running simulation does.
func TestReplayGrows(t *testing.T) {
	b := startBrowser(t)
	openReplay(t, b, `[{name: 'live', machines: [{rack: 0, gpus: 4}], jobs: [{id: 'a', gpus: 4, submit_s: 0}],
		spans: [{job: 0, start_s: 0, end_s: null, gpus: [[0, 4]]}], until_s: 10}]`, "{live: true}")
	got := b.js(`handle.append(0, {jobs: [{id: 'b', gpus: 1, submit_s: 5}], until_s: 20});
		const one = handle.state();
		handle.append(0, {ends: [{span: 0, end_s: 30, ended: 'preempt'}], until_s: 40,
			spans: [{job: 1, start_s: 30, end_s: null, machines: [[0, 1]]}]});
		const two = handle.state();
		return [one, two].map((s) => [s.time, s.runs[0].busy, s.runs[0].waiting.join()].join(' ')).join('; ')`)
	if got != "20 4 b; 40 1 a" {
		t.Errorf("states %q", got)
	}
	if got := b.js("handle.seek(10); handle.append(0, {until_s: 50}); return handle.state().time"); got != 50.0 {
		t.Errorf("the clock follows until the reader takes it, yet it is at %v", got)
	}
	if got := b.js("const scrub = document.querySelector('.replay-scrub'); scrub.value = 0; " +
		"scrub.dispatchEvent(new Event('input')); handle.append(0, {until_s: 60}); return handle.state().time"); got != 0.0 {
		t.Errorf("the reader took the clock, yet it is at %v", got)
	}
}

// TestReplayAtSize plays two runs of 10 000 jobs on 512 GPUs from start to end. It writes how fast
// frames are drawn, and holds the work: each event is applied once, whatever the number of frames.
func TestReplayAtSize(t *testing.T) {
	b := startBrowser(t)
	openReplay(t, b, "testdata/replaysize.js", "{speed: 120000}")
	got := b.call("POST", "/execute/async", map[string]any{"script": `const done = arguments[0], s0 = handle.state();
		const begun = performance.now();
		handle.play();
		(function look() { const s = handle.state(); if (s.playing) { setTimeout(look, 20); return; }
			done([performance.now() - begun, s.frames - s0.frames, s.busy_ms - s0.busy_ms, s.runs[0].events, s.runs[1].events,
				s.runs[0].finished, s.runs[0].waiting.length]); })()`, "args": []any{}}).([]any)
	ms, frames, busy := got[0].(float64), got[1].(float64), got[2].(float64)
	t.Logf("%v frames in %.0f ms: %.1f a second, %.2f ms of work each", frames, ms, 1000*frames/ms, busy/frames)
	if fmt.Sprint(got[3:]) != "[30000 30000 10000 0]" || frames < 10 {
		t.Errorf("%v frames; events, events, finished, waiting: %v", frames, got[3:])
	}
	// A step back starts over, once.
	if n := b.js("handle.seek(handle.state().until - 1000); return handle.state().runs[0].events").(float64); n < 55_000 ||
		n > 60_000 {
		t.Errorf("after a step back %v events", n)
	}
}

// TestReplayWhy: GPUs that are free but spread are a wait for a closer placement only where the
// policy has timers, and an order or a quota otherwise.
func TestReplayWhy(t *testing.T) {
	b := startBrowser(t)
	run := func(name, facts string) string {
		return `{name: '` + name + `', ` + facts + `, machines: [{rack: 0, gpus: 4}, {rack: 0, gpus: 4}, {rack: 1, gpus: 4}],
			jobs: [{id: 'a', gpus: 4, submit_s: 0}, {id: 'b', gpus: 4, submit_s: 1}, {id: 'c', gpus: 12, submit_s: 1},
			{id: 'd', gpus: 6, submit_s: 1}, {id: 'e', gpus: 3, submit_s: 1}],
			spans: [{job: 0, start_s: 0, end_s: null, gpus: [[0, 2], [4, 1], [8, 1]], level: 'network'}], until_s: 9}`
	}
	openReplay(t, b, "["+run("with", "timers: true, quotas: true")+","+run("without", "group: ''")+"]", "{}")
	for job, want := range map[string][2]string{
		"b": {"8 GPUs free and 4 asked for, but not on one machine: its timer for a closer placement, or the order (derived)",
			"8 GPUs free and 4 asked for, but not on one machine: a closer placement, or the order (derived)"},
		"c": {"lack of GPUs: 8 free of 12 GPUs asked for (derived)", "lack of GPUs: 8 free of 12 GPUs asked for (derived)"},
		"d": {"but not on one rack: its timer", "but not on one rack: a closer"},
		"e": {"the order, a quota or the next round", "the order or the next round"},
	} {
		got := b.js("handle.seek(5); return handle.describe(arguments[0])", job).([]any)
		for i := range want {
			if text := got[1+i].(string); !strings.Contains(text, want[i]) {
				t.Errorf("job %s: %q lacks %q", job, text, want[i])
			}
		}
	}
}
