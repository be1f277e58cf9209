package plan_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// shares gives what each job holds of its GPUs, in thousandths.
func shares(v *sim.View) (s string) {
	for j := range sim.JobID(v.NumJobs()) {
		if v.Run(j).State() == sim.Running {
			s += fmt.Sprintf("%d:%d ", j, v.Run(j).Knobs().ShareMilli)
		}
	}
	return s
}

// Tickets by hand: a gang on GPUs with different numbers of sharers has 1000 by the most; who asks
// for less than the whole never has more.
func TestTickets(t *testing.T) {
	s := set(t, sim.Config{}, cluster.Uniform(1, 1, 4, 1), sim.Job{GPUs: 3}, sim.Job{GPUs: 1}, sim.Job{GPUs: 2},
		sim.Job{GPUs: 1, ShareMilli: 300},
		sim.Job{GPUs: 1, Work: 50 * sim.Second})
	step := func(want string, ds ...sim.Decision) {
		t.Helper()
		s.do(ds...)
		if got := shares(s.v); got != want {
			t.Errorf("at %v after %s: %s, expected %s", s.v.Now(), words(ds), got, want)
		}
	}
	gpus := func(g ...cluster.GPU) []cluster.GPU { return g }
	step("0:1000 ", plan.Join(s.v, nil, 0, gpus(0, 1, 2))...)
	step("0:500 1:500 ", plan.Join(s.v, nil, 1, gpus(0))...)
	step("0:500 1:500 2:500 ", plan.Join(s.v, nil, 2, gpus(2, 3))...)
	// two at once; GPU 3 has three, and so the gang 2 a third, which the gang 0 does not see
	two := plan.Join(s.v, nil, 3, gpus(3))
	two = plan.Join(s.v, two, 4, gpus(3))
	step("0:500 1:500 2:333 3:300 4:333 ", two...)
	if ds := plan.RaiseShares(s.v, nil); len(ds) > 0 {
		t.Errorf("relaxed with nobody gone: %s", words(ds))
	}
	step("0:500 1:500 2:333 3:300 ", sim.Decision{Kind: sim.Preempt, Job: 4})
	step("0:500 1:500 2:500 3:300 ", plan.RaiseShares(s.v, nil)...)
	step("0:500 2:500 3:300 ", sim.Decision{Kind: sim.Preempt, Job: 1})
	if ds := plan.RaiseShares(s.v, nil); len(ds) > 0 { // GPU 2 is shared still
		t.Errorf("job 0 is given %v", ds)
	}
	step("0:500 3:300 ", sim.Decision{Kind: sim.Preempt, Job: 2})
	step("0:1000 3:300 ", plan.RaiseShares(s.v, nil)...)
	joined := plan.Join(s.v, []sim.Decision{{Kind: sim.Preempt, Job: 3}}, 4, gpus(3)) // who leaves is not tuned
	step("0:1000 4:1000 ", joined...)
}

// No job joins where another drains, a GPU is out of service, or of another type.
func TestJoinable(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "a"}, {Count: 1, GPUs: 1, Type: "b"}}}}
	s := set(t, sim.Config{Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 30}}}, spec, sim.Job{GPUs: 1},
		sim.Job{GPUs: 1}, sim.Job{GPUs: 1, GPUType: "a"})
	s.do(start(0, 0), start(1, 1))
	can := func() (out string) {
		for g := range cluster.GPU(3) {
			out += fmt.Sprint(plan.Joinable(s.v, 2, []cluster.GPU{g}), " ")
		}
		return out
	}
	if got := can(); got != "true true false " {
		t.Errorf("joinable: %s", got)
	}
	s.do(sim.Decision{Kind: sim.Preempt, Job: 1})
	if got := can(); got != "true false false " {
		t.Errorf("joinable beside a job that drains: %s", got)
	}
	s.do(sim.Decision{Kind: sim.Cordon, Machine: 0})
	if got := can(); got != "false false false " {
		t.Errorf("joinable on a machine that is cordoned: %s", got)
	}
}

// sociable puts each job that fits nowhere on random GPUs beside others, and takes jobs away at
// random.
type sociable struct {
	rng      *rand.PCG
	instants int
}

func (p *sociable) Knows() know.Set { return know.Nothing }

func (p *sociable) Clone() sim.Policy {
	rng := *p.rng
	return &sociable{&rng, p.instants}
}

func (p *sociable) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	r := rand.New(p.rng)
	p.instants++
	out = plan.RaiseShares(v, out)
	left := map[sim.JobID]bool{}
	if p.instants < unrest {
		for _, j := range v.Running() {
			if r.IntN(12) == 0 {
				out, left[j] = append(out, sim.Decision{Kind: sim.Preempt, Job: j}), true
			}
		}
	}
	// sharers that join a GPU at an instant, and that it has before; in the end every job is alone,
	// so that the run ends
	most := 3
	if p.instants >= unrest {
		most = 1
	}
	taken := map[cluster.GPU]int{}
	for j := range sim.JobID(v.NumJobs()) {
		if v.Run(j).State() != sim.Waiting || p.instants < unrest && r.IntN(3) == 0 {
			continue
		}
		var gpus []cluster.GPU
		for g := range cluster.GPU(v.Topology().GPUs()) {
			one := []cluster.GPU{g}
			if len(gpus) < v.Job(j).GPUs() && plan.Joinable(v, j, one) && taken[g] < most && v.Sharers(g) < most*most &&
				(p.instants >= unrest || r.IntN(4) > 0) {
				gpus = append(gpus, g)
			}
		}
		stays := true // a job that is preempted may drain
		for _, g := range gpus {
			for _, x := range v.On(g) {
				stays = stays && !left[x]
			}
		}
		if stays && len(gpus) == v.Job(j).GPUs() {
			out = plan.Join(v, out, j, gpus)
			for _, g := range gpus {
				taken[g]++
			}
		}
	}
	return out
}

// Whatever joins and leaves, and however often memory runs out, the kernel takes the shares and no
// invariant is broken.
func TestTicketsConform(t *testing.T) {
	seed := uint64(0)
	simtest.Policy(t, func() sim.Policy { return &sociable{rng: rand.NewPCG(seed, 1)} },
		simtest.Options{Seeds: 100, Without: simtest.Hosts, MayStarve: true, Allocates: true, Alone: true})
}
