package envtest

import (
	"runtime"

	"tarry/env"
)

// allocs counts the allocations of steps, once an episode has warmed the environment up. Resets
// are not counted.
func (c *checker) allocs() error {
	if c.cfg.MaxAllocs < 0 {
		return nil
	}
	return c.with(func(e env.Env) error {
		seed := uint64(3)
		p := newPlayer(e, "allocs")
		if err := p.reset(&seed, ""); err != nil {
			return err
		}
		if err := p.play(c.cfg.Steps); err != nil {
			return err
		}
		var before, after runtime.MemStats
		steps, mallocs := 0, uint64(0)
		for steps < c.cfg.Steps {
			if err := p.reset(&seed, ""); err != nil {
				return err
			}
			for ; steps < c.cfg.Steps && !p.done; steps++ {
				if err := p.choose(); err != nil {
					return err
				}
				runtime.ReadMemStats(&before)
				s, err := e.Step(p.action)
				runtime.ReadMemStats(&after)
				if err != nil {
					return err
				}
				mallocs += after.Mallocs - before.Mallocs
				p.note(p.action, s)
			}
		}
		// The runtime itself allocates now and then: a twentieth of an allocation is forgiven.
		if mean := float64(mallocs) / float64(steps); mean > c.cfg.MaxAllocs+0.05 {
			c.fault("%.2f allocations per step over %d steps, expected at most %v", mean, steps, c.cfg.MaxAllocs)
		}
		return nil
	})
}
