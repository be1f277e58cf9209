package schedenv

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tarry/baselines/dally"
	"tarry/env/scenario"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/service"
	"tarry/sim/setting"
	"tarry/sim/tenant"
)

// Config is everything the cluster environments share. Parse makes one from text; a program may
// also fill one in, for a trace or a cluster of its own.
type Config struct {
	// ID is the environment's in its Spec and in errors; "" = the first version's.
	ID string
	// Topology is the cluster; required.
	Topology *cluster.Topology
	// Speed makes a speed model; required. It is called for each window if the model is
	// sim.Coupled.
	Speed func() (sim.SpeedModel, error)
	// Scenario is what all this was made from; the zero value where a program filled it in.
	Scenario scenario.Scenario
	// Notes are remarks on the scenario, such as a type of GPU without a speed.
	Notes []string
	// Costs of starting, preempting and so on; the zero value makes them free.
	Costs sim.Costs
	// ModelBytes, MarkEvery, Power, Services and Operator are as in sim.Config.
	MarkEvery  sim.Time
	Power      *power.Model
	Services   *service.Model
	Operator   sim.Operator
	ModelBytes func(model string) int64
	// Outages makes the source of failures of a window, from its start, the same each time; nil, or
	// one that gives nil, = none.
	Outages func(p Part, window int) sim.Outages
	// Predictor gives the predictor of run times for a window, fitted on jobs that are not of it;
	// nil, or one that gives nil, = none. policy is the policy that reads it, "" = the environment's:
	// where predictors are chosen by completion times, these are its.
	Predictor func(p Part, window int, policy string) (sim.Predictor, error)
	// Chosen gives which predictor was chosen for a policy, as for Predictor; nil = none is chosen.
	Chosen func(ctx context.Context, policy string) (*scenario.Choice, error)
	// Tenants states who owns which part of the cluster when the jobs of a window run on it; nil,
	// or one that gives nil, = no tenants.
	Tenants func(w *sim.Workload) (*tenant.Set, error)
	// Exact states that what Predictor predicts is the truth.
	Exact bool
	// HideWork keeps the features left and done from the agent: what only an oracle has where
	// jobs do not state how long they will run. Dally's own order still reads them.
	HideWork bool
	// Hide names groups of features that are held at 0 in observations, whose shape stays; each
	// environment has its own. nil = nothing is hidden.
	Hide []string
	// Source gives the jobs, Part states which of its three parts; both required.
	Source Source
	Part   Part
	// TraceSHA256 is the hash of all jobs of the trace that Source was cut from, as
	// sim.Workload.Hash gives it; "" where it was made from something else. It moves nothing.
	TraceSHA256 string
	// Regimes are the scenarios of a mixture; nil = none. Window i is of regime i mod len(Regimes),
	// whose hardware, speed model, costs and failures it has; Source has the windows of all.
	// Topology, Speed and so on are then the first regime's.
	Regimes []Config
	// Warm is how long the base policy runs before an episode begins; 0 = the cluster is empty
	// then.
	Warm sim.Time
	// WarmBase leaves the warm-up to the base policy where an agent is measured as a policy, too;
	// false = such an agent decides from the first job on, as every other policy does.
	WarmBase bool
	// Horizon is the length of an episode: it is truncated at the first question at or after it.
	// 0 = it ends with the last job.
	Horizon sim.Time
	// Reward is what the agent is paid for.
	Reward Reward
	// Base makes the policy that is steered, where an environment can steer another than Dally; nil
	// = Dally. BaseName is how users write it, "" = dally.
	Base     func() (sim.Policy, error)
	BaseName string
	// Dally has the settings of Dally; its leases are the unit of time whatever policy is steered.
	Dally dally.Config
	// Policies are the baselines that Follow can name; nil = none.
	Policies entry.Policies
	// Keep is how many windows stay in memory with their warm state; 0 = 4.
	Keep int
}

// Validate reports every fault.
func (c *Config) Validate() error {
	errs := append(c.checkMixture(), c.Reward.Validate(), c.Costs.Validate())
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	need(c.Topology != nil, "no topology, expected a cluster")
	need(c.Speed != nil, "no speed model, expected a function that makes one")
	need(c.Source != nil, "no source, expected one of workloads")
	need(c.Part == Train || c.Part == Validation || c.Part == Test, "part is %q, expected %s, %s or %s", c.Part, Train,
		Validation, Test)
	need(c.Warm >= 0 && c.Warm <= maxTime, "warm is %v, expected 0..%v", c.Warm, maxTime)
	need(c.Horizon >= 0 && c.Horizon <= maxTime, "horizon is %v, expected 0..%v", c.Horizon, maxTime)
	need(c.Dally.LeaseS > 0 && !math.IsInf(c.Dally.LeaseS, 1), "lease is %v s, expected a finite number > 0: it is "+
		"the unit of time", c.Dally.LeaseS)
	need(c.Dally.None(), "Dally has rules of a variant, expected none: an agent is asked once "+
		"per instant, and runs share the settings")
	need(c.Keep >= 0, "keep is %d windows, expected >= 0", c.Keep)
	return errors.Join(append(errs, c.checkEnergy())...)
}

// checkEnergy reports watts or prices that the reward needs and runs do not state.
func (c *Config) checkEnergy() error {
	if c.Reward.Kind != "energy" {
		return nil
	}
	errs := []error{c.Reward.Energy.Check(c.Power)}
	for i := range c.Regimes {
		errs = append(errs, c.Reward.Energy.Check(c.Regimes[i].Power))
	}
	return errors.Join(errs...)
}

// maxTime bounds warm-up and horizon (about a century), so that areas stay in range.
const maxTime = 1e9 * sim.Second

// run is the configuration of a simulator over the jobs of a window.
func (c *Config) run(window int, w *sim.Workload, m sim.SpeedModel) (sim.Config, error) {
	of, _ := c.Of(window)
	p, err := c.Predicted(c.Part, window, c.BaseName)
	var owners *tenant.Set
	if err == nil && of.Tenants != nil {
		owners, err = of.Tenants(w)
	}
	return sim.Config{Tenants: owners, Workload: w, Topology: of.Topology, Speed: m, Costs: of.Costs,
		MarkEvery: of.MarkEvery, Power: of.Power, Services: of.Services, Operator: of.Operator,
		ModelBytes: of.ModelBytes, Predictor: p,
		Outages: c.Failures(c.Part, window)}, err
}

// Predicted is the predictor of a window for a policy; nil = none.
func (c *Config) Predicted(p Part, window int, policy string) (sim.Predictor, error) {
	of, number := c.Of(window)
	if of.Predictor == nil {
		return nil, nil
	}
	return of.Predictor(p, number, policy)
}

// Choices lists which predictors were chosen for a policy, one for each scenario of a mixture that
// chooses; nil = none. The first call simulates the candidates, until ctx ends.
func (c *Config) Choices(ctx context.Context, policy string) ([]*scenario.Choice, error) {
	all := c.Regimes
	if len(all) == 0 {
		all = []Config{*c}
	}
	var out []*scenario.Choice
	for i := range all {
		if all[i].Chosen == nil {
			continue
		}
		one, err := all[i].Chosen(ctx, policy)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// Failures is the source of failures of a window; nil = none.
func (c *Config) Failures(p Part, window int) sim.Outages {
	of, number := c.Of(window)
	if of.Outages == nil {
		return nil
	}
	return of.Outages(p, number)
}

// Begins is when an agent that is measured as a policy (AsPolicy) begins to decide: with the first
// job, or with WarmBase after the warm-up.
func (c *Config) Begins() sim.Time {
	if c.WarmBase {
		return c.Warm
	}
	return 0
}

// Lease is the unit of time of observations, rewards and Info.Elapsed.
func (c *Config) Lease() sim.Time { return sim.Seconds(c.Dally.LeaseS) }

// Defaults is the default scenario of an environment: as for a run, of whose jobs
// there are windows of the part for training.
func Defaults() scenario.Scenario {
	c := scenario.Default()
	c.Cuts.Part = Train
	return c
}

// DefaultsV0 is Defaults for environments whose id ends in -v0: tiers and a stand-in for jobs
// without a model, so that what was trained and measured with them keeps its meaning.
func DefaultsV0() scenario.Scenario {
	c := Defaults()
	c.Speed, c.Models = "tiers", "ResNet50"
	return c
}

// Read makes a Config of the settings in Options, whose names are looked up in catalogues; the
// caller may read more keys of its own and then asks s.Err for all faults.
func Read(s *param.Set, known scenario.Catalogues) Config { return ReadOver(s, known, Defaults(), "") }

// readV0 is Read over DefaultsV0. A scenario that comes from a file has Defaults all the same.
func readV0(s *param.Set, known scenario.Catalogues) Config {
	if s.Has("scenario") {
		return Read(s, known)
	}
	return ReadOver(s, known, DefaultsV0(), "")
}

// ReadOver is Read over another scenario than Defaults, and with another reward by default; "" =
// the first of Rewards.
func ReadOver(s *param.Set, known scenario.Catalogues, from scenario.Scenario, reward string) Config {
	c := start(reward)
	c.Policies = known.Policies
	setting.Read(s, c.settings())
	c.readScenario(s, known, from)
	return c
}

// readScenario reads the settings of the scenario over the settings of from, and makes what they
// stand for.
func (c *Config) readScenario(s *param.Set, known scenario.Catalogues, from scenario.Scenario) {
	from.Read(s)
	from.ReadCuts(s)
	readShorts(s, &from)
	cuts := &from.Cuts
	c.Dally.LeaseS = cuts.LeaseS
	c.Warm, c.Horizon = cuts.Leases(cuts.Warm), cuts.Leases(cuts.Horizon)
	c.Part, c.Scenario = cuts.Part, from
	made, err := from.Build(known)
	scenario.Report(s, err)
	c.Notes = made.Notes
	c.Costs, c.MarkEvery, c.Power = made.Costs(), made.MarkEvery(), made.Power()
	c.Services, c.Operator = made.Services(), made.Operator()
	c.Topology, c.Speed, c.ModelBytes, c.Source, c.TraceSHA256 = made.Topology, made.Speed, made.Bytes(), made.Windows,
		made.TraceSHA256
	if made.Predicts() {
		c.Predictor, c.Exact = made.Predictor, made.Exact()
	}
	if made.Chooses() {
		c.Chosen = made.Chosen
	}
	if made.Owned() {
		c.Tenants = made.Tenants
	}
	if !from.Faults.None() {
		c.Outages = made.WindowOutages
	}
}
