package netaware

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "network-like", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 100, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "network-like", New, o.Settings("", "by=time,block=true,forget=0.5"))
}

// Updated row by row it is the solution of the normal equations.
func TestRidgeIsLeastSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	reg := newRidge(0.5)
	var a [size][size]float64
	var b [size]float64
	for i := range a {
		a[i][i] = 0.5
	}
	b[past] = 0.5
	for range 60 {
		var x [size]float64
		for i := range x {
			x[i] = r.NormFloat64()
		}
		y := 3*x[1] - x[4] + 0.1*r.NormFloat64()
		reg.learn(&x, y)
		for i := range x {
			for k := range x {
				a[i][k] += x[i] * x[k]
			}
			b[i] += x[i] * y
		}
	}
	for i := range b {
		s := 0.0
		for k, w := range reg.w {
			s += a[i][k] * w
		}
		if math.Abs(s-b[i]) > 1e-6 {
			t.Errorf("equation %d: %v, want %v", i, s, b[i])
		}
	}
}

// slowMachine runs jobs at half the speed on machine 0.
type slowMachine struct{ top *cluster.Topology }

func (s slowMachine) Speed(q *sim.Query) (sim.Speed, error) {
	rate := float64(len(q.GPUs))
	for _, g := range q.GPUs {
		if s.top.Machine(g) == 0 {
			return sim.Speed{Rate: rate / 2, ComputeFrac: 1}, nil
		}
	}
	return sim.Speed{Rate: rate, ComputeFrac: 1}, nil
}

// Jobs of one GPU come one after the other. The first goes to machine 0, as all nodes are equal;
// when it has ended the nodes are known to differ, and later jobs, once another machine has been
// seen, avoid it.
func TestAvoidsSlowNodes(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 3, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for i := range 8 { // all GPUs at once, so that each machine is seen
		jobs = append(jobs, sim.Job{ID: string(rune('a' + i)), GPUs: 1, Submit: sim.Time(i/6*100) * sim.Second,
			Work: 10 * sim.Second})
	}
	for i := range 6 {
		jobs = append(jobs, sim.Job{ID: string(rune('m' + i)), GPUs: 1, Submit: sim.Time(200+50*i) * sim.Second,
			Work: 10 * sim.Second})
	}
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	for _, settings := range []string{"", "by=time"} {
		e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: slowMachine{top}, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		var machines []int
		p := policy(t, settings)()
		e.Permit(p.Knows())
		for {
			v, ok, err := e.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			out := p.Decide(v, nil)
			for _, d := range out {
				machines = append(machines, top.Machine(d.GPUs[0]))
			}
			if err := e.Apply(out); err != nil {
				t.Fatal(err)
			}
		}
		if slices.Contains(machines[6:], 0) {
			t.Errorf("%q: jobs went to machines %v: after the first six none should go to 0", settings, machines)
		}
	}
}
