package pypolicy

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Rules lists the rules of places by the names that Python uses; their numbers are their places in
// it.
func Rules() []string {
	return []string{"any", "consolidate", "lowest", "emptiest", "fragments", "machine", "rack"}
}

// named are the GPUs that the caller names itself, in place of a rule.
const named = -1

// put is the rule of a number, nil for any place.
func put(rule int64) (plan.Put, error) {
	within := func(l cluster.Level) plan.Put {
		return func(v *sim.View, p *plan.Placer, _ sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
			return p.PlaceWithin(v, d, l)
		}
	}
	of := func(choose func(*plan.Placer, *sim.View, *plan.Demand) ([]cluster.GPU, bool)) plan.Put {
		return func(v *sim.View, p *plan.Placer, _ sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
			return choose(p, v, d)
		}
	}
	switch rule {
	case 0:
		return nil, nil
	case 1:
		return of((*plan.Placer).Consolidate), nil
	case 2:
		return of((*plan.Placer).Lowest), nil
	case 3:
		return of((*plan.Placer).Emptiest), nil
	case 4:
		return of((*plan.Placer).Fragments), nil
	case 5:
		return within(cluster.LevelMachine), nil
	case 6:
		return within(cluster.LevelRack), nil
	}
	return nil, fmt.Errorf("place rule %d, expected one of %s", rule, strings.Join(Rules(), ", "))
}

// demand is what a job asks for, with another number of GPUs unless that is 0.
func (s *Session) demand(j sim.JobID, gpus int64, k *sim.Knobs) plan.Demand {
	d := *s.demands.Note(s.view, j)
	if gpus > 0 {
		d.GPUs = int32(min(gpus, int64(s.view.Topology().GPUs())+1))
	}
	if k != nil && k.ShareMilli > 0 {
		d.ShareMilli = k.ShareMilli
	}
	if k != nil && k.CPUMilli > 0 {
		d.CPUMilli = k.CPUMilli
	}
	if k != nil && k.MemMiB > 0 {
		d.MemMiB = k.MemMiB
	}
	return d
}

// look gives a place that a rule would choose, and takes nothing.
func (s *Session) look(w []int64) (int, error) {
	j, err := s.job(w[2])
	if err != nil {
		return 0, err
	}
	rule, err := put(w[3])
	if err != nil {
		return 0, err
	}
	d := s.demand(j, w[4], nil)
	gpus, ok := s.placer().Try(rule, s.view, j, &d)
	if !ok {
		w[1] = -1
		return 2, nil
	}
	return list(w, gpus), nil
}

// gpus are the GPUs of a request's list, ascending.
func (s *Session) gpus(w []int64) ([]cluster.GPU, error) {
	n, most := w[1], int64(s.view.Topology().GPUs())
	if n < 1 || n > most {
		return nil, fmt.Errorf("%d GPUs, expected 1 to the cluster's %d", n, most)
	}
	from := len(s.given)
	for _, g := range w[fixed : fixed+n] {
		if g < 0 || g >= most {
			return nil, fmt.Errorf("GPU %d does not exist, expected 0..%d", g, most-1)
		}
		s.given = append(s.given, cluster.GPU(g))
	}
	all := s.given[from:len(s.given):len(s.given)]
	slices.Sort(all)
	return all, nil
}

// Words of a question of a speed: the job, flags, knobs from wordKnobs on, and a mate.
const (
	wordFlags, wordMate = 3, 4
	asFresh, asAlone    = 1, 2
	asIdle              = 4
)

// predict is the speed of a job on GPUs. With a mate the list has the GPUs of the mate behind the
// number of them in word 5.
func (s *Session) predict(w []int64) (int, error) {
	j, err := s.job(w[2])
	if err != nil {
		return 0, err
	}
	mates := w[5]
	if mates < 0 || mates > w[1] {
		return 0, fmt.Errorf("%d GPUs of a mate, expected at most %d", mates, w[1])
	}
	was := len(s.given)
	defer func() { s.given = s.given[:was] }()
	p := sim.Placement{Knobs: knobs(w), Fresh: w[wordFlags]&asFresh != 0, Alone: w[wordFlags]&asAlone != 0,
		Idle: w[wordFlags]&asIdle != 0}
	total := w[1]
	w[1] = total - mates
	if p.GPUs, err = s.gpus(w); err != nil {
		return 0, err
	}
	if mates > 0 {
		if p.Mate.ID, err = s.job(w[wordMate]); err != nil {
			return 0, err
		}
		copy(w[fixed:], w[fixed+total-mates:fixed+total])
		w[1] = mates
		if p.Mate.GPUs, err = s.gpus(w); err != nil {
			return 0, err
		}
	}
	speed := s.view.Predict(j, p)
	w[1], w[2], w[3] = 0, word(speed.Rate), word(speed.ComputeFrac)
	return 4, nil
}
