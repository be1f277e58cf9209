package sim_test

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// shortest starts the waiting jobs in order of their work, each on the one GPU of the cluster.
type shortest struct{ queue []sim.JobID }

func (*shortest) Knows() know.Set { return know.Work }

func (p *shortest) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		if e.Kind == sim.Arrive {
			i := 0
			for i < len(p.queue) && v.Job(p.queue[i]).Work() <= v.Job(e.Job).Work() {
				i++
			}
			p.queue = append(p.queue[:i], append([]sim.JobID{e.Job}, p.queue[i:]...)...)
		}
	}
	if len(p.queue) == 0 || len(v.Running()) > 0 {
		return out
	}
	out = append(out, sim.Decision{Kind: sim.Start, Job: p.queue[0], GPUs: []cluster.GPU{0}})
	p.queue = p.queue[1:]
	return out
}

// unit is a speed model in which a job does one second of work per second.
type unit struct{}

func (unit) Speed(*sim.Query) (sim.Speed, error) { return sim.Speed{Rate: 1, ComputeFrac: 1}, nil }

// Shortest job first on one GPU, one instant after the other. Permit lets the view give what the
// policy declares that it reads: run times here, which are NaN without it, so that the long job,
// which came first, would start first.
func ExampleEngine() {
	w, err := sim.NewWorkload("three jobs", []sim.Job{
		{ID: "first", GPUs: 1, Work: 5 * sim.Second},
		{ID: "long", GPUs: 1, Work: 40 * sim.Second, Submit: sim.Second},
		{ID: "short", GPUs: 1, Work: 8 * sim.Second, Submit: 2 * sim.Second},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	top, err := cluster.New(cluster.Uniform(1, 1, 1, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: unit{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	policy := &shortest{}

	var out []sim.Decision
	e.Permit(policy.Knows())
	v, ok, err := e.Next()
	for ; ok && err == nil; v, ok, err = e.Next() {
		out = policy.Decide(v, out[:0])
		if err = e.Apply(out); err != nil {
			break
		}
	}

	for j := range w.Jobs {
		r := e.Record(sim.JobID(j))
		fmt.Println(w.Jobs[j].ID, r.End)
	}
	fmt.Println(err)
	// Output:
	// first 5s
	// long 53s
	// short 13s
	// <nil>
}
