package inspect

import (
	"fmt"
	"slices"

	"tarry/baselines/backfill"
	"tarry/baselines/inspected"
	"tarry/baselines/queueing"
	"tarry/env"
	"tarry/env/inspect/schedinspector"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "tarry/Inspect-v0"

// Config is what the environment is made from.
type Config struct {
	schedenv.Config
	// Published states that the agent is asked in the published loop, whose base rule is one of
	// schedinspector.Rules.
	Published bool
	// Protocol is the base rule, backfilling and bounds.
	Protocol inspected.Config
}

// Make makes tarry/Inspect-v0 with "key=value,..." of Rows, whose names are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, ID, options, Read, func(c Config, options string) (env.Env, error) {
		if c.Published {
			return NewPublished(c, options)
		}
		return New(c, options)
	})
}

// The protocols: over the simulator, and the published loop.
const (
	protocolFair      = "fair"
	protocolPublished = "schedinspector"
)

// Reward is the default reward of an agent.
const Reward = "gain"

// Defaults is the default scenario of the environment: 16 processors alike under much load, windows of
// 128 jobs whose users ask for run times, each from an empty cluster to the last job.
func Defaults() scenario.Scenario {
	c := schedenv.Defaults()
	c.Cluster, c.Speed, c.Cuts.Workload, c.Cuts.Load = "1x2x8", "counting", "recur:request=2", 1.2
	c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.WindowJobs, c.Cuts.Gap = 0, 0, 128, 0
	return c
}

// Read makes a Config of the settings in Rows, for an environment of the id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadOver(s, from, Defaults(), Reward)}
	c.ID, c.Protocol.Lease = id, c.Lease()
	var o options
	setting.Read(s, c.rows(&o))
	c.Published, c.Protocol.By = o.protocol == protocolPublished, o.by == "request"
	if c.Published {
		c.readPublished(s)
		return c
	}
	c.BaseName = "inspected:rule=never,base=" + c.Protocol.Base + ",backfill=" + c.Protocol.Fill + ",by=" + o.by
	return c
}

// readPublished reads what differs by default under protocol=schedinspector.
func (c *Config) readPublished(s *param.Set) {
	if !s.Has("backfill") {
		c.Protocol.Fill = "none"
	}
	c.Protocol.By = c.Protocol.By && backfill.Guess(s.Has("by"))
	if c.Protocol.Fill == "easy" {
		s.FaultAt("backfill", "backfill is easy with protocol=%s, expected none or fcfs", protocolPublished)
	}
	unused(s)
}

// New makes the environment; options is what its Spec states it was made from.
func New(c Config, options string) (*Env, error) {
	inner, err := c.protocol().Env(options)
	if err != nil {
		return nil, err
	}
	return &Env{protocol.Inner{Env: inner}}, nil
}

// Env is the environment.
type Env struct{ protocol.Inner }

// Another makes a fresh environment on a part; see schedenv.Env.
func (e *Env) Another(p schedenv.Part) (env.Env, error) {
	fresh, err := e.On(p)
	if err != nil {
		return nil, err
	}
	return &Env{fresh}, nil
}

// AsPolicy is the protocol with a frozen inspector, as a policy for sim.Run. Source, Horizon and Reward
// do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, 0)
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.check, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

// check checks what is the environment's own.
func (c *Config) check() error {
	_, err := inspected.New(&c.Protocol)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", ID, err)
	case c.Warm != 0:
		return fmt.Errorf("%s: warm is %v, expected 0: a window begins with an empty cluster", ID, c.Warm)
	}
	return nil
}

// options are settings in the words in which they are given.
type options struct{ protocol, by string }

// Rows are all settings of Make.
func Rows() []setting.Row {
	var c Config
	return append(c.rows(new(options)), schedenv.RowsOver(Defaults(), Reward)...)
}

func (c *Config) rows(o *options) []setting.Row {
	p := &c.Protocol
	p.Base, p.Fill, p.Refusals, p.Place = "sjf", "easy", inspected.Refusals, cluster.BestFit
	o.protocol, o.by = protocolFair, "request"
	return []setting.Row{
		{Key: "protocol", To: &o.protocol, Names: []string{protocolFair, protocolPublished}, Doc: "fair: over the " +
			"simulator | schedinspector: the published loop, its seven numbers and its reward; there backfill is none, " +
			"and run times are the truth, unless given"},
		{Key: "base", To: &p.Base, Names: bases(), Doc: "the rule that picks the waiting job: the least score, as the " +
			"orders of picked, or in the published loop one of its 16"},
		{Key: "backfill", To: &p.Fill, Names: queueing.Fills(), Doc: "what starts while the job that was let go waits: " +
			"none | fcfs: as in picked | easy: a reservation made anew at each event, whose spare GPUs may be used"},
		{Key: "by", To: &o.by, Names: []string{"request", "estimate"}, Doc: "the run times that rule, reservations and " +
			"agent see: request: what users asked for | estimate: as predicted, or the truth where a run has no predictor"},
		{Key: "refusals", To: &p.Refusals, High: inspected.MostRefusals,
			Doc: "how often a job may be refused; after that it goes"},
	}
}

// bases lists the base rules of both protocols.
func bases() []string {
	out := queueing.Orders()
	for _, name := range schedinspector.RuleNames() {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (c *Config) spec(options string) env.Spec {
	job, queue := inspected.Words()
	segments := []layout.Segment{
		{Name: "job", Doc: "the job that the rule picked", Features: layout.Features(job), Items: 1},
		{Name: "queue", Doc: "all waiting jobs, and the cluster", Features: layout.Features(queue), Items: 1},
	}
	return env.Spec{ID: ID, Options: options, Action: env.Discrete{N: 2},
		Layout: layout.Observation{Segments: segments},
		Guide:  layout.Guide{Action: answers()},
		Advice: advice(),
		Observation: env.Dict{
			{Name: "job", Space: env.NewBox(0, 1, inspected.NumJob)},
			{Name: "queue", Space: env.NewBox(0, 1, inspected.NumQueue)},
		}}
}

// answers states the actions in words.
func answers() []layout.Feature {
	return layout.Features("0  the rule's job goes: it starts as soon as it fits\n" +
		"1  it is refused: nothing starts before the next job arrives or ends, or 600 s are over")
}

// advice has the published settings, as far as they carry over: what a refusal does shows at the end
// of a window.
func advice() env.Advice {
	return env.Advice{"ppo": {"total_steps": 200_000, "envs": 8, "steps": 512, "minibatches": 8, "epochs": 6, "gamma": 1,
		"lambda": 0.97, "hidden": []int{32, 16, 8}, "learning_rate": 1e-3, "clip": 0.2, "norm_reward": false}}
}
