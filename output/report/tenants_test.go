package report

import (
	"fmt"
	"slices"
	"testing"

	"tarry/output/results"
)

// TestTenants: a row for each policy and tenant, tenants with most jobs first, by hand; a tenant
// may have services alone; columns that no trial has are left out.
func TestTenants(t *testing.T) {
	dir := t.TempDir()
	meta := results.NewMeta("{}", "", "")
	for _, policy := range []string{"a", "b"} {
		for r := range int64(2) {
			keys := results.Keys{Policy: policy, Trace: "t", Cluster: "c", Replicate: r}
			part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: fmt.Sprint(r)}}
			put(t, part.Target(dir, "jobs", meta), []results.Job{{Keys: keys, ID: "j", GPUs: 1, JCT: 7200}})
			put(t, part.Target(dir, "trials", meta), []results.Trial{{Keys: keys,
				Summary: results.Summary{Jobs: 1, Finished: 1, Makespan: 14400, WorkloadSHA256: "w"}}})
			if policy == "b" {
				continue
			}
			put(t, part.Target(dir, "measures", meta), []results.Measure{
				{Keys: keys, Name: "tenants", Unit: "count", Value: 2},
				{Keys: keys, Name: "tenant_jobs", Of: "x", Unit: "jobs", Value: 3},
				{Keys: keys, Name: "queue_mean_s", Of: "x", Unit: "s", Value: 10 + 20*float64(r)},
				{Keys: keys, Name: "tenant_jobs", Of: "y", Unit: "jobs", Value: 9},
				{Keys: keys, Name: "anomaly_frac", Of: "y", Unit: "0..1", Value: .25},
				{Keys: keys, Name: "tenant_replica_gpu_s", Of: "z", Unit: "GPU s", Value: 70},
				{Keys: keys, Name: "deadline_s", Of: "j", Unit: "s", Value: 9}})
		}
	}
	p := read(t, dir, Options{})
	m := p.Tables[slices.IndexFunc(p.Tables, func(t table) bool { return t.ID == "tenants" })]
	var heads []string
	for _, c := range m.Columns {
		heads = append(heads, c.Name+" "+c.Unit)
	}
	if want := []string{"policy ", "n ", "tenant ", "jobs ", "replicas GPU s", "queueing mean s",
		"later than alone %"}; !slices.Equal(heads, want) {
		t.Fatalf("columns %q, want %q", heads, want)
	}
	if len(m.Rows) != 3 || m.Rows[0][2].Text != "y" || *m.Rows[0][3].V != 9 || *m.Rows[0][6].V != 25 ||
		m.Rows[1][2].Text != "x" || *m.Rows[1][5].V != 20 ||
		m.Rows[2][2].Text != "z" || *m.Rows[2][4].V != 70 {
		t.Errorf("rows %+v", m.Rows)
	}
}
