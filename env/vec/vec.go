// Package vec steps many copies of an environment at once.
//
// Reading guide. A Vec (vec.go) steps N environments, in the caller's goroutine or over several
// workers (work.go), into one Batch (batch.go). A Normalizer (normalize.go) scales what a Batch
// holds by running moments.
//
// The autoreset rule, the only one: an environment whose episode ended with a step is reset
// within the same step. Batch.Obs then starts the new episode, Batch.FinalObs keeps the last
// observation of the old one (a learner bootstraps from it when the episode was truncated), and
// Reward, Terminated and Truncated are of the old one's last step. No step is ever lost.
//
// Episode k of environment i starts from env.HashSeed(Seed, "episode", i, k): it depends neither
// on what happened in earlier episodes nor on the number of workers. With Config.Alike environments in
// groups start the same episodes: i is then the number of the group.
package vec

import (
	"errors"
	"fmt"
	"math"

	"tarry/env"
	"tarry/internal/pack"
)

// Config states what to step.
type Config struct {
	// New makes environment i of N; all must have equal spaces.
	New func(i int) (env.Env, error)
	// N is how many, >= 1.
	N int
	// Workers is over how many goroutines steps are spread; 0 or 1 = the caller's own. It moves
	// no result.
	Workers int
	// Seed is the root of every episode's seed.
	Seed uint64
	// Options go to every Reset.
	Options string
	// Alike is how many environments, one after the other, start episode k from the same seed; 0 or 1
	// = each has seeds of its own. Reset starts the same episode in all of a group again.
	Alike int
}

// Vec is N environments that are stepped together. It belongs to one goroutine.
type Vec struct {
	cfg     Config
	spec    *env.Spec
	envs    []env.Env
	batch   *Batch
	episode []uint64 // how many episodes were started, by environment
	errs    []error
	actions []float64
	actLen  int
	ready   bool
	closed  bool
	pool    *pool
}

// New makes the environments. On an error those already made are closed.
func New(cfg Config) (*Vec, error) {
	if cfg.N < 1 || cfg.Workers < 0 || cfg.New == nil {
		return nil, fmt.Errorf("vec: %d environments over %d workers, expected >= 1 over >= 0, and a constructor",
			cfg.N, cfg.Workers)
	}
	v := &Vec{cfg: cfg, episode: make([]uint64, cfg.N), errs: make([]error, cfg.N)}
	for i := range cfg.N {
		e, err := cfg.New(i)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("vec: environment %d: %w", i, err), v.Close())
		}
		v.envs = append(v.envs, e)
		s := e.Spec()
		if i == 0 {
			v.spec = s
		}
		if s.ID != v.spec.ID || s.Masked != v.spec.Masked || len(s.Metrics) != len(v.spec.Metrics) ||
			!env.EqualSpaces(s.Observation, v.spec.Observation) || !env.EqualSpaces(s.Action, v.spec.Action) {
			return nil, errors.Join(fmt.Errorf("vec: environment %d is %s with other spaces than environment 0, %s", i,
				s.ID, v.spec.ID), v.Close())
		}
	}
	v.actLen = v.spec.Action.Len()
	v.batch = newBatch(cfg.N, v.spec)
	if w := min(cfg.Workers, cfg.N); w > 1 {
		v.pool = newPool(v, w)
	}
	return v, nil
}

// Spec describes each of the environments.
func (v *Vec) Spec() *env.Spec { return v.spec }

// N is the number of environments.
func (v *Vec) N() int { return len(v.envs) }

// Reset starts a new episode everywhere; the first call starts episode 0.
func (v *Vec) Reset() (*Batch, error) {
	if v.closed {
		return nil, env.ErrClosed
	}
	for i := range v.envs {
		v.batch.clearStep(i)
		if first := i - i%v.alike(); i > first { // who is behind skips episodes
			v.episode[first] = max(v.episode[first], v.episode[i])
		}
	}
	for i := range v.envs {
		v.episode[i] = v.episode[i-i%v.alike()]
	}
	return v.run(nil)
}

// Step takes one action in each environment, one after the other in actions. After an error,
// which names the environments, the Vec needs a reset.
func (v *Vec) Step(actions []float64) (*Batch, error) {
	switch {
	case v.closed:
		return nil, env.ErrClosed
	case !v.ready:
		return nil, env.ErrResetNeeded
	case len(actions) != len(v.envs)*v.actLen:
		return nil, fmt.Errorf("vec: %w: %d numbers, expected %d for each of %d environments", env.ErrInvalidAction,
			len(actions), v.actLen, len(v.envs))
	}
	return v.run(actions)
}

// run resets (without actions) or steps all environments.
func (v *Vec) run(actions []float64) (*Batch, error) {
	v.actions = actions
	if v.pool != nil {
		v.pool.run()
	} else {
		for i := range v.envs {
			v.one(i)
		}
	}
	v.actions, v.ready = nil, true
	for i, err := range v.errs {
		if err != nil {
			v.ready = false
			v.errs[i] = fmt.Errorf("vec: environment %d: %w", i, err)
		}
	}
	if !v.ready {
		return nil, errors.Join(v.errs...)
	}
	return v.batch, nil
}

// one resets or steps environment i. It touches nothing of any other environment.
func (v *Vec) one(i int) {
	v.errs[i] = nil
	if v.actions == nil {
		info, err := v.reset(i)
		v.errs[i] = err
		copy(v.batch.MetricsOf(i), info.Metrics)
		copy(v.batch.FinalObsOf(i), v.batch.ObsOf(i))
		copy(v.batch.FinalMaskOf(i), v.batch.MaskOf(i))
		return
	}
	s, err := v.envs[i].Step(v.actions[i*v.actLen : (i+1)*v.actLen : (i+1)*v.actLen])
	if dt := s.Info.Elapsed; err == nil && (!(dt >= 0) || math.IsInf(dt, 0)) {
		err = fmt.Errorf("a step took %g units of time, expected a finite number >= 0", dt)
	}
	if err != nil {
		v.errs[i] = err
		return
	}
	b := v.batch
	if e := &b.Episodes[i]; b.Done(i) {
		*e = env.Episode{}
	}
	e := &b.Episodes[i]
	e.Return += s.Reward
	e.Steps++
	e.Elapsed += s.Info.Elapsed
	b.Reward[i], b.Terminated[i], b.Truncated[i], b.Elapsed[i] = s.Reward, s.Terminated, s.Truncated, s.Info.Elapsed
	copy(b.MetricsOf(i), s.Info.Metrics)
	copy(b.FinalObsOf(i), s.Obs)
	copy(b.FinalMaskOf(i), s.Info.Mask)
	if s.Done() {
		_, v.errs[i] = v.reset(i)
		return
	}
	copy(b.ObsOf(i), s.Obs)
	copy(b.MaskOf(i), s.Info.Mask)
}

// alike is Config.Alike, at least 1.
func (v *Vec) alike() int { return max(1, v.cfg.Alike) }

// reset starts environment i's next episode.
func (v *Vec) reset(i int) (env.Info, error) {
	seed := env.HashSeed(v.cfg.Seed, "episode", uint64(i/v.alike()), v.episode[i])
	v.episode[i]++
	obs, info, err := v.envs[i].Reset(&seed, v.cfg.Options)
	if err != nil {
		return info, err
	}
	copy(v.batch.ObsOf(i), obs)
	copy(v.batch.MaskOf(i), info.Mask)
	return info, nil
}

const record = "tarry/vec/1"

// Snapshot gives the state of every environment and the last batch; see env.Snapshotter.
func (v *Vec) Snapshot() ([]byte, error) {
	if v.closed {
		return nil, env.ErrClosed
	}
	w := pack.NewWriter(record)
	w.Bytes([]byte(v.spec.ID))
	w.Int(len(v.envs))
	w.Uint64(v.cfg.Seed)
	w.Bool(v.ready)
	v.batch.save(w)
	for i, e := range v.envs {
		data, err := env.Snapshot(e)
		if err != nil {
			return nil, fmt.Errorf("vec: environment %d: %w", i, err)
		}
		w.Uint64(v.episode[i])
		w.Bytes(data)
	}
	return w.Seal(), nil
}

// Restore sets the environments to a snapshot of a Vec of as many environments, the same Seed and
// Spec, over any number of workers, and gives again the batch of its last call.
func (v *Vec) Restore(data []byte) (*Batch, error) {
	if v.closed {
		return nil, env.ErrClosed
	}
	v.ready = false
	r := pack.NewReader(record, data)
	id, n, seed, ready := string(r.Bytes()), r.Int(), r.Uint64(), r.Bool()
	if id != v.spec.ID || n != len(v.envs) || seed != v.cfg.Seed {
		r.Fail(fmt.Errorf("%d of %s with seed %d, expected %d of %s with seed %d", n, id, seed, len(v.envs), v.spec.ID,
			v.cfg.Seed))
	}
	v.batch.load(r)
	for i, e := range v.envs {
		v.episode[i] = r.Uint64()
		state := r.Bytes()
		if r.Err() != nil {
			break
		}
		if _, err := env.Restore(e, state); err != nil {
			return nil, fmt.Errorf("vec: environment %d: %w", i, err)
		}
	}
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("vec: %w: %w", env.ErrSnapshot, err)
	}
	v.ready = ready
	return v.batch, nil
}

// Close closes every environment and stops the workers; a second call does nothing.
func (v *Vec) Close() error {
	if v.closed {
		return nil
	}
	v.closed = true
	if v.pool != nil {
		v.pool.stop()
	}
	var errs []error
	for i, e := range v.envs {
		if err := e.Close(); err != nil {
			errs = append(errs, fmt.Errorf("vec: environment %d: %w", i, err))
		}
	}
	return errors.Join(errs...)
}
