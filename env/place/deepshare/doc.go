// Package deepshare is the simulator of DeepShare ("Network contention-aware cluster scheduling with
// reinforcement learning", Ryu and Eo, ICPADS 2023; gajagajago/deepshare), as a deterministic
// function of a list of jobs and of actions: 4 nodes of 8 GPUs, rounds of 300 s, jobs of 2, 4 or 8
// GPUs that are all there at 0. Time is counted in rounds.
//
// Reading guide: Tables (tables.go) is what was measured, World (world.go) the state and where a job
// may be placed, round.go what a round does to it, rules.go the rules of the authors' runs.
//
// # A round
//
//  1. Jobs are placed. LAS and SRTF place the head of their queue until it fits nowhere. Other rules,
//     and an agent, place one of three candidates, the first waiting job of each demand, on a set of
//     nodes (Action) until an action places nothing; in training there is one action per round.
//  2. Every job on several nodes keeps a ratio of its speed: the least ratio that the tables have
//     beside each of the other jobs on one of its nodes, at least 0.35. It only falls while the job
//     stays.
//  3. Every job gains isolated throughput x ratio x 300 samples, and ends with the last of them.
//  4. LAS and SRTF preempt all jobs, others the jobs whose ratio is at most 0.6. These join the end of
//     the queue in the order of their start.
//
// A job also ends when what is left is less than it does in a round, and room is judged by the
// observation, in which jobs about to end are left out.
//
// # Slips
//
// The published program has two slips. What a job does in a round lacks the throughput (ratio x 300),
// so that the test almost never holds; and a job that ends is removed from the list that is being
// walked, so that the next job of the list gains nothing in that round. With slips=false both are
// mended. In training the ratios of all jobs return to 1 at the start of a round, and room is judged
// by the observation of the round before.
package deepshare
