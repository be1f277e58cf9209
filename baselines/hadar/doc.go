// Package hadar is Hadar: "Resource Heterogeneity-Aware and Utilization-Enhanced Scheduling for
// Deep Learning Clusters", arXiv 2503.10918, 2025, and "Hadar: Heterogeneity-Aware
// Optimization-Based Online Scheduling for Deep Learning Clusters", IPDPS 2024. In each round GPUs
// have prices, and jobs run where their utility exceeds what their GPUs cost.
//
//  1. Utility. U(f - a) falls with the time from a job's arrival a to its predicted end f = now + work left / speed.
//  2. Speed. A gang may have GPUs of several types; it runs at the pace of the slowest.
//  3. Price of a GPU of type r on machine h, of whose c GPUs g are given out in this round:
//     k = Umin_r (Umax_r / Umin_r)^(g/c), with Umax_r = max over jobs of U(best end) / GPUs and
//     Umin_r = 1/(4 eta) min over jobs of U(worst end) / (rounds that the job needs at worst x GPUs).
//     The bounds are over present jobs, since future jobs are unknown.
//  4. Dual subroutine. Jobs are taken one after the other; each is passed over, or placed where its payoff, utility less price, is largest, if
//     that is above 0. Placements are one machine, and several machines with GPUs of the job's k fastest types, for each k. The choices with the
//     largest sum of payoffs are made.
//  5. The allocation holds for a round. Jobs whose GPUs change are checkpointed and restored.
//
// # What is published and what is ours
//
// The text of the papers was not at hand. Their abstracts state: task-level heterogeneity (types
// may be mixed within a job), a primal-dual framework with a dual subroutine, decisions over space
// and time. Steps 1 to 5 are from general knowledge of the paper, with no equation checked. Ours
// are:
//
//   - The utility jct is 1 / (f - a), throughput is work / (f - a), in seconds. Per GPU throughput
//     prefers long jobs and what has not waited, so on a crowded cluster short jobs pile up; the
//     default is jct. eta is 1.
//   - The order of step 4 is utility at the best end per GPU, then arrival. Up to exact jobs the
//     best of all choices is found by depth-first search with a bound; for more each job in the
//     order is placed if it has a payoff above 0. Jobs behind the first whose best utility per GPU
//     is not above the lowest price cannot have one, and are not looked at.
//   - Communication enters by the speed: the speed model's on the GPUs of a placement; comm adds a
//     part to the price of placements on several machines. A running job may stay; anywhere else
//     its end is restart_s later.
//   - Where no job has a payoff above 0 and nothing runs, the first in the order that fits is
//     placed. fill=true gives all GPUs out like this.
//   - Rounds begin with the first arrival and continue while there are jobs. Nothing is given out
//     between two rounds, as in Gavel.
//   - The speed by type is asked of the speed model (know.Speed) where the authors profile; the work
//     left is the true one (know.Work, so the policy is clairvoyant), or with by=estimate the
//     estimate less what is done, doubled when outlived.
//
// # HadarE
//
// HadarE, of the later paper, forks a job into copies that train on several machines at once. It is
// here as hadare-like (forks.go):
//
//  1. In each round a job may have one copy on each machine, on all its GPUs that are free, up to the most that the job can use.
//  2. The copy with the largest payoff, utility gained less price, is placed, then the next, until no machine has room for any: none idles
//     while a job remains.
//  3. The progress of copies adds up: sim.Knobs.CopyFrac, with efficiency as the part that counts.
//  4. At the end of a round the copies' weights are averaged: 2 x weights / aggregate_gbps, during which the job stands still.
//
// Its abstract states: "forking each job into multiple copies to let a job train concurrently on
// heterogeneous GPUs resided on separate available nodes", utilisation x 1.45 and total duration 50
// % (a cluster of AWS) or 80 % (the authors') shorter. Steps 2 to 4 and every number are ours: as
// many copies as machines, and that they are chosen by Hadar's rule, are from general knowledge;
// the time of averaging counts one copy's weights both ways, with 100 MB where the model has no
// profile. Jobs must be able to run on these numbers of GPUs (--elastic): a rigid job has its
// number, on one machine if one has room, else as copies on several. That training with averaged
// weights needs no more steps is the authors' claim; efficiency below 1 doubts it.
//
// Reading guide: hadar.go follows events and rounds, value.go is utility, bounds and prices,
// place.go the placements of a job, choose.go the dual subroutine, assign.go turns counts into
// GPUs, forks.go is HadarE.
package hadar

// Params describes the settings for the catalogue.
const Params = `round      length of a round, s
utility    jct: 1 / (end - arrival) | throughput: work / (end - arrival)
by         work: the true work left (clairvoyant) | estimate: the estimated one, of --predict or --estimate-error
eta        scales the lowest price: 1/(4 eta)
comm       part that is added to the price of a placement on several machines
restart_s  how much later a job ends that moves, in its utility, s
exact      largest number of jobs for which all choices are compared
fill       GPUs that no job wants at their price go to the first that fit`

// ForkedParams describes the settings of HadarE for the catalogue.
const ForkedParams = `round           length of a round, s
utility         jct: 1 / (end - arrival) | throughput: work / (end - arrival)
by              work: the true work left (clairvoyant) | estimate: the estimated one, of --predict or --estimate-error
eta             scales the lowest price: 1/(4 eta)
restart_s       how much later a job ends that moves, in its utility, s
efficiency      part of the progress of several copies that counts
aggregate_gbps  at which copies send their weights at the end of a round, Gbit/s, 0 = no time`
