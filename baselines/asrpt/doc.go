// Package asrpt is A-SRPT: Z. Luo, J. Liu, M. Lee, N. B. Shroff, "Prediction-Assisted Online
// Distributed Deep Learning Workload Scheduling in GPU Clusters", arXiv 2501.05563 (INFOCOM 2025).
// A virtual single machine serves the jobs by predicted work, and states in which order the cluster
// starts them. Nothing is preempted on the cluster.
//
//  1. A job that arrives enters the virtual machine with its predicted work: predicted run time x GPUs. The machine does the work of all G GPUs,
//     so alone the job takes predicted run time x GPUs / G there.
//  2. The virtual machine always serves the job with the least work left, preemptively (machine.go).
//  3. A job that is done there enters the queue of the cluster. Its first job starts when it has its GPUs; until then the others wait.
//  4. A job goes where few servers talk to one another: the finest unit (slot, machine, rack) that has its GPUs, in a rack the fewest servers.
//  5. A job that communicates much, so that the place at hand would slow it down, waits a bounded time for a better one; others pass it meanwhile
//     (wait.go).
//
// # What is theirs and what is ours
//
// The paper was at hand as far as its abstract and introduction: predictions by a random forest
// over recurring jobs, a preemptive single-machine problem that guides the cluster, placement that
// keeps communication inside servers, and a proven competitive ratio are theirs. That the work
// scales by GPUs / G, that jobs go in the order of virtual completion and the bounded wait are from
// general knowledge of the paper. Ours:
//
//   - The predictor is the run's (--predict NAME, --estimate-error); without one run times are
//     known.
//   - Jobs here are equal workers without a graph of stages. Putting the heaviest edges into one
//     server is then to use the fewest servers. Racks count as well: where no rack has the GPUs,
//     Placer fills the racks with most free GPUs first.
//   - heavy and delay, both with their defaults, and that others pass a job that waits. Who waits
//     is asked of the speed model (know.Speed). Jobs that share a GPU or ask for CPU or memory do
//     not wait.
//   - early, on by default, which starts jobs ahead of the virtual machine where GPUs are idle.
//     Whether the paper does so could not be read; without it a job alone on an idle cluster waits
//     for its run time x GPUs / G, which makes its mean 9 % longer than easy's at load 0.3
//     (docs/schedulers/a-srpt.md).
//   - Equal work goes by arrival. A job that a fault sends back keeps its place in the order.
//   - G is all GPUs of the cluster, including GPUs that are down, and a GPU of any type counts as
//     one.
//
// With a rule of places (place) that stands for 4 and 5: the first of the queue waits for its
// place, and the others with it.
//
// With early=false a job is not started before it is done on the virtual machine, even on an idle
// cluster.
package asrpt

import "tarry/sim/plan/places"

// Params describes the settings for the catalogue. With place=any the policy's own rule holds.
const Params = places.Params + `
heavy   a job communicates much where the place at hand is predicted this many times slower than the best of an empty cluster; inf = none does; place=any alone
delay   longest wait of such a job for a better place, as a part of its predicted run time
early   true: while the queue is empty and GPUs are idle, jobs start before they are done on the virtual machine, with least left there first, and
        leave it, which is ours; false: the rule as we have it of the paper`
