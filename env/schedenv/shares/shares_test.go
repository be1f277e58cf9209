package shares_test

import (
	"slices"
	"testing"

	"tarry/env/grow"
	"tarry/env/limit"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/simtest"
)

// policies are the environments' protocols as policies, with the rule by time left.
func policies(t *testing.T) map[string]sim.Policy {
	return map[string]sim.Policy{"dl2": simtest.Build(t, "dl2", grow.NewPolicy, "rule=time")(),
		"decima-like": simtest.Build(t, "decima-like", limit.Policy, "rule=srtf")()}
}

// expect runs the policies on two machines of two GPUs, of another type each.
func expect(t *testing.T, down outage.Schedule, jobs []sim.Job, want ...string) {
	t.Helper()
	for name, p := range policies(t) {
		w, err := sim.NewWorkload("by hand", slices.Clone(jobs))
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "p"},
			{Count: 1, GPUs: 2, Type: "q"}}}})
		if err != nil {
			t.Fatal(err)
		}
		var got simtest.Tape
		if _, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Outages: down.Source(), Check: true}, p, &got); err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(got.Lines, want) {
			t.Errorf("%s: got\n%q\nwant\n%q", name, got.Lines, want)
		}
	}
}

// A job for which no type has room gets its least count, of both types, and no more: job 1 has both GPUs
// of a type for 5 s, then job 0 three for 10 s.
func TestWideJobs(t *testing.T) {
	expect(t, nil, []sim.Job{{ID: "0", Work: 30 * sim.Second, GPUs: 3, MinGPUs: 3, MaxGPUs: 4},
		{ID: "1", Work: 10 * sim.Second, GPUs: 1, MinGPUs: 1, MaxGPUs: 4}},
		"1 on [0 1] 0s-5s finish", "0 on [0 1 2] 5s-15s finish")
}

// Where a GPU of each type has failed no type has two, which are the most that the job can use: it starts
// on one, and has two once one is back.
func TestFailures(t *testing.T) {
	at := func(s int, machine int32, up bool) sim.Outage {
		return sim.Outage{At: sim.Time(s) * sim.Second, Machine: machine, GPU: 0, Up: up}
	}
	expect(t, outage.Schedule{at(0, 0, false), at(0, 1, false), at(10, 0, true)},
		[]sim.Job{{ID: "0", Submit: sim.Second, Work: 20 * sim.Second, GPUs: 2, MinGPUs: 1, MaxGPUs: 2}},
		"0 on [1] 1s-10s resize", "0 on [0 1] 10s-15.5s finish")
}
