package queueing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
	"tarry/sim/simtest"
)

// promises watches the reservations of conservative with a rule of places.
type promises struct {
	*conservative
	t      *testing.T
	before map[sim.JobID]reservation
	first  sim.JobID
	moved  int // reservations that a want of a place moved later
	kept   int // decisions at which GPUs were kept
}

// Decide fails the test where a promise of inplaces.go is broken.
func (p *promises) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(out)
	out = p.conservative.Decide(v, out)
	started := map[sim.JobID]bool{}
	for _, d := range out[n:] {
		if d.Kind == sim.Start {
			started[d.Job] = true
			if r, ok := p.before[d.Job]; ok && d.Job == p.first && v.Now() > r.at {
				p.t.Fatalf("%v: job %d, the first, starts after %v", v.Now(), d.Job, r.at)
			}
		}
	}
	now, first := map[sim.JobID]reservation{}, sim.NoJob
	for i, r := range p.waiting {
		if i == 0 {
			first = r.job
		}
		now[r.job] = r
		if r.at <= v.Now() {
			p.t.Fatalf("%v: job %d waits and is reserved %v", v.Now(), r.job, r.at)
		}
		if was, ok := p.before[r.job]; ok && r.at > was.at {
			p.moved++
			if r.job == p.first || !r.passed || r.job != first && p.placed(v, r) {
				p.t.Fatalf("%v: job %d moves from %v to %v", v.Now(), r.job, was.at, r.at)
			}
		}
	}
	p.before, p.first = now, first
	p.free(v, out[n:])
	p.counts(v)
	return out
}

// placed reports whether a job has a place after the starts of a decision, on no GPU that is kept
// if it may run on.
func (p *promises) placed(v *sim.View, r reservation) bool {
	if v.Now()+r.d > p.waiting[0].at {
		whole := plan.Demand{GPUs: 1, ShareMilli: 1000}
		p.place.Plan(v, p.spot.Kept(), &whole)
		defer p.place.Unplan(v, p.spot.Kept(), &whole)
	}
	_, ok := p.place.Try(p.spot.Put, v, r.job, p.queue.Demand(r.job))
	return ok
}

// free looks whether the GPUs of the first are free by the estimates when it is to start.
func (p *promises) free(v *sim.View, out []sim.Decision) {
	if len(p.spot.Kept()) == 0 {
		return
	}
	p.kept++
	ends, at := map[cluster.GPU]sim.Time{}, p.waiting[0].at
	for x := range p.ends.All() {
		held := v.Run(x.Job).Held()
		for _, d := range out {
			if d.Kind == sim.Start && d.Job == x.Job {
				held = d.GPUs
			}
		}
		for _, g := range held {
			ends[g] = x.At
		}
	}
	for _, g := range p.spot.Kept() {
		if ends[g] > at {
			p.t.Fatalf("%v: GPU %d, kept for %v, is in use until %v", v.Now(), g, at, ends[g])
		}
	}
}

// counts looks whether reservations and what runs fit the cluster at each instant.
func (p *promises) counts(v *sim.View) {
	var use []reservation
	for x := range p.ends.All() {
		use = append(use, reservation{at: v.Now(), d: x.At - v.Now(), need: p.need(x.Job)})
	}
	for _, r := range p.waiting {
		if r.at < sim.Never {
			use = append(use, r)
		}
	}
	for _, a := range use {
		sum := int64(0)
		for _, b := range use {
			if b.at <= a.at && a.at < b.at+b.d {
				sum += b.need
			}
		}
		if sum > int64(v.Usable())*1000 {
			p.t.Fatalf("%v: %d thousandths of GPUs are promised for %v, of %d", v.Now(), sum, a.at, v.Usable()*1000)
		}
	}
}

func TestPromisesWithPlaces(t *testing.T) {
	for _, rule := range []string{"consolidate", "lowest", "delay,delay_machine_s=4,delay_rack_s=7",
		"delay,delay_machine_s=inf"} {
		moved, kept := 0, 0
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 0x9106))
			var jobs []sim.Job
			for i := range 8 + r.IntN(30) {
				g := int32(1 + r.IntN(5))
				if r.IntN(5) == 0 {
					g = int32(1 + r.IntN(14))
				}
				jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(float64(r.IntN(80))), GPUs: g,
					Work: sim.Time(g) * sim.Seconds(float64(1+r.IntN(30)))})
			}
			w, err := sim.NewWorkload("promises", jobs)
			if err != nil {
				t.Fatal(err)
			}
			top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 4, Slots: 2}},
				{{Count: 2, GPUs: 4, Slots: 2}}}})
			if err != nil {
				t.Fatal(err)
			}
			where := places.Read(param.Parse("policy conservative", "place="+rule))
			c := &conservative{place: plan.NewPlacer(cluster.BestFit), first: sim.Never, spot: backfill.NewSpot(where)}
			p := &promises{conservative: c, t: t, before: map[sim.JobID]reservation{}, first: sim.NoJob}
			early := sim.Time(r.IntN(2)) // some jobs end before their estimates
			cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true,
				Estimate: func(j sim.JobID) sim.Time { return w.Jobs[j].Work * (1 + early*sim.Time(j%3)) }}
			if _, err := sim.Run(context.Background(), cfg, where.Paced(p)); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			moved, kept = moved+p.moved, kept+p.kept
		}
		if moved < 300 || kept < 1000 {
			t.Errorf("place=%s: %d reservations moved, GPUs kept at %d decisions: the cases are too easy", rule, moved,
				kept)
		}
	}
}

// instants notes when a policy decides.
type instants struct {
	sim.Policy
	at []sim.Time
}

func (p *instants) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.at = append(p.at, v.Now()/sim.Second)
	return p.Policy.Decide(v, out)
}

// A wait that is over is an event for a job that waits then, and for no other: a job that has started
// or was preempted and has started again leaves no timer behind.
func TestWaitsThatAreOver(t *testing.T) {
	at := func(submit sim.Time, gpus int32, s float64) sim.Job {
		return sim.Job{Submit: submit * sim.Second, GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(s)}
	}
	for _, c := range []struct {
		name, policy string
		jobs         []sim.Job
		want         []sim.Time
	}{
		{"started before", "fifo", []sim.Job{at(0, 3, 5), at(0, 3, 5), at(1, 2, 50)}, []sim.Time{0, 1, 5, 55}},
		{"waits on", "fifo", []sim.Job{at(0, 3, 40), at(0, 3, 50), at(1, 2, 10)}, []sim.Time{0, 1, 8, 18, 40, 50}},
		{"preempted", "srtf", []sim.Job{at(0, 4, 30), at(0, 4, 31), at(1, 4, 2)}, []sim.Time{0, 1, 3, 30, 33}},
		{"for a rack", "fifo", []sim.Job{at(0, 4, 40), at(0, 1, 1), at(0, 1, 41), at(0, 6, 5)},
			[]sim.Time{0, 1, 7, 9, 16, 40, 41, 45}},
	} {
		for i := range c.jobs {
			c.jobs[i].ID = fmt.Sprint(i)
		}
		w, err := sim.NewWorkload(c.name, c.jobs)
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
		if err != nil {
			t.Fatal(err)
		}
		make := map[string]func(*param.Set, cluster.Rule) (sim.Policy, error){"fifo": NewFitFirst, "srtf": NewSRTF}[c.policy]
		p, err := make(param.Parse("policy", "place=delay,delay_machine_s=7,delay_rack_s=9"), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		seen := &instants{Policy: p}
		if _, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true},
			seen); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(seen.at, c.want) {
			t.Errorf("%s: decisions at %d, expected %d", c.name, seen.at, c.want)
		}
	}
}
