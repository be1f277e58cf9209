package multifactor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// promises watches the GPUs that are kept for the first job that does not fit.
type promises struct {
	*Policy
	t    *testing.T
	kept int // decisions at which GPUs were
}

// Decide fails the test where a kept GPU is in use, by the estimates, when the first is to start.
func (p *promises) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(out)
	out = p.Policy.Decide(v, out)
	if len(p.spot.Kept()) == 0 {
		return out
	}
	p.kept++
	ends := map[cluster.GPU]sim.Time{}
	for x := range p.ends.All() {
		held := v.Run(x.Job).Held()
		for _, d := range out[n:] {
			if d.Kind == sim.Start && d.Job == x.Job {
				held = d.GPUs
			}
		}
		for _, g := range held {
			ends[g] = x.At
		}
	}
	for _, g := range p.spot.Kept() {
		if ends[g] > p.Policy.kept {
			p.t.Fatalf("%v: GPU %d, kept for %v, is in use until %v", v.Now(), g, p.Policy.kept, ends[g])
		}
	}
	return out
}

func TestFirstKeepsItsPlace(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 4, Slots: 2}},
		{{Count: 2, GPUs: 4, Slots: 2}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"place=consolidate", "place=consolidate,backfill=easy",
		"place=delay,delay_machine_s=4,delay_rack_s=7", "place=lowest,depth=2"} {
		kept := 0
		for seed := range uint64(200) {
			r := rand.New(rand.NewPCG(seed, 0x9106))
			var jobs []sim.Job
			for i := range 8 + r.IntN(30) {
				g := int32(1 + r.IntN(5))
				if r.IntN(5) == 0 {
					g = int32(1 + r.IntN(14))
				}
				jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(float64(r.IntN(80))), GPUs: g,
					User: string(rune('u' + r.IntN(3))), Work: sim.Time(g) * sim.Seconds(float64(1+r.IntN(30)))})
			}
			w, err := sim.NewWorkload("promises", jobs)
			if err != nil {
				t.Fatal(err)
			}
			s := param.Parse("policy slurm", text+",calc_s=5,half_s=60")
			built, where := read(s, cluster.BestFit)
			p := &promises{Policy: built, t: t}
			if s.Err() != nil {
				t.Fatal(s.Err())
			}
			cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true,
				Estimate: func(j sim.JobID) sim.Time { return w.Jobs[j].Work }}
			if _, err := sim.Run(context.Background(), cfg, where.Paced(p)); err != nil {
				t.Fatalf("%s, seed %d: %v", text, seed, err)
			}
			kept += p.kept
		}
		if kept < 1000 {
			t.Errorf("%s: GPUs kept at %d decisions: the cases are too easy", text, kept)
		}
	}
}

// Job 3 wants three GPUs of one machine. By count stopping job 2, the smaller one, is enough, but
// beside it runs job 1, which nothing stops; job 0 leaves a machine.
func TestPreemptionForAPlace(t *testing.T) {
	ask := func(submit float64, gpus int32, run float64, qos int32) sim.Job {
		return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run), Priority: qos}
	}
	for text, want := range map[string][]string{
		"place=any": {"2 on [7] 2s-3s preempt", "3 on [2 3 7] 3s-8s finish", "0 on [0 1] 0s-20s finish",
			"1 on [4 5 6] 1s-30s finish", "2 on [7] 8s-47s finish"},
		"place=consolidate": {"0 on [0 1] 0s-3s preempt", "3 on [0 1 2] 3s-8s finish", "0 on [0 1] 8s-25s finish",
			"1 on [4 5 6] 1s-30s finish", "2 on [7] 2s-42s finish"},
	} {
		jobs := []sim.Job{ask(0, 2, 20, 0), ask(1, 3, 29, 5), ask(2, 1, 40, 0), ask(3, 3, 5, 2)}
		simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}.Expect(t, policy(t, "preempt=qos,"+text)(), want...)
	}
}
