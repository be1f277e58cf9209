package digest

import (
	"strings"
	"testing"

	"tarry/experiments/sweep"
)

// A policy that leaves the longest jobs unfinished has a flattering mean: such a workload is left
// out, and that is noted.
func TestUnevenWorkloads(t *testing.T) {
	d := data(t, "simulate")
	all := rows(d, func(c *sweep.Cell) float64 {
		return map[string]float64{"dally": 10, "fifo": 20}[c.Axes["policy"]] + float64(c.Seed)
	})
	for i := range all {
		c, _ := d.Cell(all[i].Keys)
		s := &all[i].Summary
		s.WorkloadSHA256 = c.Axes["load"] + "/" + strings.TrimLeft(c.ID[strings.LastIndex(c.ID, "="):], "=")
		s.Jobs, s.Finished = 5, 5
		if c.Axes["policy"] == "fifo" && c.Axes["load"] == "0.9" && c.Seed == 2 {
			s.Finished, s.Unfinished, s.FinishedSet, s.JCTMean = 4, 1, "abc", 1
		}
	}
	l := Layout{X: "load", Series: "policy", Metric: jct(t)}
	table, err := Collect(d, all, l)
	if err != nil {
		t.Fatal(err)
	}
	means := table.Means()
	if table.Uneven != 1 || means[0].Y[1] != 12 || means[1].Y[1] != 22 || means[1].N[1] != 2 || means[1].N[0] != 3 {
		t.Errorf("%d uneven, means %+v, expected seed 2 of load 0.9 to be left out", table.Uneven, means)
	}
	if note := meansNote([]*Table{table}); !strings.Contains(note, " 1 workloads of which not all finished the same "+
		"jobs are left out.") {
		t.Errorf("the caption says %q", note)
	}
	for i := range all {
		c, _ := d.Cell(all[i].Keys)
		all[i].Finished, all[i].FinishedSet = 4, c.Axes["policy"]
	}
	if _, err := Collect(d, all, l); err == nil || !strings.Contains(err.Error(),
		"the series finished different jobs of all 6 workloads") {
		t.Errorf("no workload in common gave %v", err)
	}
	l.Metric, err = Find("gpu_util_frac")
	if err != nil {
		t.Fatal(err)
	}
	if table, err = Collect(d, all, l); err != nil || table.Uneven != 0 {
		t.Errorf("utilisation, which is of all jobs: %v", err)
	}
}
