// Package power is the environment tarry/Power-v0: an agent switches machines off and on and sets
// the clocks of jobs, under a price, a carbon intensity or a power cap. Another policy decides who
// runs where: Dally's (baselines/dally) unless the option base names another.
//
// # What is decided
//
// How many machines may be on, how many idle ones stay on, after what idle time the others are
// switched off, and the clock of each class of jobs. Classes are by the GPUs that a job asks for: at
// most M/4, at most M, and more, M of the largest machine. What the agent sets holds until the next
// epoch, at each instant:
//
//  1. Idle machines beyond the limit are switched off, the highest number first; if no job waits, so
//     are machines that were idle for the timer, but for the spare ones.
//  2. The base policy decides on what is left. A job that it starts gets the clock of its class.
//  3. For the GPUs that waiting jobs lack, and for the spare machines, machines boot up to the limit,
//     the lowest number first. If jobs wait although GPUs are free, one machine boots at a time.
//
// An agent that keeps all machines on at the nominal clock is the base policy, record for record.
// No job is preempted. While jobs wait and none runs, as many machines may be on as the largest of
// them needs, and one more after each boot.
//
// # Decision epoch
//
// Each multiple of `every` (a quarter of a lease unless set otherwise), counted from time zero.
//
// # Action
//
// Box(-1, 1), shape {6}: limit, spare machines, timer, and the clock of each class (groups.go).
//
// # Observation
//
// Dict{cluster, power, class}: the 12 features of env/schedenv.ClusterFeatures, 22 of machines, watts
// and prices, and per class 4 (shape {3, 4}, groups.go). All lie in 0..1. Prices of the next 12 hours
// are seen, as they are public a day ahead (know.Series). `tarry list envs tarry/Power-v0` prints
// them.
//
// The option hide=GROUP+GROUP holds the features of some groups at 0, and changes nothing else.
//
//	cluster   cluster: busy, down, running, draining, machine_part, rack_part
//	places    cluster: machine_free, rack_free, concentrated
//	queue     cluster: waiting, demand, oldest; power: age
//	machines  power: on, idle, booting, stopping, breakeven
//	watts     power: watts, cap, over; class: draw
//	price     power: price, carbon
//	ahead     power: price_1, price_4, price_12, carbon_1, carbon_4, carbon_12
//	day       power: day_sin, day_cos
//	mix       class: running, compute
//	actions   power: limit, spare, timer; class: clock
//
// # Reward
//
// energy, unless set otherwise: minus the jobs in the system integrated over time / (lease x GPUs),
// minus energy_weight times the energy over what the cluster draws at most in a lease, or its cost or
// carbon over the mean price (energy_price), minus over_weight times the energy beyond the cap. The
// rewards of an episode sum to just that. Info.Metrics has energy_kwh, energy_cost, carbon_kg and
// over_cap_kwh of each step.
//
// # Rules
//
// Demonstrations (Follow) are the rules of Rules: always-on, timer:s=SECONDS, break-even,
// least-energy, cap and cheap. Each plays in the same environment as an agent does.
//
// # Episode
//
// See env/schedenv: a warm start from a state that the base policy reached on the same window with
// all machines on; truncation at the horizon; termination when all jobs have ended.
//
// # What was measured
//
// On cluster=4x2x8,base=fifo-fit,load=0.5,warm=6,horizon=48,windows=64 the mean returns of 32
// windows of part test are -35.1 for always-on, -26.7 for break-even and cap (there is none), -26.5
// for timer:s=0, -25.0 for cheap, -23.0 for least-energy, -22.0 for the constant action 0, and
// -20.6 for PPO (150 000 steps, three seeds, each chosen on validation):
//
//	tarry train --agent ppo --seed 1 --steps 150000 --set validate_every=8 --set validate_episodes=16
//
// PPO is 2.4 [1.1, 3.8] ahead of the best rule and 1.4 [0.9, 1.9] of the constant action 0 (paired
// by window, 95 %), which stands in for an untrained network. It does not win: the best of 240
// constant actions on 16 windows of validation has -20.2, 0.4 [0.0, 0.7] ahead of PPO, for five
// times the steps. PPO that imitates break-even first has -24.0.
//
// # Version history
//
// v0: first version.
package power
