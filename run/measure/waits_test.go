package measure_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/baselines/dally"
	"tarry/run/measure"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// play follows a script: what happens at which second.
type play map[sim.Time][]sim.Decision

func (play) Knows() know.Set { return know.Nothing }

func (p play) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = append(out, p[v.Now()]...)
	for at := v.Now() + sim.Second; at < 100*sim.Second; at += sim.Second {
		if p[at] != nil {
			return append(out, sim.Decision{Kind: sim.WakeAt, At: at})
		}
	}
	return out
}

// Four GPUs. a (2 GPUs, 10 GPU-seconds) comes at 0, starts at 3, is preempted at 5, and runs again
// from 8 to 11: it waits for 6 s, all of them with GPUs enough. b (3 GPUs) comes at 1 and starts at
// 13: it declines 1-3, 5-8 and 11-13, 7 s, and lacks GPUs for 5 s.
func TestWaitsByHand(t *testing.T) {
	start := func(j sim.JobID, gpus ...cluster.GPU) sim.Decision {
		return sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus}
	}
	p := play{3 * sim.Second: {start(0, 0, 1)}, 5 * sim.Second: {{Kind: sim.Preempt, Job: 0}}, 8 *
		sim.Second: {start(0, 0, 1)}, 13 * sim.Second: {start(1, 0, 1, 2)}}
	js := []sim.Job{{ID: "a", GPUs: 2, Work: 10 * sim.Second, VC: "x"},
		{ID: "b", GPUs: 3, Work: 3 * sim.Second, Submit: sim.Second, VC: "y"}}
	expect(t, rows(t, p, 4, "vc", 0, js...), map[string]float64{
		"delay_wait_mean_s x": 6, "delay_wait_mean_s y": 7, "delay_wait_mean_s": 6.5, "delay_wait_machine_mean_s y": 7,
		"delay_offers_mean x": 2, "delay_offers_mean y": 3, "delay_offers_mean": 2.5,
	})
}

// plain counts what jobs decline by looking at all of them between any two instants.
type plain struct {
	follow
	last  sim.Time
	count int
	wait  []bool
	sums  map[string]sim.Time
}

func (p *plain) step(now sim.Time) {
	for j, waits := range p.wait {
		if waits && p.count >= int(p.w.Jobs[j].GPUs) {
			p.sums[p.w.Jobs[j].VC] += now - p.last
		}
	}
	p.last = now
}

func (p *plain) Instant(g *sim.Gauge) {
	p.count = g.Free
	for j := range p.wait {
		p.wait[j] = p.e.Record(sim.JobID(j)).State == sim.Waiting
	}
	p.b.Instant(g.Now, p.follow.free)
}

// The books agree with a look at every job between any two instants.
func TestWaitsAgainstAPlainCount(t *testing.T) {
	some := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		js := make([]sim.Job, 30)
		for i := range js {
			js[i] = sim.Job{ID: fmt.Sprint(i), VC: fmt.Sprint("vc", r.IntN(3)), GPUs: int32(1 + r.IntN(9)),
				Submit: sim.Time(r.IntN(80)) * sim.Second, Work: sim.Time(1+r.IntN(200)) * sim.Second}
		}
		w, err := sim.NewWorkload("w", js)
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
		if err != nil {
			t.Fatal(err)
		}
		pol, err := dally.New(dally.Auto)(param.Parse("policy dally", "lease=5,t_rack=2,t_net=4"), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		p := &plain{follow: follow{b: measure.New(top, "vc", nil), w: w}, wait: make([]bool, len(js)),
			sums: map[string]sim.Time{}}
		cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}
		if seed%2 == 0 {
			cfg.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 0.5}}
		}
		p.e, err = sim.New(cfg, p)
		if err != nil {
			t.Fatal(err)
		}
		p.e.Permit(pol.Knows())
		if err := p.e.Drive(t.Context(), pol, func(v *sim.View) (bool,
			error) {
			p.step(v.Now())
			return p.look(v)
		}); err != nil {
			t.Fatal(err)
		}
		got, jobs := map[string]float64{}, map[string]int{}
		p.b.Rows(pol, func(name, of, unit string, value float64) { got[name+" "+of] = value })
		for _, j := range js {
			jobs[j.VC]++
		}
		want := map[string]float64{}
		for vc, n := range jobs {
			want["delay_wait_mean_s "+vc] = p.sums[vc].Seconds() / float64(n)
			if p.sums[vc] > 0 {
				some++
			}
		}
		expect(t, got, want)
	}
	if some < 20 {
		t.Errorf("jobs of %d tenants declined anything: the case shows nothing", some)
	}
}
