package preempt

import (
	"cmp"
	"fmt"

	"tarry/baselines/dally"
	"tarry/env"
	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/setting"
)

// The ids of the environment. Version 1 has the defaults of a run, and Dally's leases; version 0
// keeps older ones (schedenv.DefaultsV0), and no leases, without which agents are about twice as
// slow as Dally on Philly. All else is the same. In version 2 preemptions kill, and the agent chooses
// sets of victims: see DefaultsV2.
const (
	ID   = "tarry/Preempt-v0"
	IDV1 = "tarry/Preempt-v1"
	IDV2 = "tarry/Preempt-v2"
)

// Config is what the environment is made from. Its Dally has leases unless Dally.NoLease is set;
// Dally.Order is the order of the contest, of the blocked job and of the candidates.
type Config struct {
	schedenv.Config
	// Every is the time between two decision epochs, MinRun how long a job keeps its GPUs at least;
	// > 0.
	Every, MinRun sim.Time
	// Candidates is how many jobs are shown, Victims how many may go at one instant; > 0.
	Candidates, Victims int
	// Margin is by how much the key of a job must exceed the blocked job's before a rule that is
	// demonstrated evicts it, in the units of the order; 0 = by anything. Version 2 alone.
	Margin float64
	// WaitCheckpoint has a rule that is demonstrated wait for the checkpoint of the first job to go
	// that loses work, where it is at most so far away; 0 = it never waits. Version 2 alone.
	WaitCheckpoint sim.Time
	// base is a policy that has not begun, of which each run gets a copy; nil before New and
	// AsPolicy.
	base plan.Evicting
}

// Make makes tarry/Preempt-v0 with "key=value,..." of Rows and env/schedenv.RowsV0, whose
// names are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, ID, options, Read, New)
}

// MakeV1 makes tarry/Preempt-v1 with "key=value,..." of Rows and env/schedenv.Rows.
func MakeV1(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, IDV1, options, Read, New)
}

// MakeV2 makes tarry/Preempt-v2 with "key=value,..." of Rows and RowsV2.
func MakeV2(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, IDV2, options, Read, newV2)
}

// DefaultsV2 is the default scenario of version 2: preemptions kill, with a checkpoint an hour, 60 s
// and the bytes of the model to start again, and predictions by ridge regression.
func DefaultsV2() scenario.Scenario {
	c := schedenv.Defaults()
	c.Costs.Kill, c.Costs.CheckpointEveryS = true, 3600
	c.Costs.Restore = sim.Cost{FixedS: 60, BytesPerS: 1e8}
	c.Predict = "ridge"
	return c
}

// rewardV2 is the reward of version 2.
const rewardV2 = "relative"

// RowsV2 are the settings of version 2 beside Rows.
func RowsV2() []setting.Row {
	rows, hidden := schedenv.RowsOver(DefaultsV2(), rewardV2), true
	setting.Find(rows, "hide_work").To = &hidden
	return rows
}

// Read makes a Config of the settings in Rows and env/schedenv.Rows, with the defaults of an id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	var c Config
	if id == IDV2 {
		c.Config = schedenv.ReadOver(s, from, DefaultsV2(), rewardV2)
		c.ID, c.HideWork = id, c.HideWork || !s.Has("hide_work")
	} else {
		c.Config = schedenv.ReadAs(s, from, id, id == ID)
	}
	lease := float64(c.Lease())
	var o options
	setting.Read(s, c.rows(&o, id))
	c.Every, c.MinRun = sim.Time(float64(o.every*lease)), sim.Time(float64(o.minRun*lease))
	c.WaitCheckpoint = sim.Time(float64(o.wait * lease))
	c.Dally.NoLease = !o.leases
	c.Dally.Order = dally.OrderNamed(o.order)
	if c.Base != nil && (s.Has("leases") || s.Has("order")) {
		s.Fault("leases and order are settings of base=dally, expected neither with base=%s, which may have its own",
			c.BaseName)
	}
	return c
}

// New makes the environment; options is what its Spec states it was made from.
func New(c Config, options string) (*schedenv.Env, error) {
	return c.protocol().Env(options)
}

// AsPolicy is the base policy with a frozen agent who evicts, as a policy for sim.Run. The agent is
// asked from Config.Begins on; the Source, Horizon and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, c.Begins())
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec, Fresh: c.fresh}
}

// choice is what the base policies have that an agent can steer.
const choice = "a choice of victims"

// evicts reports whether an agent can choose a policy's victims. One that evicts by a rule of its
// own chooses them itself.
func evicts(p sim.Policy) bool {
	_, ok := p.(plan.Evicting)
	if rule, some := p.(interface{ Steerable() bool }); some {
		return ok && rule.Steerable()
	}
	return ok
}

// own checks what is the environment's own, and makes its base.
func (c *Config) own() error {
	if c.Every <= 0 || c.MinRun <= 0 || c.Candidates <= 0 || c.Victims <= 0 {
		return fmt.Errorf("%s: every %v, min_run %v, %d candidates, %d victims: expected each > 0", c.id(), c.Every,
			c.MinRun, c.Candidates, c.Victims)
	}
	if err := hide.Check(c.groups(), c.Hide); err != nil {
		return fmt.Errorf("%s: %w", c.id(), err)
	}
	p, err := c.NewBase(choice, evicts)
	if err != nil {
		return fmt.Errorf("%s: %w", c.id(), err)
	}
	c.base = p.(plan.Evicting)
	return nil
}

// id is Config's, or else version 0's.
func (c *Config) id() string { return cmp.Or(c.ID, ID) }

// sets reports whether the agent chooses sets of victims.
func (c *Config) sets() bool { return c.ID == IDV2 }

// fresh is the scheduler of one run.
func (c *Config) fresh() schedenv.Scheduler {
	if c.sets() {
		return newSets(c)
	}
	return newScheduler(c)
}

// layout is what the version observes, groups are the parts that can be hidden.
func (c *Config) layout() []layout.Segment {
	if c.sets() {
		return c.segmentsSets()
	}
	return c.segments()
}

func (c *Config) groups() []hide.Group {
	if c.sets() {
		return groupsSets()
	}
	return groups()
}

func (c *Config) spec(options string) env.Spec {
	rows := hide.Mark(c.layout(), c.groups(), c.Hide)
	return env.Spec{ID: c.id(), Options: options, Masked: true, Action: env.Discrete{N: rows[2].Items + 1},
		Layout: layout.Observation{Segments: rows, Acts: layout.OnOne}, Guide: layout.Guide{Action: c.actions()},
		// Observations are long, and all that dqn keeps are in its checkpoints.
		Advice: env.Advice{"dqn": {"hidden": []int{32}, "buffer": 20_000}},
		Observation: env.Dict{
			{Name: "cluster", Space: env.NewBox(0, 1, len(schedenv.ClusterFeatures()))},
			{Name: "blocked", Space: env.NewBox(0, 1, len(rows[1].Features))},
			{Name: "candidates", Space: env.NewBox(0, 1, rows[2].Items, len(rows[2].Features))},
		}}
}
