package schedenv

import (
	"slices"

	"tarry/env/layout"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// JobFeatures are what Job writes. left and done are clairvoyant: they need a policy that may read
// work (know.Work), else they are 0, as they are with Config.HideWork. sensitive needs know.Done, as
// Dally does for its order; else it is 0.
func JobFeatures() []layout.Feature {
	return layout.Features(`
gpus  0..1  ratio, squashed  GPUs that it asks for / GPUs of the largest machine
part  0..1  share  GPUs that it asks for / GPUs of the cluster
wait  0..1  leases, squashed  time since it began to wait, or got its present GPUs
run  0..1  leases, squashed  time that it has run
left  0..1  leases, squashed  time that its work left takes at full speed; 0 where work is hidden
done  0..1  share  part of its work that is done; 0 where work is hidden
preempted  0..1  preemptions, squashed  preemptions so far
sensitive  0..1  share  mean fraction of ideal speed so far; 0 before the first run`)
}

// Job writes the features of one job to the front of obs and gives how many there are.
func Job(v *sim.View, j sim.JobID, lease sim.Time, hideWork bool, obs []float64) int {
	t, g := v.Topology(), float64(v.Job(j).GPUs())
	run := v.Run(j).Time()
	obs[0] = Squash(g / float64(t.Capacity(cluster.LevelMachine)))
	obs[1] = Share(g, float64(t.GPUs()))
	obs[2] = Leases(v.Now()-v.Run(j).Since(), lease)
	obs[3] = Leases(run, lease)
	obs[4], obs[5], obs[7] = 0, 0, 0
	if done := v.Run(j).Done(); done >= 0 { // not NaN
		obs[7] = Share(done, g*float64(run))
	}
	if left, work := v.Run(j).Left(), v.Job(j).Work(); left >= 0 && !hideWork {
		obs[4] = Squash(left / g / float64(lease))
		obs[5] = Share(work-left, work)
	}
	obs[6] = Squash(float64(v.Run(j).Preemptions()))
	return 8
}

// Declares is what a reader of k learns in these runs: an estimate without a predictor, or
// with an exact one, is the work itself.
func (c *Config) Declares(k know.Set) know.Set {
	if k&know.Estimate == 0 {
		return k
	}
	if c.Predictor == nil || c.Exact {
		k |= know.Work
	}
	for i := range c.Regimes {
		k = c.Regimes[i].Declares(k)
	}
	return k
}

// Truth reports whether what is predicted is the truth, in one regime at least.
func (c *Config) Truth() bool {
	return c.Exact || slices.ContainsFunc(c.Regimes, func(r Config) bool { return r.Exact })
}

// Sees is what an observation with the features of Job reads: the work that is left for left and
// done unless work is hidden (Config.HideWork, or the group work in Config.Hide), progress for
// sensitive unless the group network is.
func (c *Config) Sees() know.Set {
	k := know.Nothing
	if !c.HideWork && !slices.Contains(c.Hide, "work") {
		k |= know.Work
	}
	if !slices.Contains(c.Hide, "network") {
		k |= know.Done
	}
	return k
}
