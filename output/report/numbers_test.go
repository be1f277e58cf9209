package report

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/results"
)

func read(t *testing.T, dir string, opt Options) *Page {
	t.Helper()
	opt.Policies = shipped.All().Policies
	p, err := NewReader(dir, opt).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// row finds the row whose first cells are these texts.
func row(t *testing.T, tab table, lead ...string) map[string]cell {
	t.Helper()
	for _, r := range tab.Rows {
		same := true
		for i, s := range lead {
			same = same && r[i].Text == s
		}
		if same {
			out := map[string]cell{}
			for i, c := range r {
				out[tab.Columns[i].Name] = c
			}
			return out
		}
	}
	t.Fatalf("table %s has no row %v", tab.ID, lead)
	return nil
}

// TestTables compares the numbers with the fixture's.
func TestTables(t *testing.T) {
	f := newSweep(t, "a", "b").all()
	p := read(t, f.dir, Options{})
	if p.Progress != (progress{Total: 18, Done: 18}) || len(p.Failures)+len(p.Notes) > 0 {
		t.Errorf("progress %+v, notes %v", p.Progress, p.Notes)
	}
	means, diffs := p.Tables[0], p.Tables[1]
	if len(means.Rows) != 6 || len(diffs.Rows) != 3 {
		t.Fatalf("%d rows of means, %d of differences", len(means.Rows), len(diffs.Rows))
	}
	// Jobs take 100 (1..10) x 0.5: mean 275 for all three seeds.
	m := row(t, means, "0.5", "a")
	if c := m["JCT mean"]; *c.V != 275 || *c.Lo != 275 || *c.Hi != 275 || *m["n"].V != 3 ||
		*m["communication"].V != 25 {
		t.Errorf("means of a: %v, n %v", *c.V, *m["n"].V)
	}
	// b adds 11, 12, 13 by seed: 12 with Student's interval of 2 degrees of freedom, t = 4.30265.
	half := 4.302652729911275 / math.Sqrt(3)
	d := row(t, diffs, "0.5", "b")
	c := d["JCT mean"]
	if *c.V != 12 || math.Abs(float64(*c.Lo)-(12-half)) > 1e-6 || math.Abs(float64(*c.Hi)-(12+half)) > 1e-6 ||
		c.Sign != 1 || d["over"].Text != "seeds" {
		t.Errorf("difference %v [%v, %v], sign %d, over %q", *c.V, *c.Lo, *c.Hi, c.Sign, d["over"].Text)
	}
	if c := d["JCT p99"]; *c.V != 0 || c.Sign != 0 {
		t.Errorf("no difference is given as %v, sign %d", *c.V, c.Sign)
	}
	if got := *d["JCT ratio"].V; math.Abs(float64(got)-287.0/275) > 1e-9 {
		t.Errorf("ratio %v", got)
	}
	p = read(t, f.dir, Options{First: "b"})
	if c := row(t, p.Tables[1], "1", "a")["JCT mean"]; *c.V != -12 || c.Sign != -1 {
		t.Errorf("against b: %v, sign %d", *c.V, c.Sign)
	}
}

// TestOnePair: with one seed the interval is over jobs and is labelled so.
func TestOnePair(t *testing.T) {
	f := newSweep(t, "a", "b")
	f.done("1", "a", 2)
	f.done("1", "b", 2)
	f.done("0.5", "b", 2) // its partner is missing
	p := read(t, f.dir, Options{First: "a"})
	if len(p.Tables[1].Rows) != 1 {
		t.Fatalf("%d rows", len(p.Tables[1].Rows))
	}
	d := row(t, p.Tables[1], "1", "b")
	// The fixture names other workloads for other loads and seeds, and the same for both policies.
	if c := d["JCT mean"]; d["over"].Text != "jobs" || *c.V != 12 || *c.Lo != 12 || *c.Hi != 12 {
		t.Errorf("over %q: %v", d["over"].Text, *c.V)
	}
	if c := d["makespan"]; *c.V != 0 || c.Lo != nil {
		t.Errorf("makespan of one pair has an interval")
	}
}

func chartOf(t *testing.T, p *Page, id string) chart {
	t.Helper()
	i := slices.IndexFunc(p.Charts, func(c chart) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("no chart %s", id)
	}
	return p.Charts[i]
}

// TestCharts: lines over the numeric axis, distributions that end at 1, a profile that starts with
// the share of instances won.
func TestCharts(t *testing.T) {
	p := read(t, newSweep(t, "a", "b").all().dir, Options{})
	v := chartOf(t, p, "axis-load").Views[0]
	if len(v.Series) != 2 || !slices.Equal(v.Series[1].X, []num{0.5, 0.75, 1}) ||
		!slices.Equal(v.Series[1].Y, []num{287, 424.5, 562}) {
		t.Errorf("over load: %+v", v.Series)
	}
	c := chartOf(t, p, "cdf")
	for _, v := range c.Views {
		for _, s := range v.Series {
			if len(s.X) != 30 || s.Y[29] != 1 || !slices.IsSorted(s.X) {
				t.Errorf("view %v, %s: %d points, last %v", v.Pick, s.Name, len(s.X), s.Y[len(s.Y)-1])
			}
		}
	}
	prof := chartOf(t, p, "profile").Views[0]
	if a, b := prof.Series[0], prof.Series[1]; a.Y[0] != 1 || b.Y[0] != 0 || b.Y[len(b.Y)-1] != 1 {
		t.Errorf("profile: a starts at %v, b goes from %v to %v", a.Y[0], b.Y[0], b.Y[len(b.Y)-1])
	}
	// b adds 11 to 13 to 275, 412.5 or 550: the range ends a little beyond 288/275, and each ratio
	// is a step.
	b := prof.Series[1]
	if last := float64(b.X[len(b.X)-1]); prof.X.Log || math.Abs(last-(1+13.0/275*1.05)) > 1e-3 &&
		math.Abs(last-(288.0/275+0.01)) > 1e-3 {
		t.Errorf("the profile ends at %v", last)
	}
	step := slices.Index(b.X, num(287.0/275))
	if step < 1 || math.Abs(float64(b.Y[step]-b.Y[step-1])-1.0/9) > 1e-9 {
		t.Errorf("at 287/275: %v of %v", step, b.X)
	}
	whole := chartOf(t, p, "profile")
	if want := []string{"all settings together", "load=0.5", "load=0.75", "load=1"}; len(whole.Picks) != 1 ||
		!slices.Equal(whole.Picks[0].Options, want) || len(whole.Views) != 4 {
		t.Errorf("choices %+v", whole.Picks)
	}
	if one := whole.Views[3].Series[1]; one.Y[len(one.Y)-1] != 1 || float64(one.X[len(one.X)-1]) > 1.04 {
		t.Errorf("at load 1: %+v", one)
	}
}

// TestProfileTaus: a profile has a step at every ratio, as long as these are few, and ends where it
// ends.
func TestProfileTaus(t *testing.T) {
	if got := profileTaus([]float64{1, 1, 2, math.NaN(), 100, 2}); !slices.Equal(got, []float64{1, 2, 100, 104.95}) {
		t.Error(got)
	}
	var many []float64
	for i := range 1000 {
		many = append(many, 1+float64(i))
	}
	if got := profileTaus(many); len(got) != profileSteps+1 || got[0] != 1 || got[profileSteps-1] != 1000 {
		t.Errorf("%d from %v to %v", len(got), got[0], got[len(got)-2])
	}
	if got := profileTaus([]float64{1, 1}); !slices.Equal(got, []float64{1, 1.01}) {
		t.Error(got)
	}
}

// TestColours: a policy has the colour that it has in the figures, whatever else is on the page.
func TestColours(t *testing.T) {
	for _, policies := range [][]string{{"srtf", "dally", "fifo"}, {"fifo", "srtf"}} {
		p := read(t, newTrials(t, policies...).dir, Options{})
		for _, s := range chartOf(t, p, "policies").Views[0].Series {
			name, star := strings.CutSuffix(s.Name, "*")
			if star != (name == "srtf") {
				t.Errorf("%s is marked as clairvoyant: %v", name, star)
			}
			if want := figure.Appearances([]string{name})[name]; s.Colour%figure.Colours != want%figure.Colours {
				t.Errorf("%s has the colour %d, want %d", s.Name, s.Colour, want)
			}
		}
	}
}

// TestParameterAxis: an axis over a parameter makes a line of one policy, not many policies.
func TestParameterAxis(t *testing.T) {
	f := fixture{t, t.TempDir(), []string{"dally:t_rack=5", "dally:t_rack=9"}, 4}
	f.write("sweep.json", "{}")
	lines := ""
	for i, p := range f.policies {
		id := []string{"timer=5/seed=1", "timer=9/seed=1"}[i]
		lines += `{"id":"` + id + `","seed":1}` + "\n"
		row := results.Trial{Keys: results.Keys{Policy: p, Seed: 1}, Summary: results.Summary{JCTMean: float64(i)}}
		put(t, results.Target{Path: filepath.Join(f.dir, "cells", id, "trials", "part-0.parquet")},
			[]results.Trial{row})
		f.status(id, "done")
	}
	f.write("cells.jsonl", lines)
	s := chartOf(t, read(t, f.dir, Options{}), "axis-timer").Views[0].Series
	if len(s) != 1 || s[0].Name != "dally" || !slices.Equal(s[0].X, []num{5, 9}) {
		t.Errorf("%+v", s)
	}
}

// TestStates: cells are counted, failed ones shown with the end of their log, unreadable ones
// listed.
func TestStates(t *testing.T) {
	f := newSweep(t, "a", "b")
	for i, state := range []string{"running", "requeue", "cancelled", "failed", "done"} {
		f.status(f.id(loads[i/3], "a", i%3+1), state)
	}
	f.write(filepath.Join("cells", f.id("0.75", "a", 1), "log"), strings.Repeat("early\n", 2000)+"last line\n")
	f.write(filepath.Join("cells", f.id("1", "b", 1), "STATUS"), "{")
	f.write(filepath.Join("cells", f.id("0.75", "a", 2), "trials", "part-0.parquet"), "no parquet")
	p := read(t, f.dir, Options{})
	if want := (progress{Total: 18, Done: 1, Failed: 2, Running: 1, Requeue: 1, Cancelled: 1,
		Waiting: 12}); p.Progress != want {
		t.Errorf("progress %+v, want %+v", p.Progress, want)
	}
	if len(p.Failures) != 1 || p.Failures[0].Error != "no such <trace>" || p.Failures[0].Exit != 42 ||
		p.Failures[0].Attempts != 2 {
		t.Fatalf("failures %+v", p.Failures)
	}
	if log := p.Failures[0].Log; strings.Count(log, "\n") != logLines-1 || !strings.HasSuffix(log, "early\nlast line") {
		t.Errorf("log %q", log)
	}
	notes := strings.Join(p.Notes, "\n")
	for _, want := range []string{"cell load=0.75/policy=a/seed=2 cannot be read: ",
		"cell load=1/policy=b/seed=1 cannot be read: ", "1 more failed cells are not shown"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
}

// TestTimeline: spans, geometry and what is left out.
func TestTimeline(t *testing.T) {
	f := newSweep(t, "a", "b")
	f.done("1", "a", 1)
	p := read(t, f.dir, Options{})
	tl := p.Timelines[0]
	if len(p.Timelines) != 1 || tl.GPUs != 4 || !slices.Equal(tl.Machines, []int{0, 2}) ||
		!slices.Equal(tl.Racks, []int{0}) {
		t.Fatalf("%d timelines, %d GPUs, machines %v", len(p.Timelines), tl.GPUs, tl.Machines)
	}
	if len(tl.Spans) != 10*spanFields || tl.Note != "" || p.Workloads[tl.Workload].Jobs[3] != "job-3" ||
		p.Workloads[tl.Workload].Models[p.Workloads[tl.Workload].JobModel[3]] != "VGG" {
		t.Errorf("%d numbers, note %q", len(tl.Spans), tl.Note)
	}
	// 990 s in a million ticks: the second span starts 100 s after the first and lasts 90 s.
	second := tl.Spans[spanFields : 2*spanFields]
	at := func(s float64) int { return int(math.Round(s / 990 * ticks)) }
	if want := []int{at(100), at(190) - at(100), 1, 0, 0, 1, 1}; !slices.Equal(second, want) {
		t.Errorf("second span %v, want %v", second, want)
	}
	f.done("1", "b", 3)
	if p := read(t, f.dir, Options{Timelines: "policy=b/seed=3"}); len(p.Timelines) != 1 ||
		p.Timelines[0].Label != "load=1/policy=b/seed=3: b, replicate 0" {
		t.Errorf("chosen by name: %d timelines", len(p.Timelines))
	}
	if p := read(t, f.dir, Options{Timelines: "x"}); len(p.Timelines) != 0 ||
		!slices.Equal(p.Notes, []string{`timelines: no trial has "x" in its name`}) {
		t.Errorf("chosen by a name of none: %d timelines, %q", len(p.Timelines), p.Notes)
	}
	known := newSweep(t, "srtf", "fifo")
	known.done("1", "srtf", 1)
	known.done("1", "fifo", 1)
	var labels []string
	for _, tl := range read(t, known.dir, Options{Timelines: "seed=1"}).Timelines {
		labels = append(labels, tl.Label)
	}
	slices.Sort(labels)
	if want := []string{"load=1/policy=fifo/seed=1: fifo, replicate 0",
		"load=1/policy=srtf/seed=1: srtf*, replicate 0"}; !slices.Equal(labels, want) {
		t.Errorf("timelines are called %q, want %q", labels, want)
	}
	left := int64(1000)
	runs, err := loadRuns(t.Context(), filepath.Join(f.dir, "cells", f.id("1", "a", 1)), true, &left)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := runs[0].timeline(t.Context(), bound{most: 4}, &left)
	if err != nil || len(cut.Spans) > 4*spanFields || !(cut.Every > 100) ||
		!strings.HasPrefix(cut.Note, "Sampled: of every ") {
		t.Errorf("%v, %+v", err, cut)
	}
}

// TestLearningCurves: bands over seeds at the steps that all have.
func TestLearningCurves(t *testing.T) {
	f := fixture{t: t, dir: t.TempDir()}
	f.write("sweep.json", `{"name": "learning"}`)
	lines := ""
	for seed := 1; seed <= 2; seed++ {
		id := fmt.Sprintf("gamma=0.9/seed=%d", seed)
		lines += fmt.Sprintf(`{"id": %q, "seed": %d}`+"\n", id, seed)
		newTraining(t, filepath.Join(f.dir, "cells", id, "run"), uint64(seed), 4*seed)
	}
	f.write("cells.jsonl", lines)
	p := read(t, f.dir, Options{})
	for _, c := range p.Charts {
		if c.ID == "curve-loss-policy" {
			t.Error("a column without a number is drawn")
		}
	}
	c := chartOf(t, p, "curve-validation")
	drawn := c.Views[0].Series
	want := stats.Student([]float64{3, 4})
	if s := drawn[2]; len(drawn) != 3 || s.Name != "gamma=0.9" || !slices.Equal(s.X, []num{200, 400}) ||
		s.Y[0] != 3.5 || s.Lo[0] != num(want.Lo) || s.Thin {
		t.Errorf("validation: %+v", s)
	}
	if s := drawn[1]; !s.Thin || s.Name != "gamma=0.9" || len(s.X) != 4 || s.Y[3] != 10 || s.Lo != nil {
		t.Errorf("the second seed: %+v", s)
	}
	r := row(t, p.Tables[0], "gamma=0.9/seed=2")
	if *r["updates"].V != 8 || *r["steps"].V != 800 || *r["best on validation"].V != 10 || *r["at step"].V != 800 {
		t.Errorf("%+v", r)
	}
	dir := t.TempDir()
	newTraining(t, dir, 1, 1000)
	p = read(t, dir, Options{})
	one := chartOf(t, p, "curve-return").Views[0].Series[0]
	if len(one.X) != curvePoints || one.X[0] != 100 || one.X[curvePoints-1] != 100_000 || one.Lo != nil {
		t.Errorf("%d points from %v to %v", len(one.X), one.X[0], one.X[len(one.X)-1])
	}
	if got := len(p.Charts); got != 8 {
		t.Errorf("%d curves at once, want all 8 that have numbers", got)
	}
}

// TestOrderAsGiven: policies come in the order of the command line, not of their folders; of a
// sweep in the order of its axis, also while the first one's cells are not done.
func TestOrderAsGiven(t *testing.T) {
	f := newTrials(t, "srtf", "fifo", "easy")
	p := read(t, f.dir, Options{})
	if m := p.Tables[0]; m.Rows[0][0].Text != "srtf*" || !strings.HasSuffix(m.Note,
		"* knows the work that is left (clairvoyant).") {
		t.Errorf("%q, with the note %q", m.Rows[0][0].Text, m.Note)
	}
	if d := p.Tables[1]; d.Title != "Differences against srtf" || len(d.Rows) != 2 || d.Rows[0][0].Text != "fifo" ||
		d.Rows[1][0].Text != "easy" {
		t.Errorf("%s: %+v", d.Title, d.Rows)
	}
	f.trial("las", 0) // of another command, which the folder's configuration does not have
	if m := read(t, f.dir, Options{}).Tables[0]; m.Rows[3][0].Text != "las" {
		t.Errorf("%+v", m.Rows)
	}
	// of tarry eval, whose agents come first
	f.write("config.json", `{"agents": ["ppo"], "baselines": ["srtf", "easy"]}`)
	if m := read(t, f.dir, Options{}).Tables[0]; m.Rows[0][0].Text != "fifo" || m.Rows[2][0].Text != "srtf*" ||
		m.Rows[3][0].Text != "easy" {
		t.Errorf("%+v", m.Rows)
	}
	s := newSweep(t, "srtf", "easy", "fifo")
	s.done("0.5", "fifo", 1)
	s.done("0.75", "easy", 1)
	s.done("1", "srtf", 1)
	if d := read(t, s.dir, Options{}).Tables[1]; d.Title != "Differences against srtf" {
		t.Error(d.Title)
	}
}

// Means and differences have one unit: the unit of the longest mean, however small the differences
// are.
func TestTablesHaveOneUnit(t *testing.T) {
	p := read(t, newSweep(t, "a", "b").all().dir, Options{})
	means, diffs := p.Tables[0], p.Tables[1]
	if means.Longest == 0 || means.Longest != means.longest() || diffs.Longest != means.Longest ||
		diffs.longest() >= means.longest() {
		t.Errorf("the longest of means is %v of %v, that of differences %v of %v", means.Longest, means.longest(),
			diffs.Longest, diffs.longest())
	}
}
