package report

import (
	"fmt"
	"slices"
	"testing"

	"tarry/output/results"
)

// The chart of services has views of each trial and service with the table, by hand: joined stretches
// keep what arrives, and what is attained is by requests. Without the table there is no chart, and
// where nothing is lent no view of it.
func TestServiceChart(t *testing.T) {
	for _, lent := range []float64{0, 8} {
		dir := t.TempDir()
		meta := results.NewMeta("{}", "", "")
		for i, policy := range []string{"a", "b"} {
			keys := results.Keys{Policy: policy, Trace: "t", Cluster: "c"}
			part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: "0"}}
			put(t, part.Target(dir, "jobs", meta), []results.Job{{Keys: keys, ID: "j", GPUs: 1, JCT: 7200}})
			put(t, part.Target(dir, "trials", meta), []results.Trial{{Keys: keys,
				Summary: results.Summary{Jobs: 1, Finished: 1, Makespan: 60*2*powerPoints - 30, WorkloadSHA256: "w"}}})
			if i == 1 {
				continue
			}
			var rows []results.ServiceSample
			for _, name := range []string{"web", "chat"} {
				for k := range 2 * powerPoints {
					rows = append(rows, results.ServiceSample{Keys: keys, Service: name, Time: float64(60 * k),
						Load: float64(10 + 20*(k%2)), Capacity: 25, Replicas: 3, Backlog: 5, Attained: 1 - float64(k%2)/2, Lent: lent})
				}
			}
			put(t, part.Target(dir, "services", meta), rows)
		}
		p := read(t, dir, Options{})
		at := slices.IndexFunc(p.Charts, func(c chart) bool { return c.ID == "services" })
		if at < 0 {
			t.Fatal("no chart of services")
		}
		c := p.Charts[at]
		want := "[{of [requests attained backlog replicas]} {service [web, a, replicate 0 chat, a, replicate 0]}]"
		views := 8
		if lent > 0 {
			want = "[{of [requests attained backlog replicas lent]} {service [web, a, replicate 0 chat, a, replicate 0]}]"
			views = 10
		}
		if got := fmt.Sprint(c.Picks); got != want || len(c.Views) != views {
			t.Fatalf("picks %s, %d views", got, len(c.Views))
		}
		var lines []string
		for _, v := range c.Views {
			for _, s := range v.Series {
				n := len(s.X)
				lines = append(lines, fmt.Sprint(v.Pick, s.Name, n, s.Y[0], s.Y[n-1], s.X[n-2], s.X[n-1]))
			}
		}
		for _, line := range []string{"[0 0]load241 20 20 28680 28770", "[0 1]capacity241 25 25 28680 28770",
			"[1 0]attained241 62.5 62.5 28680 28770", "[2 1]backlog241 5 5 28680 28770"} {
			if !slices.Contains(lines, line) {
				t.Errorf("%q is not among the lines %q", line, lines)
			}
		}
	}
	dir := t.TempDir()
	keys := results.Keys{Policy: "a", Trace: "t", Cluster: "c"}
	part := results.Partition{{Key: "policy", Value: "a"}, {Key: "replicate", Value: "0"}}
	put(t, part.Target(dir, "trials", results.NewMeta("{}", "", "")), []results.Trial{{Keys: keys,
		Summary: results.Summary{Jobs: 1, Finished: 1, WorkloadSHA256: "w"}}})
	if slices.ContainsFunc(read(t, dir, Options{}).Charts, func(c chart) bool { return c.ID == "services" }) {
		t.Error("a chart of services where there is none")
	}
}
