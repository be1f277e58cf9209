package envtest

import (
	"errors"
	"fmt"

	"tarry/env"
	"tarry/env/vec"
)

// repeats plays complete episodes twice: in one copy, and in another.
func (c *checker) repeats() error {
	var want []frame
	err := c.with(func(e env.Env) (err error) {
		if want, err = c.record(e, 42, "repeat"); err != nil {
			return err
		}
		again, err := c.record(e, 42, "repeat")
		if err == nil {
			err = compare(again, want)
		}
		return wrapErr("the same seed and actions again", err)
	})
	if err != nil {
		return err
	}
	return c.with(func(e env.Env) error {
		other, err := c.record(e, 42, "repeat")
		if err == nil {
			err = compare(other, want)
		}
		return wrapErr("the same seed and actions in another copy", err)
	})
}

func wrapErr(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// interleaved plays two copies alone, then step by step in turn.
func (c *checker) interleaved() error {
	var alone, turn [2][]frame
	for k := range alone {
		if err := c.with(func(e env.Env) error {
			p := newPlayer(e, fmt.Sprintf("alone %d", k))
			seed := uint64(k)
			err := p.reset(&seed, "")
			if err == nil {
				err = p.play(c.cfg.Steps)
			}
			alone[k] = p.frames
			return err
		}); err != nil {
			return err
		}
	}
	err := c.with(func(a env.Env) error {
		return c.with(func(b env.Env) error {
			ps := []*player{newPlayer(a, "alone 0"), newPlayer(b, "alone 1")}
			for k, p := range ps {
				seed := uint64(k)
				if err := p.reset(&seed, ""); err != nil {
					return err
				}
			}
			for range c.cfg.Steps {
				for _, p := range ps {
					if err := p.play(1); err != nil {
						return err
					}
				}
			}
			turn[0], turn[1] = ps[0].frames, ps[1].frames
			return nil
		})
	})
	if err != nil {
		return err
	}
	for k := range turn {
		if err := compare(turn[k], alone[k]); err != nil {
			return fmt.Errorf("copy %d of two that take turns differs from itself alone: %w", k, err)
		}
	}
	return nil
}

// vectors holds a vector of three, over one and over two workers, against three singles.
func (c *checker) vectors() error {
	const n, root = 3, 5
	single := make([]*player, n)
	episodes := make([]uint64, n)
	reset := func(i int) error {
		seed := env.HashSeed(root, "episode", uint64(i), episodes[i])
		episodes[i]++
		return single[i].reset(&seed, "")
	}
	var open []env.Env
	defer func() {
		for _, e := range open {
			e.Close()
		}
	}()
	var vecs []*vec.Vec
	for i := range single {
		e, err := c.cfg.New()
		if err != nil {
			return fmt.Errorf("New: %w", err)
		}
		open = append(open, e)
		single[i] = newPlayer(e, fmt.Sprintf("vector %d", i))
		if err := reset(i); err != nil {
			return err
		}
	}
	for workers := 1; workers <= 2; workers++ {
		v, err := vec.New(vec.Config{New: func(int) (env.Env, error) { return c.cfg.New() }, N: n, Workers: workers,
			Seed: root})
		if err != nil {
			return err
		}
		defer v.Close()
		b, err := v.Reset()
		if err != nil {
			return err
		}
		for i, p := range single {
			if d := inBatch(b, i, p.frames[0], p.frames[0]); d != nil {
				return d
			}
		}
		vecs = append(vecs, v)
	}
	for range c.cfg.Steps {
		if err := stepAll(single, vecs, reset); err != nil {
			return err
		}
	}
	return nil
}

// stepAll takes one step everywhere and compares.
func stepAll(single []*player, vecs []*vec.Vec, reset func(i int) error) error {
	var actions []float64
	var step, next []frame
	for i, p := range single {
		if err := p.step(); err != nil {
			return err
		}
		f := p.frames[len(p.frames)-1]
		step = append(step, f)
		actions = append(actions, f.action...)
		if p.done {
			if err := reset(i); err != nil {
				return err
			}
		}
		next = append(next, p.frames[len(p.frames)-1])
		p.frames = p.frames[len(p.frames)-1:]
	}
	for k, v := range vecs {
		b, err := v.Step(actions)
		if err != nil {
			return err
		}
		for i := range single {
			if err := inBatch(b, i, step[i], next[i]); err != nil {
				return fmt.Errorf("over %d workers: %w", k+1, err)
			}
		}
	}
	return nil
}

// inBatch compares one environment's part of a batch with its own step and the frame to act on
// next.
func inBatch(b *vec.Batch, i int, step, next frame) error {
	metrics := b.MetricsOf(i)
	if step.metrics == nil {
		metrics = nil
	}
	got := frame{step.action, b.FinalObsOf(i), metrics, b.FinalMaskOf(i), b.Reward[i], b.Elapsed[i], b.Terminated[i],
		b.Truncated[i]}
	after := next
	after.obs, after.mask = b.ObsOf(i), b.MaskOf(i)
	var errs []error
	if d := got.differs(step); d != "" {
		errs = append(errs, fmt.Errorf("part %d of a vector differs from a single copy: %s", i, d))
	}
	if d := after.differs(next); d != "" {
		errs = append(errs, fmt.Errorf("part %d of a vector continues otherwise than a single copy: %s", i, d))
	}
	return errors.Join(errs...)
}
