package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/output/results"
)

// TestMeasures: means of two replicates by hand; what is not of all jobs is left out, and a folder
// without the table has no such table.
func TestMeasures(t *testing.T) {
	for _, with := range []bool{true, false} {
		dir := t.TempDir()
		meta := results.NewMeta("{}", "", "")
		for i, policy := range []string{"a", "b"} {
			for r := range int64(2) {
				keys := results.Keys{Policy: policy, Trace: "t", Cluster: "c", Replicate: r}
				part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: fmt.Sprint(r)}}
				put(t, part.Target(dir, "jobs", meta), []results.Job{{Keys: keys, ID: "j", GPUs: 1, JCT: 7200}})
				put(t, part.Target(dir, "trials", meta), []results.Trial{{Keys: keys,
					Summary: results.Summary{Jobs: 1, Finished: 1, Makespan: 14400, WorkloadSHA256: "w"}}})
				if with && i == 0 {
					put(t, part.Target(dir, "measures", meta), []results.Measure{
						{Keys: keys, Name: "satisfied_frac", Unit: "0..1", Value: .5 + .25*float64(r)},
						{Keys: keys, Name: "satisfied_frac", Of: "u", Unit: "0..1", Value: 1},
						{Keys: keys, Name: "lateness_mean_s", Unit: "s", Value: -10},
						{Keys: keys, Name: "energy", Unit: "kWh", Value: math.NaN()},
						{Keys: keys, Name: "latency_p95_s", Unit: "s", Value: .1},
						{Keys: keys, Name: "deadline_s", Of: "j", Unit: "s", Value: 9}})
				}
			}
		}
		p := read(t, dir, Options{})
		at := slices.IndexFunc(p.Tables, func(t table) bool { return t.ID == "measures" })
		if !with {
			if at >= 0 {
				t.Error("a table of measures where there are none")
			}
			continue
		}
		m := p.Tables[at]
		var heads []string
		for _, c := range m.Columns {
			heads = append(heads, c.Name+" "+c.Unit)
		}
		want := []string{"policy ", "n ", "satisfied frac %", "lateness mean s", "energy ", "latency p95, s "}
		if !slices.Equal(heads, want) {
			t.Fatalf("columns %q, want %q", heads, want)
		}
		if a, b := m.Rows[0], m.Rows[1]; *a[2].V != 62.5 || *a[3].V != -10 || !math.IsNaN(float64(*a[4].V)) ||
			!math.IsNaN(float64(*b[2].V)) {
			t.Errorf("rows %+v", m.Rows)
		}
	}
}
