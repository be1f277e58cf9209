package pick

import (
	"fmt"
	"math"

	"tarry/baselines/picking"
	"tarry/env"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "tarry/Pick-v0"

// Config is what the environment is made from.
type Config struct {
	schedenv.Config
	// Jobs is how many places the list has, > 1.
	Jobs int
	// Backfill starts jobs behind the picked one, as picked:backfill=fcfs does.
	Backfill bool
	// Score has the hidden units of a search, and its weights are where a search starts; Reference
	// is the score that a search is compared with. Required.
	Score, Reference *picking.Func
}

// Make makes tarry/Pick-v0 with "key=value,..." of Rows and schedenv.Rows, whose names are looked
// up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, ID, options, Read, New)
}

// Reward is the default reward of an agent.
const Reward = "bsld"

// Defaults is the default scenario of the environment: the machine of RLScheduler's
// tables, windows of 256 jobs, each from an empty cluster to the last job.
func Defaults() scenario.Scenario {
	c := schedenv.Defaults()
	c.Cluster, c.Speed = "1x32x8", "counting"
	c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.WindowJobs, c.Cuts.Gap = 0, 0, 256, 0
	return c
}

// Read makes a Config of the settings in Rows and schedenv.Rows, for an environment of the id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadOver(s, from, Defaults(), Reward)}
	c.ID = id
	var o options
	setting.Read(s, c.rows(&o))
	c.Backfill = o.backfill == "fcfs"
	processors := 1
	if c.Topology != nil {
		processors = c.Topology.GPUs()
	}
	named := func(rule string, hidden int) *picking.Func {
		f, err := picking.New(hidden)
		if err == nil {
			err = f.Named(rule, processors)
		}
		if err != nil {
			s.Fault("%v", err)
		}
		return f
	}
	c.Score, c.Reference, c.BaseName = named(o.start, o.hidden), named(o.reference, 0), "picked:order="+o.reference
	if c.Backfill {
		c.BaseName += ",backfill=fcfs"
	}
	if o.weights == "none" {
		return c
	}
	if s.Has("start") || s.Has("hidden") {
		s.Fault("start and hidden belong to the file of weights, expected neither beside it")
	}
	f, err := picking.Load(o.weights)
	if err != nil {
		s.Fault("%v", err)
		return c
	}
	c.Score = f
	return c
}

// New makes the environment; options is what its Spec states it was made from.
func New(c Config, options string) (*Env, error) {
	inner, err := c.protocol().Env(options)
	if err != nil {
		return nil, err
	}
	return &Env{Searched: schedenv.Searched[*played]{Env: inner}, cfg: &c}, nil
}

// AsPolicy is the protocol with a frozen agent that picks, as a policy for sim.Run. Source, Horizon
// and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, 0)
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

// own checks what is the environment's own.
func (c *Config) own() error {
	switch {
	case c.Score == nil || c.Reference == nil:
		return fmt.Errorf("%s: no score or no reference, expected both", ID)
	case c.Jobs < 2:
		return fmt.Errorf("%s: %d jobs in the list, expected 2 or more", ID, c.Jobs)
	case c.Warm != 0:
		return fmt.Errorf("%s: warm is %v, expected 0: a window begins with an empty cluster", ID, c.Warm)
	}
	return nil
}

// mostInput bounds what is observed: logarithms of centuries and of thousands of processors are
// below.
const mostInput = 32

func (c *Config) spec(options string) env.Spec {
	segments := c.segments()
	return env.Spec{ID: ID, Options: options, Masked: true, Action: env.Discrete{N: c.Jobs},
		Layout: layout.Observation{Segments: segments, Acts: layout.OnOne},
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf("0..%d  pick the job in that place of the list",
			c.Jobs-1))},
		// What a pick does to others shows hundreds of picks later, and steps differ in length.
		Advice: env.Advice{"ppo": {"gamma": 1, "lambda": 0.97, "steps": 256},
			"dqn": {"hidden": []int{32}, "buffer": 20_000}},
		Observation: env.Dict{
			{Name: "queue", Space: env.NewBox(-mostInput, mostInput, len(segments[0].Features))},
			{Name: "jobs", Space: env.NewBox(-mostInput, mostInput, c.Jobs, len(segments[1].Features))},
		}}
}

// segments are the segments of the observation.
func (c *Config) segments() []layout.Segment {
	inputs := layout.Features(picking.InputText)
	return []layout.Segment{
		{Name: "queue", Doc: "all waiting jobs", Features: inputs[picking.Free:], Items: 1},
		{Name: "jobs", Doc: "a waiting job in the list, by arrival; 0 where there is none",
			Features: append(layout.Features("present  0, 1  flag  1 where there is a job"), inputs[:picking.Free]...),
			Items:    c.Jobs},
	}
}

// rowLen is how many numbers the list has per job, queueLen how many stand before it.
const (
	rowLen   = 1 + int(picking.Free)
	queueLen = int(picking.NumInputs - picking.Free)
)

// write puts inputs into a row.
func write(row []float64, x *picking.Inputs) {
	row[0] = 1
	for i, v := range x[:picking.Free] {
		row[1+i] = min(mostInput, max(-mostInput, v))
	}
}

// inputs reads them back.
func inputs(queue, row []float64) (x picking.Inputs) {
	copy(x[:picking.Free], row[1:])
	copy(x[picking.Free:], queue)
	return x
}

// least gives the place of the present row with the lowest score; 0 where none is.
func (c *Config) least(obs, weights []float64) int {
	best, lowest := 0, math.Inf(1)
	for i := range c.Jobs {
		row := obs[queueLen+i*rowLen:][:rowLen]
		if row[0] == 0 {
			continue
		}
		x := inputs(obs[:queueLen], row)
		if s := c.Score.With(weights, &x); s < lowest {
			best, lowest = i, s
		}
	}
	return best
}
