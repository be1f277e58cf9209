package reclaim

import (
	"math/bits"
	"slices"
	"testing"

	"tarry/sim/rng"
)

// drawn draws a problem: jobs on some machines, a part of which can do with fewer GPUs.
func drawn(r *rng.Stream) (machines int, jobs []Job) {
	machines = 1 + r.IntN(8)
	for range r.IntN(9) {
		j := Job{Machines: int32(r.IntN(2)), Ends: int64(r.IntN(50))}
		j.GPUs = 2 * j.Machines
		for m := range machines {
			if r.IntN(3) == 0 {
				h := Hold{Machine: int32(m), GPUs: int32(1 + r.IntN(3))}
				j.Holds = append(j.Holds, h)
				j.GPUs, j.Machines = j.GPUs+h.GPUs, j.Machines+1
			}
		}
		if j.Least = j.GPUs; len(j.Holds) == 0 {
			continue
		}
		if r.IntN(2) == 0 {
			j.Least = int32(1 + r.IntN(int(j.GPUs)))
		}
		jobs = append(jobs, j)
	}
	return machines, jobs
}

// loss is what jobs lose without some machines.
func loss(jobs []Job, taken uint) (l Loss) {
	for _, j := range jobs {
		left := j.GPUs
		for _, h := range j.Holds {
			if taken>>h.Machine&1 > 0 {
				left -= h.GPUs
			}
		}
		if left < j.Least {
			l = Loss{l.Jobs + 1, l.GPUs + int(j.GPUs)}
		}
	}
	return l
}

// set gives machines as bits.
func set(took []int32) (s uint) {
	for _, m := range took {
		s |= 1 << m
	}
	return s
}

// Best equals the least of all sets, and no rule loses less; every rule takes k machines, each once.
// One after another a base job goes by what it has left: a set of machines may preempt a job that
// gives up GPUs on the first of them, never fewer.
func TestRulesAgainstAllSets(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("reclaim")
	var c Chooser
	for range 3000 {
		machines, jobs := drawn(r)
		k := r.IntN(machines + 1)
		least := Loss{len(jobs) + 1, 0}
		for s := range uint(1) << machines {
			if l := loss(jobs, s); bits.OnesCount(s) == k && l.less(least) {
				least = l
			}
		}
		for _, rule := range []Rule{Count, Cost, Random, Best, Latest} {
			c.Load(machines, jobs)
			took := c.Choose(rule, k, r, []int32{77})[1:]
			if got := loss(jobs, set(took)); got.less(least) || rule == Best && got != least {
				t.Fatalf("%d of %d machines, %+v: rule %d takes %v and loses %+v, the least is %+v", k, machines, jobs,
					rule, took, got, least)
			}
			if len(took) != k || bits.OnesCount(set(took)) != k {
				t.Fatalf("rule %d takes %v, expected %d machines", rule, took, k)
			}
			n := 0
			for j := range jobs {
				if c.Preempted(j) {
					n++
				}
			}
			if n != loss(jobs, set(took)).Jobs {
				t.Fatalf("rule %d notes %d preempted jobs, %v take %+v", rule, n, took, loss(jobs, set(took)))
			}
		}
	}
}

// Free takes what costs no job, and as much as there is.
func TestFree(t *testing.T) {
	jobs := []Job{
		{Holds: []Hold{{0, 2}, {1, 2}}, GPUs: 4, Machines: 2, Least: 2}, // either machine, not both
		{Holds: []Hold{{2, 4}}, GPUs: 4, Machines: 1, Least: 4},
	}
	var c Chooser
	c.Load(5, jobs)
	if got, want := c.Free(9, nil), []int32{4, 3, 0}; !slices.Equal(got, want) || c.Preempted(0) {
		t.Errorf("takes %v, expected %v", got, want)
	}
	if count, cost := c.Of(1); count != 1 || cost != 1 {
		t.Errorf("machine 1: %d base jobs, cost %v, expected a job on its last machine", count, cost)
	}
	c.Load(5, jobs)
	if got := c.Free(1, nil); !slices.Equal(got, []int32{4}) {
		t.Errorf("takes %v, expected 4", got)
	}
	c.Load(5, jobs)
	if got := c.Choose(Idle, 5, nil, nil); !slices.Equal(got, []int32{0, 3, 4}) {
		t.Errorf("idle takes %v", got)
	}
}

// Latest goes by jobs that are left: when a job on two machines has gone, its other machine is empty.
func TestLatest(t *testing.T) {
	jobs := []Job{
		{Holds: []Hold{{0, 1}, {2, 1}}, GPUs: 2, Machines: 2, Least: 2, Ends: 90},
		{Holds: []Hold{{1, 1}}, GPUs: 1, Machines: 1, Least: 1, Ends: 50},
		{Holds: []Hold{{2, 1}}, GPUs: 1, Machines: 1, Least: 1, Ends: 20},
	}
	var c Chooser
	c.Load(3, jobs)
	if got, want := c.Choose(Latest, 3, nil, nil), []int32{0, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("takes %v, expected %v", got, want)
	}
}

// At its bound the search stands at what it has, which is no more than by costs.
func TestSearchEnds(t *testing.T) {
	r := rng.Source{Seed: 5}.Stream("wide")
	var c Chooser
	jobs := make([]Job, 200)
	for j := range jobs {
		for m := range int32(64) {
			if r.IntN(20) == 0 || m == int32(j%64) {
				jobs[j].Holds = append(jobs[j].Holds, Hold{m, 1})
			}
		}
		n := int32(len(jobs[j].Holds))
		jobs[j].GPUs, jobs[j].Machines, jobs[j].Least = n, n, n
	}
	var lost [2]int
	for i, rule := range []Rule{Cost, Best} {
		c.Load(64, jobs)
		took := c.Choose(rule, 30, nil, nil)
		if len(took) != 30 {
			t.Fatalf("rule %d takes %d machines", rule, len(took))
		}
		for j := range jobs {
			if c.Preempted(j) {
				lost[i]++
			}
		}
	}
	if lost[1] > lost[0] {
		t.Errorf("preempted: by costs %d, by the search %d", lost[0], lost[1])
	}
}

// Each machine is as likely at random.
func TestRandom(t *testing.T) {
	r := rng.Source{Seed: 7}.Stream("random")
	var c Chooser
	var n [4]int
	for range 4000 {
		c.Load(4, nil)
		for _, m := range c.Choose(Random, 2, r, nil) {
			n[m]++
		}
	}
	for m, k := range n {
		if k < 1800 || k > 2200 {
			t.Errorf("machine %d: %d of 4000, expected about 2000", m, k)
		}
	}
}
