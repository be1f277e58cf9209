// Package linksref compares what tarry computes about shared links with exact answers: max-min
// rates, steady states of jobs that compute and transfer in turns, CASSINI's circles, Crux' orders,
// levels and paths, vClos' sub-networks. A folder holds .json files, each a list of cases; a file's
// kind of case is known by the fields of its first (kinds).
package linksref

import (
	"tarry/fidelity/reference"
	"tarry/internal/fraction"
)

// kinds lists them, one line each; the first whose fields a case has is taken.
func kinds() []reference.CaseKind {
	return []reference.CaseKind{
		{Name: "rates", Fields: "capacity demand weight links rate", Compare: compareRates},
		{Name: "steady states", Fields: "capacity jobs periodic first_iteration_ends",
			Compare: comparePhases, All: judgePhases},
		{Name: "interleavings", Fields: "jobs shifts fair_together one_at_a_time", Compare: compareInterleaving},
		{Name: "forests", Fields: "jobs angles per_link cluster_shift score_after", Compare: compareForest},
		{Name: "circles", Fields: "jobs angles perimeter best_score first_best_shifts", Compare: compareCircle},
		{Name: "cuts", Fields: "intensity levels edges best_cut", Compare: compareCut},
		{Name: "pairs", Fields: "reference other ref_first other_first better", Compare: comparePair},
		{Name: "paths", Fields: "leaves spines jobs greedy_path best_use", Compare: comparePaths},
		{Name: "sequences", Fields: "spines leaves gpus_per_server events", Compare: compareSequence},
	}
}

// number is a number of a case.
type number = fraction.Number

// Reader compares folders of this form.
func Reader() reference.Reader { return reference.Cases("links", kinds()) }
