package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestReplayInBrowser plays the replay of a stored folder as a reader does.
func TestReplayInBrowser(t *testing.T) {
	b := startBrowser(t)
	f := newSweep(t, "dally", hostile)
	for seed := 1; seed <= 2; seed++ {
		f.done("1", "dally", seed)
		f.done("1", hostile, seed)
	}
	page := "file://" + pageFile(t, f.dir)
	b.open("about:blank")
	b.requests()
	b.open(page)
	for _, part := range []struct {
		name string
		try  func(*testing.T, *browser)
	}{
		{"start", tryStart}, {"scrub", tryScrub}, {"keys", tryReplayKeys}, {"play", tryPlay}, {"colours", tryColours},
		{"hover", tryReplayHover}, {"walk", tryWalk}, {"beside", tryBeside}, {"reduced", tryReduced},
		{"looks", tryReplayLooks},
	} {
		t.Run(part.name, func(t *testing.T) {
			outer := b.t
			b.t = t
			defer func() { b.t = outer }()
			part.try(t, b)
		})
	}
	ours := func(s string) bool { return strings.Contains(s, "willReadFrequently") }
	if said := slices.DeleteFunc(b.complaints(), ours); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
	if got := slices.DeleteFunc(b.requests(), func(u string) bool { return u == page }); len(got) > 0 {
		t.Errorf("the page asked for %q", got)
	}
}

const replayCard = "const card = document.getElementById('replay-card'), handle = card.tarryReplay; "

// replayAt gives a part of the state of the replay, as text.
func replayAt(b *browser, what string) string {
	b.t.Helper()
	return fmt.Sprint(b.js(replayCard + "const s = handle.state(); return " + what))
}

// tryStart: two policies on the same jobs stand side by side at the start, and nothing plays.
func tryStart(t *testing.T, b *browser) {
	if got := replayAt(b, "[s.time, s.playing, s.runs.length, s.runs[0].gpus].join(' ')"); got != "0 false 2 4" {
		t.Errorf("at the start: %s", got)
	}
	names := replayAt(b, "s.runs.map((r) => r.name).join(' and ')")
	if !strings.Contains(names, "dally") || !strings.Contains(names, "evil") || strings.Count(names, "seed=1") != 2 {
		t.Errorf("side by side: %s", names)
	}
	if b.count("#replay-card canvas") != 2 || b.count("img") != 0 {
		t.Error("not two pictures, or a name became an element")
	}
}

// tryScrub: the scrubber moves both runs to one time, there and back.
func tryScrub(t *testing.T, b *browser) {
	b.drag("#replay-card .replay-scrub", 0.02, 0.5, 0.5, 0.5)
	var at float64
	if _, err := fmt.Sscan(replayAt(b, "s.time"), &at); err != nil || !(at > 400 && at < 620) {
		t.Errorf("half way is %v", at)
	}
	// Job j holds a GPU from 100 j to 100 j + 90; all are submitted at 0.
	for _, one := range []struct {
		at   int
		want string
	}{{450, "1 1 5 4"}, {195, "0 0 8 2"}, {50, "1 1 9 0"}, {950, "1 1 0 9"}} {
		b.js(replayCard+"handle.seek(arguments[0])", one.at)
		got := replayAt(b, "s.runs.map((r) => [r.busy, r.running, r.waiting.length, r.finished].join(' ')).join(', ')")
		if got != one.want+", "+one.want {
			t.Errorf("at %d: %s, want %s in both", one.at, got, one.want)
		}
	}
	if text := b.text("#replay-card .replay-time"); !strings.HasPrefix(text, "00:15:50 of 00:") {
		t.Errorf("the time reads %q", text)
	}
}

// tryReplayKeys: space, arrows, pages, home and end on the scrubber.
func tryReplayKeys(t *testing.T, b *browser) {
	b.js("document.querySelector('#replay-card .replay-scrub').focus()")
	share := func() float64 {
		var v float64
		fmt.Sscan(replayAt(b, "(s.time - s.from) / (s.until - s.from)"), &v)
		return v
	}
	for _, one := range []struct {
		key  string
		want float64
	}{{"\ue010", 1}, {"\ue011", 0}, {"\ue014", 0.01}, {"\ue014", 0.02}, {"\ue012", 0.01}, {"\ue00f", 0.11},
		{"\ue00e", 0.01}, {"\ue011", 0}} { // end, home, right, right, left, page down, page up, home
		b.keys(one.key)
		if got := share(); !(got > one.want-1e-6 && got < one.want+1e-6) {
			t.Errorf("after %q at %v, want %v", one.key, got, one.want)
		}
	}
	b.js("document.getElementById('replay-card').dispatchEvent(new KeyboardEvent('keydown', " +
		"{ key: 'ArrowRight', shiftKey: true }))")
	if got := replayAt(b, "Math.round(s.time)"); got != "90" {
		t.Errorf("the next change is at %s, want 90", got)
	}
	b.keys(" ")
	if got := replayAt(b, "s.playing"); got != "true" {
		t.Error("space does not play")
	}
	b.keys(" ")
	if got := replayAt(b, "s.playing"); got != "false" {
		t.Error("space does not stop")
	}
}

// tryPlay: play moves the clock to the end and stops there; it states so in words.
func tryPlay(t *testing.T, b *browser) {
	b.js(replayCard + "handle.seek(900); const box = card.querySelector('select[aria-label=speed]'); " +
		"box.value = [...box.options].at(-1).value; box.dispatchEvent(new Event('change'))")
	b.click("#replay-card .replay-play")
	if got := b.text("#replay-card .replay-play"); !strings.Contains(got, "pause") {
		t.Errorf("while it plays the button reads %q", got)
	}
	b.call("POST", "/execute/async", map[string]any{"script": "const done = arguments[0], " +
		"end = performance.now() + 20000; (function look() { " +
		"const s = document.getElementById('replay-card').tarryReplay.state(); " +
		"if (!s.playing || performance.now() > end) done(); else setTimeout(look, 50); })()", "args": []any{}})
	got := replayAt(b, "[s.time === s.until, s.playing, s.frames > 20, s.runs[0].finished].join(' ')")
	if got != "true false true 10" {
		t.Errorf("at the end: %s", got)
	}
	if said := b.text("#replay-card .replay-live"); !strings.Contains(said, "0 of 4 GPUs busy") ||
		!strings.Contains(said, "10 finished") {
		t.Errorf("the words read %q", said)
	}
}

// strip has the colours down the first pane's canvas, through its first cell.
func strip(b *browser) string {
	b.t.Helper()
	return fmt.Sprint(b.js(`const c = document.querySelector('#replay-card canvas'), d = c.width / c.clientWidth;
		const x = c.getContext('2d').getImageData(0, 0, c.width, c.height);
		return Array.from({ length: c.height }, (_, k) => 4 * (k * c.width + Math.round(10 * d)))
			.map((at) => [...x.data.slice(at, at + 3)].join()).join(' ')`))
}

// tryColours: each choice colours the cells of a job otherwise, and its legend names the kinds.
func tryColours(t *testing.T, b *browser) {
	b.js(replayCard + "handle.seek(450)")
	seen := map[string]string{}
	for _, one := range []struct{ colour, legend string }{{"model", "BERT VGG"}, {"user", "no user"}, {"job", ""},
		{"level", "one machine one rack across racks"}} {
		b.js("const box = document.querySelector('#replay-card select[aria-label=colour]'); box.value = arguments[0]; "+
			"box.dispatchEvent(new Event('change'))", one.colour)
		got := fmt.Sprint(b.js("return [...document.querySelectorAll('#replay-card .replay-keys li')]" +
			".map((e) => e.textContent).join(' ')"))
		if got != one.legend {
			t.Errorf("by %s the legend names %q", one.colour, got)
		}
		if same := seen[strip(b)]; same != "" && !(same == "model" && one.colour == "user") {
			t.Errorf("by %s the picture is the same as by %s", one.colour, same)
		}
		seen[strip(b)] = one.colour
	}
}

// tryReplayHover: a cell and a row of the queue show the job and why it waits.
func tryReplayHover(t *testing.T, b *browser) {
	b.js(replayCard + "handle.seek(50)")
	words := func() string {
		s, _ := b.js("const t = document.querySelector('#replay-card .replay-tip'); " +
			"return t.hidden ? '' : t.innerText").(string)
		return s
	}
	place := "const c = document.querySelector('#replay-card canvas'); return [arguments[0] / c.clientWidth, " +
		"arguments[1] / c.clientHeight]"
	point := func(x, y float64) {
		p := b.js(place, x, y).([]any)
		b.hover("#replay-card canvas", p[0].(float64), p[1].(float64))
	}
	point(12, 24) // the first cell
	for _, want := range []string{"job job-0 · BERT · no user · 1 GPU",
		"dally, replicate 0: runs on 1 GPU of machine 0, rack 0, from 00:00:00",
		"until 00:01:30", hostile[:10]} {
		if got := words(); !strings.Contains(got, want) {
			t.Errorf("over the first cell %q lacks %q", got, want)
		}
	}
	row := b.js("const c = document.querySelector('#replay-card canvas'); return c.clientWidth").(float64)
	found := ""
	for x := 60.0; x < row && !strings.Contains(found, "waits"); x += 40 { // the queue is beside the cells
		point(x, 24)
		found = words()
	}
	for _, want := range []string{"job job-1 ", "waits 50 s, place 1 of 9: enough GPUs are free", "(derived)"} {
		if !strings.Contains(found, want) {
			t.Errorf("over the queue %q lacks %q", found, want)
		}
	}
	b.hover("h1", 0.5, 0.5)
	if got := words(); got != "" {
		t.Errorf("the text stays: %q", got)
	}
}

// tryWalk: with the picture in focus, down goes through the jobs and describes each.
func tryWalk(t *testing.T, b *browser) {
	b.js("document.querySelector('#replay-card canvas').focus()")
	for i := range 3 {
		b.keys("\ue015") // down
		if got := b.text("#replay-card .replay-tip"); !strings.HasPrefix(got, fmt.Sprintf("job job-%d ", i)) {
			t.Errorf("step %d shows %q", i, got)
		}
	}
	if said := b.text("#replay-card .replay-live"); !strings.HasPrefix(said, "job job-2 ") {
		t.Errorf("the words read %q", said)
	}
	label := fmt.Sprint(b.js("return document.querySelector('#replay-card canvas').getAttribute('aria-label')"))
	if !strings.Contains(label, "of 4 GPUs busy") {
		t.Errorf("the picture is called %q", label)
	}
	b.keys("\ue00c") // Escape
	if got := fmt.Sprint(b.js("return document.querySelector('#replay-card .replay-tip').hidden")); got != "true" {
		t.Error("Escape leaves the text")
	}
}

// tryBeside: only runs of the same jobs may stand beside one another, and one may stand alone.
func tryBeside(t *testing.T, b *browser) {
	count := func(label string) int {
		return b.count("#replay-card select[aria-label='" + label + "'] option")
	}
	if count("run") != 4 || count("beside it") != 2 {
		t.Errorf("%d runs, %d beside", count("run"), count("beside it"))
	}
	b.js(replayCard + "handle.show(1, -1)")
	if got := replayAt(b, "s.runs.length"); got != "1" {
		t.Errorf("alone: %s", got)
	}
	b.js(replayCard + "handle.show(0, 0)")
	if got := replayAt(b, "s.runs.length"); got != "1" {
		t.Errorf("beside itself: %s", got)
	}
	b.js(replayCard + "card.querySelector('select[aria-label=run]').selectedIndex = 0; handle.show(0, " +
		"+card.querySelector(\"select[aria-label='beside it']\").options[1].value)")
	if got := replayAt(b, "[s.runs.length, s.time].join(' ')"); got != "2 50" {
		t.Errorf("again beside: %s", got)
	}
}

// tryReduced: where the reader prefers reduced motion the clock goes in steps.
func tryReduced(t *testing.T, b *browser) {
	b.devtools("Emulation.setEmulatedMedia", map[string]any{"features": []any{
		map[string]any{"name": "prefers-reduced-motion", "value": "reduce"}}})
	got := b.call("POST", "/execute/async", map[string]any{"script": `const done = arguments[0];
		const handle = document.getElementById('replay-card').tarryReplay, times = new Set();
		handle.seek(0); handle.play(); const end = performance.now() + 2600;
		(function look() { times.add(handle.state().time);
			if (performance.now() < end) requestAnimationFrame(look); else { handle.pause(); done(times.size); } })()`,
		"args": []any{}}).(float64)
	if got > 4 {
		t.Errorf("%v different times in 2.6 s, want steps of a second", got)
	}
	b.devtools("Emulation.setEmulatedMedia", map[string]any{"features": []any{}})
}

// tryReplayLooks: no part stands out at the widths of a window and a telephone, light and dark.
func tryReplayLooks(t *testing.T, b *browser) {
	b.js(replayCard + "handle.seek(450)")
	colours := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		for _, w := range []int{1280, 400} {
			b.dark(scheme, "screen")
			b.width(w)
			b.shoot(fmt.Sprintf("replay-%s-%d", scheme, w))
			if over := b.js(tooWide).(float64); over > 0 {
				t.Errorf("%v pixels too wide at %d: %v", over, w, b.js(wideParts))
			}
		}
		colours[strip(b)] = true
	}
	if len(colours) != 2 {
		t.Error("light and dark draw the same")
	}
	b.dark("light", "screen")
	b.width(1280)
}
