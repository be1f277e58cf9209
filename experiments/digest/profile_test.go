package digest

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// The profile is the definition's, by hand: at both loads fifo is 1, 2 and 4 times dally at seeds
// 1, 2 and 3.
func TestProfile(t *testing.T) {
	d := data(t, "simulate")
	table, err := Collect(d, rows(d, func(c *sweep.Cell) float64 {
		if c.Axes["policy"] == "dally" {
			return 3
		}
		return 3 * math.Pow(2, float64(c.Seed-1))
	}), Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Profile()
	if err != nil {
		t.Fatal(err)
	}
	if x := s[0].X; x[0] != 1 || math.Abs(x[len(x)-1]-4) > 1e-12 {
		t.Errorf("factors from %v to %v, want 1 to 4", x[0], x[len(x)-1])
	}
	for k, tau := range s[1].X {
		want := 1.0 / 3
		switch {
		case k == len(s[1].X)-1:
			want = 1
		case tau >= 2:
			want = 2.0 / 3
		}
		if math.Abs(s[1].Y[k]-want) > 1e-12 || s[1].Lo[k] > want || s[1].Hi[k] < want {
			t.Errorf("fifo within %v of the best: %v [%v, %v], want %v inside", tau, s[1].Y[k], s[1].Lo[k], s[1].Hi[k],
				want)
		}
		if s[0].Y[k] != 1 || s[0].Hi[k] != 1 || !(s[0].Lo[k] > 0.5 && s[0].Lo[k] < 0.7) { // six of six
			t.Errorf("dally, the best everywhere, within %v: %v from %v, want 1", tau, s[0].Y[k], s[0].Lo[k])
		}
	}
}

// A unit that one series lacks counts for none; without a common unit there is no profile.
func TestProfileNeedsCommonUnits(t *testing.T) {
	d := data(t, "simulate")
	without := func(seed uint64) []results.Trial {
		return rows(d, func(c *sweep.Cell) float64 {
			if c.Axes["policy"] == "fifo" && (seed == 0 || c.Seed == seed) {
				return math.NaN()
			}
			return map[string]float64{"dally": 1, "fifo": 2}[c.Axes["policy"]]
		})
	}
	table, err := Collect(d, without(3), Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	if ratios, _, err := table.ratios(); err != nil || len(ratios[0][0][0]) != 2 {
		t.Errorf("%v, %v; want two units, those that both have", ratios, err)
	}
	all := without(0)
	for i := range all { // fifo at one load, dally at the other
		fifo, low := strings.Contains(all[i].Cell, "fifo"), strings.Contains(all[i].Cell, "load=0.5")
		all[i].JCTMean = map[bool]float64{true: 1, false: math.NaN()}[fifo == low]
	}
	if table, err = Collect(d, all, Layout{X: "load", Series: "policy", Metric: jct(t)}); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Profile(); err == nil || err.Error() != "no unit of jct_mean_s has a number of every policy" {
		t.Errorf("%v, want that no unit is common", err)
	}
}

// Shares of trained agents are over seeds and windows: a seed that is always bad takes its part
// away.
func TestProfileOverSeeds(t *testing.T) {
	d := data(t, "learn")
	var all []results.Eval
	for i := range d.Folders[0].Len() {
		c, err := d.Folders[0].Cell(i)
		if err != nil {
			t.Fatal(err)
		}
		for w := range 4 {
			k := results.Keys{Experiment: "x", Cell: c.ID, Replicate: int64(w), Policy: "agent"}
			all = append(all, results.Eval{Keys: k, Agent: "ppo",
				Summary: results.Summary{JCTMean: map[bool]float64{true: 9, false: 1}[c.Seed == 3]}})
			k.Policy = "fifo"
			all = append(all, results.Eval{Keys: k, Summary: results.Summary{JCTMean: 2}})
		}
	}
	table, err := NewLearned(d, all, "agent").table("load", "agent", "jct_mean_s")
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Profile()
	if err != nil {
		t.Fatal(err)
	}
	if s[0].Name != "ppo" || math.Abs(s[0].Y[0]-2.0/3) > 1e-12 || s[0].Hi[0] < 0.95 || s[0].Lo[0] > 1.0/3 ||
		s[1].Y[0] != 1 {
		t.Errorf("%s: %v [%v, %v] and fifo %v, want 2/3 over three seeds, and fifo the best of the means", s[0].Name,
			s[0].Y[0], s[0].Lo[0], s[0].Hi[0], s[1].Y[0])
	}
}

// A map of a surface whose least is 10 h has 0 there and 50 % at 15 h.
func TestHeatAbove(t *testing.T) {
	d := data(t, "simulate")
	b := NewBook(d, rows(d, func(c *sweep.Cell) float64 {
		return map[string]float64{"dally": 10, "fifo": 15}[c.Axes["policy"]]
	}))
	b.HeatAbove("h", "c", "load", "policy", "jct_mean_s", "x", "y", 20)
	f, err := b.Figures()
	if err != nil || len(f[0].Rows) != 4 || f[0].Rows[0][2] != "0" || f[0].Rows[2][2] != "50" {
		t.Errorf("%v, %v", f, err)
	}
}

// Blocks are runs of adjacent GPUs of one trial, and there are never more than fit.
func TestTimelineBlocks(t *testing.T) {
	dir := t.TempDir()
	var all []results.Interval
	for i := range 5 * maxBlocks {
		all = append(all, results.Interval{Job: "a", Start: float64(i) * 3600, End: float64(i+1) * 3600, GPUs: 1,
			GPUList: "3"})
	}
	all[0].GPUList, all[0].GPUs = "0-3,6", 5
	other := all[1]
	other.Replicate = 1
	all = append(all, other)
	if err := results.Write(context.Background(), results.Target{Path: filepath.Join(dir, "part-0.parquet")},
		all); err != nil {
		t.Fatal(err)
	}
	got, left, err := blocks(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != maxBlocks || left != 4*maxBlocks+1 {
		t.Errorf("%d blocks and %d left out, want %d and %d", len(got), left, maxBlocks, 4*maxBlocks+1)
	}
	if b := got[0]; b.GPU != 0 || b.Count != 4 || b.End != 1 || got[1].GPU != 6 || got[1].Count != 1 {
		t.Errorf("%+v %+v, want GPUs 0 to 3 and 6 for an hour", b, got[1])
	}
	b := NewBook(data(t, "simulate"), nil)
	b.Timeline(context.Background(), "t", "c", func(*sweep.Cell) bool { return true })
	if _, err := b.Figures(); err == nil || err.Error() != "figure t: no cell that it would show is done" {
		t.Errorf("%v, want that no cell is done", err)
	}
}

// A relation to a base is a ratio on a logarithmic axis with the base as a line at 1, however large
// it is.
func TestRelativeIsARatio(t *testing.T) {
	d := data(t, "simulate")
	for factor, want := range map[float64]string{1.5: "1.5", 3: "3"} {
		b := NewBook(d, rows(d, func(c *sweep.Cell) float64 {
			return map[string]float64{"dally": 10, "fifo": 10 * factor}[c.Axes["policy"]]
		}))
		b.Relative("r", "c", "load", "policy", "jct_mean_s", "dally", "load")
		f, err := b.Figures()
		if err != nil || len(f[0].Rows) != 2 || f[0].Rows[0][1] != "fifo" || f[0].Rows[0][2] != want {
			t.Fatalf("fifo is %v times dally: %v, %v, want %s", factor, f, err, want)
		}
		svg, err := f[0].Render("svg")
		if err != nil || !strings.Contains(string(svg), ">ratio to dally<") ||
			!strings.Contains(string(svg), ">dally<") {
			t.Errorf("the picture does not say what 1 is: %v", err)
		}
	}
}
