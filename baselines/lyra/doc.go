// Package lyra is Lyra (Li et al., "Lyra: Elastic Scheduling for Deep Learning Clusters", EuroSys 2023,
// arXiv 2202.07896, also called Aryl): base demands begin, the shortest job first, and what is
// left goes to extra workers by the time that they save, on machines that services lend if there are any.
//
//  1. Base demands (policy.go). Waiting jobs get their base demand, the job with the shortest expected
//     time on it first; a job that does not fit is passed over. Extra workers of running
//     jobs give way where no GPUs are free. No job is preempted.
//  2. Extra workers (extra, internal/knapsack). Each number of extra workers of a job saves seconds of the
//     time it has left; the numbers of all jobs save most together, with the GPUs that are left.
//  3. Placement (place.go). Jobs that start are placed the widest first, by best fit. Base demands prefer
//     machines of training, extra workers machines that are lent, so that machines which are taken back
//     have extra workers, which jobs can do without.
//  4. Loans. Which machines are lent and taken back, and which jobs that costs, is the operator's
//     (baselines/operate): in the paper too the services dictate it.
//
// # What is the paper's and what is ours
//
// We know the paper's abstract and first pages; of its other pages only from memory that jobs are not
// preempted to let others run, that base and extra workers are on machines of their own, and that values of
// the knapsack are seconds of completion time. Its cells are elastic=true or false, with an operator that
// lends or does not (lend=none). Ours are:
//
//   - The base demand is what a job asks for; base=least is the fewest GPUs that it runs on, as in the paper,
//     where these are what its owner wants. A job that has lost part of it gets that back as extra workers.
//   - A job without a range of numbers has no extra workers, and is placed as base demands are.
//   - Values have the work that is left by the run's estimates (left=work: the truth). A job beyond its
//     estimate has a tenth of the estimate left.
//   - Numbers of one GPU type form a knapsack of their own; a job does not grow beyond its type.
//   - A job that keeps its number keeps its GPUs; a job that shrinks gives up GPUs of lent machines first.
//   - A job that changes its number is placed anew where that is nearer together, and has no extra workers
//     that are so far away that it runs no faster.
//   - Machines of which the return is announced come last.
//   - Decisions at events, at most one in a slot (slot_s).
package lyra
