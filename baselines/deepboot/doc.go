// Package deepboot is the training side of DeepBoot (Z. Chen, X. Zhao, C. Zhi and J. Yin, "DeepBoot: Dynamic
// Scheduling System for Training and Inference Deep Learning Tasks in GPU Cluster", IEEE Trans. Parallel and
// Distributed Systems 34(9), 2023). Services come before training: what they hold is not there, and the rest is
// divided anew every interval.
//
//  1. Jobs measure their steps and gradients, and tune their batches, as Pollux' agents do (tarry/baselines/pollux).
//  2. At each whole multiple of interval jobs stand in the order of the GPU time that they have had, then of arrival.
//  3. The value of w GPUs is SPEEDUP on the fewest machines that have w GPUs, over the goodput of the fair share; times
//     max(age - restarts x restart, 0) / (age + restart) where a job has not w now.
//  4. A group knapsack over the GPUs that no service holds finds the numbers of largest sum (ats.Knapsack).
//  5. A job whose number stays keeps its GPUs. The others are placed, smaller ones first, each on the machine with
//     fewest free GPUs that has enough, else machine by machine from the one with most (ats.Node).
//
// How services get GPUs is an operator's part: ATS-I is the operator deepboot (tarry/baselines/operate). That a
// resize costs little is the run's: --cost resize=afe.
//
// We know the authors' simulator and the abstract; fidelity/deepbootref plays that simulator. We differ as
// tarry/baselines/pollux does from its own: noise of the batch before a change, ranges, workers and types of jobs,
// jobs apart.
package deepboot
