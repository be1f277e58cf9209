package hadar

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// forked gives a policy with some settings or fails the test.
func forked(t testing.TB, text string) *Policy {
	t.Helper()
	p, err := NewForked(param.Parse("policy hadare-like", text), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*Policy)
}

// elastic lets the jobs of a drawn case run on any number of GPUs.
func elastic(t *testing.T, cfg sim.Config) sim.Config {
	t.Helper()
	js := slices.Clone(cfg.Workload.Jobs)
	for i := range js {
		js[i].MinGPUs, js[i].MaxGPUs = 1, int32(cfg.Topology.GPUs())
	}
	w, err := sim.NewWorkload("elastic", js)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Workload = w
	return cfg
}

// A job of 100 s of work on machines of 1 GPU each, two slow ones and one four times as fast:
// copies make 1 + 1 + 4 a second, a gang 3. It runs 10 s of a round, then the copies are averaged
// for 1.6 s, and so on.
func TestCopiesAddUp(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 1, Type: "slow"},
		{Count: 1, GPUs: 1, Type: "fast"}}}}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("one", []sim.Job{{ID: "a", Model: "m", GPUs: 1, MinGPUs: 1, MaxGPUs: 3, Work: 100 *
		sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	m := perType{top, map[string]map[string]float64{"m": {"slow": 1, "fast": 4}}, 0.5}
	for _, c := range []struct {
		settings string
		end      float64
	}{
		{"round=10,aggregate_gbps=0", 100.0 / 6},
		{"round=10,aggregate_gbps=1", 100.0/6 + 1.6},
		{"round=10,aggregate_gbps=0,efficiency=0.5", 100.0 / 3},
	} {
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true},
			forked(t, c.settings))
		if err != nil {
			t.Fatal(err)
		}
		if r := e.Record(0); r.State != sim.Done || math.Abs(r.End.Seconds()-c.end) > 1e-5 {
			t.Errorf("%s: %v at %v, want done at %v s", c.settings, r.State, r.End, c.end)
		}
	}
}

// While there is a job every machine works: copies of jobs that may have any number of GPUs leave
// none idle, and no job has two copies on one machine.
func TestNoMachineIsIdle(t *testing.T) {
	rounds := 0
	for seed := range uint64(60) {
		cfg := elastic(t, drawn(t, seed, 12, 0.7))
		p := forked(t, "round=60")
		l := looked{p, func(v *sim.View, p *Policy) {
			rounds++
			n := 0
			for _, x := range p.wants {
				n += len(x.GPUs)
			}
			if n != v.Usable() {
				t.Fatalf("seed %d at %v: %d of %d GPUs are given out, and there are jobs", seed, v.Now(), n, v.Usable())
			}
			for i := range p.forks.crowd {
				x := &p.forks.crowd[i]
				for k, y := range x.parts {
					if slices.ContainsFunc(x.parts[:k], func(z part) bool { return z.host == y.host }) {
						t.Fatalf("seed %d at %v: two copies on machine %d", seed, v.Now(), y.host)
					}
				}
			}
		}}
		a := simtest.NewAudit(cfg.Workload, cfg.Topology)
		e, err := sim.Run(context.Background(), cfg, l, a)
		if err == nil {
			err = a.Close(e)
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if rounds < 100 {
		t.Errorf("%d rounds, expected more", rounds)
	}
}

// Offers that stand while their machine is untouched give the copies that asking every job again
// after each copy gives.
func TestOffersAgainstAskingAgain(t *testing.T) {
	for seed := range uint64(60) {
		cfg := elastic(t, drawn(t, seed, 10, 0.7))
		p := forked(t, "round=60")
		l := looked{p, func(v *sim.View, p *Policy) {
			f := p.forks
			var got, want []string
			for i := range f.crowd {
				got = append(got, fmt.Sprint(p.queue[f.crowd[i].bid].job, f.crowd[i].parts))
			}
			p.open(v)
			p.listMachines()
			for i := range f.crowd {
				x := &f.crowd[i]
				x.has, x.rate, x.parts = 0, 0, nil
			}
			for {
				var best *fork
				for i := range f.crowd {
					x := &f.crowd[i]
					if p.consult(v, x); x.open && (best == nil || x.payoff > best.payoff) {
						best = x
					}
				}
				if best == nil {
					break
				}
				p.copy(best)
			}
			for i := range f.crowd {
				want = append(want, fmt.Sprint(p.queue[f.crowd[i].bid].job, f.crowd[i].parts))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d at %v: copies %v, asking again %v", seed, v.Now(), got, want)
			}
		}}
		if _, err := sim.Run(context.Background(), cfg, l); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
