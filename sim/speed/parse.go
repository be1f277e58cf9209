package speed

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/param"
	"tarry/sim/preset"
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
	// Form is how it is written with its options, without spaces: "name[:key=V]".
	Form string
	// Doc is one line on what it does; Params has one line per option: key, meaning, (default). "" = it has none.
	Doc, Params string
	// First is the key of an option that stands first and without its key, as the file in table:FILE; "" = there is none.
	First string
	// ByModel says that a job's speed depends on its model, so that jobs without one need one.
	ByModel bool
	// New reads the options and builds the model. It gets a usable value for each option that is wrong, and need not ask for the
	// set's faults; the error joins all others.
	New func(options *param.Set, env Env) (sim.SpeedModel, error)
}

// Settings lists the options that the speed model reads, in the order of Params, with the ranges and defaults of the code that
// reads them.
func (k *Kind) Settings() []param.Setting {
	small, err := preset.Lookup("1x1x2")
	if err != nil {
		return nil
	}
	topo, err := cluster.New(small.Spec)
	if err != nil {
		return nil
	}
	s := param.Parse("", "")
	_, _ = k.New(s, Env{Topology: topo, Fabric: small.Fabric, Models: models.NewSet(models.Catalogue()...)}) // one that needs a file has read its options by then
	all := s.Settings()
	line := func(a param.Setting) int { return strings.Index("\n"+k.Params, "\n"+a.Key+" ") }
	slices.SortStableFunc(all, func(a, b param.Setting) int { return line(a) - line(b) })
	return all
}

// Catalogue lists speed models in the order in which they are shown. All gives those that tarry ships; a program may append
// its own.
type Catalogue []Kind

// All lists the speed models that tarry ships.
func All() Catalogue {
	const model = "model    the profile that stands in for models without one; without it they are errors ()"
	return Catalogue{
		{Name: "counting", Form: "counting", Doc: "the number of GPUs, wherever they are", New: newCounting},
		{Name: "tiers", Form: "tiers[:slot=S,machine=S,rack=S,network=S]", Doc: "one slowdown for each level that an allocation spans", New: newTiers,
			Params: "slot     slowdown of an iteration within a slot, times its compute (1)\nmachine  across the slots of a machine (1)\n" +
				"rack     across the machines of a rack (1.2)\nnetwork  across racks (1.5)"},
		{Name: "table", Form: "table:FILE[,fallback=collective]", Doc: "compute fractions by model and shape, read from a CSV file", ByModel: true, First: "file", New: newTable,
			Params: "file      the CSV file; it stands first, without file= ()\nfallback  collective answers for shapes that the file lacks; without it they are errors ()"},
		{Name: "collective", Form: "collective[:model=NAME]", Doc: "layer by layer: compute overlaps the collectives of the gradients", ByModel: true, New: newCollective, Params: model},
		{Name: "contended", Form: "contended[:rack=P,network=P,duty=true,model=NAME]", Doc: "collective with links that jobs share", ByModel: true, New: newContended,
			Params: "rack     part of the rack's links that other traffic takes, 0 <= P < 1 (0)\nnetwork  the same of the network between racks (0)\n" +
				"duty     true: a job takes of a link only the part of the time in which it communicates (false)\n" + model},
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

// Parse builds the speed model that NAME or NAME:options names. The error joins every fault of the options.
func (c Catalogue) Parse(spec string, env Env) (sim.SpeedModel, error) {
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
		return nil, fmt.Errorf("%s: unknown kind %q, expected one of %s%s", what, name, strings.Join(names, ", "), param.Hint(name, names))
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
func (k *Kind) spell(options string) string {
	if k.First == "" || options == "" {
		return options
	}
	return k.First + "=" + options
}

func newCounting(_ *param.Set, env Env) (sim.SpeedModel, error) {
	return NewCounting(env.Topology, env.Types), env.Types.Validate()
}

func newCollective(s *param.Set, env Env) (sim.SpeedModel, error) {
	return NewCollective(env.Topology, env.Fabric, env.Models, s.Text("model", env.DefaultModel), env.Types)
}

func newContended(s *param.Set, env Env) (sim.SpeedModel, error) {
	c := Contention{Rack: s.Float("rack", 0, 0, 1), Network: s.Float("network", 0, 0, 1), Duty: s.Bool("duty", false)}
	return NewContended(env.Topology, env.Fabric, env.Models, s.Text("model", env.DefaultModel), c, env.Types)
}

func newTiers(s *param.Set, env Env) (sim.SpeedModel, error) {
	slow := DefaultSlowdowns()
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		slow[l] = s.Float(l.String(), slow[l], 1, math.MaxFloat64)
	}
	return NewTiers(env.Topology, slow, nil, env.Types)
}

func newTable(s *param.Set, env Env) (sim.SpeedModel, error) {
	file := s.Text("file", "")
	if s.Text("fallback", ""); s.Has("fallback") {
		s.Enum("fallback", "collective")
	}
	if file == "" {
		return nil, errors.New("no file, expected table:FILE")
	}
	var fallback sim.SpeedModel
	if s.Has("fallback") {
		c, err := NewCollective(env.Topology, env.Fabric, env.Models, env.DefaultModel, env.Types)
		if err != nil {
			return nil, err
		}
		fallback = c
	}
	return OpenTable(file, env.Topology, fallback, env.Types)
}
