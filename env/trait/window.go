package trait

import (
	"errors"

	"tarry/env"
)

// Part is one of the three disjoint sets of windows.
type Part string

// The parts. A learner sees Train, chooses between its checkpoints on Validation, and is measured
// once on Test.
const (
	Train      Part = "train"
	Validation Part = "validation"
	Test       Part = "test"
)

// Windowed is an environment whose episodes take place in windows, which its parts divide. Reset
// draws one of the present part, or takes the window of its option window=N, counted from 0.
type Windowed interface {
	// Part is the part from which Reset draws.
	Part() Part
	// Windows is how many windows a part has, > 0.
	Windows(p Part) int
	// WindowHash names what is in a window: equal hashes are equal windows, in this environment and
	// others. It depends on its arguments alone and may be called by many goroutines at once.
	WindowHash(p Part, i int) (string, error)
}

// Divided is a Windowed environment that can be had on another part.
type Divided interface {
	// Another makes a fresh environment on a part, with the configuration and Spec of this one. The
	// two may share what never changes, but no window, run or random stream; each may be used by a
	// goroutine of its own.
	Another(p Part) (env.Env, error)
}

// Keeper is a Windowed environment that keeps windows ready.
type Keeper interface {
	// Keep sets how many windows stay in memory: a caller that visits the same windows again and
	// again has them prepared once. It does not change results. 0 or less = as many as the
	// environment likes.
	Keep(n int)
}

// Mixed is a Windowed environment whose windows are of several regimes, such as clusters and loads.
type Mixed interface {
	// Mixture is how many regimes there are, at least 1: window i of a part is of regime i mod
	// Mixture().
	Mixture() int
}

// Taught is an environment in some of whose settings nothing can be learned.
type Taught interface {
	// Trainable states why; nil = an agent may be trained.
	Trainable() error
}

// ErrNoQuestion states that an episode ends before the agent was asked anything. It depends on the
// window and the environment's options, not on the agent; such windows are left out of validation.
var ErrNoQuestion = errors.New("the jobs end without a question to the agent, expected more load or another cluster")
