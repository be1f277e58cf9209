package speed

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/param"
)

// Env is what a speed model is built from.
type Env struct {
	// Topology is the cluster; required.
	Topology *cluster.Topology
	// Fabric is its network; used by collective and contended.
	Fabric network.Fabric
	// Models are the profiles to look up; nil = the built-in catalogue.
	Models *models.Set
	// DefaultModel stands in for unknown models; "" = they are errors. The option model= overrides it.
	DefaultModel string
	// Types are the speeds of GPU types; nil = all equal.
	Types Types
}

// Kind is one speed model of a catalogue.
type Kind struct {
	// Name is what users write before the colon.
	Name string
	// Usage is how it is written with its options, then, after spaces, what they mean: "name[:key=V]   what V is".
	Usage string
	// ByModel says that a job's speed depends on its model, so that jobs without one need one.
	ByModel bool
	// New builds it. options is what stands after the colon; the error joins every fault.
	New func(options string, env Env) (sim.SpeedModel, error)
}

// Catalogue lists speed models in the order in which they are shown. All gives those that tarry ships; a program may append
// its own.
type Catalogue []Kind

// All lists the speed models that tarry ships.
func All() Catalogue {
	return Catalogue{
		{Name: "counting", Usage: "counting", New: newCounting},
		{Name: "tiers", Usage: "tiers[:slot=S,machine=S,rack=S,network=S]        slowdowns >= 1", New: newTiers},
		{Name: "table", Usage: "table:FILE[,fallback=collective]", ByModel: true, New: newTable},
		{Name: "collective", Usage: "collective[:model=NAME]                          NAME stands in for unknown models", ByModel: true, New: newCollective},
		{Name: "contended", Usage: "contended[:rack=P,network=P,duty=true,model=NAME] background congestion, 0 <= P < 1", ByModel: true, New: newContended},
	}
}

// Find gives the speed model that NAME or NAME:options names; false when there is none.
func (c Catalogue) Find(spec string) (Kind, bool) {
	name, _, _ := strings.Cut(spec, ":")
	for _, k := range c {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// Parse builds the speed model that NAME or NAME:options names.
func (c Catalogue) Parse(spec string, env Env) (sim.SpeedModel, error) {
	if env.Topology == nil {
		return nil, errors.New("speed model: no topology, expected a cluster")
	}
	if env.Models == nil {
		env.Models = models.NewSet(models.Catalogue()...)
	}
	name, options, _ := strings.Cut(spec, ":")
	kind, ok := c.Find(spec)
	if !ok {
		names := make([]string, len(c))
		for i, k := range c {
			names[i] = k.Name
		}
		return nil, fmt.Errorf("speed model %q: unknown kind %q, expected one of %s", spec, name, strings.Join(names, ", "))
	}
	m, err := kind.New(options, env)
	if err != nil {
		return nil, fmt.Errorf("speed model %q: %w", spec, err)
	}
	return m, nil
}

func newCounting(rest string, env Env) (sim.SpeedModel, error) {
	o, err := parseOptions(rest)
	if err := errors.Join(err, o.unused(), env.Types.Validate()); err != nil {
		return nil, err
	}
	return NewCounting(env.Topology, env.Types), nil
}

func newCollective(rest string, env Env) (sim.SpeedModel, error) {
	o, err := parseOptions(rest)
	other := o.text("model", env.DefaultModel)
	if err := errors.Join(err, o.unused()); err != nil {
		return nil, err
	}
	return NewCollective(env.Topology, env.Fabric, env.Models, other, env.Types)
}

func newContended(rest string, env Env) (sim.SpeedModel, error) {
	o, err := parseOptions(rest)
	cfg := Contention{}
	err = errors.Join(err, o.number("rack", &cfg.Rack), o.number("network", &cfg.Network), o.flag("duty", &cfg.Duty))
	other := o.text("model", env.DefaultModel)
	if err := errors.Join(err, o.unused()); err != nil {
		return nil, err
	}
	return NewContended(env.Topology, env.Fabric, env.Models, other, cfg, env.Types)
}

func newTiers(rest string, env Env) (sim.SpeedModel, error) {
	o, err := parseOptions(rest)
	s := DefaultSlowdowns()
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		err = errors.Join(err, o.number(l.String(), &s[l]))
	}
	if err := errors.Join(err, o.unused()); err != nil {
		return nil, err
	}
	return NewTiers(env.Topology, s, nil, env.Types)
}

func newTable(rest string, env Env) (sim.SpeedModel, error) {
	file, opts, _ := strings.Cut(rest, ",")
	o, err := parseOptions(opts)
	if file == "" {
		err = errors.Join(errors.New("no file, expected table:FILE"), err)
	}
	back := o.text("fallback", "")
	if back != "" && back != "collective" {
		err = errors.Join(err, fmt.Errorf("fallback is %q, expected collective", back))
	}
	if err := errors.Join(err, o.unused()); err != nil {
		return nil, err
	}
	var fallback sim.SpeedModel
	if back != "" {
		c, err := NewCollective(env.Topology, env.Fabric, env.Models, env.DefaultModel, env.Types)
		if err != nil {
			return nil, err
		}
		fallback = c
	}
	return OpenTable(file, env.Topology, fallback, env.Types)
}

// options are name=value pairs; what is read is taken out.
type options map[string]string

func parseOptions(s string) (options, error) {
	o := options{}
	if s == "" {
		return o, nil
	}
	var errs []error
	last := ""
	for _, part := range strings.Split(s, ",") {
		if comma := param.DecimalComma(last, o[last], part); comma != nil {
			errs = append(errs, fmt.Errorf("option %w", comma))
			continue
		}
		k, v, ok := strings.Cut(part, "=")
		if !ok || k == "" || v == "" {
			errs = append(errs, fmt.Errorf("option %q, expected name=value", part))
			continue
		}
		if _, dup := o[k]; dup {
			errs = append(errs, fmt.Errorf("option %q appears twice", k))
		}
		o[k], last = v, k
	}
	return o, errors.Join(errs...)
}

func (o options) text(k, other string) string {
	v, ok := o[k]
	delete(o, k)
	if !ok {
		return other
	}
	return v
}

func (o options) number(k string, to *float64) error {
	v, ok := o[k]
	delete(o, k)
	if !ok {
		return nil
	}
	f, err := param.ParseFloat(v)
	if err != nil {
		return fmt.Errorf("option %s is %q, expected a number", k, v)
	}
	*to = f
	return nil
}

func (o options) flag(k string, to *bool) error {
	v, ok := o[k]
	delete(o, k)
	if !ok {
		return nil
	}
	if v != "true" && v != "false" {
		return fmt.Errorf("option %s is %q, expected true or false", k, v)
	}
	*to = v == "true"
	return nil
}

func (o options) unused() error {
	var names []string
	for k := range o {
		names = append(names, strconv.Quote(k))
	}
	if len(names) == 0 {
		return nil
	}
	sort.Strings(names)
	return fmt.Errorf("unknown option %s", strings.Join(names, ", "))
}
