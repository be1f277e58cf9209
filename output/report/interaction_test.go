package report

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tarry/internal/legible"
	"tarry/output/results"
)

// TestInBrowser opens the page of a sweep from a file and uses it as a reader does.
func TestInBrowser(t *testing.T) {
	b := startBrowser(t)
	f := newSweep(t, "dally", hostile).all()
	f.status(f.id("1", "dally", 3), "failed")
	f.write(filepath.Join("cells", f.id("1", "dally", 3), "log"), "line one\n</script><b id=broken>\n")
	newTraining(t, filepath.Join(f.dir, "cells", f.id("1", "dally", 3), "run"), 3, 6)
	page := "file://" + pageFile(t, f.dir)
	b.open("about:blank") // the start page ends, which loads pictures of the browser's own
	b.requests()
	b.open(page)
	b.width(1280)
	for _, part := range []struct {
		name string
		try  func(*testing.T, *browser)
	}{
		{"legend", tryLegend}, {"zoom", tryZoom}, {"hover", tryHover}, {"keys", tryKeys}, {"choices", tryChoices},
		{"table", tryTable}, {"timeline", tryTimeline}, {"failures", tryFailures}, {"looks", tryLooks},
	} {
		t.Run(part.name, func(t *testing.T) {
			outer := b.t
			b.t = t
			defer func() { b.t = outer }()
			part.try(t, b)
		})
	}
	// advice to the test, which reads the canvas
	ours := func(s string) bool { return strings.Contains(s, "willReadFrequently") }
	if said := slices.DeleteFunc(b.complaints(), ours); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
	if got := slices.DeleteFunc(b.requests(), func(u string) bool { return u == page }); len(got) > 0 {
		t.Errorf("the page asked for %q", got)
	}
}

// lines are the names of the series that a chart draws.
func lines(b *browser, chart string) []any {
	return b.js("return [...document.querySelectorAll('#chart-' + arguments[0] + ' .plot [data-series]')].map((e) "+
		"=> e.dataset.series)", chart).([]any)
}

func tryLegend(t *testing.T, b *browser) {
	both := []any{"dally", legible.Name(hostile)}
	if got := lines(b, "axis-load"); !slices.Equal(got, both) {
		t.Fatalf("lines %q", got)
	}
	const first = "#chart-axis-load .legend button"
	b.click(first)
	if got := lines(b, "axis-load"); !slices.Equal(got, both[1:]) {
		t.Errorf("after a click on dally the lines are %q", got)
	}
	if got := b.js("return document.querySelector(arguments[0]).getAttribute('aria-pressed')", first); got != "false" {
		t.Errorf("the button is pressed: %v", got)
	}
	b.click(first)
	if got := lines(b, "axis-load"); !slices.Equal(got, both) {
		t.Errorf("after another click the lines are %q", got)
	}
}

// zoomed is the part of the x axis that a chart shows, "" = all.
func zoomed(b *browser, chart string) string {
	s, _ := b.js("return document.getElementById('chart-' + arguments[0]).dataset.zoom", chart).(string)
	return s
}

func tryZoom(t *testing.T, b *browser) {
	const plot = "#chart-axis-load .plot"
	before := b.js("return document.querySelector('#chart-axis-load path.series').getAttribute('d')")
	b.drag(plot, 0.4, 0.5, 0.7, 0.5)
	var from, to float64
	if _, err := fmt.Sscan(zoomed(b, "axis-load"), &from, &to); err != nil || !(from > 0.55 && from < to && to < 0.95) {
		t.Errorf("a drag zooms to %q", zoomed(b, "axis-load"))
	}
	if after := b.js(
		"return document.querySelector('#chart-axis-load path.series').getAttribute('d')"); after == before {
		t.Error("the line did not move")
	}
	b.click("#chart-axis-load .reset")
	if z := zoomed(b, "axis-load"); z != "" {
		t.Errorf("reset leaves %q", z)
	}
	b.js("document.activeElement.blur()")
	b.wheel(plot, 0.5, 0.5, -100)
	if z := zoomed(b, "axis-load"); z != "" {
		t.Errorf("the wheel zooms to %q before the chart was clicked", z)
	}
	b.click(plot)
	b.wheel(plot, 0.5, 0.5, -100)
	if zoomed(b, "axis-load") == "" {
		t.Error("the wheel does not zoom")
	}
	b.js("document.querySelector('#chart-axis-load .plot').dispatchEvent(new MouseEvent('dblclick'))")
	if z := zoomed(b, "axis-load"); z != "" {
		t.Errorf("a double click leaves %q", z)
	}
}

func tip(b *browser) string {
	s, _ := b.js("const t = document.getElementById('tip'); return t.hidden ? '' : t.innerText").(string)
	return s
}

func tryHover(t *testing.T, b *browser) {
	b.hover("#chart-axis-load .plot", 0.97, 0.5)
	got := tip(b)
	// At load 1 jobs take 550 s under dally, and 11 to 13 s longer under the other.
	for _, want := range []string{"load: 1", "dally", "550 s", hostile[:20], "562 s", "[559.5, 564.5]"} {
		if !strings.Contains(got, want) {
			t.Errorf("the tooltip lacks %q: %q", want, got)
		}
	}
	b.shoot("fixture-hover")
	b.hover("h1", 0.5, 0.5)
	if got := tip(b); got != "" {
		t.Errorf("the tooltip stays: %q", got)
	}
}

func tryKeys(t *testing.T, b *browser) {
	b.js("document.querySelector('#chart-axis-load .plot').focus()")
	b.keys("\ue014") // right
	if got := tip(b); !strings.Contains(got, "load: 0.5") {
		t.Errorf("the first arrow reads %q", got)
	}
	b.keys("\ue014")
	if got := tip(b); !strings.Contains(got, "load: 0.75") || !strings.Contains(got, "412.5 s") {
		t.Errorf("the second arrow reads %q", got)
	}
	b.keys("+")
	if zoomed(b, "axis-load") == "" {
		t.Error("+ does not zoom")
	}
	b.keys("\ue00c") // Escape
	if zoomed(b, "axis-load") != "" || tip(b) != "" {
		t.Errorf("Escape leaves zoom %q and tooltip %q", zoomed(b, "axis-load"), tip(b))
	}
}

func tryChoices(t *testing.T, b *browser) {
	label := "#chart-axis-load .plot .ylabel"
	if got := b.text(label); got != "JCT mean (s)" {
		t.Fatalf("y axis %q", got)
	}
	pick := "const s = document.querySelector(arguments[0]); s.selectedIndex = arguments[1]; s.dispatchEvent(new " +
		"Event('change'))"
	b.js(pick, "#chart-axis-load select", 7)
	if got := b.text(label); got != "communication (%)" {
		t.Errorf("y axis %q after another metric was chosen", got)
	}
	b.js(pick, "#chart-axis-load select", 0)
	ticks := func() any {
		return b.js("return [...document.querySelectorAll('#chart-cdf .plot text')].map((e) => " +
			"e.textContent).join(' ')")
	}
	before := ticks()
	b.click("#chart-cdf .controls .option") // log x, which is on
	if ticks() == before {
		t.Error("the switch to a linear axis changes no tick")
	}
	b.click("#chart-cdf .controls .option")
	if ticks() != before {
		t.Error("the switch back does not give the same ticks")
	}
}

// texts are the texts of a table's column.
func texts(b *browser, table string, column int) []any {
	return b.js("return [...document.querySelectorAll(`#table-${arguments[0]} tbody tr`)].map((r) => "+
		"r.children[arguments[1]].childNodes[0].textContent)", table, column).([]any)
}

func tryTable(t *testing.T, b *browser) {
	// Columns: load, policy, n, mean completion time. One cell failed: dally has two seeds at load 1.
	want := []any{"275", "287", "412.5", "424.5", "550", "562"}
	if got := texts(b, "means", 3); !slices.Equal(got, want) {
		t.Fatalf("column %q, want %q", got, want)
	}
	head := "#table-means th:nth-child(4)"
	b.click(head + " button")
	b.click(head + " button")
	down := slices.Clone(want)
	slices.Reverse(down)
	if got := texts(b, "means", 3); !slices.Equal(got, down) {
		t.Errorf("two clicks sort to %q, want %q", got, down)
	}
	if got := b.js("return document.querySelector(arguments[0]).getAttribute('aria-sort')", head); got != "descending" {
		t.Errorf("aria-sort is %v", got)
	}
	b.click(head + " button")
	if got := texts(b, "means", 3); !slices.Equal(got, want) {
		t.Errorf("a third click gives %q, want the order of the data", got)
	}
	b.js("const i = document.querySelector('#table-hashes input'); i.value = 'load=0.75'; i.dispatchEvent(new " +
		"Event('input'))")
	if n := b.count("#table-hashes tbody tr"); n != 6 {
		t.Errorf("the filter leaves %d rows, want 6", n)
	}
}

func tryTimeline(t *testing.T, b *browser) {
	const canvas = "#timeline-card canvas"
	shown := func() string {
		s, _ := b.js("return document.getElementById('timeline-card').dataset.trial").(string)
		return s
	}
	view := func() string {
		s, _ := b.js("return document.getElementById('timeline-card').dataset.view").(string)
		return s
	}
	if got := shown(); got != "load=0.5/policy=dally/seed=1: dally, replicate 0" {
		t.Errorf("shown first: %q", got)
	}
	b.js("const s = document.querySelector('#timeline-card select'); s.selectedIndex = 7; s.dispatchEvent(new " +
		"Event('change'))")
	if got := shown(); got != "load=0.75/policy=dally/seed=2: dally, replicate 0" {
		t.Errorf("shown after a choice: %q", got)
	}
	// Job 0 is on GPU 0 from 0 to 90 s of 990: at the left edge of the first of four rows.
	b.hover(canvas, 0.09, 0.1)
	got := tip(b)
	for _, want := range []string{"job job-0", "BERT", "level machine", "GPU 0 of 0–0", "0 s to 90 s",
		"ended: finish"} {
		if !strings.Contains(got, want) {
			t.Errorf("the tooltip lacks %q: %q", want, got)
		}
	}
	whole := view()
	b.drag(canvas, 0.3, 0.3, 0.6, 0.3)
	if view() == whole {
		t.Error("a drag does not zoom")
	}
	b.click("#timeline-card .reset")
	if got := view(); got != whole {
		t.Errorf("reset gives %s, want %s", got, whole)
	}
	b.js("document.querySelector(arguments[0]).focus()", canvas)
	b.keys("+\ue014")
	if view() == whole {
		t.Error("keys do not zoom")
	}
	b.keys("0")
	painted := `const c = document.querySelector('#timeline-card canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
		let n = 0; for (let i = 0; i < d.length; i += 4) if (Math.abs(d[i] - d[i + 2]) > 60) n++; return n`
	all := b.js(painted).(float64)
	b.click("#timeline-card .legend button")
	if some := b.js(painted).(float64); !(all > 0 && some > 0 && some < 0.8*all) {
		t.Errorf("%v coloured pixels, and %v without a model", all, some)
	}
	b.click("#timeline-card .legend button")
}

func tryFailures(t *testing.T, b *browser) {
	b.click(".failure summary")
	if got := b.text(".failure pre"); got != "line one\n</script><b id=broken>" {
		t.Errorf("log %q", got)
	}
	if n := b.count("#broken") + b.count("img"); n > 0 {
		t.Errorf("%d elements came out of names and logs", n)
	}
	if got := b.text(".counts"); !strings.Contains(got, "17 done") || !strings.Contains(got, "1 failed") {
		t.Errorf("counts %q", got)
	}
}

func tryLooks(t *testing.T, b *browser) {
	for _, w := range []int{1280, 400} {
		b.width(w)
		if over := b.js(tooWide).(float64); over > 0 {
			t.Errorf("%v pixels too wide at %d: %v", over, w, b.js(wideParts))
		}
		b.shoot(fmt.Sprintf("fixture-%d", w))
	}
	b.width(1280)
	background := func() any { return b.js("return getComputedStyle(document.body).backgroundColor") }
	b.dark("light", "screen")
	light := background()
	b.dark("dark", "screen")
	dark := background()
	if light == dark {
		t.Errorf("light and dark are both %v", light)
	}
	b.shoot("fixture-dark")
	b.click("#theme")
	if got := background(); got != light {
		t.Errorf("the button gives %v, want %v", got, light)
	}
	b.click("#theme")
	b.dark("dark", "print")
	if got := background(); got != light {
		t.Errorf("print is on %v, want %v", got, light)
	}
	if got := b.js("return getComputedStyle(document.getElementById('nav')).display"); got != "none" {
		t.Errorf("print shows the navigation: %v", got)
	}
	b.shoot("fixture-print")
	b.dark("light", "screen")
	if n := b.js("return [...document.querySelectorAll('button, select, input, canvas, .plot, .scroll, " +
		"pre')].filter((e) => e.tabIndex < 0).length").(float64); n > 0 {
		t.Errorf("%v controls cannot be reached by keyboard", n)
	}
	if n := b.js("return [...document.querySelectorAll('button, select, input')].filter((e) => " +
		"!(e.textContent.trim() || e.getAttribute('aria-label'))).length").(float64); n > 0 {
		t.Errorf("%v controls have no name", n)
	}
}

// TestReadableInBrowser: names of policies stand in full beside their values however long they are,
// times are in hours or days where seconds cannot be read, and a training page shows all its curves
// at once.
func TestReadableInBrowser(t *testing.T) {
	b := startBrowser(t)
	long := "dally-manual:t_rack=0.1234567,t_net=7.654321,lease=300,history=48,floor=0.5"
	f := newTrials(t, "fifo", long)
	for i, p := range []string{"fifo", long} {
		part := results.Partition{{Key: "policy", Value: p}, {Key: "replicate", Value: "0"}}
		put(t, part.Target(f.dir, "trials", results.NewMeta("", "w", "v1")),
			[]results.Trial{{Keys: results.Keys{Policy: p, Trace: "t", Cluster: "c"},
				Summary: results.Summary{Jobs: 4, JCTMean: 36_000 * float64(i+1), Makespan: 864_000}}})
	}
	b.open("file://" + pageFile(t, f.dir))
	for _, w := range []int{1280, 400} {
		b.width(w)
		got := b.js("return [...document.querySelectorAll('#chart-policies .plot text')].map((e) => " +
			"e.textContent).join('')").(string)
		if !strings.Contains(got, long) || strings.Contains(got, "…") {
			t.Errorf("at %d the rows are named %q", w, got)
		}
		if n := b.js(`const box = document.querySelector('#chart-policies .plot').getBoundingClientRect();
			return [...document.querySelectorAll('#chart-policies .plot text')].filter((e) => { const r = e.getBoundingClientRect(); return r.left < box.left - 1 || r.right > box.right + 1 || r.bottom > box.bottom + 1; }).length`).(float64); n > 0 {
			t.Errorf("at %d, %v texts stand out of the chart", w, n)
		}
	}
	if got := b.text("#chart-policies .plot .xlabel"); got != "JCT mean (h)" {
		t.Errorf("x axis %q", got)
	}
	if got := texts(b, "means", 2); !slices.Equal(got, []any{"10", "20"}) {
		t.Errorf("mean completion times %q, want hours", got)
	}
	if got := b.text("#table-means th:nth-child(3) small"); got != "h" {
		t.Errorf("unit %q", got)
	}
	b.hover("#chart-policies .plot", 0.95, 0.3)
	if got := tip(b); !strings.Contains(got, long) && !strings.Contains(got, "fifo") {
		t.Errorf("the tooltip of a row says %q", got)
	}
	train := t.TempDir()
	newTraining(t, train, 1, 10)
	b.open("file://" + pageFile(t, train))
	if n := b.count("#training .chart .plot path.series"); n != 8 {
		t.Errorf("%d curves are seen at once, want 8", n)
	}
	if said := b.complaints(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// TestLiveInBrowser: what a sweep finishes appears by itself, and the reader's choices stay.
func TestLiveInBrowser(t *testing.T) {
	b := startBrowser(t)
	f := newSweep(t, "dally", "fifo")
	for seed := 1; seed <= 2; seed++ {
		for _, load := range loads[:2] {
			f.done(load, "dally", seed)
			f.done(load, "fifo", seed)
		}
	}
	r := NewReader(f.dir, Options{})
	server := httptest.NewServer(r.Handler())
	defer server.Close()
	b.open(server.URL)
	b.width(1280)
	if got := b.text(".counts"); !strings.Contains(got, "8 done") {
		t.Fatalf("counts %q", got)
	}
	b.click("#chart-axis-load .legend button")
	f.done("1", "dally", 1)
	f.done("1", "fifo", 1)
	wait := func(want string) bool {
		for range 100 {
			if strings.Contains(b.text("#progress"), want) {
				return true
			}
			time.Sleep(100 * time.Millisecond)
		}
		return false
	}
	if !wait("10 done") {
		t.Fatalf("the page still says %q", b.text("#progress"))
	}
	if got := lines(b, "axis-load"); !slices.Equal(got, []any{"fifo"}) {
		t.Errorf("new data show the lines %q, want the hidden one to stay hidden", got)
	}
	b.shoot("fixture-live")
	if said := b.complaints(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
	for _, u := range b.requests() {
		if q, err := http.NewRequest(http.MethodGet, u, nil); err != nil || strings.HasPrefix(u, "http") &&
			"http://"+q.Host != server.URL {
			t.Errorf("the page asked for %s", u)
		}
	}
	server.CloseClientConnections()
	server.Close()
	if !wait("The server has ended") {
		t.Errorf("without a server the page says %q", b.text("#progress"))
	}
}
