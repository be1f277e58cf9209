package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/output/results"
)

// A policy under which the queue grows until the last arrival in more than half of the runs is
// named above the tables.
func TestOverloadIsSaid(t *testing.T) {
	f := newTrials(t, "a", "b", "c")
	for policy, over := range map[string]float64{"a": 0, "b": 12, "c": math.NaN()} {
		part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: "0"}}
		put(t, part.Target(f.dir, "trials", results.NewMeta("", "w", "v1")),
			[]results.Trial{{Keys: results.Keys{Policy: policy, Trace: "t", Cluster: "c"},
				Summary: results.Summary{Jobs: 4, Finished: 4, JCTMean: 1, WorkloadSHA256: "w", OverloadGPUs: over}}})
	}
	if p := read(t, f.dir, Options{}); !slices.Contains(p.Notes, "overloaded: the queue grows until the last "+
		"arrival, and means depend on the length of the run: b") {
		t.Errorf("remarks %q", p.Notes)
	}
	if p := read(t, newTrials(t, "a").dir, Options{}); slices.ContainsFunc(p.Notes,
		func(n string) bool { return strings.HasPrefix(n, "overloaded") }) {
		t.Errorf("remarks %q of runs without overload", p.Notes)
	}
}
