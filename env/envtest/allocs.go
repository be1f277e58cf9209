package envtest

import (
	"fmt"
	"runtime"

	"tarry/env"
)

// allocs counts the allocations of steps, once an episode has warmed the environment up. Resets
// are not counted. The runtime and other goroutines allocate now and then too, so the least of
// several counts is taken, and a twentieth of an allocation per step is forgiven.
func (c *checker) allocs() error {
	if c.cfg.MaxAllocs < 0 {
		return nil
	}
	return c.with(func(e env.Env) error {
		p := newPlayer(e, "allocs")
		seed := uint64(3)
		if err := p.reset(&seed, ""); err != nil {
			return err
		}
		if err := p.play(c.cfg.Steps); err != nil {
			return err
		}
		var complaint string
		for range 3 {
			mean, err := c.countAllocs(p, seed)
			if err != nil || mean <= c.cfg.MaxAllocs+0.05 {
				return err
			}
			complaint = fmt.Sprintf("%.2f allocations per step, expected at most %v", mean, c.cfg.MaxAllocs)
		}
		c.fault("%s", complaint)
		return nil
	})
}

// countAllocs gives the mean number of allocations of a step.
func (c *checker) countAllocs(p *player, seed uint64) (float64, error) {
	var before, after runtime.MemStats
	steps, mallocs := 0, uint64(0)
	for steps < c.cfg.Steps {
		if err := p.reset(&seed, ""); err != nil {
			return 0, err
		}
		for ; steps < c.cfg.Steps && !p.done; steps++ {
			if err := p.choose(); err != nil {
				return 0, err
			}
			runtime.ReadMemStats(&before)
			s, err := p.e.Step(p.action)
			runtime.ReadMemStats(&after)
			if err != nil {
				return 0, err
			}
			mallocs += after.Mallocs - before.Mallocs
			p.note(p.action, s)
		}
	}
	return float64(mallocs) / float64(steps), nil
}
