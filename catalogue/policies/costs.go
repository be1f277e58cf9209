package policies

import "tarry/sim/entry"

// costs has the policies that need more than ten times dally's processor time on Philly by the
// nature of their algorithm; make cost measures them, and a test holds these rows against it.
func costs() map[string]entry.Cost {
	return map[string]entry.Cost{
		"afs-l": {JobMs: 0.15, Why: "all GPUs among all jobs anew and all jobs packed anew, at each arrival and end",
			Bounds: []string{"interval", "place"}},
		"afs-p": {JobMs: 0.16, Why: "all GPUs among all jobs anew and all jobs packed anew, at each arrival and end",
			Bounds: []string{"interval", "place"}},
		"allox": {JobMs: 0.21, Why: "a minimum-cost matching of up to cap jobs to places on all GPUs, at each event",
			Bounds: []string{"cap"}},
		"antman": {JobMs: 0.07, Why: "the speeds of guaranteed jobs beside others, at each event and period",
			Bounds: []string{"period"}},
		"aset-like": {JobMs: 0.14, Why: "at each change of members all jobs in the system are taken over, and put in " +
			"order anew", Bounds: []string{"every_s"}},
		"cassini": {JobMs: 0.07, Why: "its host, and with phases the best rotations of each link of each candidate",
			Bounds: []string{"host", "candidates"}},
		"conservative": {JobMs: 0.26, Why: "a reservation for each waiting job, anew when a job ends before its estimate " +
			"or outlives it", Bounds: []string{"depth", "interval"}},
		"dally-shared": {JobMs: 0.06, Why: "the losses beside each running job of each job that becomes the first of its " +
			"demand", Bounds: []string{"share_at"}},
		"dl2": {JobMs: 2.2, Why: "all GPUs among the jobs of the list anew, one at a time, at each arrival and end",
			Bounds: []string{"jobs", "every"}},
		"decima-like": {JobMs: 2.5, Why: "all GPUs among the jobs of the list anew, once for each of them, at each arrival " +
			"and end", Bounds: []string{"jobs"}},
		"edl": {JobMs: 0.5, Why: "queues, all GPUs among all jobs anew and all jobs packed anew, at each arrival and end",
			Bounds: []string{"interval", "place"}},
		"gadget-like": {JobMs: 0.57, Why: "an integer programme over the counts of all jobs in each slot",
			Bounds: []string{"slot", "nodes"}},
		"gandiva": {JobMs: 0.09, Why: "a suspension and a start of each job whose turn begins or ends, in each quantum",
			Bounds: []string{"quantum"}},
		"gandiva-fair": {JobMs: 0.055, Why: "turns of the jobs of each user on each server, in each quantum",
			Bounds: []string{"quantum"}},
		"hadare-like": {JobMs: 0.065, Why: "bids of all jobs for machines, one copy after the other, in each round",
			Bounds: []string{"round"}},
		"muri": {JobMs: 0.085, Why: "groups of jobs by weighted matchings of up to block groups, where some group " +
			"would run, at each arrival and end",
			Bounds: []string{"matching", "block", "max"}},
		"nonintrusive-like": {JobMs: 0.055, Why: "the time left of each running job on each count, then all packed anew, " +
			"at each arrival and end", Bounds: []string{"place"}},
		"ones": {JobMs: 8.4, Why: "an evolutionary search over all jobs at each arrival, end and epoch",
			Bounds: []string{"population", "generations", "every"}},
		"pollux": {JobMs: 300, Why: "a genetic search over jobs x machines each simulated minute",
			Bounds: []string{"population", "generations", "interval"}},
		"deepboot": {JobMs: 1.4, Why: "a knapsack over jobs x GPUs x counts each simulated minute",
			Bounds: []string{"interval", "jobs", "max"}},
		"powerflow": {JobMs: 0.11, Why: "all jobs in the system in order and all moves anew, at most once in a slot",
			Bounds: []string{"slot_s", "clocks"}},
		"rltune-like": {JobMs: 0.23, Why: "the free GPUs of all machines, and the integer programme of the front of the " +
			"queue, at each event with a free GPU", Bounds: []string{"front", "nodes"}},
		"shockwave": {JobMs: 0.3, Why: "a market over all jobs and the next rounds, in each round in which jobs come or go",
			Bounds: []string{"round_s", "future_rounds"}},
		"sia": {JobMs: 0.2, Why: "an integer programme over all jobs and configurations in each round",
			Bounds: []string{"interval_s"}},
		"slaq": {JobMs: 0.12, Why: "a fit of the losses of each running job that its last fit did not foresee, in each epoch",
			Bounds: []string{"epoch", "points"}},
		"sjf-bco": {JobMs: 0.35, Why: "plans of a batch of jobs for each size of job and limit, each played, where a job " +
			"could start", Bounds: []string{"batch", "steps"}},
		"slurm": {JobMs: 0.065, Why: "reservations for up to depth jobs, at each arrival and end",
			Bounds: []string{"depth", "backfill"}},
		"synergy": {JobMs: 0.055, Why: "all jobs in order, and their CPU and memory where they run, in each round",
			Bounds: []string{"round_s"}},
		"themis": {JobMs: 0.056, Why: "the rho of all jobs and an auction, at each event with a GPU on offer",
			Bounds: []string{"lease"}},
		"tiresias-gittins": {JobMs: 0.058, Why: "preemptions and places of jobs that change their queue, or are " +
			"promoted as they wait", Bounds: []string{"promote", "last"}},
		"typed": {JobMs: 0.055, Why: "a score of each job on each GPU type, and who runs anew, at each arrival and end",
			Bounds: []string{"eager"}},
	}
}
