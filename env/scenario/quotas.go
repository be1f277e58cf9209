package scenario

import (
	"errors"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/sim/setting"
	"tarry/sim/tenant"
	"tarry/traces/priority"
	"tarry/traces/quota"
)

// quotaRow is the setting of who owns what.
func (c *Scenario) quotaRow() setting.Row {
	return setting.Row{Key: "quotas", Group: setting.Tenants,
		Page: "reference/tenants.md", Flag: "quotas", To: &c.Quotas, Empty: "none", Paths: true,
		Meta: "QUOTAS",
		Doc:  "who owns which part of the cluster", Forms: quota.Forms, See: "quotas", Choices: namesOf(quota.Doc),
		List: "quotas", ListDoc: "the forms and keys of --quotas: who owns which part of the cluster"}
}

// priorityRow is the setting of the priority classes.
func (c *Scenario) priorityRow() setting.Row {
	return setting.Row{Key: "priorities", Group: setting.Tenants,
		Page: "reference/tenants.md", Flag: "priorities", To: &c.Priorities, Empty: "none",
		Meta:  "CLASSES",
		Words: []string{"none"},
		Doc:   "priority classes of the jobs", Forms: priority.Forms}
}

// buildQuotas reads who owns what.
func (s *Setup) buildQuotas() (_ layerOf, err error) {
	c := &s.Scenario
	if s.quotas, err = quota.Parse(c.Quotas, func() ([]tenant.Tenant, error) {
		_, path := TraceFile(s.from.Traces, c.Trace)
		if path == "" {
			return nil, errors.New("the jobs are generated and come with no quotas, expected demand, equal or a file")
		}
		rows, _, err := quota.ReadTrace(path)
		return rows, err
	}); err != nil {
		return nil, wrong("quotas", "%w", err)
	}
	return nil, nil
}

// buildPriorities reads the classes of priority.
func (s *Setup) buildPriorities() (_ layerOf, err error) {
	if s.classes, err = priority.Parse(s.Scenario.Priorities); err != nil {
		return nil, wrong("priorities", "%w", err)
	}
	return nil, nil
}

// Owned reports whether the scenario states who owns which part of the cluster.
func (s *Setup) Owned() bool { return s.quotas != nil }

// Tenants reports who owns which part of the cluster when the jobs of a workload run on it; nil
// where the scenario does not state them.
func (s *Setup) Tenants(w *sim.Workload) (*tenant.Set, error) {
	if s.quotas == nil {
		return nil, nil
	}
	set, err := s.quotas.Of(w, s.Topology)
	if err != nil {
		return nil, s.Scenario.Located(wrong("quotas", "%w", err))
	}
	return set, nil
}

// prioritise gives jobs the priorities of the scenario: the priorities of the law, and of tenants
// where a job has none.
func (s *Setup) prioritise(w *sim.Workload, draws rng.Source) (*sim.Workload, error) {
	if s.classes != nil {
		var err error
		if w, err = s.classes.Apply(w, draws); err != nil {
			return nil, err
		}
	}
	set, err := s.Tenants(w)
	if err != nil || set == nil {
		return w, err
	}
	return quota.Priorities(w, set)
}

// quotaFiles lists the files of ownership.
func (s *Setup) quotaFiles() []string { return quotaFiles(s.from, &s.Scenario) }

func quotaFiles(from Catalogues, c *Scenario) []string {
	if quota.OfTrace(c.Quotas) {
		if _, path := TraceFile(from.Traces, c.Trace); path != "" {
			if _, file, _ := quota.ReadTrace(path); file != "" {
				return []string{file}
			}
		}
		return nil
	}
	return quota.Files(c.Quotas)
}
