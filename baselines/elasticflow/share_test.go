package elasticflow

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
)

// drawn is a job with levels 1, 2, 4, ... of increasing speed, and a profile in whole seconds.
func drawn(r *rand.Rand) (*member, steps) {
	m := &member{}
	m.reset(0, sim.Time(10+r.IntN(60))*sim.Second+margin, float64((1+r.IntN(120))*int(sim.Second)))
	rate := 0.0
	for n := int32(1); n <= 16; n *= 2 {
		rate += float64(1+r.IntN(4)) / 2
		m.levels, m.rates = append(m.levels, n), append(m.rates, rate)
	}
	free := steps{}
	for at := sim.Time(0); at < 80; at += sim.Time(1 + r.IntN(15)) {
		free = free.push(at*sim.Second, int32(r.IntN(20)))
	}
	return m, free
}

// The minimum satisfactory share is the smallest level with which the job ends in time: by brute
// force over all of them. The plan stays within what is free and does the work in time.
func TestShareIsTheLeast(t *testing.T) {
	found := 0
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		m, free := drawn(r)
		c := clock{slot: []sim.Time{0, sim.Second, 7 * sim.Second}[r.IntN(3)]}
		least := int32(0)
		for _, q := range m.levels {
			work := 0.0
			for i, x := range free {
				to := m.due()
				if i+1 < len(free) {
					to = min(to, free[i+1].at)
				}
				if n := m.within(q, x.gpus); n > 0 && to > x.at {
					work += float64(to-x.at) * m.rate(n)
				}
			}
			if work >= m.left {
				least = q
				break
			}
		}
		plan, q, ok := c.least(m, free, 0, m.left, nil)
		if ok != (least > 0) || q != least {
			t.Fatalf("seed %d: share %d (%v), want %d", seed, q, ok, least)
		}
		if !ok {
			continue
		}
		found++
		if !c.keeps(m, plan) {
			t.Fatalf("seed %d: the plan %v does not end by %v", seed, plan, m.due())
		}
		for _, x := range plus(nil, free, plan, -1, 0) {
			if x.gpus < 0 {
				t.Fatalf("seed %d: the plan %v takes more than is free in %v", seed, plan, free)
			}
		}
		if most := slices.MaxFunc(plan, func(a, b step) int { return int(a.gpus - b.gpus) }); most.gpus > least {
			t.Fatalf("seed %d: the plan %v has more than the share %d", seed, plan, least)
		}
	}
	if found < 5000 {
		t.Errorf("%d shares found", found)
	}
}

// What plus gives is the sum at every time, without a step that changes nothing.
func TestPlus(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		_, a := drawn(r)
		_, b := drawn(r)
		from := sim.Time(r.IntN(40)) * sim.Second
		sum := plus(nil, a, b, -1, from)
		for at := from; at < 100*sim.Second; at += sim.Second / 2 {
			if got, want := sum.at(at), a.at(at)-b.at(at); got != want {
				t.Fatalf("seed %d: %d at %v, want %d", seed, got, at, want)
			}
		}
		for i := 1; i < len(sum); i++ {
			if sum[i].at <= sum[i-1].at || sum[i].gpus == sum[i-1].gpus {
				t.Fatalf("seed %d: %v", seed, sum)
			}
		}
	}
}

// One job scales perfectly, one badly (n to the power of 0.3), and there are GPUs left: the least
// added GPU time prefers the first, the authors' direction the second.
func TestDirectionOfSurplus(t *testing.T) {
	for most, want := range map[bool][2]int32{false: {2, 1}, true: {1, 2}} {
		p := &Policy{cfg: config{most: most, surplus: true}}
		var two [2]*member
		for i, power := range []string{"good", "bad"} {
			m := &member{}
			m.reset(sim.JobID(i), 1000*sim.Second, 100*float64(sim.Second))
			for n := 1; n <= 4; n *= 2 {
				m.levels, m.rates = append(m.levels, int32(n)), append(m.rates, scaled(power, n))
			}
			two[i] = m
			p.enter(m)
		}
		capacity := steps{{0, 3}}
		if !p.fresh(capacity, nil) {
			t.Fatal("the jobs do not fit")
		}
		p.rest(nil, capacity)
		if got := [2]int32{two[0].gpus, two[1].gpus}; got != want {
			t.Errorf("most=%v: %v GPUs, want %v", most, got, want)
		}
	}
}
