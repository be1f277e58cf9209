package lyraref

import (
	"encoding/json"
	"fmt"
	"slices"

	"tarry/baselines/operate/reclaim"
	"tarry/fidelity/reference"
)

// reclaims is jobs on servers, of which some are to be empty.
type reclaims struct {
	Servers  int
	GiveBack int `json:"give_back"`
	Jobs     []onServers
	Optimum  struct {
		Preempted int
		GPUsLost  int `json:"gpus_lost"`
		Servers   []int32
		Sets      int `json:"optimal_sets"`
	}
	Cost struct {
		Steps     []step
		Servers   []int32
		Preempted []int
	} `json:"cost_rule"`
	Count struct {
		Servers   []int32
		Preempted []int
	} `json:"count_rule"`
}

// onServers is a job on some servers. A flexible one has its other GPUs elsewhere.
type onServers struct {
	ID      int
	Servers []int32
	PerGPU  int32 `json:"gpus_per_server"`
	Kind    string
	GPUs    int32
}

// step is a server and what it cost.
type step struct {
	Server int32
	Cost   float64
}

// UnmarshalJSON reads [1, 0.5].
func (s *step) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.Server, &s.Cost})
}

// withinCost is by how much a cost may differ.
const withinCost = 1e-12

func compareReclaim(c *reference.Case) {
	x, ok := reference.Decode[reclaims](c)
	if !ok {
		return
	}
	jobs, err := x.jobs()
	if err != nil {
		c.Errorf("%v", err)
		return
	}
	var r reclaim.Chooser
	x.cost(c, &r, jobs)
	r.Load(x.Servers, jobs)
	x.same(c, "the rule of counts", r.Choose(reclaim.Count, x.GiveBack, nil, nil), x.Count.Servers, &r, x.Count.Preempted)
	x.best(c, &r, jobs)
}

// jobs gives the jobs as the rules have them.
func (x *reclaims) jobs() (jobs []reclaim.Job, err error) {
	if x.GiveBack < 1 || x.GiveBack > x.Servers || x.Servers > 20 {
		return nil, fmt.Errorf("%d of %d servers, expected some of at most 20", x.GiveBack, x.Servers)
	}
	for _, j := range x.Jobs {
		r := reclaim.Job{GPUs: j.GPUs, Machines: int32(len(j.Servers)), Least: j.GPUs}
		switch j.Kind {
		case "base":
		case "flexible":
			r.GPUs, r.Machines, r.Least = r.GPUs+1, r.Machines+1, 1
		default:
			return nil, fmt.Errorf("job %d is %q, expected base or flexible", j.ID, j.Kind)
		}
		for _, s := range j.Servers {
			if s < 0 || int(s) >= x.Servers {
				return nil, fmt.Errorf("job %d is on server %d of %d", j.ID, s, x.Servers)
			}
			r.Holds = append(r.Holds, reclaim.Hold{Machine: s, GPUs: j.PerGPU})
		}
		jobs = append(jobs, r)
	}
	return jobs, nil
}

// cost compares each step of the rule of costs.
func (x *reclaims) cost(c *reference.Case, r *reclaim.Chooser, jobs []reclaim.Job) {
	r.Load(x.Servers, jobs)
	var took []int32
	for i := range x.GiveBack {
		took = r.Choose(reclaim.Cost, 1, nil, took)
		if i >= len(x.Cost.Steps) || took[i] != x.Cost.Steps[i].Server {
			break
		}
	}
	x.same(c, "the rule of costs", took, x.Cost.Servers, r, x.Cost.Preempted)
	r.Load(x.Servers, jobs)
	for i, s := range x.Cost.Steps {
		_, cost := r.Of(s.Server)
		c.Near(fmt.Sprintf("the cost of step %d", i), cost, s.Cost, withinCost)
		r.Take(s.Server)
	}
}

// same compares servers in order, and the jobs that are preempted then.
func (x *reclaims) same(c *reference.Case, what string, took, want []int32, r *reclaim.Chooser, preempted []int) {
	if !slices.Equal(took, want) {
		c.Errorf("%s takes %v, there %v", what, took, want)
	}
	var ids []int
	for j := range x.Jobs {
		if r.Preempted(j) {
			ids = append(ids, x.Jobs[j].ID)
		}
	}
	if !slices.Equal(ids, preempted) {
		c.Errorf("%s preempts %v, there %v", what, ids, preempted)
	}
}

// loss is what taking servers costs.
func (x *reclaims) loss(r *reclaim.Chooser, jobs []reclaim.Job, took []int32) (l reclaim.Loss) {
	r.Load(x.Servers, jobs)
	for _, s := range took {
		r.Take(s)
	}
	for j := range jobs {
		if r.Preempted(j) {
			l = reclaim.Loss{Jobs: l.Jobs + 1, GPUs: l.GPUs + int(jobs[j].GPUs)}
		}
	}
	return l
}

// best compares the least loss: of the search, of the servers there, and of all sets of servers.
func (x *reclaims) best(c *reference.Case, r *reclaim.Chooser, jobs []reclaim.Job) {
	want := reclaim.Loss{Jobs: x.Optimum.Preempted, GPUs: x.Optimum.GPUsLost}
	r.Load(x.Servers, jobs)
	if got := x.loss(r, jobs, r.Choose(reclaim.Best, x.GiveBack, nil, nil)); got != want {
		c.Errorf("the best servers lose %+v, there %+v", got, want)
	}
	if len(x.Optimum.Servers) != x.GiveBack || slices.Max(x.Optimum.Servers) >= int32(x.Servers) {
		c.Errorf("the best servers there are %v", x.Optimum.Servers)
	} else if got := x.loss(r, jobs, x.Optimum.Servers); got != want {
		c.Errorf("the servers %v lose %+v, there %+v", x.Optimum.Servers, got, want)
	}
	sets, fewest := 0, len(jobs)+1
	var took []int32
	for set := range 1 << x.Servers {
		took = took[:0]
		for s := range x.Servers {
			if set>>s&1 > 0 {
				took = append(took, int32(s))
			}
		}
		if len(took) != x.GiveBack {
			continue
		}
		switch l := x.loss(r, jobs, took); {
		case l.Jobs < fewest:
			sets, fewest = 1, l.Jobs
		case l.Jobs == fewest:
			sets++
		}
	}
	if sets != x.Optimum.Sets || fewest != x.Optimum.Preempted {
		c.Errorf("%d sets preempt %d, there %d preempt %d", sets, fewest, x.Optimum.Sets, x.Optimum.Preempted)
	}
}
