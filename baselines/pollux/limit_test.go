package pollux

import (
	"context"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// counting notes how many jobs start in one decision.
type counting struct {
	sim.Policy
	most int
}

func (c *counting) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = c.Policy.Decide(v, out)
	n := 0
	for _, d := range out {
		if d.Kind == sim.Start {
			n++
		}
	}
	c.most = max(c.most, n)
	return out
}

// A search has as many jobs as the limit states, running ones among them whatever they have had;
// the others follow.
func TestJobsOfASearch(t *testing.T) {
	jobs := make([]sim.Job, 8)
	for i := range jobs {
		jobs[i] = sim.Job{ID: string(rune('a' + i)), GPUs: 1, Work: 500 * sim.Second}
	}
	w, err := sim.NewWorkload("eight", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	for text, bound := range map[string]bool{"": false, "jobs=3": true} {
		c := &counting{Policy: policy(t, text)()}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}, c)
		if err != nil {
			t.Fatal(err)
		}
		if bound != (c.most <= 3) {
			t.Errorf("%q: %d jobs start in one decision, at most three with jobs=3 and more without", text, c.most)
		}
		for j := range jobs {
			if e.Record(sim.JobID(j)).State != sim.Done {
				t.Errorf("%q: job %d is %v", text, j, e.Record(sim.JobID(j)).State)
			}
		}
	}
}
