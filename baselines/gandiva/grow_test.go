package gandiva

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/outage"
)

// upTo makes a job elastic.
func upTo(j sim.Job, gpus int32) sim.Job {
	j.MinGPUs, j.MaxGPUs = j.GPUs, gpus
	return j
}

func TestGrowth(t *testing.T) {
	try(t, []mechanism{
		// Two GPUs are idle from 0 s on: at 10 s job 0 has them, until job 1 comes. They are idle
		// again at 25 s, and job 0 ends at 35 s.
		{"after a long idle time, until others need them", "grow=true,idle_s=10", [3]int{1, 1, 4}, nil, sim.Costs{},
			[]sim.Job{upTo(job(0, 2, 40), 4), job(15, 2, 10)},
			[]string{"0 on [0 1] 0s-10s resize", "0 on [0 1 2 3] 10s-15s resize", "1 on [2 3] 15s-25s finish",
				"0 on [0 1] 15s-35s finish"}},
		{"not without the setting", "", [3]int{1, 1, 4}, nil, sim.Costs{}, []sim.Job{upTo(job(0, 2, 40), 4)},
			[]string{"0 on [0 1] 0s-40s finish"}},
		{"as far as its range goes", "grow=true,idle_s=10", [3]int{1, 1, 4}, nil, sim.Costs{},
			[]sim.Job{upTo(job(0, 1, 40), 3)}, []string{"0 on [0] 0s-10s resize", "0 on [0 1 2] 10s-20s finish"}},
		{"on its own server alone", "grow=true,idle_s=10", [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{upTo(job(0, 1, 40), 4)}, []string{"0 on [0] 0s-10s resize", "0 on [0 1] 10s-25s finish"}},
		// A wide job needs all four GPUs; what is idle is not given to others while it waits, and
		// job 0 gives back what it grew by when it comes.
		{"not beside a wide job", "grow=true,idle_s=10,quantum=inf", [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{upTo(job(0, 1, 30), 2), job(12, 4, 5)},
			[]string{"0 on [0] 0s-10s resize", "0 on [0 1] 10s-12s resize", "0 on [0] 12s-28s finish",
				"1 on [0 1 2 3] 28s-33s finish"}},
		// Each change takes a second: at 10 s and, when job 1 comes, at 15 s. 4 s x 4 GPUs are done
		// in between, 44 of 80 are left and end in 22 s.
		{"at the cost of each change", "grow=true,idle_s=10", [3]int{1, 1, 4}, nil,
			sim.Costs{Rescale: sim.Cost{FixedS: 1}}, []sim.Job{upTo(job(0, 2, 40), 4), job(15, 2, 30)},
			[]string{"0 on [0 1] 0s-10s resize", "0 on [0 1 2 3] 10s-15s resize", "0 on [0 1] 15s-38s finish",
				"1 on [2 3] 15s-45s finish"}},
	})
}

// Crowds of elastic jobs with costs and faults, packing too: invariants hold, all jobs end, and
// jobs grow and shrink.
func TestGrowingCrowds(t *testing.T) {
	resizes := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1822))
		var jobs []sim.Job
		at := 0.0
		for range 30 {
			at += r.ExpFloat64() * 15
			n := int32(1 + r.IntN(4))
			jobs = append(jobs, upTo(job(at, n, 5+60*r.Float64()), n+int32(r.IntN(4))))
		}
		cfg := packed(t, keeps(0.5+0.4*r.Float64()), 0, [3]int{1, 3, 3}, jobs...)
		if seed%2 == 1 {
			cfg.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 1}, Restore: sim.Cost{FixedS: 0.5},
				Migrate: sim.Cost{FixedS: 1}, Rescale: sim.Cost{FixedS: 0.5}}
		}
		if seed%3 == 1 {
			cfg.Outages = outage.Schedule{{At: sim.Seconds(30), Machine: 1, GPU: -1},
				{At: sim.Seconds(45), Machine: 1, GPU: -1, Up: true}, {At: sim.Seconds(70), Machine: 0, GPU: 1},
				{At: sim.Seconds(80), Machine: 0, GPU: 1, Up: true}}.Source()
		}
		settings := []string{"grow=true,idle_s=2,quantum=6", "grow=true,idle_s=2,quantum=6,packing=true"}[seed/2%2]
		var got shares
		e, err := sim.Run(context.Background(), cfg, policy(t, New, settings)(), &got)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, l := range got.lines {
			if strings.HasSuffix(l, "resize") {
				resizes++
			}
		}
		for j := range jobs {
			if s := e.Record(sim.JobID(j)).State; s != sim.Done {
				t.Errorf("seed %d: job %d is %v", seed, j, s)
			}
		}
	}
	if resizes < 400 {
		t.Errorf("%d resizes: too few to tell", resizes)
	}
}
