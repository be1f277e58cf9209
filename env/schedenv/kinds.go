package schedenv

// Kind is a kind of reward.
type Kind struct {
	// Name is what users write, Doc what a step earns. N is the jobs in the system, L the lease, G
	// the cluster's GPUs.
	Name, Doc string
}

// Kinds lists the kinds of reward; the first is the default.
func Kinds() []Kind {
	return []Kind{
		{"jct", "-integral of N dt / (L G): the sum is minus the jobs' total time in the system, in leases per GPU"},
		{"slowdown", "-integral of sum_j dt / ideal_j / G: each job weighs 1 / its time alone, at least 10 s"},
		{"weighted", "-integral of sum_j gpus_j dt / (L G): each job weighs its GPUs"},
		{"makespan", "-time with a job in the system / L"},
		{"comm", "-GPU-time lost to exposed communication / (L G)"},
		{"relative", "jct, minus what the base policy would have got for the same jobs up to the same time; with " +
			"gamma=1 alone"},
		{"bsld", "minus the part of the window's mean bounded slowdown (10 s) that accrued: over an episode without " +
			"a horizon the sum is minus that mean; with gamma=1 alone"},
	}
}
