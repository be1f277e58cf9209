package variability

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/tabular"
)

// read reads a file of factors: columns factor, gpu or machine, and perhaps class. A GPU that it
// does not name has factor 1.
func (f *Factors) read(file string, t *cluster.Topology) error {
	unit, last := "gpu", t.GPUs()-1
	type key struct{ class, at int }
	seen := map[key]bool{}
	return tabular.Each(file, func(columns []string) error {
		gpu, machine := slices.Contains(columns, "gpu"), slices.Contains(columns, "machine")
		if gpu == machine {
			return fmt.Errorf("%s:1: expected exactly one of the columns \"gpu\" and \"machine\"", file)
		}
		if machine {
			unit, last = "machine", t.Machines()-1
		}
		return nil
	}, func(r *tabular.Row) {
		at := int(r.Count(unit, 0, int64(last)))
		factor := r.Float("factor", 0, true)
		if factor > 1e6 {
			r.Reject("factor", "at most 1e6")
		}
		if len(r.Faults()) > 0 {
			return
		}
		c := f.class(strings.Clone(r.Text("class")), t)
		if seen[key{c, at}] {
			r.Rejectf("%s %d has a factor of class %q already", unit, at, f.classes[c])
		}
		seen[key{c, at}] = true
		lo, hi := cluster.GPU(at), cluster.GPU(at+1)
		if unit == "machine" {
			lo, hi = t.MachineGPUs(at)
		}
		for g := lo; g < hi; g++ {
			f.of[c][g] = factor
		}
	}, "factor")
}

// readClasses reads which class a model is of.
func (f *Factors) readClasses(file string) error {
	return tabular.Each(file, nil, func(r *tabular.Row) {
		model, class := strings.ToLower(r.Text("model")), r.Text("class")
		c := slices.Index(f.classes, class)
		if c < 0 {
			r.Reject("class", "one of "+strings.Join(f.classes, ", "))
		}
		if old, twice := f.byModel[model]; twice && old != c {
			r.Reject("model", "each model in one class")
		}
		f.byModel[strings.Clone(model)] = max(c, 0)
	}, "model", "class")
}
