package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/param"
)

// readSpeeds reads the speed of each type: a number, or one per model and other for the rest. Types
// are the cluster's, in upper or lower case.
func readSpeeds(g *param.Set, c *ClusterSpec) {
	const other = "other"
	c.Speeds = map[string]float64{}
	for _, key := range g.Keys() {
		typ, ok := c.typeNamed(key)
		if !ok {
			expected := "machines with a type"
			if len(c.types()) > 0 {
				expected = "one of " + strings.Join(c.types(), ", ") + param.Hint(key, c.types())
			}
			g.FaultAt(key, "gpu_speed.%s: the cluster has no GPUs of this type, expected %s", key, expected)
		}
		if _, twice := c.Speeds[typ]; twice {
			g.FaultAt(key, "gpu_speed.%s: the type is named twice, in upper and lower case", key)
		}
		if !g.IsMapping(key) {
			c.Speeds[typ] = g.Float(key, 1, 1e-6, 1e6)
			continue
		}
		of := g.Child(key)
		c.Speeds[typ] = of.Float(other, 1, 1e-6, 1e6)
		for _, model := range of.Keys() {
			if model == other {
				continue
			}
			if c.ModelSpeeds == nil {
				c.ModelSpeeds = map[string]map[string]float64{}
			}
			if c.ModelSpeeds[model] == nil {
				c.ModelSpeeds[model] = map[string]float64{}
			}
			c.ModelSpeeds[model][typ] = of.Float(model, 1, 1e-6, 1e6)
		}
	}
}

// types lists the names of the cluster's GPU types, each as it stands first.
func (c *ClusterSpec) types() (out []string) {
	for _, rack := range c.Spec.Racks {
		for _, m := range rack {
			if m.Type != "" && !slices.ContainsFunc(out, func(o string) bool { return cluster.SameType(o, m.Type) }) {
				out = append(out, m.Type)
			}
		}
	}
	return out
}

// typeNamed gives a type as the cluster spells it, and whether it has it.
func (c *ClusterSpec) typeNamed(name string) (string, bool) {
	for _, typ := range c.types() {
		if cluster.SameType(typ, name) {
			return typ, true
		}
	}
	return name, false
}

// noteTypes remarks which types run at the speed of the reference because nothing states how fast
// they are.
func (s *Setup) noteTypes() {
	kind, _ := s.from.Speeds.Find(s.Scenario.Speed)
	types := s.Topology.Types()
	if kind.ByType || len(types) < 2 {
		return
	}
	if kind.OneType && len(s.Cluster.ModelSpeeds) == 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("gpu types: %s was measured on one type, and gpu_speed does not "+
			"change it: %s are equally fast", kind.Name, strings.Join(types, ", ")))
		return
	}
	var silent []string
	for _, typ := range types {
		if _, ok := s.Cluster.Speeds[typ]; !ok && typ != "" {
			silent = append(silent, typ)
		}
	}
	if len(silent) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("gpu types: no gpu_speed is given for %s: as fast as the reference type",
			strings.Join(silent, ", ")))
	}
}

// modelsOf are the models of a source's jobs; the models of generated jobs are the models of the
// profiles.
func modelsOf(src Source) map[string]bool {
	out := map[string]bool{}
	if of, ok := src.(Listed); ok {
		for _, p := range []Part{Train, Validation, Test} {
			for _, j := range of.Jobs(p).Jobs {
				out[j.Model] = true
			}
		}
	}
	return out
}

// CheckSpeeds reports models of gpu_speed that neither the profiles nor the jobs have; has is of
// the jobs' models.
func (s *Setup) CheckSpeeds(jobs map[string]bool) error {
	var errs []error
	known := map[string]bool{}
	for name := range jobs {
		known[models.Key(name)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(s.Cluster.ModelSpeeds)) {
		if _, err := s.models.Lookup(name); err != nil && !known[models.Key(name)] {
			errs = append(errs, wrong("cluster", "cluster %q: gpu_speed: %w", s.Cluster.Name, err))
		}
	}
	return errors.Join(errs...)
}
