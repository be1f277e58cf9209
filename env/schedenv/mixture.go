package schedenv

import (
	"fmt"

	"tarry/env/scenario"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// MixtureRow declares the option mixture, whose files to gets.
func MixtureRow(to *[]string) setting.Row {
	return setting.Row{Key: "mixture", To: to, Doc: "YAML FILES of scenarios, joined by +, in place of scenario: each " +
		"episode draws one of them, with a window of its jobs; settings beside it hold for all"}
}

// ReadMixture reads the option mixture into c, which is returned as it is where there is none. The
// scenarios have one lease; hardware, network, costs, faults, jobs, warm-up and horizon are each
// one's own. Where the base policy has the warm-up (Config.WarmBase), that is one for all, too.
func ReadMixture(s *param.Set, known scenario.Catalogues, c Config) Config {
	var files []string
	if setting.Read(s, []setting.Row{MixtureRow(&files)}); len(files) == 0 {
		return c
	}
	if s.Has("scenario") {
		s.FaultAt("mixture", "mixture and scenario are both given, expected one of them")
		return c
	}
	plain, regimes := c, []Config(nil)
	var source scenario.Mixed
	for _, path := range files {
		one := plain
		from := Defaults()
		if err := from.ReadFile(path); err != nil {
			s.FaultAt("mixture", "mixture: %w", err)
			continue
		}
		one.readScenario(s, known, from)
		if len(regimes) == 0 {
			c = one
		} else if one.Dally.LeaseS != c.Dally.LeaseS {
			s.FaultAt("mixture", "mixture: %s has lease_s of %v s, expected the value of %s: %v s", path, one.Dally.LeaseS,
				files[0], c.Dally.LeaseS)
		}
		regimes = append(regimes, one)
		if one.Source != nil {
			source = append(source, one.Source)
		}
	}
	if c.Regimes = regimes; len(source) == len(files) {
		c.Source, c.TraceSHA256 = source, ""
	}
	return c
}

// Of gives the scenario of a window and its number there: c itself, unless it is a mixture.
func (c *Config) Of(window int) (*Config, int) {
	if n := len(c.Regimes); n > 0 {
		return &c.Regimes[window%n], window / n
	}
	return c, window
}

// checkMixture reports what the scenarios of a mixture lack.
func (c *Config) checkMixture() []error {
	var errs []error
	for i := range c.Regimes {
		r := &c.Regimes[i]
		if len(r.Regimes) > 0 {
			errs = append(errs, fmt.Errorf("scenario %d of the mixture is a mixture, expected a single one", i))
		}
		if r.Topology == nil || r.Speed == nil || r.Source == nil {
			errs = append(errs, fmt.Errorf("scenario %d of the mixture has no topology, speed model or source", i))
		}
		if c.WarmBase && r.Warm != c.Warm {
			errs = append(errs, fmt.Errorf("scenario %d of the mixture has a warm-up of %v, expected the %v of the first: "+
				"with warmup=base the base policy has one warm-up in all", i, r.Warm, c.Warm))
		}
	}
	return errs
}
