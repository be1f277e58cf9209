// Package horus is Horus: "Horus: interference-aware and prediction-based scheduling in deep
// learning systems", G. Yeung, D. Borowiec, R. Yang, A. Friday, R. Harper, P. Garraghan, IEEE TPDS
// 33, 2022. It shares GPUs among as many jobs as memory allows, by their predicted memory and
// utilisation. docs/schedulers/lucid.md compares.
//
// # The algorithm
//
//  1. Of the first k = 5 jobs of the queue, in order of submission, the first for which GPUs are found starts; the others keep their places (policy.go).
//  2. A GPU that has memory left for the job costs 1.3 memory + U/100 + jobs on it, the lower the better (gpus.go). U is the distance of its utilisation, with the
//     job, from 100 %, 1.6 times that beyond. So a GPU far from full costs as well, yet never as much as another job on it: jobs share only where no GPU is empty.
//  3. The cost of a node is its cheapest GPU's. Each of the n cheapest, for a job of n tasks, is the seed of a plan that takes its GPUs, then nodes of its rack and the
//     nearest racks; the plan on the fewest nodes is taken (find.go).
//
// cost=gandiva is its simulator's other rule: U is the utilisation before the job comes. Nothing is
// preempted.
//
// # Ours
//
// A task is a GPU of a gang, which gets different GPUs; in its simulator tasks are workers and
// parameter servers. The memory term is a fraction; the simulator's code adds an absolute number to
// one. Racks are near by their numbers.
// A GPU has most jobs at most, since GPUs whose memory is not stated would take any number; beyond
// its memory the paper has no bound. Four are within a few per cent of eight; two are better by up
// to 8 % where jobs slow each other down much, and by the law of the paper's simulator take up to
// three times as long. Memory and utilisation of jobs that have not run are the true ones
// (know.Profile) times drawn errors; the paper predicts them from the graph of the model. Of plans
// on equally many nodes the first seed's is taken.
//
// How much sharing slows jobs down is the run's --interference; horus is the factor of the paper's
// simulator.
//
// # Reading guide
//
// policy.go has the queue and predictions, gpus.go costs, find.go plans, config.go the settings.
package horus
