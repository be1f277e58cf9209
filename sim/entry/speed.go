package entry

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/param"
	"tarry/sim/preset"
)

// SpeedEnv is what a speed model is built from.
type SpeedEnv struct {
	// Topology is the cluster; required.
	Topology *cluster.Topology
	// Fabric is its network; used by collective and contended.
	Fabric network.Fabric
	// Models are the profiles to look up; nil = the built-in catalogue.
	Models *models.Set
	// DefaultModel stands in for unknown models; "" = they are errors. The option model= overrides
	// it.
	DefaultModel string
	// Types are the speeds of GPU types; nil = all equal.
	Types GPUTypes
	// Once gives what open made for this key before, so that the models of many runs share a table;
	// nil = open is called each time.
	Once func(key string, open func() (any, error)) (any, error)
}

// Speed is one speed model of a catalogue.
type Speed struct {
	// Name is what users write before the colon.
	Name string
	// Form is how it is written with its options, without spaces: "name[:key=V]".
	Form string
	// Doc is one line on what it does; Params has one line per option: key, meaning. ""
	// = it has none.
	Doc, Params string
	// First is the key of an option that stands first and without its key, as the file in
	// table:FILE; "" = there is none.
	First string
	// ByModel states that a job's speed depends on its model, so that jobs without one need one.
	ByModel bool
	// ByType states that the model has speeds of GPU types itself: the speeds that a cluster
	// gives them are not used.
	ByType bool
	// OneType states that its table was measured on one type of GPUs and that gpu_speed does not
	// reach it: all types of a cluster are as fast.
	OneType bool
	// Learns reports that its rates include the progress of samples in larger batches:
	// Scenario.Efficiency is refused.
	Learns bool
	// Pairs states that its rates count already who else is on a job's GPUs: Scenario.Interference
	// is refused.
	Pairs bool
	// New reads the options and builds the model. It gets a usable value for each option that is
	// wrong, and need not ask for the set's faults; the error joins all others.
	New func(options *param.Set, env SpeedEnv) (sim.SpeedModel, error)
}

// Settings lists the options that the speed model reads, in the order of Params, with the ranges
// and defaults of the code that reads them.
func (k *Speed) Settings() []param.Setting {
	return optionsOf(k.Params, func(s *param.Set, env SpeedEnv) { _, _ = k.New(s, env) })
}

// optionsOf lists the options that a maker asks for on a small cluster. A maker that needs a file
// has read its options before it fails.
func optionsOf(help string, make func(s *param.Set, env SpeedEnv)) []param.Setting {
	small, err := preset.Lookup("1x1x2")
	if err != nil {
		return nil
	}
	topo, err := cluster.New(small.Spec)
	if err != nil {
		return nil
	}
	s := param.Parse("", "")
	make(s, SpeedEnv{Topology: topo, Fabric: small.Fabric, Models: models.NewSet(models.Catalogue()...)})
	return param.Ordered(s.Settings(), help)
}

// Speeds lists speed models in the order in which they are shown. catalogue/speeds has what tarry
// ships; a program may append its own.
type Speeds []Speed

// Find gives the speed model that NAME or NAME:options names; false when there is none.
func (c Speeds) Find(spec string) (Speed, bool) {
	name, _, _ := strings.Cut(spec, ":")
	for _, k := range c {
		if k.Name == name {
			return k, true
		}
	}
	return Speed{}, false
}

// Parse builds the speed model that NAME or NAME:options names. The error joins every fault of the
// options.
func (c Speeds) Parse(spec string, env SpeedEnv) (sim.SpeedModel, error) {
	if env.Topology == nil {
		return nil, errors.New("speed model: no topology, expected a cluster")
	}
	if env.Models == nil {
		env.Models = models.NewSet(models.Catalogue()...)
	}
	what := fmt.Sprintf("speed model %q", spec)
	name, text, _ := strings.Cut(spec, ":")
	kind, ok := c.Find(spec)
	if !ok {
		names := make([]string, len(c))
		for i, k := range c {
			names[i] = k.Name
		}
		return nil, fmt.Errorf("%s: unknown kind %q, expected one of %s%s", what, name, strings.Join(names, ", "),
			param.Hint(name, names))
	}
	options := param.Parse(what, kind.spell(text))
	m, err := kind.New(options, env)
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	if err = errors.Join(options.Err(), err); err != nil {
		return nil, err
	}
	return m, nil
}

// spell gives the option that stands first its key.
func (k *Speed) spell(options string) string {
	if k.First == "" || options == "" {
		return options
	}
	return k.First + "=" + options
}

// GPUTypes gives GPU types a speed relative to the reference type; a type that is not
// listed has 1. A job runs at the pace of its slowest GPU.
type GPUTypes map[string]float64

// Validate reports every speed that is not a number > 0.
func (ts GPUTypes) Validate() error {
	for name, v := range ts {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("speed of GPU type %q is %v, expected a number > 0", name, v)
		}
	}
	return nil
}
