package artist

import (
	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Tiresias finds places as the authors' Tiresias does: on one machine if any has room (slots are not
// looked at); else in one rack if the model is insensitive or at least a machine's worth of GPUs is
// free in the cluster (meant was: if the job is larger than a machine, and that holds here too, for
// GPU types of which there are fewer than the largest machine has); else anywhere if the model is
// insensitive or the job is larger than a rack. ResNet-18, ResNet-50 and BERT are insensitive by
// name. It is a contest.Places.
type Tiresias struct {
	// Meant relaxes to a rack only jobs larger than a machine, as that program means to.
	Meant bool
	// Sensitive takes no model for insensitive by its name.
	Sensitive bool
}

// NewTiresias is the Tiresias that the authors' simulator compares Dally with. It shares Dally's
// contest, leases and clock, chooses by least attained GPU-time, and places by Tiresias. It is there
// to compare with the published runs. For Tiresias as published, see baselines/tiresias.
//
//  1. Jobs contest in the order of attained GPU-time, the least first, with Dally's leases and
//     clock.
//  2. A job is placed as Tiresias places it: consolidated where the skew of its model is high,
//     else on leftovers.
func NewTiresias(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := contest.Config{LeaseS: 3600, Order: contest.LeastService(), Rule: rule, Return: true, ByEvents: true}
	h, places := Default(), Tiresias{}
	c.LeaseS = s.Float("lease", c.LeaseS, 1e-3, 1e9)
	h.Read(s)
	places.Meant = s.Enum("relax", "free", "large") == "large"
	places.Sensitive = !s.Bool("insensitive", true)
	h.On(&c)
	c.Places = places
	return contest.New(c, contest.NewFixed(6, 12, c.LeaseS)), s.Err()
}

// TiresiasParams describes its settings for the catalogue.
const TiresiasParams = `lease       length of a lease, s
chunk       iterations per GPU between points at which a lease is given up, 0 = any time
settle      time per GPU that came free before it is contested, s
early       now | settle | never, as dally's
relax       free: a job may take GPUs of a rack when a machine's worth is free in the cluster; large: when it is larger
            than a machine, as the original means to
insensitive true: ResNet-18, ResNet-50 and BERT take any place; false: no model does`

// insensitiveKind is the kind of jobs whose model is insensitive.
const insensitiveKind = 1

// Kind distinguishes insensitive models.
func (t Tiresias) Kind(v *sim.View, j sim.JobID) int32 {
	if !t.Sensitive && insensitive(v.Job(j).Model()) {
		return insensitiveKind
	}
	return 0
}

func insensitive(model string) bool {
	switch model {
	case "ResNet50", "ResNet18", "BERT":
		return true
	}
	return false
}

// Find is the candidate of a class under that rule.
func (t Tiresias) Find(f *cluster.Free, c *contest.Class, machine int) (*contest.Entry, cluster.Level) {
	anywhere := c.Kind == insensitiveKind
	switch g := c.GPUs; {
	case g <= f.Largest(cluster.LevelMachine):
		return c.Best(), cluster.LevelMachine
	case (anywhere || c.Fits > cluster.LevelMachine || !t.Meant && f.Total() >= machine) &&
		g <= f.Largest(cluster.LevelRack):
		return c.Best(), cluster.LevelRack
	case anywhere || c.Fits > cluster.LevelRack:
		return c.Best(), cluster.LevelCluster
	}
	return nil, 0
}
