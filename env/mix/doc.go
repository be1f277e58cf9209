// Package mix is the environment tarry/Mix-v0: an agent names which of several schedulers decides
// next (improper learning; Zaki, Mohan, Gopalan and Mannor, arXiv:2102.08201, 2207.09090). With
// observe=cluster it is the question of ASET (Castellano et al., IEEE GLOBECOM 2022), which chooses a
// static rule for each next window by a DQN; with observe=none the best an agent can find is a fixed
// mixture.
//
// # What is decided
//
// The member that decides the next turn. A member begins anew each time that it follows another one:
// waiting jobs enter its queue, and it adopts running jobs if it preempts (baselines/over, Turns).
// Named again, it keeps its state. Members alone are policies of the catalogue, and so is the mixture
// with fixed probabilities (mixture:members=...,theta=...).
//
// # Decision epoch
//
// The first instant at or after each multiple of `every` (a quarter of a lease unless set otherwise),
// counted from time zero, while there are jobs.
//
// # Action
//
// Discrete(members): the number of the member, in the order of the option members.
//
// # Observation
//
// Box, shape {1}: the constant 1. With observe=cluster the 12 features of
// env/schedenv.ClusterFeatures.
//
// # Reward
//
// jct, unless set otherwise: minus the jobs in the system integrated over time / (lease x GPUs).
//
// # Bar
//
// With hindsight (tarry eval --bounds) SRTF is the best member in each of 30 test windows of the question
// rivals; the best sequence of 200 is 0.9 % below it, the best sequence of copies of it 0.0 %. Of LAS,
// dally-nowait, dally-consolidated and FIFO it is 6.5 % below LAS, the best member of each window 2.5 %.
//
// Over six networks and loads (examples/regimes) LAS, dally-nowait and dally-consolidated in turn are
// 1.0 % below LAS, the member that is best on the other half of a network's windows 2.0 %, the best of
// each window 5.2 %.
//
// # Episode
//
// See env/schedenv: a warm start under the first member; truncation at the horizon; termination when
// all jobs have ended. Demonstrations (Follow) are each member by name, and turns, all members one
// after the other.
//
// # protocol=improper
//
// Two queues with one server (env/mix/queues), of which exact values are known. Members are serve1,
// serve2 and longest, each named for one slot; the reward is minus the jobs at the begin of the slot,
// the cost of an episode the sum of jobs discounted by `discount` per slot. An episode is truncated
// after `slots` slots. observe=queues shows both queues over the buffer.
//
// # Version history
//
// v0: first version.
package mix
