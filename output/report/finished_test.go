package report

import (
	"slices"
	"testing"

	"tarry/output/results"
)

// TestDifferentJobs: policies that finished different jobs are shown with what they finished and
// not compared; policies that left the same jobs are.
func TestDifferentJobs(t *testing.T) {
	f := newTrials(t, "a", "b", "c")
	for policy, set := range map[string]string{"a": "x", "b": "y", "c": "x"} {
		part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: "0"}}
		put(t, part.Target(f.dir, "trials", results.NewMeta("", "w", "v1")),
			[]results.Trial{{Keys: results.Keys{Policy: policy, Trace: "t", Cluster: "c"},
				Summary: results.Summary{Jobs: 4, Finished: 3, Refused: 1, FinishedSet: set, JCTMean: 1,
					WorkloadSHA256: "w"}}})
	}
	p := read(t, f.dir, Options{})
	if got := row(t, p.Tables[0], "b")["finished"]; *got.V != 75 {
		t.Errorf("finished: %v", *got.V)
	}
	if d := p.Tables[1]; len(d.Rows) != 1 || d.Rows[0][0].Text != "c" {
		t.Errorf("compared with a: %+v, want c alone", d.Rows)
	}
	if !slices.Contains(p.Notes, "b is not compared with a: they did not finish the same jobs") {
		t.Errorf("remarks %q", p.Notes)
	}
	if m := read(t, newTrials(t, "a").dir, Options{}).Tables[0]; slices.ContainsFunc(m.Columns,
		func(c column) bool { return c.Name == "finished" }) {
		t.Error("a column finished where all jobs did")
	}
}
