// Package delaytimer is the environments tarry/DelayTimer-v0 and tarry/DelayTimerDiscrete-v0: an
// agent sets the delay timers of another policy: Dally's (baselines/dally) unless the option base
// names another.
//
// # What is decided
//
// A job that finds no machine for itself waits: for T_rack before it takes a place in one rack, for
// T_net before it takes any GPUs. The agent sets both per class of demand. Classes are relative to
// M, the GPUs of the largest machine: at most M/4, M/2, M, 2M, 4M, and more.
//
// # Decision epoch
//
// The first instant at which anything happens at or after each multiple of `every` (a quarter of a
// lease unless set otherwise), counted from time zero. At the epoch time stands still: the timers
// hold for that instant already. The discrete twin is asked once for each class of which a job has
// been submitted, smallest demand first, at the same instant; the steps between have length 0.
//
// # Action
//
// tarry/DelayTimer-v0: Box(-1, 1), shape {6, 2}: per class (T_rack, T_net). a stands for 60^a
// leases, rounded to a whole second, and -1 for 0 (take it at once): a minute to 60 hours if a
// lease is an hour. T_net is at least T_rack. Encode gives the a for a number of leases.
//
// tarry/DelayTimerDiscrete-v0: Discrete(21): the pairs (T_rack, T_net) with T_rack <= T_net out of
// 0, 1, 3, 6, 12 and 24 leases, in the order (0,0), (0,1), ... (24,24). Pair gives the number of a
// pair.
//
// # Observation
//
// Dict{cluster, classes}: the 12 features of env/schedenv.ClusterFeatures, then per class 14 (shape
// {6, 14}, groups.go); the discrete twin sees the 12 and the 14 of the class that it is asked about.
// All lie in 0..1. `tarry list envs tarry/DelayTimer-v1` prints them.
//
// The option regime=true adds four features to each class, so that one agent can serve several
// networks and loads (regime.go). Speeds are from the speed model on an idle cluster: what a profile
// of the job's model would show (know.Speed). With it a = 1 is a wait without end, and the
// environment is trait.Searchable: see params.go for the parameters.
//
// The option hide=GROUP+GROUP holds the features of some groups at 0, and changes nothing else.
//
//	cluster  cluster: busy, down, running, draining, machine_part, rack_part
//	places   cluster: machine_free, rack_free, concentrated
//	queue    cluster and classes: waiting, demand, oldest
//	demand   classes: present, size
//	spread   classes: running, in_machine, in_rack, across
//	network  classes: compute; with regime=true rack_cost, net_cost
//	flow     classes: arrived, accepted
//	timers   classes: t_rack, t_net; with regime=true base_rack, base_net
//
// # Base policy
//
// Any policy that is a plan.Timed with its settings: dally and its variants, and delay in its time
// form with clock=wait. There a demand larger than a machine has T_net alone, as in Dally. A lease
// that base does not give is lease_s.
//
// # Reward
//
// cluster.Reward: by default minus the jobs in the system integrated over time / (lease x GPUs).
//
// # Episode
//
// See env/schedenv: a warm start from a state that the base policy under its own timers (Dally's
// auto-tuner) reached on the same window; truncation at the horizon; termination when all jobs have
// ended.
//
// # Version history
//
// v0: first version.
package delaytimer
