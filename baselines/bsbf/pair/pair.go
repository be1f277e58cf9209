// Package pair is the pair test of SJF-BSBF: whether a new job should start at once beside a job
// that runs, or wait for its end. "Scheduling Deep Learning Jobs in Multi-Tenant GPU Clusters via
// Wise Resource Sharing", arXiv 2407.13088.
//
// Two jobs on the same GPUs each take their slow-down times as long as alone for the same work, as
// long as both run; the remaining job is at full speed again. The mean of their completion
// times, counted from the present, is then a closed form of the two solo times and the two
// slow-downs. The paper's theorem is that nothing in between helps: to start at once or to wait for
// the end is best. The tests hold both against a simulation of two jobs.
package pair

// Job is one of two jobs that would share.
type Job struct {
	// Solo is the time that is left alone on its GPUs, > 0, in any unit that is the same for both.
	Solo float64
	// Slow is how many times longer its work takes while both run; 1 = not slowed, +Inf = does not
	// progress. It must be > 0.5, so that a job cannot gain more than double by company.
	Slow float64
}

// Together is the mean completion time of both where a starts beside b now: C, the smaller the
// better, also the rank of a pair.
func Together(a, b Job) float64 {
	first, second := a, b // first is done first
	if float64(b.Slow*b.Solo) <= float64(a.Slow*a.Solo) {
		first, second = b, a
	}
	// Both run until the end of the first, in which the second does a part of its own solo time;
	// the rest it runs alone.
	end := float64(first.Slow * first.Solo)
	return float64(0.5*second.Solo) + float64((1-0.5/second.Slow)*end)
}

// Apart is the mean completion time of both where a waits for the end of b: S. Starting at once
// gains where Together is less.
func Apart(a, b Job) float64 { return b.Solo + float64(0.5*a.Solo) }
