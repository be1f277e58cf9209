// Package pal is PAL and PM-First: "PAL: A Variability-Aware Policy for Scheduling ML Workloads in
// GPU Clusters", R. Jain, B. Tran, K. Chen, M. D. Sinclair, S. Venkataraman, SC 2024 (arXiv
// 2408.11919). GPUs of one type differ in speed, by up to 3.5 times for some applications and
// hardly for others. PAL is a placement: it serves jobs in the order of another scheduler and
// chooses their GPUs by
//
//	variability penalty x locality penalty
//
// The algorithm, as the paper and its artefact (an extension of Blox) have it:
//
//  1. PM-Scores. For each application class the time of an iteration is known on every GPU, over the median GPU's. K-means puts the GPUs into
//     bins; a GPU's score is the centroid of its bin over the median centroid. The number of bins has the best silhouette, without the GPUs
//     more than three standard deviations above the mean; each of these adds a bin.
//  2. Order. In each round jobs are taken in the scheduler's order until the next wants more GPUs than are left.
//     Taken jobs are placed by class, the class most sensitive to variability first, and in the scheduler's order inside a class.
//  3. PM-First, for jobs of one GPU and jobs larger than a machine: the GPUs with the lowest scores; among equals those on a machine that has about as
//     many of that score free as the job wants.
//  4. The L x V matrix, for the others: all pairs (locality l, score v) in the order of penalty(l) v. The first pair that can be met decides: GPUs
//     with scores of at most v in one machine, or anywhere by PM-First. A gang runs at the pace of its slowest GPU, hence the maximum.
//  5. Without sticky all running jobs are placed again in each round and move where that gives other GPUs.
//
// Reading guide: bins.go makes scores of measurements, classes.go measures and orders the classes,
// matrix.go walks the L x V matrix, order.go is the scheduler's order, pal.go plans a round.
//
// # What is ours
//
// The scores come from sim.View.Predict on each GPU alone, which stands for the offline profile of
// the paper (know.Speed); a model of the trace is profiled when its first job arrives. The paper
// sorts applications into classes by K-means over their use of memory and of functional units,
// which no trace has: here models that vary alike, by the standard deviation of their slowdowns in
// thousandths, are one class, and a larger deviation goes first. K-means in one dimension is solved
// exactly by dynamic programming, where the artefact starts Lloyd's method at random; the artefact
// also leaves its search for the number of bins after the first, k = 2, which bins=2 gives. The
// matrix has a row for each level of the tree (slot, machine, rack, network), where the paper has
// two, in and across machines: locality=1/1/1.7/1.7 is its own with the 1.7 of the artefact, and
// jobs of any size walk it, which for the sizes of step 3 on two levels is PM-First. Where several
// machines meet a pair, the one with fewest free GPUs is taken; the artefact takes that with most
// that meet it. GPUs that become free between two rounds are given out at once, in the same order;
// in Blox they wait. Jobs that share a GPU or ask for CPU or memory are placed as everywhere else
// in this project, by consolidation. order=las has the queues of Tiresias with ties by arrival.
package pal

// Params describes the settings for the catalogue.
const Params = `order      fifo | las: discretised attained GPU-time, in rounds | srtf: remaining run time (clairvoyant)
place      pal: the L x V matrix | pm-first: the lowest scores anywhere | packed: the finest unit that has the GPUs, as a control
locality   penalties of an allocation in a slot / machine / rack / several racks, the paper's: 1/1/1.7/1.7
sticky     true: running jobs keep their GPUs | false: in each round all are placed again, and may move
round      length of a round, s; 0 = at every event
bins       bins of scores, outliers not counted; 0 = by silhouette, 2 to 10
outliers   standard deviations above the mean from which a GPU is an outlier
by_class   true: jobs are placed by class, the most sensitive first | false: in the order alone
queues     bounds of las between its queues, GPU-seconds, ascending
backfill   true: jobs that want more than is left are passed over | false: they block`
