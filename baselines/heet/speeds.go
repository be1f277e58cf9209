package heet

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// speeds predicts throughputs by model.
type speeds struct {
	all    bool // measure every configuration
	types  []string
	byName map[string]*table
	gpus   []cluster.GPU
}

// table holds the throughputs of a model: measured, or predicted from others.
type table struct {
	least int       // number of GPUs at which every type is measured
	first int       // the type on which every number is measured
	most  []int     // GPUs of each type
	known []float64 // [type*(widest+1) + number]; -1 = not yet asked for
	wide  int
}

// of is the table of a job's model.
func (s *speeds) of(v *sim.View, j sim.JobID) *table {
	t, ok := s.byName[v.Job(j).Model()]
	if ok {
		return t
	}
	top := v.Topology()
	lo, _ := v.Job(j).Range()
	t = &table{least: lo, first: -1}
	for _, name := range s.types {
		n := top.OfType(name)
		t.most, t.wide = append(t.most, n), max(t.wide, n)
	}
	t.known = make([]float64, len(s.types)*(t.wide+1))
	for i := range t.known {
		t.known[i] = -1
	}
	s.byName[v.Job(j).Model()] = t
	for r := range s.types {
		if t.first < 0 && s.measure(v, j, t, r, lo) > 0 {
			t.first = r
		}
	}
	return t
}

// throughput is the speed of a job on n GPUs of a type; 0 = it does not run there.
func (s *speeds) throughput(v *sim.View, j sim.JobID, r, n int) float64 {
	t := s.of(v, j)
	if n > t.most[r] {
		return 0
	}
	if s.all || n == t.least || r == t.first || t.first < 0 {
		return s.measure(v, j, t, r, n)
	}
	base := s.measure(v, j, t, t.first, t.least)
	if base <= 0 {
		return 0
	}
	return s.measure(v, j, t, r, t.least) * s.measure(v, j, t, t.first, n) / base
}

// measure asks for the speed on n GPUs of a type in as few machines as there are, once.
func (s *speeds) measure(v *sim.View, j sim.JobID, t *table, r, n int) float64 {
	if n > t.most[r] || n < 1 {
		return 0
	}
	at := r*(t.wide+1) + n
	if t.known[at] < 0 {
		s.closest(v.Topology(), r, n)
		t.known[at] = v.Predict(j, sim.Placement{GPUs: s.gpus, Alone: true}).Rate
	}
	return t.known[at]
}

// closest fills gpus with n GPUs of a type: of the first machine that has them, else the first.
func (s *speeds) closest(top *cluster.Topology, r, n int) {
	s.gpus = s.gpus[:0]
	for m := range top.Machines() {
		lo, hi := top.MachineGPUs(m)
		if len(s.types) > 1 && top.Type(m) != s.types[r] {
			continue
		}
		if int(hi-lo) >= n {
			s.gpus = s.gpus[:0]
			for g := range cluster.GPU(n) {
				s.gpus = append(s.gpus, lo+g)
			}
			return
		}
		for g := lo; g < hi && len(s.gpus) < n; g++ {
			s.gpus = append(s.gpus, g)
		}
	}
}
