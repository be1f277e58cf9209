package scenario

import (
	"context"
	"fmt"

	"tarry/env"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces/synth"
)

// Part is one of the three disjoint sets of windows.
type Part = trait.Part

// The parts, as in package trait.
const (
	Train      = trait.Train
	Validation = trait.Validation
	Test       = trait.Test
)

// Source gives the workloads of episodes. No job is in the windows of two parts. Many environments
// may share one, in as many goroutines: sources of this package do not change once they are made.
type Source interface {
	// Windows is how many windows a part has, > 0.
	Windows(p Part) int
	// Window makes one of them, the same each time. Its time zero is its first instant.
	Window(p Part, i int) (*sim.Workload, error)
}

// Sourced is an environment whose jobs are the windows of a Source.
type Sourced interface {
	// JobSource gives the source, and the hash of all jobs of the trace that it was cut from, as
	// sim.Workload.Hash gives it; "" where it was made from something else.
	JobSource() (from Source, traceSHA256 string)
}

// Choosing is an environment that may choose its predictor.
type Choosing interface {
	// Choices lists which predictors were chosen, one for each scenario of a mixture that chooses. The
	// first call simulates the candidates, until ctx ends.
	Choices(ctx context.Context) ([]*Choice, error)
}

// Listed is a Source whose jobs are a list, out of a file as a rule.
type Listed interface {
	Source
	// Jobs is all that the windows of a part are made from.
	Jobs(p Part) *sim.Workload
}

// Dated is a Listed whose windows have a place in time beside the jobs of part train.
type Dated interface {
	Listed
	// Begins is when a window begins, on the clock of Jobs(Train).
	Begins(p Part, i int) sim.Time
}

// Synthetic draws each window anew: part and number are in the seed, so that windows share no draw.
type Synthetic struct {
	// Config is the law. Its Jobs is the length of every window.
	Config synth.Config
	// Seed is the root of all windows' seeds.
	Seed uint64
	// Count is how many windows each part has; > 0.
	Count int
}

// Windows is Count.
func (s Synthetic) Windows(Part) int { return s.Count }

// Window draws one window.
func (s Synthetic) Window(p Part, i int) (*sim.Workload, error) {
	w, err := synth.Generate(s.Config, rng.Source{Seed: env.HashSeed(s.Seed, "window/"+string(p), uint64(i))})
	if err == nil {
		w.Name = fmt.Sprintf("%s/%s/%d", w.Name, p, i)
	}
	return w, err
}
