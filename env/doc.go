// Package env is the contract between a decision problem and a learner: the semantics
// of Gymnasium, in Go, without an allocation per step.
//
// Reading guide. Env, Step and Info are the contract (env.go); Space and its six kinds describe
// what observations and actions are (space.go, composite.go, sample.go, flatten.go); Spec
// describes an environment and survives JSON (spec.go, id.go, encode.go); errors.go lists what
// can go wrong; HashSeed gives every episode its own seed (seed.go); Moments are the running
// mean and variance that normalisation needs (moments.go).
//
// Packages above: env/wrap has the wrappers, env/vec steps many environments at once, env/envtest
// checks an environment against the contract, catalogue/envs is the list of ids.
//
// An episode is six lines:
//
//	obs, info, err := e.Reset(&seed, "")
//	for err == nil && !done {
//		var s env.Step
//		s, err = e.Step(act(obs, info.Mask))
//		obs, info, done = s.Obs, s.Info, s.Done()
//	}
//
// # Values
//
// Observations and actions are flat []float64, laid out by their Space: a Box gives one number
// per element in row-major order, Discrete one whole number, MultiDiscrete and MultiBinary one
// per component, Dict and Tuple their parts one after the other. Integers are exact.
//
// # Who owns a buffer
//
// Obs, Mask, Metrics and Episode belong to the environment. They are valid, and constant, until
// the next call of Reset, Step, Restore or Close on it; a caller that keeps them copies them, and
// never writes to them. The action belongs to the caller; the environment does not keep it.
//
// # We differ from Gymnasium
//
// Errors are returned, never raised. There is no global registry and no rendering. A space has
// no random state of its own: sampling takes a named stream. Dict keeps the order in which it is
// declared. An empty mask is an error, not a silent first action. Time is explicit: Info.Elapsed
// states how long the step was, so that discounting per unit of time is possible.
package env
