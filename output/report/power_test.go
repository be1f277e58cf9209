package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/output/results"
)

// The chart of power has a view for each trial with the table, and what it draws by hand: joined
// stretches keep their energy. A folder without the table has no such chart.
func TestPowerChart(t *testing.T) {
	for _, with := range []bool{true, false} {
		dir, nan := t.TempDir(), math.NaN()
		meta := results.NewMeta("{}", "", "")
		for i, policy := range []string{"a", "b", "c"} {
			keys := results.Keys{Policy: policy, Trace: "t", Cluster: "c"}
			part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: "0"}}
			put(t, part.Target(dir, "jobs", meta), []results.Job{{Keys: keys, ID: "j", GPUs: 1, JCT: 7200}})
			put(t, part.Target(dir, "trials", meta), []results.Trial{{Keys: keys,
				Summary: results.Summary{Jobs: 1, Finished: 1, Makespan: 14400, WorkloadSHA256: "w"}}})
			if !with || i == 2 {
				continue
			}
			var rows []results.PowerSample
			for k := range 3 * powerPoints {
				rows = append(rows, results.PowerSample{Keys: keys, Time: float64(60 * k), Idle: 10, Busy: float64(k % 2 * 100),
					Max: 120, Price: []float64{.5, nan}[i], Carbon: nan, Cap: nan})
			}
			put(t, part.Target(dir, "power", meta), append(rows, results.PowerSample{Keys: keys,
				Time: float64(60 * len(rows)), Price: nan, Carbon: nan, Cap: nan}))
		}
		p := read(t, dir, Options{})
		at := slices.IndexFunc(p.Charts, func(c chart) bool { return c.ID == "power" })
		if !with {
			if at >= 0 {
				t.Error("a chart of power where there is none")
			}
			continue
		}
		c := p.Charts[at]
		if got := fmt.Sprint(c.Picks); got != "[{of [power price]} {trial [a, replicate 0 b, replicate 0]}]" ||
			len(c.Views) != 4 {
			t.Fatalf("picks %s, %d views", got, len(c.Views))
		}
		var lines []string
		for _, s := range c.Views[0].Series {
			lines = append(lines, fmt.Sprint(s.Name, s.Y[1], s.Y[len(s.Y)-1], s.X[len(s.X)-1]))
			if len(s.X) > powerPoints+1 || len(s.X) < powerPoints/3 {
				t.Errorf("%s has %d points", s.Name, len(s.X))
			}
		}
		if want := []string{"all60 60 43200", "busy50 50 43200", "idle10 10 43200", "most120 120 43200"}; !slices.Equal(lines,
			want) {
			t.Errorf("lines %q, expected %q", lines, want)
		}
		if a, b := c.Views[2].Series, c.Views[3].Series; len(a) != 1 || a[0].Y[0] != .5 || len(b) != 0 {
			t.Errorf("prices %+v and %+v", a, b)
		}
	}
}
