package envtest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tarry/env"
)

// resets checks what a seed does and what its absence does.
func (c *checker) resets() error {
	return c.with(func(e env.Env) error {
		p := newPlayer(e, "reset")
		a, b, zero := uint64(123), uint64(456), uint64(0)
		states := [][]byte{}
		for _, seed := range []*uint64{nil, &zero, &a, nil, &a, nil, &b} {
			if err := p.reset(seed, ""); err != nil {
				return err
			}
			c.inspect(e.Spec(), p.frames[len(p.frames)-1])
			state, _ := env.Snapshot(e) // a fault of its own is found by the check of snapshots
			states = append(states, state)
		}
		same := func(what string, i, j int) {
			if d := p.frames[i].differs(p.frames[j]); d != "" {
				c.fault("%s: %s", what, d)
			}
			if !slices.Equal(states[i], states[j]) {
				c.fault("%s: snapshots differ", what)
			}
		}
		same("the first reset without a seed against seed 0", 0, 1)
		same("seed 123 twice", 2, 4)
		same("no seed after seed 123, twice", 3, 5)
		if states[2] != nil && p.streams() {
			if slices.Equal(states[2], states[6]) {
				c.fault("seeds 123 and 456 lead to the same state")
			}
			if slices.Equal(states[2], states[3]) || slices.Equal(states[1], states[3]) {
				c.fault("a reset without a seed starts the streams anew, expected them to run on")
			}
		}
		return nil
	})
}

// streams reports whether resets drew anything: some first observations differ.
func (p *player) streams() bool {
	for _, f := range p.frames {
		if f.differs(p.frames[0]) != "" {
			return true
		}
	}
	return false
}

// order steps when no step is due.
func (c *checker) order() error {
	return c.with(func(e env.Env) error {
		p := newPlayer(e, "order")
		if err := e.Spec().Action.Sample(p.action, p.agent, nil); err != nil {
			return err
		}
		if _, err := e.Step(p.action); !errors.Is(err, env.ErrResetNeeded) {
			c.fault("Step before Reset gives %v, expected ErrResetNeeded", err)
		}
		if err := p.reset(nil, ""); err != nil {
			return err
		}
		if err := p.play(c.cfg.Steps); err != nil {
			return err
		}
		if p.done {
			action := slices.Clone(p.frames[len(p.frames)-1].action)
			if _, err := e.Step(action); !errors.Is(err, env.ErrResetNeeded) {
				c.fault("Step after the end of an episode gives %v, expected ErrResetNeeded", err)
			}
		}
		return nil
	})
}

// closing closes twice and calls afterwards.
func (c *checker) closing() error {
	e, err := c.cfg.New()
	if err != nil {
		return fmt.Errorf("New: %w", err)
	}
	p := newPlayer(e, "close")
	if err := p.reset(nil, ""); err != nil {
		return err
	}
	if err := p.choose(); err != nil {
		return err
	}
	for _, time := range []string{"first", "second"} {
		if err := e.Close(); err != nil {
			c.fault("the %s Close gives %v", time, err)
		}
	}
	if _, err := e.Step(p.action); !errors.Is(err, env.ErrClosed) {
		c.fault("Step after Close gives %v, expected ErrClosed", err)
	}
	if _, _, err := e.Reset(nil, ""); !errors.Is(err, env.ErrClosed) {
		c.fault("Reset after Close gives %v, expected ErrClosed", err)
	}
	return nil
}

// refusals tries actions outside the space, and checks that nothing came of them.
func (c *checker) refusals() error {
	seed := uint64(7)
	var want, got []frame
	err := c.with(func(e env.Env) (err error) {
		want, err = c.record(e, seed, "refuse")
		return err
	})
	if err != nil {
		return err
	}
	err = c.with(func(e env.Env) error {
		p := newPlayer(e, "refuse")
		if err := p.reset(&seed, ""); err != nil {
			return err
		}
		for n := 0; n < c.cfg.Steps && !p.done; n++ {
			if n < 3 {
				c.refuse(e)
			}
			if err := p.step(); err != nil {
				return err
			}
		}
		got = p.frames
		return nil
	})
	if err != nil {
		return err
	}
	if err := compare(got, want[:min(len(got), len(want))]); err != nil {
		return fmt.Errorf("the episode continues otherwise after refused actions: %w", err)
	}
	return nil
}

// refuse offers what is never an action.
func (c *checker) refuse(e env.Env) {
	n := e.Spec().Action.Len()
	bad := [][]float64{nil, make([]float64, n+1)}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -1e9, 0.5} {
		x := make([]float64, n)
		for i := range x {
			x[i] = v
		}
		bad = append(bad, x)
	}
	for _, x := range bad {
		if e.Spec().Action.Contains(x) {
			continue
		}
		if _, err := e.Step(x); !errors.Is(err, env.ErrInvalidAction) {
			c.fault("Step of %v gives %v, expected ErrInvalidAction", x, err)
		}
	}
}

// masks tries every single choice in states along an episode: what the mask forbids is refused,
// what it allows is accepted (on a copy of the state, where there are snapshots).
func (c *checker) masks() error {
	return c.with(func(e env.Env) error {
		s := e.Spec()
		if env.MaskLen(s.Action) == 0 {
			return nil
		}
		seed := uint64(11)
		p := newPlayer(e, "mask")
		if err := p.reset(&seed, ""); err != nil {
			return err
		}
		draws := agent("mask draws")
		for n := 0; n < min(c.cfg.Steps, 50) && !p.done; n++ {
			for k := range 16 {
				x := make([]float64, s.Action.Len())
				if d, ok := s.Action.(env.Discrete); ok {
					if k >= d.N {
						break
					}
					x[0] = float64(d.Start + (n*16+k)%d.N)
				} else if err := s.Action.Sample(x, draws, nil); err != nil {
					return err
				}
				if err := c.try(e, p.mask, x); err != nil {
					return err
				}
			}
			if err := p.step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// try takes one action that may or may not be legal and goes back to where it was.
func (c *checker) try(e env.Env, mask []bool, x []float64) error {
	if env.CheckAction(e.Spec(), mask, x) != nil {
		if _, err := e.Step(x); !errors.Is(err, env.ErrInvalidAction) {
			return fmt.Errorf("Step of %v, which the mask forbids, gives %v, expected ErrInvalidAction", x, err)
		}
		return nil
	}
	state, err := env.Snapshot(e)
	if err != nil {
		return nil // cannot go back; the random agent tries legal actions too
	}
	if _, err := e.Step(x); err != nil {
		return fmt.Errorf("Step of %v, which the mask allows: %w", x, err)
	}
	if _, err := env.Restore(e, state); err != nil {
		return fmt.Errorf("Restore: %w", err)
	}
	return nil
}

// options tries the allowed options and an unknown one.
func (c *checker) options() error {
	return c.with(func(e env.Env) error {
		for _, o := range c.cfg.ResetOptions {
			p := newPlayer(e, "options")
			if err := p.reset(nil, o); err != nil {
				c.fault("options %q: %v", o, err)
				continue
			}
			c.inspect(e.Spec(), p.frames[0])
		}
		const unknown = "no-such-option=1"
		if _, _, err := e.Reset(nil, unknown); err == nil {
			c.fault("Reset accepts the option %q", unknown)
		}
		p := newPlayer(e, "options")
		if err := p.choose(); err == nil && !e.Spec().Masked {
			if _, err := e.Step(p.action); !errors.Is(err, env.ErrResetNeeded) {
				c.fault("Step after a failed Reset gives %v, expected ErrResetNeeded", err)
			}
		}
		return nil
	})
}
