// Package optimus is Optimus: Y. Peng, Y. Bao, Y. Chen, C. Wu and C. Guo, "Optimus: An Efficient
// Dynamic Resource Scheduler for Deep Learning Clusters", EuroSys 2018. It gives GPUs to the jobs
// whose completion they bring nearest.
//
//  1. Jobs report their loss after each epoch. A curve is fitted to the reports (sim/loss) and states after which epoch the job will have converged: when the loss has
//     fallen by no more than a threshold in the last epochs (section 3.1).
//  2. A job's speed on some workers is fitted to a few measured ones, by least squares without negative coefficients (section 3.2, baselines/fit).
//  3. Every interval each job gets one worker, in the order in which they came. Then workers go one by one to the job for which one more takes most off the time that is
//     left, per GPU, until none gains (section 4.1).
//  4. Jobs are placed, smaller ones first, evenly on the fewest machines, with most free GPUs (section 4.2).
//
// Reading guide: optimus.go an interval, job.go what is known of a job; loss.go what is left of it,
// speed.go how fast it is, outlook.go both where another program states them; share.go the workers,
// place.go the GPUs.
//
// # What is theirs and what is ours
//
// We know the paper's abstract, its authors' program and notes. Jobs of a simulation have no
// parameter servers: the form of a speed is for workers that synchronise by all-reduce, 1/x = a/w +
// b + c w (fit.AllReduce). Neither have they a loss, unless the speed model measures one. For
// others one is made at arrival: a number of epochs, uniform within epochs, and a curve drawn as in
// sim/loss, with half of what can be lost lost after the part half of them. The owner's threshold
// is what this curve loses in the last window epochs: the job ends when it converges. So reports
// show the work that is left, late ones more than early ones, and the policy is marked clairvoyant,
// though it decides on reports alone; left=estimate decides on the run's estimates instead, and is
// not.
//
//   - Reports have noise, and so have measured speeds; a speed that a job has run at replaces what
//     the fit states.
//   - Without a fit, after fewer than three reports, a job has further epochs left, as in the
//     authors' program.
//   - Measuring speeds on a few counts takes no time here; there a trial takes minutes.
//   - A job whose number of GPUs stays keeps them; there all jobs are placed anew. place=near grows
//     and shrinks jobs where they are.
//   - Jobs that came start at the next interval, as there.
//   - Not here: epochs of earlier jobs of the same kind.
//
// fidelity/polluxsim has the Optimus that Pollux (OSDI 2021) was compared with.
package optimus

// Params describes the settings for the catalogue.
const Params = `every      time between two decisions, s
left       what a job has left: loss: by fits of its loss | estimate | work: the truth
speed      fit: fitted to a few measured counts | oracle: of every count
trials     counts that are measured
place      even: on the fewest machines | emptiest: machine by machine | near: where jobs are
epochs     FEWEST/MOST epochs of a job
half       part of them after which half of what can be lost is lost, the median
sigma      deviation of its logarithm over the jobs
window     epochs over which a loss that hardly falls has converged
further    epochs that a job without a fit has left
noise      deviation of a report, of what there is to lose, and of a measured speed
points     reports that a fit looks at
fade       reports after which one counts half as much
seed       of curves, noise and measured counts`
