package dally

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// NewArtistTiresias is the Tiresias that the authors' simulator compares Dally with. It shares
// Dally's contest, leases and clock, chooses by least attained GPU-time, and places like this: on
// one machine if any has room (slots are not looked at); else in one rack if the model is
// insensitive or at least a machine's worth of GPUs is free in the cluster (meant was: if the job
// is larger than a machine, and that holds here too, for GPU types of which there are fewer than
// the largest machine has); else anywhere if the model is insensitive or the job is larger than a
// rack. ResNet-18, ResNet-50 and BERT are insensitive by name.
//
// It is there to compare with the published runs. For Tiresias as published, see
// baselines/tiresias.
func NewArtistTiresias(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := Default()
	c.Tiresias, c.Order, c.Rule, c.Auto = true, LeastService, rule, false
	c.Return, c.ByEvents, c.Chunk, c.SettleS = true, true, 1000, 1
	c.LeaseS = s.Float("lease", c.LeaseS, 1e-3, 1e9)
	c.Chunk = s.Float("chunk", c.Chunk, 0, 1e12)
	c.SettleS = s.Float("settle", c.SettleS, 0, 1e9)
	c.Early = Early(slices.Index(earlies(), s.Enum("early", earlies()...)))
	c.Meant = s.Enum("relax", "free", "large") == "large"
	c.Sensitive = !s.Bool("insensitive", true)
	return NewPolicy(c, nil), s.Err()
}

// ArtistTiresiasParams describes its settings for the catalogue.
const ArtistTiresiasParams = `lease       length of a lease, s
chunk       iterations per GPU between points at which a lease is given up, 0 = any time
settle      time per GPU that came free before it is contested, s
early       now | settle | never, as dally's
relax       free: a job may take GPUs of a rack when a machine's worth is free in the cluster; large: when it is larger
            than a machine, as the original means to
insensitive true: ResNet-18, ResNet-50 and BERT take any place; false: no model does`

func insensitive(model string) bool {
	switch model {
	case "ResNet50", "ResNet18", "BERT":
		return true
	}
	return false
}

// relaxed is the candidate of a class under that rule.
func (p *Policy) relaxed(f *cluster.Free, c *class) (*entry, cluster.Level) {
	switch g := c.gpus; {
	case g <= f.Largest(cluster.LevelMachine):
		return c.best(), cluster.LevelMachine
	case (c.anywhere || c.fits > cluster.LevelMachine || !p.cfg.Meant && f.Total() >= p.capMach) &&
		g <= f.Largest(cluster.LevelRack):
		return c.best(), cluster.LevelRack
	case c.anywhere || c.fits > cluster.LevelRack:
		return c.best(), cluster.LevelCluster
	}
	return nil, 0
}
