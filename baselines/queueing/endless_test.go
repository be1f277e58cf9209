package queueing_test

import (
	"context"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// Jobs whose users asked for nothing are expected to run for ever; the reservations of many of
// them, one behind the other, lie beyond the end of time. They run in order of arrival all the
// same.
func TestEndlessJobsQueueUp(t *testing.T) {
	const n = 20
	var jobs []sim.Job
	for i := range n {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: 2, Work: 20 * sim.Second, Submit: sim.Time(i) *
			sim.Second})
	}
	w, err := sim.NewWorkload("endless", jobs)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"easy", "conservative"} {
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: topology(t, 1, 1, 2),
			Speed: simtest.Counting{}, Check: true}, policy(t, name, "by=request"))
		if err != nil {
			t.Fatal(err)
		}
		for id := range n {
			if r := e.Record(sim.JobID(id)); r.End != sim.Time(id+1)*10*sim.Second {
				t.Errorf("%s: job %d ended at %v, want %v", name, id, r.End, sim.Time(id+1)*10*sim.Second)
			}
		}
	}
}
