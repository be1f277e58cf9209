package tune

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/agents/search"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/run/parts"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// plan is a Config made real.
type plan struct {
	from  *parts.Catalogues
	cfg   *Config
	space search.Space
	on    schedenv.Config // of training
}

// prepare makes a Config real; found is its environment with the path at which its trace is. The
// error joins every fault.
func prepare(from *parts.Catalogues, c *Config, found string) (*plan, error) {
	p := &plan{from: from, cfg: c}
	errs := []error{c.validate(), p.environment(found)}
	e, _, err := from.Policies.Parse(c.Policy, cluster.BestFit)
	if c.Policy == "" {
		err = errors.New("no policy, expected --policy NAME or NAME:key=value,... (tarry list policies)")
	}
	errs = append(errs, at("policy", err))
	if c.Cost == ratioCost {
		_, _, bad := from.Policies.Parse(c.Against, cluster.BestFit)
		errs = append(errs, at("against", bad))
	}
	if len(c.Params) == 0 {
		errs = append(errs, at("params", fmt.Errorf("no parameter, expected NAME=LO:HI, NAME=LO:HI:log|int|logint "+
			"or NAME=A|B|C%s", has(&e, err))))
	}
	sound := err == nil
	for _, text := range c.Params {
		one, bad := search.ParseParam(text)
		name, _, _ := strings.Cut(text, "=")
		errs = append(errs, at("params."+name, bad))
		if sound = sound && bad == nil; bad == nil {
			p.space = append(p.space, one)
		}
	}
	if err == nil {
		bad := p.names(&e)
		errs = append(errs, bad)
		sound = sound && bad == nil
	}
	if len(p.space) > 0 {
		bad := p.space.Validate()
		errs = append(errs, at("params", bad))
		sound = sound && bad == nil
	}
	on := p.search()
	if sound && len(p.space) > 0 {
		errs = append(errs, p.ranges())
	} else { // the optimiser's own settings can be read over any space
		on.Space, on.Budget, on.Windows = search.Space{{Name: "x", Hi: 1}}, max(1, c.Budget), max(1, c.Windows)
	}
	_, err = from.Optimisers.Open(c.Optimiser, on, nil)
	return p, unique(append(errs, at("optimiser", err)))
}

// search is what the optimiser receives.
func (p *plan) search() search.Config {
	return search.Config{Space: p.space, Budget: p.cfg.Budget, Windows: p.cfg.Windows,
		Source: rng.Source{Seed: p.cfg.Seed, Experiment: "tune"}}
}

// environment reads where the windows come from.
func (p *plan) environment(found string) error {
	if found == "" {
		return at("env", errors.New("no environment, expected ID or ID:key=value,... of one over the simulator "+
			"(tarry list envs)"))
	}
	e, err := p.from.Envs.Make(p.from.Catalogues, found)
	if err != nil {
		return at("env", err)
	}
	on, ok := env.Find[schedenv.Simulated](e)
	if !ok {
		return errors.Join(at("env", fmt.Errorf("environment %q has no cluster, expected one over the simulator "+
			"(tarry list envs)", found)), e.Close())
	}
	if p.on = on.Config(); len(p.on.Regimes) > 0 {
		return errors.Join(at("env", fmt.Errorf("environment %q is a mixture of %d scenarios, expected one: "+
			"scenario=FILE", found, len(p.on.Regimes))), e.Close())
	}
	if p.on.Part != schedenv.Train {
		err = at("env", fmt.Errorf("environment %q: part is %s, expected %s: tuning may see no other windows", found,
			p.on.Part, schedenv.Train))
	}
	for _, f := range []struct {
		field string
		part  schedenv.Part
		want  int
	}{{"windows", schedenv.Train, p.cfg.Windows}, {"validation_windows", schedenv.Validation, p.cfg.Validation}} {
		if n := p.on.Source.Windows(f.part); f.want > n {
			err = errors.Join(err, at(f.field, fmt.Errorf("%d windows of %s, expected at most %d: that is what the "+
				"environment has", f.want, f.part, n)))
		}
	}
	return errors.Join(err, e.Close())
}

// known lists a policy's parameters where text, key=value,..., is given.
func known(e *entry.Policy, text string) []string {
	var out []string
	for _, one := range e.SettingsOf(text) {
		out = append(out, one.Key)
	}
	return out
}

// has lists a policy's parameters for an error.
func has(e *entry.Policy, err error) string {
	if err != nil || len(known(e, "")) == 0 {
		return ""
	}
	return fmt.Sprintf("; policy %s has %s", e.Name, strings.Join(known(e, ""), ", "))
}

// names checks the parameters' names against the policy's.
func (p *plan) names(e *entry.Policy) error {
	var errs []error
	_, text, _ := strings.Cut(p.cfg.Policy, ":")
	fixed := param.Parse("", text)
	all := known(e, p.given(text))
	members := map[string]int{}
	for _, one := range p.space {
		name, member, list := strings.Cut(one.Name, "/")
		if list {
			if k, err := strconv.Atoi(member); err != nil || k != members[name] {
				errs = append(errs, at("params."+one.Name, fmt.Errorf(
					"parameter %s: expected %s/%d: the members of a list are given in order, from 0", one.Name, name,
					members[name])))
			}
			members[name]++
		}
		switch {
		case len(all) == 0:
			errs = append(errs, at("params."+one.Name, fmt.Errorf("policy %s has no parameter to tune, %s is not one",
				e.Name, name)))
		case !slices.Contains(all, name):
			errs = append(errs, at("params."+one.Name, fmt.Errorf(
				"policy %s has no parameter %q, expected one of %s%s", e.Name, name, strings.Join(all, ", "),
				param.Hint(name, all))))
		case fixed.Has(name):
			errs = append(errs, at("params."+one.Name, fmt.Errorf("parameter %s is set in policy %q, expected it in "+
				"one place", name, p.cfg.Policy)))
		}
	}
	return errors.Join(errs...)
}

// given is the text of the policy's settings with a value for each parameter that it does not give.
func (p *plan) given(text string) string {
	parts := param.Split(text)
	low := make([]float64, len(p.space))
	for _, part := range strings.Split(p.settings(low), ",") {
		if name, _, _ := strings.Cut(part, "="); !param.Parse("", text).Has(name) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ",")
}

// settings is a point as the policy reads it.
func (p *plan) settings(x []float64) string {
	values := p.space.Texts(x)
	var out []string
	at := map[string]int{}
	for i, one := range p.space {
		name, _, list := strings.Cut(one.Name, "/")
		if k, there := at[name]; list && there {
			out[k] += "/" + values[i]
			continue
		}
		at[name] = len(out)
		out = append(out, name+"="+values[i])
	}
	return strings.Join(out, ",")
}

// spec is the policy with a point.
func (p *plan) spec(x []float64) string {
	sep := ":"
	if strings.Contains(p.cfg.Policy, ":") {
		sep = ","
	}
	return p.cfg.Policy + sep + p.settings(x)
}

// ranges asks the policy whether it takes the ends of each range, the others in the middle. A list
// is asked as a whole: its members may depend on each other.
func (p *plan) ranges() error {
	var errs []error
	for i, one := range p.space {
		name, _, list := strings.Cut(one.Name, "/")
		ends := []float64{0, 1}
		if one.Kind == search.Choice {
			ends = ends[:0]
			for k := range one.Choices {
				ends = append(ends, one.Coordinate(float64(k)))
			}
		}
		var bad []error
		for _, u := range ends {
			x := make([]float64, len(p.space))
			for k := range x {
				if x[k] = 0.5; k == i || list && strings.HasPrefix(p.space[k].Name, name+"/") {
					x[k] = u
				}
			}
			if _, err := p.policy(p.spec(x)); err != nil {
				bad = append(bad, fmt.Errorf("parameter %s at %s: %w", one.Name, one.Text(u), err))
			}
		}
		if !list || len(bad) == len(ends) {
			errs = append(errs, at("params."+one.Name, errors.Join(bad...)))
		}
	}
	return errors.Join(errs...)
}

// policy makes the factory of a policy; an error states that it refuses its settings.
func (p *plan) policy(spec string) (func() (sim.Policy, error), error) {
	_, fresh, err := p.from.Policies.Parse(spec, cluster.BestFit)
	return fresh, err
}
