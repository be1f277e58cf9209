package variants

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan/victim"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// At 30 s job 3 needs two of four GPUs. A kill undoes 30 GPU-seconds of job 0, which is the last in
// order, 15 of job 1 and 20 of job 2 on two GPUs, which is before job 0 and after job 1.
func TestVictims(t *testing.T) {
	cfg := sim.Config{Topology: hand.Topology(t, 1, 1, 4, 1), Speed: simtest.Counting{}, Costs: sim.Costs{Kill: true},
		Workload: hand.Numbered(t, sim.Job{GPUs: 1, Work: 200 * s}, sim.Job{GPUs: 1, Work: 50 * s, Submit: 15 * s},
			sim.Job{GPUs: 2, Work: 120 * s, Submit: 20 * s}, sim.Job{GPUs: 2, Work: 20 * s, Submit: 30 * s})}
	for victims, want := range map[string]string{"last": "30s preempt job 0, 30s preempt job 2",
		"least-lost": "30s preempt job 1, 30s preempt job 2", "least-lost-per-gpu": "30s preempt job 2",
		"one-by-one": "30s preempt job 0, 30s preempt job 2"} {
		var got []string
		for line := range strings.Lines(play(t, cfg, makeAuto,
			"lease=100,preempt=false,order=srpt,evict=later,min_run=0,victims="+victims)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "30s preempt") {
				got = append(got, line)
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("victims=%s: %s, expected %s", victims, text, want)
		}
	}
}

// Each choice keeps the rules of the kernel and of copies.
func TestChoicesOfVictimsConform(t *testing.T) {
	for _, victims := range victim.Names()[1:] {
		t.Run(victims, func(t *testing.T) {
			simtest.Policy(t, func() sim.Policy {
				p, err := makeAuto(param.Parse("dally", "lease=60,order=srpt,evict=later,min_run=0.5,victims="+victims),
					cluster.BestFit)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}, simtest.Options{Seeds: 40})
		})
	}
}

// A choice without evictions is a fault.
func TestVictimsWithoutEvictions(t *testing.T) {
	_, err := makeAuto(param.Parse("dally", "victims=least-lost"), cluster.BestFit)
	if err == nil || !strings.Contains(err.Error(), "victims is least-lost with evict=none, expected evict=later") {
		t.Errorf("error %v", err)
	}
}
