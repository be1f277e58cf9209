package schedenv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
)

// baseDally is the base policy where none is given.
const baseDally = "dally"

// ReadBase reads the option base, NAME or NAME:key=value,..., of an environment that can steer
// policies with some hook: fits accepts these, and hook names what they have. A lease that is not
// given is the environment's.
func (c *Config) ReadBase(s *param.Set, hook string, fits func(sim.Policy) bool) {
	name := s.Text("base", baseDally)
	if name == baseDally {
		return
	}
	_, fresh, err := c.inLeases(name)
	var p sim.Policy
	if err == nil {
		p, err = fresh()
	}
	switch {
	case err != nil:
		s.Fault("base: %v", err)
	case !fits(p):
		s.Fault("%v", c.unfit(name, hook, fits))
	default:
		c.Base, c.BaseName = fresh, name
	}
}

// NewBase makes the base policy, Dally where no other was read; fits accepts the policies that the
// environment can steer, and hook names what they have, as in ReadBase.
func (c *Config) NewBase(hook string, fits func(sim.Policy) bool) (sim.Policy, error) {
	if c.Base == nil {
		return dally.NewPolicy(c.Dally, nil), nil
	}
	p, err := c.Base()
	if err != nil {
		return nil, fmt.Errorf("base %s: %w", c.BaseName, err)
	}
	if !fits(p) {
		return nil, fmt.Errorf("base is %s, expected a policy with %s", c.BaseName, hook)
	}
	return p, nil
}

// inLeases parses a policy; a lease that is not given is the environment's.
func (c *Config) inLeases(name string) (entry.Policy, func() (sim.Policy, error), error) {
	of, fresh, err := c.Policies.Parse(name, cluster.BestFit)
	if err != nil || !hasLease(&of) {
		return of, fresh, err
	}
	_, settings, _ := strings.Cut(name, ":")
	if param.Parse("", settings).Has("lease") {
		return of, fresh, nil
	}
	return c.Policies.Parse(of.Name+":"+param.Override(settings,
		"lease="+strconv.FormatFloat(c.Dally.LeaseS, 'g', -1, 64)), cluster.BestFit)
}

// unfit reports which policies an environment can steer.
func (c *Config) unfit(name, hook string, fits func(sim.Policy) bool) error {
	var can []string
	for _, e := range c.Policies {
		if _, fresh, err := c.Policies.Parse(e.Name, cluster.BestFit); err == nil {
			if p, err := fresh(); err == nil && fits(p) {
				can = append(can, e.Name)
			}
		}
	}
	return fmt.Errorf("base is %s, expected a policy with %s: %s", name, hook, strings.Join(can, ", "))
}

func hasLease(e *entry.Policy) bool {
	return slices.ContainsFunc(e.Settings(), func(s param.Setting) bool { return s.Key == "lease" })
}
