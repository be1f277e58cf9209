package report

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"tarry/output/results"
)

// TestWallTime: a training page has the wall time and the speed of the run, and its speed over its
// steps.
func TestWallTime(t *testing.T) {
	dir := t.TempDir()
	newTraining(t, dir, 1, 4)
	var rows []results.Timing
	for u := int64(1); u <= 4; u++ {
		rows = append(rows, results.Timing{Wall: float64(u), EnvStepsPerS: 100 / float64(u), Update: u, EnvSteps: 100 *
			u, Unix: 1e9})
	}
	put(t, results.Target{Path: filepath.Join(dir, "timing", "part-0.parquet")}, rows)
	p := read(t, dir, Options{})
	r := p.Tables[0].Rows[0]
	if wall, speed := *r[8].V, *r[9].V; p.Tables[0].Columns[8].Name != "wall time" || wall != 10 || speed != 40 {
		t.Errorf("wall time %v s, %v steps/s, want 10 and 40", wall, speed)
	}
	s := chartOf(t, p, "curve-speed").Views[0].Series[0]
	if !slices.Equal(s.X, []num{100, 200, 300, 400}) || !slices.Equal(s.Y, []num{100, 50, num(100.0 / 3), 25}) {
		t.Errorf("%+v", s)
	}
	none := t.TempDir()
	newTraining(t, none, 1, 4)
	p = read(t, none, Options{})
	if r := p.Tables[0].Rows[0]; !math.IsNaN(float64(*r[8].V)) || !math.IsNaN(float64(*r[9].V)) ||
		slices.ContainsFunc(p.Charts, func(c chart) bool { return c.ID == "curve-speed" }) {
		t.Errorf("without times: %v", r)
	}
}
