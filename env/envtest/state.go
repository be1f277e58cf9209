package envtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"tarry/env"
)

// snapshots goes back to points of an episode, in the same copy and in another, before the first
// reset, in the middle, and at the end.
func (c *checker) snapshots() error {
	return c.with(func(a env.Env) error {
		return c.with(func(b env.Env) error {
			state, err := env.Snapshot(a)
			if errors.Is(err, errors.ErrUnsupported) {
				if !c.cfg.NoSnapshots {
					c.fault("there are no snapshots: %v", err)
				}
				return nil
			}
			if err != nil {
				return fmt.Errorf("Snapshot before Reset: %w", err)
			}
			if _, err := env.Restore(b, state); err != nil {
				return fmt.Errorf("Restore of a snapshot before Reset: %w", err)
			}
			for _, at := range []int{0, 1, 2, 7, c.cfg.Steps / 2, c.cfg.Steps} {
				if err := c.goBack(a, b, at); err != nil {
					return fmt.Errorf("at step %d: %w", at, err)
				}
			}
			return nil
		})
	})
}

// goBack plays to a step, saves, continues, and continues again from the snapshot.
func (c *checker) goBack(a, b env.Env, at int) error {
	seed := uint64(at)
	p := newPlayer(a, "snapshot")
	if err := p.reset(&seed, ""); err != nil {
		return err
	}
	if err := p.play(at); err != nil {
		return err
	}
	state, err := env.Snapshot(a)
	if err != nil {
		return fmt.Errorf("Snapshot: %w", err)
	}
	kept, last := bytes.Clone(state), p.frames[len(p.frames)-1]
	acting, err := p.agent.MarshalBinary()
	if err != nil {
		return err
	}
	onward := func(e env.Env, s *env.Step) ([]frame, error) {
		q := newPlayer(e, "snapshot")
		if err := q.agent.UnmarshalBinary(acting); err != nil {
			return nil, err
		}
		q.mask, q.done = slices.Clone(last.mask), last.terminated || last.truncated
		if s != nil {
			q.note(last.action, *s)
			if d := q.frames[0].differs(last); d != "" {
				return nil, fmt.Errorf("Restore gives another step than the last one: %s", d)
			}
			q.frames = nil
			if again, err := env.Snapshot(e); err != nil || !bytes.Equal(again, kept) {
				return nil, fmt.Errorf("a snapshot right after Restore differs from the restored one (error %v)", err)
			}
		}
		if err := q.play(min(c.cfg.Steps, 50)); err != nil {
			return nil, err
		}
		if err := q.reset(nil, ""); err != nil {
			return nil, err
		}
		return q.frames, q.play(min(c.cfg.Steps, 20))
	}
	want, err := onward(a, nil)
	if err != nil {
		return err
	}
	if !bytes.Equal(state, kept) {
		return fmt.Errorf("a snapshot changes while the environment continues")
	}
	for i, name := range []string{"the same copy", "another copy"} {
		e := []env.Env{a, b}[i]
		s, err := env.Restore(e, state)
		if err != nil {
			return fmt.Errorf("Restore in %s: %w", name, err)
		}
		got, err := onward(e, &s)
		if err == nil {
			err = compare(got, want)
		}
		if err != nil {
			return fmt.Errorf("restored in %s: %w", name, err)
		}
	}
	return nil
}

// damage offers snapshots that are cut, flipped, empty or foreign.
func (c *checker) damage() error {
	return c.with(func(e env.Env) error {
		p := newPlayer(e, "damage")
		if err := p.reset(nil, ""); err != nil {
			return err
		}
		state, err := env.Snapshot(e)
		if err != nil {
			return nil // reported by the check of snapshots
		}
		flips := agent("flips")
		bad := [][]byte{nil, []byte("{}"), state[:len(state)/2], state[:len(state)-1], append(bytes.Clone(state), 0)}
		for range 20 {
			x := bytes.Clone(state)
			x[flips.IntN(len(x))] ^= 1 << flips.IntN(8)
			bad = append(bad, x)
		}
		for i, x := range bad {
			if _, err := env.Restore(e, x); !errors.Is(err, env.ErrSnapshot) {
				c.fault("Restore of damaged bytes (case %d) gives %v, expected ErrSnapshot", i, err)
				break
			}
		}
		if _, err := e.Step(make([]float64, e.Spec().Action.Len())); !errors.Is(err, env.ErrResetNeeded) {
			c.fault("Step after a failed Restore gives %v, expected ErrResetNeeded", err)
		}
		if _, err := env.Restore(e, state); err != nil {
			c.fault("Restore of a good snapshot after bad ones: %v", err)
		}
		return nil
	})
}
