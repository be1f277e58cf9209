package pairs

import (
	"errors"
	"fmt"
	"slices"

	"tarry/baselines/score"
	"tarry/baselines/typed"
	"tarry/env"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/replay"
	"tarry/sim"
	"tarry/sim/cluster"
)

// ID is the environment's.
const ID = "tarry/Order-v1"

// Config is what the environment is made from.
type Config struct {
	schedenv.Config
	// Typed are the settings of the policy whose plan follows the scores; its weights are where a
	// search starts, and what decides where no agent does.
	Typed typed.Settings
	// Features are the terms whose weights a vector has, of typed.TermNames.
	Features []string
	// Jobs is how many places the list has, > 0.
	Jobs int
	// Cost states what Play compares with typed.
	Cost replay.Cost
}

// Make makes tarry/Order-v1 with "key=value,..." of Rows and env/schedenv.Rows, whose names are looked
// up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, ID, options, Read, New)
}

// New makes the environment; options is what its Spec states it was made from.
func New(c Config, options string) (*Env, error) {
	p, err := c.parts()
	if err = errors.Join(c.Validate(), err); err != nil {
		return nil, err
	}
	inner, err := schedenv.New(c.Config, p.spec(options), func() schedenv.Scheduler { return newScheduler(p) })
	if err != nil {
		return nil, err
	}
	return &Env{Searched: schedenv.Searched[*played]{Env: inner}, cfg: p}, nil
}

// parts is a Config that was checked, with what follows from it. It is not changed.
type parts struct {
	Config
	types  int
	own    *score.Func   // of the terms of a job alone
	start  *typed.Policy // before its first instant
	places []int         // of Features in typed.TermNames
}

// parts checks what is the environment's own.
func (c *Config) parts() (*parts, error) {
	out := &parts{Config: *c}
	if c.Jobs < 1 {
		return nil, fmt.Errorf("%s: %d jobs in the list, expected 1 or more", ID, c.Jobs)
	}
	if n := len(c.Typed.Weights); n != typed.NumTerms {
		return nil, fmt.Errorf("%s: %d weights, expected %d", ID, n, typed.NumTerms)
	}
	for i, f := range c.Features {
		at := slices.Index(typed.TermNames(), f)
		if at < 0 || slices.Contains(c.Features[:i], f) {
			return nil, fmt.Errorf("%s: the feature %q is unknown or there twice, expected some of %v", ID, f,
				typed.TermNames())
		}
		out.places = append(out.places, at)
	}
	if len(c.Features) == 0 {
		return nil, fmt.Errorf("%s: no features, expected some of %v", ID, typed.TermNames())
	}
	var err error
	if out.start, err = typed.NewPolicy(&c.Typed, cluster.BestFit); err != nil {
		return nil, err
	}
	if out.own, err = typed.OwnFunc(); err != nil {
		return nil, err
	}
	if c.Topology != nil {
		out.types = len(c.Topology.Types())
	}
	for i := range c.Regimes {
		if t := c.Regimes[i].Topology; t != nil {
			out.types = max(out.types, len(t.Types()))
		}
	}
	return out, nil
}

// AsPolicy is the plan of typed with a frozen agent that scores pairs, as a policy for sim.Run. The
// agent is asked from Config.Begins on; the Source, Horizon and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	p, err := c.parts()
	if err != nil {
		return nil, err
	}
	return schedenv.AsPolicy(newScheduler(p), act, c.Begins(), p.spec("")), nil
}

const (
	// mostScore bounds scores on either side.
	mostScore = 100
	// mostInput bounds what is observed: logarithms of centuries and of thousands of GPUs are below.
	mostInput = 32
	// ofJob is how many numbers a row has of the job, rowLen how many it has in all.
	ofJob  = int(score.Pressure)
	rowLen = 1 + ofJob + 1 + typed.NumPair
)

func (c *parts) spec(options string) env.Spec {
	segments := c.segments()
	n := c.Jobs * c.types
	return env.Spec{ID: ID, Options: options, Action: env.NewBox(-mostScore, mostScore, n),
		Layout: layout.Observation{Segments: segments, Acts: layout.OnEach, Ranks: true},
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf(
			"0..%d  -100..100  score  score of the pair in that place, the least goes first", n-1))},
		Observation: env.Dict{
			{Name: "cluster", Space: env.NewBox(0, mostInput, len(segments[0].Features))},
			{Name: "pairs", Space: env.NewBox(-mostInput, mostInput, n, rowLen)},
		}}
}

// segments are the segments of the observation.
func (c *parts) segments() []layout.Segment {
	inputs := layout.Features(score.InputText)
	row := slices.Concat(layout.Features("present  0, 1  flag  1 where there is a pair"), inputs[:ofJob],
		layout.Features("wide  0, 1  flag  1 where no type has enough GPUs for the job, in the place of the first type"),
		layout.Features(typed.PairText))
	return []layout.Segment{
		{Name: "cluster", Doc: "the whole cluster", Items: 1,
			Features: append(schedenv.ClusterFeatures(), inputs[score.Pressure])},
		{Name: "pairs", Doc: "a job by arrival, and a GPU type in the cluster's order; 0 where there is none",
			Features: row, Items: c.Jobs * c.types},
	}
}

// write puts what is known of a pair into a row.
func write(row []float64, x *typed.Inputs) {
	row[0] = 1
	for i, v := range x.Job[:ofJob] {
		row[1+i] = min(mostInput, max(-mostInput, v))
	}
	if row[1+ofJob] = 0; x.Wide {
		row[1+ofJob] = 1
	}
	for i, v := range x.Pair {
		row[2+ofJob+i] = min(mostInput, max(-mostInput, v))
	}
}

// read takes it out of a row.
func read(row []float64, pressure float64) (x typed.Inputs) {
	copy(x.Job[:ofJob], row[1:])
	x.Job[score.Pressure] = pressure
	x.Wide = row[1+ofJob] != 0
	copy(x.Pair[:], row[2+ofJob:])
	return x
}

// scored is a score within its bounds.
func scored(s float64) float64 { return min(mostScore, max(-mostScore, s)) }

// weights are all weights of a vector.
func (c *parts) weights(params []float64) (w [typed.NumTerms]float64) {
	copy(w[:], c.Typed.Weights)
	for i, at := range c.places {
		w[at] = params[i]
	}
	return w
}
