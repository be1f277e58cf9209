// Package multifactor is the scheduling of Slurm with priority/multifactor and sched/backfill: jobs
// in the order of a weighted sum of factors, of which fair share with decayed usage is the largest
// by default, backfilled behind reservations. Sources: slurm.schedmd.com, pages "Multifactor
// Priority Plugin", "Fair Tree Fairshare Algorithm", "Classic Fairshare Algorithm" and slurm.conf,
// and the plugin's program (SchedMD/slurm, src/plugins/priority/multifactor and
// src/plugins/preempt/qos).
//
//  1. priority = weight_age x age + weight_fairshare x fair share + weight_size x size + weight_partition x partition + weight_qos x QOS +
//     weight_gpu x GPUs, cut to a whole number from 1 to 2^32 - 1. Every factor lies between 0 and 1. Equal priorities: by (submit, id).
//  2. age is the wait over max_age_s, at most 1. size is the mean of the job's parts of all machines and of all GPUs, or with favor=small one
//     less it. partition is the priority of the job's virtual cluster over the highest, as the run's tenants state it; QOS the job's own
//     priority over the highest so far; GPUs (a TRES) its part of all GPUs.
//  3. Fair share: virtual clusters are accounts, users stand below them, shares are the weights of
//     the run's tenants, 1 by default. fairshare=tree ranks users by Fair Tree, the default since
//     19.05; fairshare=classic is 2^(-(effective usage/shares)/dampening). Package fairshare has
//     both.
//  4. Usage is GPU-seconds. It halves every half_s. Every calc_s usage fades, what ran is charged, factors and the priorities of all waiting jobs
//     are computed again. In between a job that ends is charged at once, one that arrives gets its priority at once, and all others stay.
//  5. Jobs start in order of priority. backfill=conservative: the first depth jobs that do not fit get a reservation each, at the earliest
//     hole that delays no job before them; a job starts if its hole begins now. backfill=easy: only the first has one, and depth means
//     nothing. backfill=none: nothing passes the first that does not fit. Run times to go by are estimates, or time limits (by=request).
//     With a rule of places (place) the first that does not fit is reserved from the earliest expected end of a running job at which it has a place
//     by what runs, and the GPUs of that place are kept: a job that may run on then does not take them. The others are reserved numbers of
//     GPUs, from when there is a place if there is none now. Each event plans anew, so what holds is: by the estimates no start delays a reservation of
//     the same event, nor takes the place of the first.
//  6. preempt=qos: a job goes before all of a lower QOS, and one that does not fit stops running jobs of a lower QOS, the lowest first and of
//     these the smallest. They wait again (PreemptMode=REQUEUE).
//
// # What is theirs and what is ours
//
// Theirs are the formulas, half_s, max_age_s and calc_s (7 days, 7 days, 5 minutes), depth
// (bf_max_job_test, 500) and the arithmetic of decay=slurm: a second keeps 1 - 0.693/half_s, and
// what is used in a period counts as used at its begin. slurm.conf has 0 for every weight, which is
// order of arrival; our defaults are from the example on the plugin's page. decay=exact is ours:
// the integral.
//
// We differ: users are known from their first job on, not from a database, so ranks count the users
// that came so far; usage is GPUs x time, not CPUs x time (as with TRESBillingWeights of GPUs
// alone); a job's machines are as few as can hold it; age counts from the submission even after a
// preemption; the main loop and backfill run at every event and every calc_s while something may
// start, not every 30 s; reservations have no window and no resolution and count GPUs of any type;
// no job is killed at a time limit: the expected end doubles; a job that is preempted keeps what
// its checkpoint holds; while checkpoints are written only jobs ahead of the preempting one may
// start; a preemption stops no job whose GPUs are not needed by count, where the demand is for
// whole GPUs and no CPU or memory. There are no reservations by administrators, limits,
// associations' priorities, nice values or dependencies.
//
// Cost: an event costs its jobs and the walk over the queue: none without free GPUs, else up to
// depth holes in the profile of reservations (easy: the demands that wait, for each start). A calc
// period costs the running jobs, the tree, and a sort of the waiting jobs; periods in which
// nothing can start are taken together at the next event.
//
// Reading guide: policy.go follows events and walks the queue, priority.go has the factors,
// usage.go the account of usage, backfill.go reservations, preempt.go QOS.
package multifactor

import (
	"tarry/baselines/backfill"
	"tarry/sim/plan/places"
)

// Params describes the settings for the catalogue.
const Params = `weight_age        weight of the wait, a whole number
weight_fairshare  of fair share
weight_size       of the job's size
weight_partition  of the priority of the job's virtual cluster
weight_qos        of the job's own priority
weight_gpu        of the GPUs asked for, a TRES
favor      large | small: which jobs have the larger size factor
max_age_s  wait at which the age factor is 1, s
fairshare  tree: Fair Tree | classic
dampening  FairShareDampeningFactor of fairshare=classic
half_s     half-life of usage, s, 0 = usage does not fade
calc_s     period of decay and priorities, s
decay      slurm: as the program computes it | exact: the integral
backfill   conservative: a reservation for each job that does not fit | easy: for the first | none
depth      jobs that backfill=conservative looks at
preempt    none | qos: jobs stop running ones of a lower priority of their own
` + backfill.Params + "\n" + places.Params
