package scenario

import (
	"reflect"
	"slices"
	"sync"
)

// Kept builds scenarios and keeps the last of them: one that is asked for again, as cells of a sweep
// that differ in the seed ask for it, is not built again. A scenario that reads files, has windows
// of jobs, or chooses its predictor, which may be by the seed, is built each time. It serves any number of goroutines.
type Kept struct {
	// From has what the names of scenarios are looked up in.
	From Catalogues
	// Most is how many scenarios are kept; 0 = none.
	Most int

	mu  sync.Mutex
	all []kept // the latest at the end
}

// kept is a scenario as it was given, and what was made of it.
type kept struct {
	of   Scenario
	made *Setup
}

// Build is Scenario.Build. The fields of the Setup are the caller's to change, what they point to
// is not.
func (k *Kept) Build(c *Scenario) (*Setup, error) {
	s := k.find(c)
	if s == nil {
		var err error
		if s, err = c.Build(k.From); err != nil || !s.again() {
			return s, err
		}
		k.keep(kept{*c, s})
	}
	own := *s
	own.Scenario.where = c.where
	own.Notes = slices.Clip(own.Notes)
	return &own, nil
}

// again reports whether the same names stand for the same another time, and take little memory.
func (s *Setup) again() bool {
	return len(s.Files) == 0 && s.opened == nil && s.Windows == nil && clusterFile(s.Scenario.Cluster) == "" &&
		!s.Chooses()
}

func (k *Kept) find(c *Scenario) *Setup {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range slices.Backward(k.all) {
		if one := k.all[i]; one.of.same(c) {
			k.all = append(slices.Delete(k.all, i, i+1), one)
			return one.made
		}
	}
	return nil
}

func (k *Kept) keep(one kept) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all = append(k.all, one); len(k.all) > k.Most {
		k.all = slices.Delete(k.all, 0, 1)
	}
}

// same reports whether two scenarios state the same, wherever that was written. Settings of Extend
// are the same as no others.
func (c *Scenario) same(o *Scenario) bool {
	if len(c.where) != len(o.where) {
		return false
	}
	for field := range c.where {
		if !o.given(field) {
			return false
		}
	}
	a, b := *c, *o
	a.where, b.where = nil, nil
	return reflect.DeepEqual(a, b)
}
