// Package slaq is SLAQ: H. Zhang, L. Stafman, A. Or and M. J. Freedman, "SLAQ: Quality-Driven
// Scheduling for Distributed Machine Learning", SoCC 2017. It gives GPUs to the jobs whose loss
// will fall most.
//
//  1. Jobs report their loss. A curve of one of two families, sublinear or exponential, is fitted to the last reports, late ones with more weight (sim/loss).
//  2. Every epoch the fit predicts for each job how much its loss will fall until the next with 1, 2, ... GPUs, from its speed with so many.
//  3. That is normalised by the largest fall of the job so far in one iteration, so that losses of different kinds compare.
//  4. Each job begins with the least it can run on; then units of GPUs go one by one to the job for which one more gains most.
//
// Reading guide: slaq.go an epoch; report.go losses, fits and gains; share.go the units, by a heap.
//
// # What is theirs and what is ours
//
// We know the abstract and notes. Theirs are the four steps. A job whose speed model gives its loss
// (Telemetry.Loss) reports that; most models give none: each job then gets a curve at its arrival,
// drawn by Draw of sim/loss from a stream of its own (seed), with half, the work in seconds of one
// reference GPU after which a job has lost half of what it can, and sigma, its spread. The curve
// does not depend on how much work the job has, so a job ends when its work is done, converged or
// not. Reports come at each epoch, without noise; a fit that foresaw one to a millionth of what was
// lost so far stays. Ours as well:
//
//   - norm=change is the normalisation above; norm=range divides by all that was lost so far and is
//     still to be lost by the fit, the measure by which the average quality is judged.
//   - A job with fewer than three reports has no fit. Its least count counts more than any job's
//     that has one, and what it could have beyond that counts nothing.
//   - When not all jobs can run the least counts, too, go to those for which they gain most per
//     GPU; others wait or are preempted. A gang is one unit of its least count.
//   - Units that gain nothing by the fit are given out as well, as long as they make a job faster.
//   - Between epochs jobs that wait start on GPUs that are free, with their least count, in the
//     same order.
//   - by=fair gives the units to the job with the fewest GPUs instead: the fair share with which
//     the paper compares.
//
// Numbers become GPUs by plan.Sizer. An epoch costs a fit for each job that ran, and log for each
// unit of GPUs.
package slaq

// Params describes the settings for the catalogue.
const Params = `epoch      time between two decisions on all jobs, s
by         quality | fair: units to the job with the fewest GPUs
norm       change: by the largest fall in one iteration | range: by all that can be lost
points     reports that a fit looks at
fade       reports after which one counts half as much
loss       auto: what jobs measure, where the speed model gives it, else drawn | drawn
half       median work after which half of what can be lost is lost, s of one reference GPU
sigma      deviation of its logarithm over the jobs
seed       of the curves
place      packed: jobs move where that brings jobs together on fewer machines | near: jobs that keep their number stay where they are; ours`
