// Package lucid is Lucid: "Lucid: a non-intrusive, scalable and interpretable scheduler for deep
// learning training jobs", Q. Hu, M. Zhang, P. Sun, Y. Wen, T. Zhang, ASPLOS 2023. It preempts no
// job of the main pool: it orders jobs by prediction and lets two share GPUs where that costs
// little. docs/schedulers/lucid.md states how to run it and what was compared.
//
// # The algorithm
//
//  1. Profiler (pool.go): machines of its own run every small job first, with least GPUs first, the first that does not fit blocking the others. Who ends
//     within profile_s is done; the others are preempted and go to the main queue. It takes idle machines of the main pool while many jobs
//     wait for it, and gives them back when few do and few are expected.
//  2. Order (follow.go): the main queue is by predicted run time x GPUs, from the run's predictor.
//  3. Load (load.go): every step_s the number of jobs that will come is forecast. Up to few, nothing is shared, and the first job that finds no place blocks the
//     others.
//  4. Sharing (serve.go): otherwise jobs are looked at in order. One of at most share_gpus GPUs starts beside the first running job that has its GPUs alone, has as
//     many of them, leaves memory, is predicted at least half as much GPU-time, and whose share score with its own is at most 2; else alone; else it is
//     passed over.
//  5. Scores (scores.go): 0, 1 or 2, by the mean part of its speed that a job keeps beside others: from 0.95, from 0.85, below.
//  6. Placement (place.go): on the machine with the fewest free GPUs that hold the job; a larger job gets machines that are free as a whole, and one for the rest.
//
// # Ours
//
// The forecast is exponential smoothing, and the paper's is learned from months of a cluster's
// trace; its thresholds count jobs of the next five steps. Scores are by what the run's speed model
// states of pairs as they meet (scores=pairs), averaged by model, GPUs and usage, where the authors
// have a decision tree over profiles or a table of measured pairs; scores=usage has thresholds of
// ours on utilisation. The duration predictor is the run's (--predict), which is fitted anew as
// jobs end, by each predictor's own rule; the paper's is weekly. A predicted run time of 0 or less
// counts as 1000 s, as in the simulator.
//
// What a job did in the profiler counts as work, less what the costs of the run take for its
// checkpoint and restart. In the authors' simulator profiling neither delays nor credits a job: a
// longer job re-enters at its submission. profiler=ideal does that, and so must read which jobs are
// short.
//
// The profiler has at most a quarter of the machines, and none below four. Jobs that it cannot hold
// start unprofiled; without a profile a job starts alone. A job that the main pool cannot hold by
// the rule of placement when it is empty gets any GPUs there are, the profiler's too, which takes
// no jobs meanwhile. Jobs that ask for a part of a GPU are placed as they ask and share with no job
// by these rules.
//
// # Reading guide
//
// policy.go has the instant, follow.go what happens to jobs, pool.go the profiler, serve.go the
// main queue, turns.go which jobs need not be tried, config.go the settings.
package lucid
