package schedenv

import "tarry/sim/setting"

// Rewards lists the kinds of reward, the default first. N is the jobs in the system, L the lease, G
// the cluster's GPUs.
//
//	jct        -integral of N dt / (L G): the sum is minus the jobs' total time in the system
//	slowdown   -integral of sum_j dt / ideal_j / G: each job weighs 1 / its time alone, at least 10 s
//	weighted   -integral of sum_j gpus_j dt / (L G): each job weighs its GPUs
//	makespan   -time with a job in the system / L
//	comm       -GPU-time lost to exposed communication / (L G)
//	relative   jct, minus what the base policy would have got for the same jobs up to the same time
//	bsld       -integral of sum_j dt / max(ideal_j, 10 s) / jobs of the window, and what max(1, .) adds when a job ends. What accrues
//	           before the first question is in the first reward: over an episode that ends with the last job the sum is minus the
//	           mean bounded slowdown
//
// A job that is rejected leaves the system at its rejection: it costs what accrued until then, and
// nothing for what it lacks. So an agent that may reject is paid for it, and needs a reward of its
// own. Of an elastic job, ideal_j and gpus_j are for the GPUs that it asks for; comm is of the GPUs
// that it holds.
func Rewards() []setting.Choice {
	return []setting.Choice{
		{Name: "jct", Doc: "-integral of N dt / (L G): the sum is minus the jobs' total time in the system, in " +
			"leases per GPU"},
		{Name: "slowdown", Doc: "-integral of sum_j dt / ideal_j / G: each job weighs 1 / its time alone, at least 10 s"},
		{Name: "weighted", Doc: "-integral of sum_j gpus_j dt / (L G): each job weighs its GPUs"},
		{Name: "makespan", Doc: "-time with a job in the system / L"},
		{Name: "comm", Doc: "-GPU-time lost to exposed communication / (L G)"},
		{Name: "relative", Doc: "jct, minus what the base policy would have got for the same jobs up to the same " +
			"time; with gamma=1 alone"},
		{Name: "bsld", Doc: "minus the part of the window's mean bounded slowdown (10 s) that accrued: over an episode " +
			"without a horizon the sum is minus that mean; with gamma=1 alone"},
	}
}

// kinds lists the names of Rewards.
func kinds() []string {
	var names []string
	for _, r := range Rewards() {
		names = append(names, r.Name)
	}
	return names
}
