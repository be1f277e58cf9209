package schedenv

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/setting"
)

// Rewards lists the kinds of reward, the default first. N is the jobs in the system, L the lease, G
// the GPUs of the cluster.
//
// What accrues before the first question is in the first reward. A job that is rejected leaves the
// system at its rejection: it costs what accrued until then, and nothing for what it lacks. So an
// agent that may reject is paid for it, and needs a reward of its own. Of an elastic job, ideal_j and
// gpus_j are for the GPUs that it asks for; comm is of the GPUs that it holds.
func Rewards() []setting.Choice {
	return []setting.Choice{
		{Name: "jct", Doc: "-integral of N dt / (L G): the sum is minus the jobs' total time in the system, in " +
			"leases per GPU"},
		{Name: "slowdown", Doc: "-integral of sum_j dt / ideal_j / G: each job weighs 1 / its time alone, at least 10 s; " +
			"in slowdowns per GPU"},
		{Name: "weighted", Doc: "-integral of sum_j gpus_j dt / (L G): each job weighs its GPUs; in leases"},
		{Name: "makespan", Doc: "-time with a job in the system / L, in leases"},
		{Name: "comm", Doc: "-GPU-time lost to exposed communication / (L G), in leases"},
		{Name: "energy", Doc: "jct, minus the integral of (energy_weight p W + over_weight max(0, W - cap)) dt / (L M): " +
			"W watts of the cluster, M the most that it draws, p 1, or the price or the carbon over its mean"},
		{Name: "relative", Doc: "jct, minus what the base policy would have got for the same jobs up to the same " +
			"time, in leases per GPU; with gamma=1 alone"},
		{Name: "bsld", Doc: "minus the part of the window's mean bounded slowdown (10 s) that accrued: over an episode " +
			"without a horizon the sum is minus that mean; with gamma=1 alone"},
		{Name: "gain", Doc: "(b - s) / max(b, s, 1) when the last job has ended, and 0 before: s the window's mean bounded " +
			"slowdown (10 s), b the base policy's; with gamma=1 alone, and in training with horizon=0"},
	}
}

// symbols explains the letters of Rewards.
const symbols = "N jobs in the system, L the lease, G the GPUs of the cluster"

// kinds lists the names of Rewards.
func kinds() []string {
	var names []string
	for _, r := range Rewards() {
		names = append(names, r.Name)
	}
	return names
}

// explained states the reward in words.
func (r *Reward) explained() string {
	text := r.Kind
	for _, k := range Rewards() {
		if k.Name == r.Kind {
			text += " (the option reward): " + k.Doc + "; " + symbols
		}
	}
	if r.Gamma != 1 {
		text += fmt.Sprintf("; discounted by %v per lease within a step", r.Gamma)
	}
	if r.AverageLeases > 0 {
		text += fmt.Sprintf("; minus the mean reward of the last %v leases or so", r.AverageLeases)
	}
	return text
}

// ends states in words when an episode ends.
func (c *Config) ends() string {
	text := "terminated when all jobs of the window have ended, with an observation of zeros"
	switch {
	case len(c.Regimes) > 0:
		text += "; truncated at the first question at or after the horizon of its scenario"
	case c.Horizon > 0:
		text += fmt.Sprintf("; truncated at the first question at or after %v leases since the end of the warm-up",
			float64(c.Horizon)/float64(c.Lease()))
	}
	return text + fmt.Sprintf("; a lease is %v s", float64(c.Lease())/float64(sim.Second))
}
