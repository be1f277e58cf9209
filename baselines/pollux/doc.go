// Package pollux is Pollux (A. Qiao et al., "Pollux: Co-adaptive Cluster Scheduling for
// Goodput-Optimized Deep Learning", OSDI 2021): a scheduler that decides how many GPUs of which
// machine each job has, and the agents of the jobs, which choose their batch sizes. Both maximise
// goodput, throughput times statistical efficiency.
//
// An agent (book.go) keeps the step times that its job has measured by (machines, GPUs, samples per
// GPU), and fits the parameters of the throughput model to them whenever one is new (baselines/fit,
// section 4.1); with the noise of the gradient that the job measures they give its goodput on any
// allocation (sim/goodput, equations 1 to 8). At each end of an epoch, and at each search, it sets
// the batch of best goodput, in as many micro-steps as the GPUs' memory asks for (section 3.3).
//
// A search costs population x generations x jobs x machines: a tenth of a second of a processor for
// 40 jobs on 16 machines; it is made every simulated minute, so that a trace of months takes hours. A
// larger interval, and fewer and smaller generations, make it cheap in proportion; jobs bounds what
// a search costs where thousands wait.
//
// The scheduler (round.go) searches at each whole multiple of interval while there are jobs:
//
//  1. Jobs are ordered by the GPU time that they have had, then by arrival.
//  2. SPEEDUP(a) is the goodput on an allocation over that on one machine with ceil(GPUs/jobs) GPUs, the fair share (curve.go; equation 14's normalisation). A job that was
//     not measured yet is as fast as it has GPUs, and gets one; then at most twice as many as it was seen with.
//  3. A genetic search (baselines/pollux/search) finds the matrix of GPUs by job and machine with the largest mean of SPEEDUP times the restart factor
//     max(age - restarts x restart, 0) / (age + restart), 1 for a job that keeps its row.
//  4. plan.Target leads there (lead.go): jobs keep the GPUs of a machine as far as their row notes it.
//
// # What it needs
//
// A progressive speed model (sim.Progressive) with telemetry: step times, noise, limits of batches.
// Where a model gives no limits for a job's batch, or no telemetry, the job's batch stays as it is,
// its efficiency is 1, and what is fitted is its observed speed (RunInfo.Speed), divided among GPUs
// as if a batch of 4096 samples were. Such jobs have no epochs; while nothing happens and ten
// searches changed nothing the time between searches doubles, up to 512 times, since nothing new
// can be learned.
//
// # We differ
//
// From the paper as the authors' simulator does, so that its results can be compared: the fitness
// is the simulator's, the harmonic mean (p = -1) of speed-ups scaled so that one machine's worth is
// 1, plus 1e-3; agents report when they are asked; one refit replaces the report every 30 s;
// clusters do not grow. From the simulator: at the end of an epoch the batch is tuned with the
// noise that the job measured when it was last looked at (after the last epoch's end, or at the
// last search), there with that at the present batch; the population that seeds a search is all of
// the last one, there its best front. Jobs may have a least number of GPUs, workers of several GPUs
// and a GPU type: searches respect them, and a job that was not measured yet is not spread over
// machines without need. Types are not distinguished otherwise. A machine of more than 127 GPUs
// counts as several. Jobs that share GPUs or ask for CPU or memory are scheduled apart: they start
// in order of arrival on what is free, and keep it.
package pollux
