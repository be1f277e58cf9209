package preempt

import "tarry/sim/plan/victim"

// The places of the numbers that a vector reads: from the front of the observation, of the blocked
// job and of a candidate.
const (
	atDemand    = 8 // of the cluster
	atPreempted = 6 // of a job
	atLacks     = blockedFeatures
	atRankOf    = blockedFeatures + 2 // the blocked job's
	atPresent   = 8
	atRatio     = 9
	atMachine   = 12
	atUnsaved   = candidateFeatures
	atRisk      = candidateFeatures + 1
	atUntil     = candidateFeatures + 2
	atChosen    = candidateFeatures + 5
	atLeft      = candidateFeatures + 7
	atRank      = candidateFeatures + 8
	atSpread    = candidateFeatures + 9
)

// rowOf is what a vector reads of a candidate's row.
func rowOf(row []float64) victim.Row {
	return victim.Row{Ratio: row[atRatio], Unsaved: row[atUnsaved], Until: row[atUntil], Risk: row[atRisk],
		Foreseen: victim.Foreseen{Left: row[atLeft], Rank: row[atRank], Spread: row[atSpread]},
		Machine:  row[atMachine], Preempted: row[atPreempted]}
}

// act is the action under a vector: 0, a candidate, or a wait.
func (c *Config) act(obs, params []float64) int {
	rows := obs[len(obs)-2*c.Candidates*candidateSets:]
	blocked := obs[len(obs)-len(rows)-blockedSets : len(obs)-len(rows)]
	w := victim.Weighing{Weights: params, Demand: obs[atDemand], Lacks: blocked[atLacks], Rank: blocked[atRankOf]}
	for i := range c.Candidates {
		switch row := rows[i*candidateSets : (i+1)*candidateSets]; {
		case row[atPresent] == 0:
		case row[atChosen] == 1:
			w.Begun = true
		default:
			r := rowOf(row)
			w.Add(i, &r)
		}
	}
	best, waits := w.Choice()
	if waits {
		best += c.Candidates
	}
	return 1 + best
}
