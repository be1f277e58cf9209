package abi

import "tarry/env"

// Reset starts an episode in each environment that the column chosen marks, from its entry of the
// column seed where seeded is set; otherwise its random streams run on. options are as for
// env.Env.Reset.
func (g *Group) Reset(options string) Status {
	return g.guarded(Refused, func() error {
		if err := g.bound(); err != nil {
			return err
		}
		before := g.at.obs
		if err := g.turn(); err != nil {
			return err
		}
		copy(g.at.obs, before) // the same memory, or of another slot: not every environment is reset
		for i := range g.envs {
			if g.at.chosen[i] == 0 {
				continue
			}
			var seed *uint64
			if g.at.seeded[i] != 0 {
				s := g.at.seed[i]
				seed = &s
			}
			if err := g.reset(i, seed, options); err != nil {
				return named(len(g.envs), i, err)
			}
			g.at.reward[i], g.at.terminated[i], g.at.truncated[i] = 0, 0, 0
		}
		return nil
	})
}

// reset starts an episode in environment i and writes its first observation.
func (g *Group) reset(i int, seed *uint64, options string) error {
	g.state[i] = fresh
	obs, info, err := g.envs[i].Reset(seed, options)
	if err != nil {
		return err
	}
	g.state[i] = running
	g.write(i, env.Step{Obs: obs, Info: info})
	return nil
}

// write puts what environment i shows into the buffer.
func (g *Group) write(i int, s env.Step) {
	b, metrics := g.at, len(g.spec.Metrics)
	if to := b.obs[i*len(s.Obs):]; len(s.Obs) > 0 && &to[0] != &s.Obs[0] {
		copy(to, s.Obs)
	}
	flags(b.mask[i*len(s.Info.Mask):], s.Info.Mask)
	b.elapsed[i] = s.Info.Elapsed
	row := b.metrics[i*metrics : (i+1)*metrics]
	clear(row)
	copy(row, s.Info.Metrics)
	g.last[i] = s
}
