// Package elasticflow is ElasticFlow (Gu et al., "ElasticFlow: an elastic serverless training
// platform for distributed deep learning", ASPLOS 2023), and earliest deadline first with elastic
// jobs, in the variants of its authors' program.
//
//  1. Levels. A job runs on its least number of GPUs, or on twice as many, and so on, up to the number on which it is fastest: only numbers
//     that make it faster than fewer do count. Speeds are from sim/plan.Curves.
//  2. Minimum satisfactory share (share.go). Given what is free from now on, a job's share is the smallest number q such that it ends by its
//     deadline if it has q GPUs, or the largest level that is free, in every step of the profile: counted from the deadline backwards, as the
//     paper's progressive filling does. It has q from the step on at which the work is covered, and the next smaller level before.
//  3. Admission (policy.go). Jobs are planned by deadline, each on what those before it leave. A job that arrives is admitted if all then end in
//     time, else rejected (sim.Reject).
//  4. Surplus (surplus.go). GPUs that no plan needs now go to the job for which the next level, held until the next change, costs the least GPU
//     time for each GPU; first to jobs that have none.
//  5. Placement (place.go, sim/plan/buddy). Numbers are powers of two, jobs are placed the widest first in aligned blocks, and running jobs move where this needs it.
//  6. The next decision is due when a plan changes, a job comes or ends, but not within a slot of the last; plans release GPUs at whole slots.
//
// The variants edf and edf-accessctrl plan by deadline as well, and give each job at once as many
// GPUs as help it or are free.
//
// Reading guide: steps.go is functions of time, share.go the two ways to plan a job, policy.go the
// order of a decision. fidelity/elasticflowsim has the habits of the authors' simulator.
//
// # What is ours
//
//   - New plans for all jobs need not fit together even where the old ones do: filling by deadline
//     is a heuristic, and jobs are ahead of their plans by their surplus. Then the plans in force
//     stay, and a new job is admitted if it fits beside them. So without costs every admitted job
//     ends in time (tested on 10 000 random workloads).
//   - The paper states that surplus goes where it is used best; the authors' program sorts the
//     other way. surplus=least is the former, most the latter.
//   - A job that is late all the same, because of costs or faults, is planned after jobs that are
//     not, with all that helps it.
//   - Jobs without a deadline live on what is surplus.
//   - A block that is taken is left to its job where that can be; the authors' program places all
//     jobs anew.
//   - GPUs are counted as one pool: of several types a job counts its fastest, and of a job that
//     shares a GPU the whole one. Placement then is plan.Sizer's. Where speeds depend on the place,
//     plans take the nearest GPUs that the cluster has, so that a job that is spread may be late.
package elasticflow
