// Package offer is the environment tarry/Offer-v0: delay scheduling without timers. Each offer of a
// place to a job is taken, or the job waits for a better one; the rest is Dally's own policy
// (baselines/dally).
//
// # What is decided
//
// In Dally's contest the first in its order that finds any place is offered the best there is. A
// place on one machine, or of the finest level that could ever hold the job, is taken without
// asking; for any other the agent is asked. A job that waits does not block those behind it. Its
// answer speaks for all jobs of the same demand until the next instant. An agent that always takes
// is dally-nowait, one that never does is dally-consolidated, record for record.
//
// # Decision epoch
//
// Every offer at every instant: when GPUs come free, a job arrives, a lease ends, and `recheck` (a
// quarter of a lease unless set otherwise) after the last instant at which a job declined. Time
// stands still between the offers of an instant. When nothing runs and nothing was placed at the
// instant, waiting cannot help: the offer is taken without asking.
//
// # Action
//
// Discrete(2): 0 waits, 1 takes the place. Both are always legal.
//
// # Observation
//
// Dict{cluster, job}: the 12 of env/schedenv.ClusterFeatures; the 8 of env/schedenv.JobFeatures for
// the job that has the offer, and 7 more (groups.go). All lie in 0..1. `tarry list envs
// tarry/Offer-v1` prints them.
//
// The option hide=GROUP+GROUP holds the features of some groups at 0, and changes nothing else;
// hide=work is what hide_work=true is, too.
//
//	cluster   cluster: busy, down, running, draining, machine_part, rack_part
//	places    cluster: machine_free, rack_free, concentrated; job: in_machine, in_rack
//	queue     cluster: waiting, demand, oldest; job: rivals, behind
//	demand    job: gpus, part
//	history   job: wait, run, preempted
//	work      job: left, done
//	network   job: sensitive
//	offer     job: offered, fits
//	patience  job: patience
//
// # Reward
//
// cluster.Reward: by default minus the jobs in the system integrated over time / (lease x GPUs).
//
// # Episode
//
// See env/schedenv: a warm start from a state that the base policy reached on the same window;
// truncation at the horizon; termination when all jobs have ended. The base policy takes an offer
// when the job has waited as long as Dally's timers require. We differ from Dally there: it lets
// the first whose timer is open choose, here the first in order is asked.
//
// # Version history
//
// v0: first version.
package offer
