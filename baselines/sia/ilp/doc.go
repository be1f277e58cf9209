// Package ilp is the allocation problem of Sia (Jayaram Subramanya et al., "Sia:
// heterogeneity-aware, goodput-optimized ML-cluster scheduling", SOSP 2023, section 3.4): which job
// has which configuration, some GPUs of one type, in the next round.
//
//  1. Configurations (Configs). Of each type the powers of two up to the GPUs of a node, then whole nodes.
//  2. A job's row (Rules.Row). Its goodputs, divided by the smallest of them, times the restart factor r but in the configuration that the job has; to the
//     power p. With p < 0 an entry is a cost. r = max(age - R S, 0) / (age + S) for a job of that age that was restarted R times, at S each; 1 for a
//     job younger than S. The arithmetic has 32 bits, with two decimals, as in the authors' simulator, so that the entries are equal to theirs.
//  3. The choice (Solver). Each job has at most one configuration, and each type as many GPUs as it has. With p < 0 the sum of the chosen
//     entries, and of lambda for each job without, is the least; with p > 0 the largest, and lambda is negative.
//
// The choice is one of package internal/choice. Rounded entries are often equal, so that many
// choices are best: of those, one is searched in which many jobs run and many keep their
// configuration. That second aim is not proved; the first is, unless Solver.Proved states
// otherwise.
package ilp
