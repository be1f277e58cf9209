package gavel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	gavelspeed "tarry/sim/speed/measured"
)

// pals is gaveltest.Pace, but two jobs on the same GPUs run at a part of it each that depends on their
// models, and a job on a share alone at that share.
type pals struct{ gaveltest.Pace }

func (p pals) Speed(q *sim.Query) (sim.Speed, error) {
	s, err := p.Pace.Speed(q)
	switch {
	case len(q.Peers) > 1 || len(q.Peers) == 1 && !slices.Equal(q.Peers[0].GPUs, q.GPUs):
		s.Rate = 0 // not a pair
	case len(q.Peers) == 1 && q.Job.Model == q.Peers[0].Job.Model:
		s.Rate *= 0.45
	case len(q.Peers) == 1:
		s.Rate *= 0.75
	default:
		s.Rate *= float64(q.ShareMilli) / 1000
	}
	return s, err
}

// TestPairByHand: two jobs of unlike models on one GPU run together at 1.5 steps/s each; when the
// first has ended the other gets the GPU whole at once.
func TestPairByHand(t *testing.T) {
	cfg := gaveltest.Duo(t, 1, 0, sim.Job{Iterations: 6, Model: "a"}, sim.Job{Iterations: 16, Model: "b"})
	cfg.Speed = pals{cfg.Speed.(gaveltest.Pace)}
	got := run(t, cfg, "packing=true,round_s=10,recompute_s=0")
	want := "0s start 0[0] lease 10s share 500; 0s start 1[0] lease 10s share 500; 4s tune 1[] lease 0s share 1000; "
	if got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
	jct, _ := play(t, cfg, "packing=true,round_s=10,recompute_s=0")
	if jct["0"] != 4 || jct["1"] != 9 { // 6 steps in the first 4 s, the other 10 in 5
		t.Errorf("%v", jct)
	}
	// Of one model they would do 0.9 together: each has the GPU for itself.
	cfg = gaveltest.Duo(t, 1, 0, sim.Job{Iterations: 6, Model: "a"}, sim.Job{Iterations: 16, Model: "a"})
	cfg.Speed = pals{cfg.Speed.(gaveltest.Pace)}
	if jct, _ := play(t, cfg, "packing=true,round_s=10,recompute_s=0"); jct["0"] != 3 || jct["1"] != 11 {
		t.Errorf("%v", jct)
	}
}

// witness looks at who shares GPUs: two jobs at most, on equal GPUs, with half of each; and a job
// alone has them whole but where its mate has just gone.
type witness struct {
	sim.Policy
	t     *testing.T
	pairs map[[2]sim.JobID]bool
}

func (w witness) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	moved := false
	for _, ev := range v.Events() {
		moved = moved || ev.Kind != sim.Timer && ev.Kind != sim.Arrive
	}
	on := map[cluster.GPU][]sim.JobID{}
	for _, j := range v.Running() {
		for _, g := range v.Run(j).Held() {
			on[g] = append(on[g], j)
		}
	}
	for g, js := range on {
		a, b := js[0], js[len(js)-1]
		share := v.Run(a).Knobs().ShareMilli
		switch {
		case len(js) > 2 || len(js) == 2 && (!slices.Equal(v.Run(a).Held(), v.Run(b).Held()) || share != half ||
			v.Run(b).Knobs().ShareMilli != half):
			w.t.Errorf("%v: jobs %v on GPU %d", v.Now(), js, g)
		case len(js) == 1 && share != 1000 && !moved && v.Draining() == 0:
			w.t.Errorf("%v: job %d alone with %d of GPU %d", v.Now(), a, share, g)
		case len(js) == 2:
			w.pairs[[2]sim.JobID{min(a, b), max(a, b)}] = true
		}
	}
	return w.Policy.Decide(v, out)
}

// TestPairsOfGangs: gangs that change partners, with and without costs, on random jobs: shares and
// GPUs are right at every instant, and there are pairs.
func TestPairsOfGangs(t *testing.T) {
	total := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 14))
		var jobs []sim.Job
		at := sim.Time(0)
		for range 5 + r.IntN(40) {
			at += sim.Time(r.IntN(20)) * sim.Second
			jobs = append(jobs, sim.Job{Submit: at, GPUs: int32(1 + r.IntN(3)), Iterations: int64(1 + r.IntN(400)),
				Model: string(rune('a' + r.IntN(4)))})
		}
		cfg := gaveltest.Duo(t, 3+r.IntN(3), 3+r.IntN(3), jobs...)
		cfg.Speed, cfg.Check = pals{cfg.Speed.(gaveltest.Pace)}, true
		if seed%2 == 1 {
			cfg.Costs = sim.Costs{Start: sim.Cost{FixedS: 1}, Checkpoint: sim.Cost{FixedS: 2},
				Restore: sim.Cost{FixedS: 1}, Migrate: sim.Cost{FixedS: 3}}
		}
		goal := []string{"max-min", "ftf", "makespan", "throughput"}[seed/2%4]
		w := witness{policy(t, fmt.Sprintf("policy=%s,packing=true,round_s=20,recompute_s=%d", goal, r.IntN(90)))(), t,
			map[[2]sim.JobID]bool{}}
		e, err := sim.Run(context.Background(), cfg, w)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for j := range cfg.Workload.Jobs {
			if s := e.Record(sim.JobID(j)).State; s != sim.Done {
				t.Errorf("seed %d: job %d is %v", seed, j, s)
			}
		}
		total += len(w.pairs)
	}
	if total < 200 {
		t.Errorf("%d pairs, expected more", total)
	}
}

// TestSpaceSharingHelps: the paper's claim (section 7.3): on 36 GPUs of each of three types pairs
// make jobs end earlier. The others are in docs/schedulers/gavel.md.
func TestSpaceSharingHelps(t *testing.T) {
	cfg := gaveltest.Scene(t, "genhi_500", 36, 36, 36)
	table, err := gavelspeed.Open(sharedata.Path(t, "profiles", "gavel"))
	if err != nil {
		t.Fatal(err)
	}
	for goal, most := range map[string]float64{"max-min": 0.92, "throughput": 0.95} {
		var mean [2]float64
		for i, packing := range []string{"", ",packing=true"} {
			if cfg.Speed, err = gavelspeed.New(table, cfg.Topology, gavelspeed.Options{Untyped: "v100"}); err != nil {
				t.Fatal(err)
			}
			jct, _ := play(t, cfg, "policy="+goal+packing)
			for _, x := range jct {
				mean[i] += x / float64(len(jct))
			}
			if len(jct) != 500 {
				t.Errorf("%s%s: %d jobs end", goal, packing, len(jct))
			}
		}
		t.Logf("%s: mean completion time %.0f s, with pairs %.0f s", goal, mean[0], mean[1])
		if mean[1] > most*mean[0] {
			t.Errorf("%s: %.0f s with pairs, %.0f s without", goal, mean[1], mean[0])
		}
	}
}
