// Package search finds an allocation of GPUs to jobs by a genetic search with two objectives, as
// Pollux does (A. Qiao et al., "Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep
// Learning", OSDI 2021, section 4.2.1): functions and one type, without a clock or a cluster.
//
// A state is a matrix: how many GPUs each job has on each node. Its fitness is the power mean over
// the jobs of speed-up times restart factor (equation 14 with the factor of section 4.2.1), its
// utility the sum of the speed-ups per GPU of the nodes in use. Both are to be large. Search is
// NSGA-II (K. Deb et al., "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", IEEE
// Trans. Evolutionary Computation 6(2), 2002):
//
//  1. The population of the last search, with the jobs there are now, is repaired and evaluated (search.go).
//  2. In each generation parents win tournaments by dominance, then by crowding (mate.go).
//  3. Two children swap the rows above a cut, and mutate: rows go back to the present state, lose nodes, or grow where GPUs are free (mutate.go).
//  4. They are repaired (repair.go): at most one job of several nodes on each node, no job above its maximum, no node above its GPUs.
//  5. New states are evaluated (evaluate.go); the best of parents and children survive, front by front, by crowding in the last (front.go).
//
// The result is the state of best fitness.
//
// # How it is fast
//
// A row is a few words with a byte for each node, so that sums, minima and comparisons take eight
// nodes at a time (lanes.go). A child has its parents' rows with their values; only rows that
// changed are evaluated, from a table by (job, nodes, GPUs). Fronts are found by sorting, in O(n
// log n). Random words are made a thousand at a time. Nothing is allocated once warm.
//
// # We differ
//
// A mating that only repeats known states is tried again up to four times the population in a
// generation, the original (pymoo) up to a hundred times. Jobs may have a least number of GPUs,
// GPUs per worker and forbidden nodes, which Pollux' jobs do not have: rows below the least are
// filled up where GPUs are free, else emptied.
package search
