// Package racks is the environment tarry/Racks-v0: several schedulers, one for each rack, which share
// one policy. A job arrives at one of them; its scheduler starts it on GPUs of its own rack, forwards
// it to another scheduler, or lets it wait. After Zhao and Wu, "Large-scale ML Cluster Scheduling via
// Multi-agent Graph Reinforcement Learning", arXiv 2112.13354, of which only the abstract is at hand:
// several schedulers, placements of jobs that interfere, mean completion time.
//
// Reading guide. racks.go has the settings, scheduler.go the schedulers and their questions, place.go
// the sets of GPUs and the racks to forward to, observe.go what is seen, rules.go the fixed rules,
// policy.go the policy marl-like, answers.go jobs that are answered for by different rules.
//
// # Why an environment of its own
//
// tarry/Place-v0 has one agent that sees all jobs and machines, and choices of another shape;
// tarry/Dispatch-v0 has requests and a world of its own. The many agents of the latter are taken from
// there: the schedulers are asked in turn, time stands between, the reward is the team's.
//
// # What is decided
//
// One job of one scheduler: the first of its queue that has a choice. The job starts on one of four
// sets of GPUs of the rack (packed: the finest level that holds it, best fit; emptiest machines first;
// leftovers first; quiet: machines first that the fewest jobs over several machines use), goes to one
// of the racks that have as many free GPUs, the freest first, or waits, and with it the jobs of the
// same demand behind it, until something happens. A job is forwarded `forwards` times at most, so that
// no job goes round. No job is preempted.
//
// Job i of the run arrives at scheduler i mod racks, or the next one whose rack is large enough. A job
// that is larger than every rack has sets of the whole cluster and is not forwarded: the paper leaves
// open who places such a job. A job that asks for a part of a GPU has two sets: beside others (packed)
// and, quiet, a GPU of its own.
//
// # Interference
//
// With speed=contended (the default here, with links of a tenth of their speed) jobs over several
// machines slow one another down at the machines' links; with interference=LAW jobs on one GPU do,
// where jobs ask for parts of GPUs. The speed model is asked what a job keeps beside others on its
// GPUs. What it keeps on links is not predicted before a start (sim.View.Predict): kept is 1 for a
// job of whole GPUs where the network is a tree, and counts of jobs (meets) stand in.
//
// # Decision epoch
//
// Each instant at which a scheduler has a job with a choice. Of several schedulers that one is asked
// whose job arrived first. Where no job runs, a job that has a choice must not wait.
//
// # What is known
//
// Of the scheduler's own rack free GPUs, queue and jobs; of the other racks free GPUs and queues, as
// sums, and each rack that the job may go to by itself, in place of the paper's graph network. The
// speed that the job would have on a set now and without other jobs, as the speed model gives it.
// Nothing of how long a job takes.
//
// # Bar
//
// With hindsight (tarry eval --bounds) the best rule of each of 30 test windows is 1.2 % below fastest, and
// the best answers by rules that 200 plays find are 8.1 % below. Answers that are drawn gain as much: the
// search's part is hindsight alone.
//
// # Version history
//
// v0: first version.
package racks
