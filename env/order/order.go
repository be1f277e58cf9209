package order

import (
	"fmt"
	"math"

	"tarry/baselines/dally"
	"tarry/baselines/rollout"
	"tarry/baselines/score"
	"tarry/env"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/env/schedenv/replay"
	"tarry/internal/fixmath"
	"tarry/sim"
)

// ID is the environment's.
const ID = "tarry/Order-v0"

// Config is what the environment is made from. Its Dally has leases unless Dally.NoLease is set.
type Config struct {
	schedenv.Config
	// Rule has the features, hidden units, law and globals; its weights are where a search starts.
	// Required.
	Rule *score.Rule
	// Jobs is how many places the list has, > 1.
	Jobs int
	// Cost states what Play compares with the Reference.
	Cost replay.Cost
	// Reference is what costs are relative to.
	Reference Reference
	// Globals adds the rule's globals to actions and vectors.
	Globals bool
	// Gates adds Rule.Globals.Least to vectors, behind the globals; not without Globals.
	Gates bool
	// Planner improves the order of a frozen vector (AsParametric); nil = there is none.
	Planner *rollout.Config
	// Mapping, unless nil, has the jobs mapped by an integer program in place of Dally's contest.
	Mapping *Mapping
}

// Make makes tarry/Order-v0 with "key=value,..." of Rows and env/schedenv.Rows, whose names
// are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, ID, options, Read, func(c Config, options string) (env.Env, error) {
		if c.Mapping != nil {
			return NewMapped(c, options)
		}
		return New(c, options)
	})
}

// New makes the environment; options is what its Spec states it was made from.
func New(c Config, options string) (*Env, error) {
	inner, err := c.protocol().Env(options)
	if err != nil {
		return nil, err
	}
	return &Env{Searched: schedenv.Searched[*played]{Env: inner}, cfg: &c}, nil
}

// AsPolicy is Dally with a frozen agent that chooses who goes first, as a policy for sim.Run. The
// agent is asked from Config.Begins on; the Source, Horizon and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, c.Begins())
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec, Fresh: func() schedenv.Scheduler {
		if c.Mapping != nil {
			return newMapper(c)
		}
		return newScheduler(c)
	}}
}

// own checks what is the environment's own.
func (c *Config) own() error {
	switch {
	case c.Rule == nil || c.Rule.Func == nil:
		return fmt.Errorf("%s: no rule, expected features", ID)
	case c.Jobs < 2:
		return fmt.Errorf("%s: %d jobs in the list, expected 2 or more", ID, c.Jobs)
	case c.Globals && c.Rule.Globals.Auto():
		return fmt.Errorf("%s: the timers are tuned, expected t_rack and t_net with globals", ID)
	case c.Mapping != nil && (c.Globals || c.Planner != nil):
		return fmt.Errorf("%s: places=program with globals or a planner, expected neither", ID)
	case c.Gates && !c.Globals:
		return fmt.Errorf("%s: gates without globals, expected globals=true", ID)
	case c.Planner != nil && c.WarmBase:
		return fmt.Errorf("%s: rollout with warmup=base, expected warmup=agent: a planner decides from the first job", ID)
	}
	return nil
}

const (
	// mostScore bounds scores on either side.
	mostScore = 100
	// mostMargin is the margin from which on no job is evicted.
	mostMargin = 16
	// mostLn bounds the logarithms of leases on either side.
	mostLn = 8
	// numGlobals is how many numbers of an action are for all jobs.
	numGlobals = 4
)

func (c *Config) spec(options string) env.Spec {
	action, acts := env.NewBox(-mostScore, mostScore, c.Jobs), layout.OnEach
	if c.Globals {
		acts = layout.OnAll
		action.Shape = nil
		action.Low = append(action.Low, 0, -mostLn, -mostLn, -mostLn)
		action.High = append(action.High, mostMargin, mostLn, mostLn, mostLn)
	}
	segments := c.segments()
	return env.Spec{ID: ID, Options: options, Action: action,
		Layout: layout.Observation{Segments: segments, Acts: acts, Ranks: !c.Globals},
		Guide:  layout.Guide{Action: c.actions()},
		Observation: env.Dict{
			{Name: "cluster", Space: env.NewBox(0, mostInput, len(segments[0].Features))},
			{Name: "jobs", Space: env.NewBox(-mostInput, mostInput, c.Jobs, len(segments[1].Features))},
		}}
}

// mostInput bounds what is observed: logarithms of centuries and of thousands of GPUs are below.
const mostInput = 32

// segments are the segments of the observation.
func (c *Config) segments() []layout.Segment {
	inputs := layout.Features(score.InputText)
	cluster := append(schedenv.ClusterFeatures(), inputs[score.Pressure])
	if c.gated() {
		cluster = append(cluster, inputs[score.Lull], inputs[score.Doubt])
	}
	job := append(layout.Features("present  0, 1  flag  1 where there is a job"), inputs[:score.Pressure]...)
	if c.Rule.Func.Foresees() {
		job = append(job, inputs[score.Left:]...)
	}
	return []layout.Segment{
		{Name: "cluster", Doc: "the whole cluster", Features: cluster, Items: 1},
		{Name: "jobs", Doc: "a job in the list: jobs that contest by submit, then running jobs; 0 where there is none",
			Features: job, Items: c.Jobs},
	}
}

// actions are the numbers of an action.
func (c *Config) actions() []layout.Feature {
	text := fmt.Sprintf("0..%d  -100..100  score  score of the job in that place, the least goes first", c.Jobs-1)
	if c.Globals {
		for i, line := range []string{"0..16  score  margin by which a score must exceed the blocked " +
			"job's before its job is evicted; 16: none is",
			"-8..8  ln(leases)  time that a job keeps its GPUs before it is evicted",
			"-8..8  ln(leases)  wait after which a place in one rack is accepted",
			"-8..8  ln(leases)  wait after which any GPUs are accepted"} {
			text += fmt.Sprintf("\n%d  %s", c.Jobs+i, line)
		}
	}
	return layout.Features(text)
}

// globals are the globals of an action: its last four numbers, or the rule's.
func (c *Config) globals(action []float64) score.Globals {
	if !c.Globals {
		return c.Rule.Globals
	}
	a := action[c.Jobs:]
	return fromLn(a)
}

// gated reports whether an agent may depend on the lull and the doubt, which are observed then.
func (c *Config) gated() bool { return c.Gates || c.Rule.Gated() }

// numParams is how many numbers a vector has behind the weights.
func (c *Config) numParams() int {
	switch {
	case c.Gates:
		return numGlobals + 2
	case c.Globals:
		return numGlobals
	}
	return 0
}

// globalsOf are the globals of a vector without the weights: its numbers, or the rule's.
func (c *Config) globalsOf(params []float64) score.Globals {
	if !c.Globals {
		return c.Rule.Globals
	}
	g := fromLn(params)
	if g.Least = c.Rule.Globals.Least; c.Gates {
		g.Least = score.Gates{Lull: params[numGlobals], Doubt: params[numGlobals+1]}
	}
	return g
}

// toLn gives globals as four numbers within the bounds of actions, fromLn the globals that these
// are.
func toLn(g score.Globals) [numGlobals]float64 {
	ln := func(x float64) float64 { return min(mostLn, max(-mostLn, math.Log(x))) }
	return [numGlobals]float64{min(mostMargin, g.Margin), ln(g.MinRun), ln(g.Rack), ln(g.Net)}
}

func fromLn(a []float64) score.Globals {
	g := score.Globals{Margin: a[0], MinRun: fixmath.Exp(a[1]), Rack: fixmath.Exp(a[2]), Net: fixmath.Exp(a[3])}
	if g.Margin >= mostMargin {
		g.Margin = math.Inf(1)
	}
	return g
}

// dallyConfig is the configuration of the contest; evictions are switched on by an agent.
func (c *Config) dallyConfig() dally.Config {
	d := c.Dally
	d.Evict, d.Auto = false, true
	return d
}
