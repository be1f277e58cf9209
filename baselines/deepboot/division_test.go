package deepboot

import (
	"context"
	"math"
	"testing"

	"tarry/baselines/pollux"
	"tarry/baselines/pollux/search"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// checked is a division each of whose answers is compared with all others.
type checked struct {
	division
	t     *testing.T
	seen  *int
	moved *int
}

func (c *checked) Clone() pollux.Finder {
	return &checked{division: *c.division.Clone().(*division), t: c.t, seen: c.seen, moved: c.moved}
}

// best is the largest sum of values of the jobs up to one on some GPUs.
func (c *checked) best(p *search.Problem, jobs, gpus int) float64 {
	if jobs == 0 {
		return 0
	}
	best := c.best(p, jobs-1, gpus)
	for w := 1; w <= min(gpus, p.Jobs[jobs-1].Max); w++ {
		best = max(best, c.best(p, jobs-1, gpus-w)+c.value(&p.Jobs[jobs-1], w))
	}
	return best
}

// value is what w GPUs of a job count for, by the package comment.
func (c *checked) value(j *search.Job, w int) float64 {
	if w < j.Least || j.Step > 1 && w%j.Step != 0 {
		return math.Inf(-1)
	}
	nodes := 0
	for rest := w; rest > 0; rest -= c.node {
		nodes++
	}
	if v := j.Curve.Speedup(nodes, w); w == held(j.Base) {
		return v
	} else {
		return v * j.Factor
	}
}

func (c *checked) Run(p *search.Problem) {
	c.division.Run(p)
	*c.seen++
	gpus, sum, used := 0, 0.0, make([]int, len(p.GPUs))
	for _, g := range p.GPUs {
		gpus += int(g)
	}
	for i := range p.Jobs {
		row := make([]uint8, len(p.GPUs))
		c.Row(i, row)
		if n := held(row); n > 0 {
			sum += c.value(&p.Jobs[i], n)
			if n == held(p.Jobs[i].Base) {
				for k, g := range p.Jobs[i].Base {
					if row[k] != g {
						c.t.Errorf("job %d moves from %v to %v with as many GPUs", i, p.Jobs[i].Base, row)
					}
				}
			} else {
				*c.moved++
			}
		}
		for k, g := range row {
			used[k] += int(g)
		}
	}
	for k, n := range used {
		if n > int(p.GPUs[k]) {
			c.t.Errorf("%d GPUs of node %d are given, it has %d", n, k, p.GPUs[k])
		}
	}
	if want := c.best(p, len(p.Jobs), gpus); math.Abs(sum-want) > 1e-9*want {
		c.t.Errorf("the sum of speed-ups is %v, %v can be had", sum, want)
	}
}

// Without services the policy is the knapsack: at each interval the sum of values is the largest of all
// divisions of the whole cluster.
func TestKnapsackAlone(t *testing.T) {
	seen, moved := 0, 0
	for seed := range uint64(12) {
		r := rng.Source{Seed: seed}.Stream("deepboot")
		top, err := cluster.New(cluster.Uniform(1, 2, 3, 1))
		if err != nil {
			t.Fatal(err)
		}
		var jobs []sim.Job
		at := sim.Time(0)
		for i := range 5 {
			lo := int32(1 + r.IntN(2))
			jobs = append(jobs, sim.Job{ID: string(rune('a' + i)), GPUs: lo, MinGPUs: lo, MaxGPUs: lo + int32(r.IntN(5)),
				Submit: at, Work: sim.Time(20+r.IntN(100)) * sim.Second})
			at += sim.Time(r.IntN(20)) * sim.Second
		}
		w, err := sim.NewWorkload("drawn", jobs)
		if err != nil {
			t.Fatal(err)
		}
		p := pollux.By(&checked{t: t, seen: &seen, moved: &moved}, pollux.Agents{Interval: 5 * sim.Second,
			Restart: 2 * sim.Second, Jobs: 9, Max: 64, Tuned: true}, cluster.BestFit)
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, p); err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 || moved < 30 {
		t.Errorf("%d decisions, %d changes, expected many", seen, moved)
	}
}
