package harmony

import (
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// table is what was learned of interference. Models are numbered as they come.
type table struct {
	prior  float64
	models map[string]int32
	best   map[kind]float64 // the most speed that was seen
	keep   [][]mean         // model, then the model beside it
}

// kind is a model on a number of GPUs and how close together they are.
type kind struct {
	model, gpus int32
	level       cluster.Level
}

// mean is what a model keeps beside another.
type mean struct{ n, sum float64 }

// model numbers a model.
func (t *table) model(name string) int32 {
	id, ok := t.models[name]
	if !ok {
		id = int32(len(t.models))
		t.models[name] = id
		t.keep = append(t.keep, nil)
	}
	return id
}

// keeps is what a model is expected to keep beside another.
func (t *table) keeps(me, other int32) float64 {
	row := t.keep[me]
	if int(other) >= len(row) {
		return 1
	}
	return (t.prior + row[other].sum) / (t.prior + row[other].n)
}

// note takes in that a model kept a part of its speed beside another.
func (t *table) note(me, other int32, kept float64) {
	for len(t.keep[me]) <= int(other) {
		t.keep[me] = append(t.keep[me], mean{})
	}
	m := &t.keep[me][other]
	m.n, m.sum = m.n+1, m.sum+kept
}

// kept is the part of the best speed of its kind that a job has now.
func (t *table) kept(k kind, rate float64) float64 {
	if rate > t.best[k] {
		t.best[k] = rate
	}
	if t.best[k] == 0 {
		return 1
	}
	return rate / t.best[k]
}

func (t *table) clone() table {
	c := *t
	c.models, c.best, c.keep = maps.Clone(t.models), maps.Clone(t.best), slices.Clone(t.keep)
	for i := range c.keep {
		c.keep[i] = slices.Clone(c.keep[i])
	}
	return c
}

// level is how close together GPUs (ascending) are.
func level(t *cluster.Topology, gpus []cluster.GPU) cluster.Level {
	a, b := t.Machine(gpus[0]), t.Machine(gpus[len(gpus)-1])
	switch {
	case a == b:
		return cluster.LevelMachine
	case t.Rack(a) == t.Rack(b):
		return cluster.LevelRack
	}
	return cluster.LevelCluster
}

// present lists the jobs with GPUs of each machine, by machine: running jobs, and jobs that start now.
type present struct {
	on [][]sim.JobID
}

func (p *present) begin(v *sim.View) {
	n := v.Topology().Machines()
	for len(p.on) < n {
		p.on = append(p.on, nil)
	}
	for i := range p.on {
		p.on[i] = p.on[i][:0]
	}
	for _, j := range v.Running() {
		p.add(v.Topology(), j, v.Run(j).Held())
	}
}

func (p *present) add(t *cluster.Topology, j sim.JobID, gpus []cluster.GPU) {
	for i, g := range gpus {
		if m := t.Machine(g); i == 0 || m != t.Machine(gpus[i-1]) {
			p.on[m] = append(p.on[m], j)
		}
	}
}
