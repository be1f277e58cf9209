package digest

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/results"
)

// data plans a sweep of load x policy x seed, of which nothing is run.
func data(t *testing.T, kind string) *sweep.Data {
	t.Helper()
	base := sweep.Settings{"trace": "synth:demo,load={load}", "policy": "dally"}
	axes := []sweep.Axis{{Name: "load", Values: []string{"0.5", "0.9"}},
		{Name: "policy", Values: []string{"dally", "fifo"}}}
	if kind == "learn" {
		base = sweep.Settings{"env": "tarry/DelayTimer-v0:load={load}"}
		axes[1] = sweep.Axis{Name: "agent", Values: []string{"ppo"}}
	}
	dir := filepath.Join(t.TempDir(), "sweep")
	if _, err := sweep.Plan(shipped.All(), dir, sweep.Spec{Name: "x", Kind: kind, Base: base, Axes: axes,
		Seeds: sweep.FirstSeeds(3)}, "test", false); err != nil {
		t.Fatal(err)
	}
	d, err := sweep.OpenData(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// rows makes a row per cell with a mean completion time of f hours.
func rows(d *sweep.Data, f func(c *sweep.Cell) float64) []results.Trial {
	var out []results.Trial
	for i := range d.Folders[0].Len() {
		c, err := d.Folders[0].Cell(i)
		if err != nil {
			panic(err)
		}
		out = append(out, results.Trial{Keys: results.Keys{Experiment: "x", Cell: c.ID, Policy: c.Axes["policy"]},
			Summary: results.Summary{JCTMean: f(&c) * 3600}})
	}
	return out
}

func jct(t *testing.T) Metric {
	t.Helper()
	m, err := Find("jct_mean_s")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Means and their intervals follow the definition, by hand: seeds 1, 2, 3 have x+1, x+2, x+3.
func TestMeans(t *testing.T) {
	d := data(t, "simulate")
	table, err := Collect(d, rows(d, func(c *sweep.Cell) float64 {
		return map[string]float64{"dally": 10, "fifo": 20}[c.Axes["policy"]] +
			map[string]float64{"0.5": 0, "0.9": 100}[c.Axes["load"]] + float64(c.Seed)
	}), Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	s := table.Means()
	if len(s) != 2 || s[0].Name != "dally" || s[1].Name != "fifo" {
		t.Fatalf("series %+v, want dally and fifo", s)
	}
	for i, want := range []float64{12, 112} {
		if math.Abs(s[0].Y[i]-want) > 1e-9 || !studentAt(want, s[0].Lo[i], s[0].Hi[i]) {
			t.Errorf("point %d: %v [%v, %v], want %v with Student's on the logarithm", i, s[0].Y[i], s[0].Lo[i],
				s[0].Hi[i], want)
		}
		if s[1].X[i] != []float64{0.5, 0.9}[i] {
			t.Errorf("x = %v", s[1].X)
		}
	}
}

// A difference is taken within a seed: where every seed differs by the same factor the interval has
// no width, however far the seeds lie apart.
func TestRelativeIsPaired(t *testing.T) {
	d := data(t, "simulate")
	table, err := Collect(d, rows(d, func(c *sweep.Cell) float64 {
		return map[string]float64{"dally": 1, "fifo": 1.25}[c.Axes["policy"]] * math.Pow(10, float64(c.Seed))
	}), Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Relative("dally")
	if err != nil {
		t.Fatal(err)
	}
	for i := range s[1].Y {
		if math.Abs(s[1].Y[i]-25) > 1e-9 || math.Abs(s[1].Lo[i]-25) > 1e-9 || math.Abs(s[1].Hi[i]-25) > 1e-9 {
			t.Errorf("fifo against dally: %v [%v, %v], want 25 exactly", s[1].Y[i], s[1].Lo[i], s[1].Hi[i])
		}
		if s[0].Y[i] != 0 || !math.IsNaN(s[0].Lo[i]) {
			t.Errorf("the base: %v from %v, want 0 without an interval", s[0].Y[i], s[0].Lo[i])
		}
	}
	if _, err := table.Relative("dalli"); err == nil || !strings.Contains(err.Error(),
		`no series is called dalli; did you mean "dally"?`) {
		t.Errorf("%v, want a hint", err)
	}
}

// Units that one of the two lacks are no pairs.
func TestRelativeLeavesOutWhatHasNoPartner(t *testing.T) {
	d := data(t, "simulate")
	all := rows(d, func(c *sweep.Cell) float64 {
		if c.Axes["policy"] == "fifo" && c.Seed == 3 {
			return math.NaN()
		}
		return map[string]float64{"dally": 1, "fifo": 2}[c.Axes["policy"]] * float64(c.Seed*c.Seed)
	})
	table, err := Collect(d, all, Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Relative("dally")
	if err != nil {
		t.Fatal(err)
	}
	if s[1].Y[0] != 100 {
		t.Errorf("%v, want 100: seed 3 has no partner", s[1].Y[0])
	}
}

// Two rows for one point and unit mean that the rows differ in something that is on no axis.
func TestTwiceTheSameUnit(t *testing.T) {
	d := data(t, "simulate")
	all := rows(d, func(*sweep.Cell) float64 { return 1 })
	_, err := Collect(d, append(all, all[0]), Layout{X: "load", Series: "policy", Metric: jct(t)})
	want := "two rows of jct_mean_s for load=0.5, policy=dally and seed=1/replicate=0: the rows differ in something " +
		"that is on no axis"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err = Collect(d, nil, Layout{Metric: jct(t)}); err == nil ||
		!strings.HasPrefix(err.Error(), "no row has a number in jct_mean_s") {
		t.Errorf("%v, want that there is no row", err)
	}
}

// Agents are named by their axis; baselines, the same in every cell, once; intervals are over seeds
// and windows.
func TestLearned(t *testing.T) {
	d := data(t, "learn")
	var all []results.Eval
	for i := range d.Folders[0].Len() {
		c, err := d.Folders[0].Cell(i)
		if err != nil {
			t.Fatal(err)
		}
		for w := range 4 {
			base := 3600 * float64(10+w)
			k := results.Keys{Experiment: "x", Cell: c.ID, Replicate: int64(w)}
			k.Policy = "agent"
			all = append(all, results.Eval{Keys: k, Agent: "ppo",
				Summary: results.Summary{JCTMean: base * (0.8 + 0.1*float64(c.Seed-1))}})
			k.Policy = "fifo"
			all = append(all, results.Eval{Keys: k, Summary: results.Summary{JCTMean: base}})
		}
	}
	b := NewLearned(d, all, "agent")
	table, err := b.table("load", "agent", "jct_mean_s")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(table.Series, " ") != "ppo fifo" {
		t.Fatalf("series %v, want ppo and fifo", table.Series)
	}
	if g := table.cells[place{0, 1}].grid(table.cells[place{0, 1}].seeds,
		table.cells[place{0, 1}].units); len(g) != 1 || len(g[0]) != 4 {
		t.Errorf("fifo has a grid of %d rows, want 1: no seed trained it", len(g))
	}
	s, err := table.Relative("fifo")
	if err != nil {
		t.Fatal(err)
	}
	// seeds have -20, -10 and 0 %: all of the interval comes from them, Student's of three
	// 4.302653 by the jackknife's deviation of log 0.85, 0.9, 0.95
	lo, hi := 0.9*math.Exp(-0.27634)-1, 0.9*math.Exp(0.27634)-1
	if math.Abs(s[0].Y[0]+10) > 1e-9 || math.Abs(s[0].Lo[0]-100*lo) > 0.01 || math.Abs(s[0].Hi[0]-100*hi) > 0.01 {
		t.Errorf("%v [%v, %v], want -10 with an interval over the seeds", s[0].Y[0], s[0].Lo[0], s[0].Hi[0])
	}
}

// The least of each column, and the band of learning curves.
func TestLeastAndCurves(t *testing.T) {
	d := data(t, "simulate")
	table, err := Collect(d, rows(d, func(c *sweep.Cell) float64 {
		if (c.Axes["policy"] == "fifo") == (c.Axes["load"] == "0.5") {
			return 1
		}
		return 2
	}), Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	if names, values := table.Least(); names[0] != "fifo" || names[1] != "dally" || values[0] != 1 || values[1] != 1 {
		t.Errorf("%v %v, want fifo then dally with 1", names, values)
	}
	l := data(t, "learn")
	var curves []results.Curve
	for i := range l.Folders[0].Len() {
		c, _ := l.Folders[0].Cell(i)
		for step := range 2 {
			curves = append(curves, results.Curve{Keys: results.Keys{Experiment: "x", Cell: c.ID},
				EnvSteps: int64(2 - step), ReturnMean: float64(c.Seed)})
		}
	}
	s, _ := along(NewBook(l, nil).curves(curves, "agent", func(c *sweep.Cell) bool { return c.Axes["load"] == "0.9" },
		func(r *results.Curve) float64 { return r.ReturnMean }))
	want := stats.Student([]float64{1, 2, 3})
	if len(s) != 1 || s[0].X[0] != 1 || s[0].X[1] != 2 || s[0].Y[0] != 2 || s[0].Lo[0] != want.Lo {
		t.Errorf("%+v, want mean 2 from %v at steps 1 and 2", s, want.Lo)
	}
}

func TestFindMetric(t *testing.T) {
	if _, err := Find("jct_mean"); err == nil ||
		err.Error() != `no metric is called "jct_mean"; did you mean "jct_mean_s"?` {
		t.Errorf("%v", err)
	}
}

// Windows of a mixture are of its scenarios in turn, which a figure may have as an axis; an axis of the
// sweep with that name goes before.
func TestRegimeIsAnAxis(t *testing.T) {
	const mixed = "tarry/Mix-v0:load=1,mixture=examples/regimes/slow.yaml+b.yaml+fast.yaml"
	c := sweep.Cell{Settings: sweep.Settings{"env": mixed}}
	for window, want := range []string{"slow", "b", "fast", "slow"} {
		if got := axis(&c, results.Keys{Replicate: int64(window)}, RegimeAxis); got != want {
			t.Errorf("window %d is of %q, expected %q", window, got, want)
		}
	}
	plain := sweep.Cell{Settings: sweep.Settings{"env": "tarry/Mix-v0:load=1"}}
	if got := axis(&plain, results.Keys{}, RegimeAxis); got != "" {
		t.Errorf("without a mixture the regime is %q", got)
	}
	c.Axes = map[string]string{RegimeAxis: "own"}
	if got := axis(&c, results.Keys{}, RegimeAxis); got != "own" {
		t.Errorf("the sweep's own axis has %q", got)
	}
}
