// Package genieref compares who meets a deadline with exact answers: lists of tasks for one GPU each in
// four orders, with and without rejection, played by the policy genie, and the most that any order meets.
package genieref

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"tarry/baselines/queueing"
	"tarry/fidelity/reference"
	"tarry/internal/fraction"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/speed"
)

// within is how far a makespan may be off, relative to it.
const within = 1e-9

// instance is tasks that are all there at 0, and what each rule makes of them.
type instance struct {
	GPUs  int
	Tasks []struct {
		ID       int
		Duration fraction.Number
		Deadline fraction.Number
	}
	Results map[string]played
	Most    *int `json:"most_that_can_be_met"`
}

// played is the tasks in a rule's order, which of them end in time, and when the last one ends.
type played struct {
	Order, Met []int
	Makespan   fraction.Number
}

// rules has the settings of genie by the names of rules.
func rules() map[string]string {
	out := map[string]string{}
	for name, order := range map[string]string{"least_allowance": "allowance", "earliest_deadline": "deadline",
		"shortest": "shortest", "fifo": "arrival"} {
		out[name] = "reject=false,order=" + order
		out[name+"+reject"] = "order=" + order
	}
	return out
}

// Reader compares folders of instances: the tasks that end in time are to be equal.
func Reader() reference.Reader {
	return reference.Cases("genie", []reference.CaseKind{{Name: "lists",
		Fields: "gpus tasks results most_that_can_be_met", Compare: compare}})
}

func compare(c *reference.Case) {
	x, ok := reference.Decode[instance](c)
	if !ok {
		return
	}
	if x.GPUs < 1 || len(x.Tasks) == 0 || len(x.Results) == 0 || x.Most == nil {
		c.Errorf("%d GPUs, %d tasks, %d results, expected some of each, and most_that_can_be_met", x.GPUs,
			len(x.Tasks), len(x.Results))
		return
	}
	settings := rules()
	for name, want := range x.Results {
		if settings[name] == "" {
			c.Errorf("rule %q, expected one of %v", name, slices.Sorted(maps.Keys(settings)))
		} else if err := x.play(c, name, settings[name], want); err != nil {
			c.Errorf("%s: %v", name, err)
		}
	}
	if most := x.most(); most != *x.Most {
		c.Errorf("some order meets %d, none more, there %d", most, *x.Most)
	}
}

// play runs genie on the tasks and compares what becomes of them.
func (x *instance) play(c *reference.Case, name, settings string, want played) error {
	e, err := x.run(settings)
	if err != nil {
		return err
	}
	var met []int
	at, last := map[int]sim.Time{}, sim.Time(0)
	for i, t := range x.Tasks {
		r := e.Record(sim.JobID(i))
		if at[t.ID] = r.Start; r.State != sim.Done {
			continue
		}
		if last = max(last, r.End); r.End <= sim.Seconds(float64(t.Deadline)) {
			met = append(met, t.ID)
		}
	}
	slices.Sort(met)
	if !slices.Equal(met, slices.Sorted(slices.Values(want.Met))) {
		c.Errorf("%s meets %v, there %v", name, met, want.Met)
	}
	c.Near(name+": makespan", last.Seconds(), float64(want.Makespan), within)
	started := slices.DeleteFunc(slices.Clone(want.Order), func(id int) bool { return at[id] == sim.Never })
	if !slices.IsSortedFunc(started, func(a, b int) int { return cmp.Compare(at[a], at[b]) }) {
		c.Errorf("%s starts its tasks at %v, there in the order %v", name, at, want.Order)
	}
	return nil
}

// run plays the tasks by genie to their end.
func (x *instance) run(settings string) (*sim.Engine, error) {
	jobs := make([]sim.Job, len(x.Tasks))
	for i, t := range x.Tasks {
		jobs[i] = sim.Job{ID: fmt.Sprint(t.ID), GPUs: 1, Work: sim.Seconds(float64(t.Duration)),
			Deadline: sim.Seconds(float64(t.Deadline))}
	}
	w, err := sim.NewWorkload("genie", jobs)
	if err != nil {
		return nil, err
	}
	top, err := cluster.New(cluster.Uniform(1, 1, x.GPUs, 1))
	if err != nil {
		return nil, err
	}
	p, err := queueing.NewGenie(param.Parse("policy genie", settings), cluster.BestFit)
	if err != nil {
		return nil, err
	}
	return sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: speed.NewCounting(top, nil)}, p)
}

// most is how many tasks some order meets: tasks by deadline, each on one of the GPUs or on none, since on
// each GPU that order meets all where any does; branches that cannot exceed the best so far are cut.
func (x *instance) most() (best int) {
	type task struct{ duration, deadline float64 }
	var tasks []task
	for _, t := range x.Tasks {
		tasks = append(tasks, task{float64(t.Duration), float64(t.Deadline)})
	}
	slices.SortFunc(tasks, func(a, b task) int { return cmp.Compare(a.deadline, b.deadline) })
	free := make([]float64, x.GPUs)
	var from func(k, met int)
	from = func(k, met int) {
		if best = max(best, met); k == len(tasks) || met+len(tasks)-k <= best {
			return
		}
		for g, at := range free {
			if slices.Index(free, at) < g || at+tasks[k].duration > tasks[k].deadline {
				continue
			}
			free[g] = at + tasks[k].duration
			from(k+1, met+1)
			free[g] = at
		}
		from(k+1, met)
	}
	from(0, 0)
	return best
}
