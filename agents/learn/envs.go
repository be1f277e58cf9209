package learn

import (
	"fmt"

	"tarry/env"
	"tarry/env/vec"
	"tarry/internal/fixmath"
)

// Envs are the environments of a run, stepped side by side. They count steps and episodes into the
// Run, and observations into the moments by which a policy scales them.
type Envs struct {
	*vec.Vec
	// Batch is what the environments gave last; nil before the first Begin.
	Batch *vec.Batch
	// Actions are the actions that Advance takes, one environment after the other.
	Actions []float64
	// Discount is gamma to the power of the time that the last step took, per environment.
	Discount []float64
	// Moments are the moments of the observations; nil = they are not scaled.
	Moments *env.Moments

	run   *Run
	gamma float64
}

// EnvConfig states which environments a run has.
type EnvConfig struct {
	// Make makes environment i of N, which Workers goroutines step; Workers does not change
	// results.
	Make       func(i int) (env.Env, error)
	N, Workers int
	// Seed is the run's: the seed of each episode follows from it.
	Seed uint64
	// Alike is how many environments, one after the other, play the same episodes; 0 or 1 = each its
	// own.
	Alike int
	// Gamma is the discount per unit of Info.Elapsed, in (0,1].
	Gamma float64
}

// Open makes the environments of a run. On an error none is left open.
func (r *Run) Open(c EnvConfig) (*Envs, error) {
	v, err := vec.New(vec.Config{New: c.Make, N: c.N, Workers: c.Workers, Alike: c.Alike,
		Seed: env.HashSeed(c.Seed, "train")})
	if err != nil {
		return nil, err
	}
	return &Envs{Vec: v, Actions: make([]float64, c.N*v.Spec().Action.Len()), Discount: make([]float64, c.N), run: r,
		gamma: c.Gamma}, nil
}

// Begin resets the environments, once in a run; first reports whether this call did.
func (e *Envs) Begin() (first bool, err error) {
	if e.Batch != nil {
		return false, nil
	}
	err = e.Again()
	return err == nil, err
}

// Again has all environments start an episode; what they play is given up.
func (e *Envs) Again() error {
	b, err := e.Reset()
	if err == nil {
		e.count(b)
	}
	return err
}

// ActionOf is the part of Actions for environment i.
func (e *Envs) ActionOf(i int) []float64 {
	n := len(e.Actions) / len(e.Discount)
	return e.Actions[i*n : (i+1)*n]
}

// Demonstrate sets Actions to what a demonstrator does in the environments as they are; take is called
// after each.
func (e *Envs) Demonstrate(demo Demonstrator, take func(i int)) error {
	for i := range e.N() {
		if err := demo.Ask(e.Spec(), i, e.Batch.ObsOf(i), e.Batch.MaskOf(i), e.ActionOf(i)); err != nil {
			return fmt.Errorf("environment %d: %w", i, err)
		}
		take(i)
	}
	return nil
}

// Advance takes the actions in all environments.
func (e *Envs) Advance() error {
	b, err := e.Step(e.Actions)
	if err != nil {
		return err
	}
	e.count(b)
	for i := range e.Discount {
		if b.Done(i) {
			e.run.Tally.Add(b.Episodes[i].Return, float64(b.Episodes[i].Steps))
		}
		e.Discount[i] = e.gamma
		if b.Elapsed[i] != 1 { // decisions that are not equally far apart
			e.Discount[i] = fixmath.Pow(e.gamma, b.Elapsed[i])
		}
	}
	e.run.Steps += len(e.Discount)
	return nil
}

func (e *Envs) count(b *vec.Batch) {
	if e.Moments != nil {
		e.Moments.Add(b.Obs) // detail continuous 6: observations are normalised by running moments
	}
	e.Batch = b
}
