package delaytimer_test

import (
	"context"
	"fmt"

	"tarry/catalogue/simulation"
	"tarry/env/delaytimer"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/param"
)

// An agent that never waits for a machine, but always for a rack: outside the simulator while it
// learns, inside it when it is measured.
func Example() {
	act := func(obs []float64, mask []bool, action []float64) {
		for class := range delaytimer.Classes {
			action[2*class], action[2*class+1] = delaytimer.Encode(0), delaytimer.Encode(12)
		}
	}

	const options = "cluster=2x4x4,warm=12,horizon=24"
	e, err := delaytimer.Make(simulation.All(), options)
	if err != nil {
		fmt.Println(err)
		return
	}
	episode, err := schedenv.Play(e, 1, "window=3", act)
	fmt.Printf("return %.2f over %.0f leases, %v\n", episode.Return, episode.Elapsed, err)

	cfg := delaytimer.Read(param.Parse("example", options+",part=test"), simulation.All(), delaytimer.ID)
	policy, err := delaytimer.AsPolicy(cfg, act)
	if err != nil {
		fmt.Println(err)
		return
	}
	run, jobs, err := cfg.Run(context.Background(), 0, policy)
	done := 0
	for j := range jobs.Jobs {
		if run.Record(sim.JobID(j)).State == sim.Done {
			done++
		}
	}
	fmt.Printf("%d of %d jobs of a test window done, %v\n", done, len(jobs.Jobs), err)
	// Output:
	// return -3.62 over 24 leases, <nil>
	// 61 of 61 jobs of a test window done, <nil>
}
