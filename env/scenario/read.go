package scenario

import (
	"slices"
	"strings"

	"tarry/sim/param"
	"tarry/sim/setting"
)

// Flat is Settings with the windows' settings beside the others, as environments have them, and not
// inside of cuts.
func (c *Scenario) Flat() []setting.Row {
	return append(c.Settings(), c.Cuts.Settings()...)
}

// ReadFile reads the scenario of a YAML file over c's present values. The error joins all faults of
// the file.
func (c *Scenario) ReadFile(path string) error {
	s, err := param.ReadYAML(path)
	if err != nil {
		return err
	}
	c.Read(s)
	return s.Err()
}

// Read takes the settings of a scenario from s over c's present values. Faults are noted in s; the
// caller may read keys of its own from it and then asks s.Err. The key scenario names a file, whose
// settings are overridden by s.
func (c *Scenario) Read(s *param.Set) {
	if path := s.Text("scenario", ""); path != "" {
		c.readInner(s, path)
	}
	c.mark(s)
	setting.Read(s, c.Settings())
}

// asked is the reader of a setting that Read has read before all others.
func asked(*param.Set) {}

// readInner reads the file that the key scenario names. One that is being read already would never
// end.
func (c *Scenario) readInner(s *param.Set, path string) {
	if slices.Contains(c.reading, path) || len(c.reading) >= maxNested {
		s.FaultAt("scenario", "scenario is %q, which is being read: %s; expected a file that does not lead back", path,
			strings.Join(append(c.reading, path), " -> "))
		return
	}
	c.reading = append(c.reading, path)
	each(c.ReadFile(path), func(one error) { s.FaultAt("scenario", "scenario: %w", one) })
	c.reading = c.reading[:len(c.reading)-1]
}

// ReadCuts takes the settings of Cuts.Settings from s over c's present values. A file has them in
// the mapping cuts, an
// environment also without that name.
func (c *Scenario) ReadCuts(s *param.Set) {
	c.mark(s)
	setting.Read(s, c.Cuts.Settings())
}

func (c *Scenario) mark(s *param.Set) {
	for _, key := range s.Keys() {
		c.Mark(key, s.Place(key).String())
	}
}

// readCluster reads a name or, in a file, a cluster as a mapping.
func (c *Scenario) readCluster(s *param.Set) {
	switch {
	case s.IsMapping("cluster"):
		c.Inline = readCluster(s.Child("cluster"))
	case s.Has("cluster"):
		c.Cluster, c.Inline = s.Text("cluster", c.Cluster), nil
	default:
		s.Text("cluster", c.Cluster)
	}
}

// setCluster takes a name.
func (c *Scenario) setCluster(name string) error {
	c.Cluster, c.Inline = name, nil
	return nil
}

// rule reads key=value,... or a mapping of the same keys. A text or a mapping replaces the rule;
// NAME.KEY changes one of its settings.
func rule(name string, to *string) func(s *param.Set) {
	return func(s *param.Set) {
		if !s.IsMapping(name) && !s.Dotted(name) {
			*to = s.Text(name, *to)
			return
		}
		in, rule := s.Child(name), ""
		if s.Dotted(name) {
			rule = *to
		}
		for _, key := range in.Keys() {
			rule = param.Override(rule, key+"="+param.Quote(in.Text(key, "")))
		}
		*to = rule
	}
}

// readCosts reads none, key=value,... or a mapping of the same keys. Costs that are given together
// replace all; costs.KEY replaces one.
func (c *Scenario) readCosts(s *param.Set) {
	if !s.IsMapping("costs") && s.Has("costs") {
		text := s.Text("costs", "")
		each(c.SetCosts(text), func(one error) { s.FaultAt("costs", "%w", one) })
		return
	}
	costs := s.Child("costs")
	if s.Has("costs") && !s.Dotted("costs") {
		c.readAllCosts(costs)
		return
	}
	setting.Read(costs, c.eachCost())
}

// parts lists the names of parts, the default first if there is one.
func parts(first Part) []string {
	all := []string{string(Train), string(Validation), string(Test)}
	if first == "" {
		return all
	}
	return append([]string{string(first)}, all...)
}
