package similarity

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// notes are the speeds that were seen.
type notes struct {
	set   *models.Set
	index map[string]int
	known []model
	types []string
	begun []start // jobs that were started and are not yet noted
}

// start is a job on GPUs of one type, index typ.
type start struct {
	job       sim.JobID
	typ, gpus int
}

// model is what is known of one.
type model struct {
	features features
	sum      []float64 // by type: of the speeds noted
	n        []int
}

// id finds a model by name; a new one has no notes.
func (s *notes) id(v *sim.View, name string) int {
	if s.types == nil {
		s.types = v.Topology().Types()
	}
	id, ok := s.index[name]
	if !ok {
		id = len(s.known)
		s.index[name] = id
		s.known = append(s.known, model{featuresOf(s.set, name), make([]float64, len(s.types)),
			make([]int, len(s.types))})
	}
	return id
}

// began remembers a job that starts on whole GPUs of one type.
func (s *notes) began(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	if t := s.typeOf(v, gpus); t >= 0 {
		s.begun = append(s.begun, start{j, t, len(gpus)})
	}
}

// look notes the speeds of the jobs that were started before this instant, once each. One that ends
// now still shows its speed. It appends jobs that do not run at all: their model does not fit such
// GPUs.
func (s *notes) look(v *sim.View, stalled []sim.JobID) []sim.JobID {
	for _, b := range s.begun {
		if state := v.Run(b.job).State(); state != sim.Running && state != sim.Done {
			continue
		}
		m, speed := &s.known[s.id(v, v.Job(b.job).Model())], v.Run(b.job).Speed()
		switch {
		case speed.Rate == 0:
			m.sum[b.typ], m.n[b.typ] = 0, 1
			stalled = append(stalled, b.job)
		case speed.ComputeFrac > 0:
			m.sum[b.typ] += speed.Rate / (float64(b.gpus) * speed.ComputeFrac)
			m.n[b.typ]++
		}
	}
	s.begun = s.begun[:0]
	return stalled
}

// doubtful reports whether a job was started on a type on which its model was never seen, so that
// it may not run there.
func (s *notes) doubtful(v *sim.View) bool {
	for _, b := range s.begun {
		if s.known[s.id(v, v.Job(b.job).Model())].n[b.typ] == 0 && len(s.types) > 1 {
			return true
		}
	}
	return false
}

// typeOf is the index of the type of all GPUs, -1 where they are of several.
func (s *notes) typeOf(v *sim.View, gpus []cluster.GPU) int {
	t := v.Topology()
	first := t.Type(t.Machine(gpus[0]))
	for _, g := range gpus {
		if t.Type(t.Machine(g)) != first {
			return -1
		}
	}
	return slices.Index(v.Topology().Types(), first)
}

// estimate is the speed of one GPU of a type with a model: noted, or the nearest model's;
// mean takes the mean of all models in its place. 1 where the type has no note; 0 where the model
// is known not to run, which models like it may.
func (s *notes) estimate(id, t int, mean bool) float64 {
	me := &s.known[id]
	if me.n[t] > 0 {
		return me.sum[t] / float64(me.n[t])
	}
	best, least := -1, math.Inf(1)
	sum, n := 0.0, 0
	for i := range s.known {
		m := &s.known[i]
		if m.n[t] == 0 || m.sum[t] == 0 {
			continue
		}
		sum, n = sum+m.sum[t]/float64(m.n[t]), n+1
		if d := distance(&me.features, &m.features); d < least {
			best, least = i, d
		}
	}
	switch {
	case n == 0:
		return 1
	case mean || best < 0:
		return sum / float64(n)
	}
	return s.known[best].sum[t] / float64(s.known[best].n[t])
}

func (s *notes) clone() notes {
	c := *s
	c.index = make(map[string]int, len(s.index))
	for name, id := range s.index {
		c.index[name] = id
	}
	c.known, c.begun = slices.Clone(s.known), slices.Clone(s.begun)
	for i := range c.known {
		c.known[i].sum, c.known[i].n = slices.Clone(c.known[i].sum), slices.Clone(c.known[i].n)
	}
	return c
}
