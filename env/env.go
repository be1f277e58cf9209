package env

// Env is one copy of a decision problem. It belongs to one goroutine at a time, shares nothing
// with its siblings, and is a pure function of its options, seeds and actions.
type Env interface {
	// Spec describes the environment: id, spaces, limits. It is the same for its whole life;
	// callers do not change it.
	Spec() *Spec
	// Reset starts an episode. A seed starts every random stream anew, so that equal seeds give
	// equal episodes; nil lets the streams run on (the first reset of all then uses seed 0).
	// options is "key=value,..." for this episode alone; "" means none. An unknown key, or a bad
	// value, is an error and leaves the environment in need of a reset.
	Reset(seed *uint64, options string) (obs []float64, info Info, err error)
	// Step takes one action, which must lie in Spec().Action and be legal under the latest mask.
	// Errors: ErrInvalidAction (the episode continues as if the call had not been made),
	// ErrResetNeeded, ErrClosed.
	Step(action []float64) (Step, error)
	// Close lets go of what the environment holds; a second call does nothing.
	Close() error
}

// Step is what one action led to.
type Step struct {
	// Obs is the observation after the action, a value of Spec().Observation.
	Obs []float64
	// Reward is finite.
	Reward float64
	// Terminated: the problem itself ended; nothing of value comes after (do not bootstrap).
	Terminated bool
	// Truncated: the episode was cut (a time limit), although the problem continues (bootstrap from
	// Obs).
	Truncated bool
	// Info is what else is known.
	Info Info
}

// Done reports whether the episode ended; the next call must be Reset.
func (s *Step) Done() bool { return s.Terminated || s.Truncated }

// Info is what else an environment states with an observation.
type Info struct {
	// Mask marks the actions that are legal now, in the layout of MaskLen(Spec().Action). It is nil
	// in an environment whose Spec().Masked is false, and never nil in the others (after a
	// terminated step it may have no true entry; before, it has at least one).
	Mask []bool
	// Elapsed is how long the step took, in the environment's own unit of time: 1 where all steps
	// are alike, 0 after a reset. A learner discounts by gamma^Elapsed.
	Elapsed float64
	// Metrics are figures to watch, named by Spec().Metrics, in that order.
	Metrics []float64
	// Episode sums the episode up. It is nil but for the last step of an episode under
	// wrap.EpisodeStatistics.
	Episode *Episode
}

// Episode sums one episode up.
type Episode struct {
	// Return is the undiscounted sum of rewards.
	Return float64
	// Steps counts actions.
	Steps int
	// Elapsed is the sum of Info.Elapsed.
	Elapsed float64
}

// Snapshotter is an environment whose state can be saved and restored, between any two calls.
type Snapshotter interface {
	// Snapshot gives the complete state, random streams included, as bytes that another process can
	// restore. errors.ErrUnsupported (wrapped) states that a layer below cannot.
	Snapshot() ([]byte, error)
	// Restore sets an environment of the same Spec to that state and gives again what its last
	// Reset (with reward 0) or Step gave; the zero Step if there was none. What follows is equal
	// to what would have followed the snapshot. A damaged snapshot, or one of another environment,
	// gives an error that wraps ErrSnapshot; the environment then needs a reset.
	Restore(data []byte) (Step, error)
}

// Unwrapper is an environment around another one.
type Unwrapper interface {
	// Unwrap gives the environment one layer below.
	Unwrap() Env
}

// Find gives the outermost layer of an environment that is a T: an interface, or a wrapper's type.
func Find[T any](e Env) (T, bool) {
	for e != nil {
		if t, ok := e.(T); ok {
			return t, true
		}
		u, ok := e.(Unwrapper)
		if !ok {
			break
		}
		e = u.Unwrap()
	}
	var none T
	return none, false
}
